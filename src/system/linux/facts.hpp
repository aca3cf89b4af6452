// SPDX-License-Identifier: BSL-1.0
//
// What the kernel says of a descriptor.
//
//   void learn_facts(int fd, fd_facts& facts);
//   void learn_facts(int fd, const struct stat64& status, fd_facts& facts);
//   enum class presence { there, absent, unclear };
//   presence has_byte(int fd, off64_t offset);
//   result<off64_t> skip_target(int fd, fd_facts& facts, off64_t from, std::uintmax_t n);
//
#ifndef SLUICE_SRC_SYSTEM_LINUX_FACTS_HPP
#define SLUICE_SRC_SYSTEM_LINUX_FACTS_HPP

#include <sluice/kernel_endpoint.hpp>
#include <sluice/result.hpp>

#include <sys/stat.h>

namespace sluice::detail {

/// Fills in kind, device and inode. Where the kernel refuses to tell, the facts stay as they are.
/// One fstat(2); and isatty(3) for a character device, getsockopt(2) for a socket.
void learn_facts(int fd, fd_facts& facts);

/// The same from a status that is at hand already.
void learn_facts(int fd, const struct stat64& status, fd_facts& facts);

/// Whether a file has a byte at the offset. st_size is no proof of it: it lies in procfs and sysfs. One pread(2).
enum class presence { there, absent, unclear };
presence has_byte(int fd, off64_t offset);

/// Where `n` bytes, 1 at least, from `from` on end in a regular file, or where the file ends before. Errors:
/// `io_errc::unsupported` where it is none, or does not tell the truth about its size. One pread(2) where the bytes are
/// there, after an fstat(2) the first time; up to three and the fstat at the end.
result<off64_t> skip_target(int fd, fd_facts& facts, off64_t from, std::uintmax_t n);

}  // namespace sluice::detail

#endif
