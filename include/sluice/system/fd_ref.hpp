// SPDX-License-Identifier: BSL-1.0
//
// A stream over a descriptor that somebody else owns.
//
//   class fd_ref {
//     explicit fd_ref(int fd);
//     fd_ref(int fd, fd_kind kind);
//     int fd() const;
//     fd_kind kind();
//     result<std::size_t> read_some(std::span<std::byte>);
//     result<std::size_t> read_some(std::span<const mutable_buffer>);
//     result<std::size_t> write_some(std::span<const std::byte>);
//     result<std::size_t> write_some(std::span<const const_buffer>);
//     result<std::uintmax_t> skip(std::uintmax_t n);
//     result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin);
//     result<std::uintmax_t> position();
//     std::optional<std::uintmax_t> size_hint();
//     std::optional<fd_endpoint> kernel_endpoint();
//     void kernel_advanced(std::uintmax_t n);
//   };
//
// Nothing here buffers: a call is a system call. One call moves at most 0x7ffff000 bytes, the limit of Linux itself,
// see read(2). EINTR is retried inside. EAGAIN on a non-blocking descriptor comes back as
// std::errc::operation_would_block. A request for 0 bytes returns 0 and makes no system call, for on a message socket
// even an empty write is a message.
//
#ifndef SLUICE_SYSTEM_FD_REF_HPP
#define SLUICE_SYSTEM_FD_REF_HPP

#include <sluice/buffer.hpp>
#include <sluice/concepts.hpp>
#include <sluice/kernel_endpoint.hpp>
#include <sluice/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sluice {

/// Borrows a descriptor, which has to stay open as long as it is used here. Copies refer to the same descriptor and so
/// to the same offset.
class fd_ref {
 public:
  /// Refers to `fd`; what it is will be asked when it is needed. No system call.
  explicit fd_ref(int fd) noexcept : fd_(fd) {}

  /// Refers to `fd`, which the caller knows to be of this kind; it has to be right, for the way to suppress SIGPIPE
  /// depends on it. No system call.
  fd_ref(int fd, fd_kind kind) noexcept : fd_(fd), facts_{.kind = kind} {}

  /// The descriptor.
  int fd() const noexcept { return fd_; }

  /// What the descriptor refers to; `unknown` where the kernel refuses to tell. Asks fstat(2) once and remembers.
  fd_kind kind();

  /// Reads at least one and at most `b.size()` bytes; 0 for a non-empty span is the end of the stream. Errors: those
  /// of read(2). One read(2).
  [[gnu::hot]] result<std::size_t> read_some(std::span<std::byte> b);

  /// The same over several pieces, filled in order. Empty pieces are skipped, and no more than IOV_MAX (1024) of the
  /// others are used. Errors: those of readv(2). One readv(2).
  result<std::size_t> read_some(std::span<const mutable_buffer> pieces);

  /// Writes at least one and at most `b.size()` bytes. Errors: those of write(2) and send(2); a closed peer is
  /// `std::errc::broken_pipe` and never raises SIGPIPE, whatever its disposition is.
  /// One system call: send(2) with MSG_NOSIGNAL on a socket; pwritev2(2) with RWF_NOSIGNAL (Linux 6.18) on a pipe, or
  /// write(2) with SIGPIPE blocked where the kernel does not know that flag; write(2) on everything else. The first
  /// write on a descriptor of unknown kind asks fstat(2) which of these it is.
  [[gnu::hot]] result<std::size_t> write_some(std::span<const std::byte> b);

  /// The same over several pieces, written in order. Empty pieces are skipped, and no more than IOV_MAX (1024) of the
  /// others are used. One sendmsg(2), pwritev2(2) or writev(2).
  result<std::size_t> write_some(std::span<const const_buffer> pieces);

  /// Moves past up to `n` bytes of a regular file without reading them; returns how many, fewer only at the end: that
  /// a byte is where lseek(2) would go is checked by reading it. Errors: `io_errc::unsupported`, with nothing skipped,
  /// where one lseek does not do it, on other kinds and on files that do not tell their size or lie about it, as those
  /// of procfs and sysfs do; reading is the way there, and it is the better way for a few kilobytes.
  /// fstat(2), two lseek(2) and a pread(2) of one byte; two more preads where the file ends before.
  result<std::uintmax_t> skip(std::uintmax_t n);

  /// Moves the descriptor's offset to `offset` bytes from `from`; returns the new one. A position past the end is
  /// allowed, see lseek(2). Errors: `invalid_seek` on pipes and sockets, `invalid_argument` before the beginning.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin);

  /// The descriptor's offset, in bytes from the beginning. Errors: `invalid_seek` on pipes and sockets. One lseek(2).
  result<std::uintmax_t> position();

  /// How many bytes are left of a regular file; nothing for other kinds, and for files that claim to be empty, as
  /// procfs does. A hint only. fstat(2) and lseek(2); none where the kind is known to be another.
  std::optional<std::uintmax_t> size_hint();

  /// The descriptor for the kernel's own copying, together with what is known of it; nothing without a descriptor. No
  /// system call. Valid as long as this object is.
  std::optional<fd_endpoint> kernel_endpoint() noexcept;

  /// Nothing is to be accounted here: the kernel has moved the descriptor's offset itself.
  void kernel_advanced(std::uintmax_t) noexcept {}

 private:
  friend class fd_stream;

  int fd_;
  fd_facts facts_;
};

}  // namespace sluice

#endif
