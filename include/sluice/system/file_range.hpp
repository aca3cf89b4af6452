// SPDX-License-Identifier: BSL-1.0
//
// A section of a file, read by position.
//
//   class file_range {
//     file_range(int fd, std::uintmax_t offset, std::uintmax_t length = unbounded);
//     file_range(file& source, std::uintmax_t offset, std::uintmax_t length = unbounded);
//   };
//
#ifndef SLUICE_SYSTEM_FILE_RANGE_HPP
#define SLUICE_SYSTEM_FILE_RANGE_HPP

#include <sluice/system/file.hpp>

#include <algorithm>

namespace sluice {

/// Delivers the bytes [offset, offset + length) of a file, or those that there are. It has a position of its own, which
/// starts at 0, the beginning of the section, and leaves that of the descriptor alone: any number of them may read one
/// file at the same time, each in its thread. The descriptor is borrowed and has to stay open.
///
/// A copy of it takes the kernel paths of a file, but for holes, which it reads as zeros.
class file_range {
 public:
  /// Reads `length` bytes from `offset` on, both in bytes. No system call.
  file_range(int fd, std::uintmax_t offset, std::uintmax_t length = unbounded) noexcept;
  /// `length` bytes from `offset`, or all from there; the file has to outlive it.
  file_range(file& source, std::uintmax_t offset, std::uintmax_t length = unbounded) noexcept
      : file_range(source.fd(), offset, length) {}

  /// As that of fd_ref; 0 at the end of the section or of the file. Errors: those of pread(2); `invalid_seek` for a
  /// pipe or socket. One pread(2).
  result<std::size_t> read_some(std::span<std::byte> b);

  /// The same over several pieces. One preadv(2).
  result<std::size_t> read_some(std::span<const mutable_buffer> pieces);

  /// Moves past up to `n` bytes; fewer only at the end of the section or of the file. Errors: `io_errc::unsupported`,
  /// with nothing skipped, on what is no regular file or lies about its size. fstat(2) and one to three pread(2).
  result<std::uintmax_t> skip(std::uintmax_t n);

  /// Moves to `offset` bytes from `from`: the beginning of the section, the position, or where section or file end.
  /// Errors: `invalid_argument` outside of the section; those of fstat(2). No system call but fstat(2) for the end.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin);

  /// Bytes from the beginning of the section. No system call.
  result<std::uintmax_t> position() const noexcept { return at_; }

  /// How many bytes are left; nothing for what is no regular file, or claims to be empty. A hint only. One fstat(2).
  std::optional<std::uintmax_t> size_hint();

  /// The descriptor for the kernel's own copying, with the place in the file. No system call.
  std::optional<fd_endpoint> kernel_endpoint() noexcept;

  /// Moves on by what went past inside the kernel, in bytes.
  void kernel_advanced(std::uintmax_t n) noexcept { at_ += std::min(n, length_ - at_); }

 private:
  result<std::uintmax_t> end();

  int fd_;
  std::uintmax_t begin_;
  std::uintmax_t length_;  // begin_ + length_ is an offset that the system can count
  std::uintmax_t at_ = 0;
  fd_facts facts_;
};

}  // namespace sluice

#endif
