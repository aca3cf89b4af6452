// SPDX-License-Identifier: BSL-1.0
//
// What the kernel says of a descriptor.
//
//   void learn_facts(int fd, fd_facts& facts);
//   void learn_facts(int fd, const struct stat64& status, fd_facts& facts);
//
#ifndef SLUICE_SRC_SYSTEM_LINUX_FACTS_HPP
#define SLUICE_SRC_SYSTEM_LINUX_FACTS_HPP

#include <sluice/kernel_endpoint.hpp>

#include <sys/stat.h>

namespace sluice::detail {

/// Fills in kind, device and inode. Where the kernel refuses to tell, the facts stay as they are.
/// One fstat(2); and isatty(3) for a character device, getsockopt(2) for a socket.
void learn_facts(int fd, fd_facts& facts);

/// The same from a status that is at hand already.
void learn_facts(int fd, const struct stat64& status, fd_facts& facts);

}  // namespace sluice::detail

#endif
