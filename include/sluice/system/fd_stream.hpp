// SPDX-License-Identifier: BSL-1.0
//
// A stream that owns its descriptor. File, pipe and socket are made of it.
//
//   class fd_stream {                                  // and all members of fd_ref
//     fd_stream();                                     // closed
//     explicit fd_stream(int fd);
//     fd_stream(int fd, fd_kind kind);
//     fd_stream(int fd, const fd_facts& facts);
//     bool is_open() const;
//     result<void> close();
//     int release();
//     result<void> set_non_blocking(bool on);
//     result<void> resize(std::uintmax_t size);
//   };
//
#ifndef SLUICE_SYSTEM_FD_STREAM_HPP
#define SLUICE_SYSTEM_FD_STREAM_HPP

#include <sluice/system/fd_ref.hpp>

namespace sluice {

/// Owns a descriptor and closes it. Can be moved, not copied. A stream that is closed, moved from or released answers
/// every request with `std::errc::bad_file_descriptor`, and 0-byte requests with 0.
class fd_stream : private fd_ref {
 public:
  /// A closed stream.
  fd_stream() noexcept : fd_ref(-1) {}

  /// Takes over `fd`. No system call.
  explicit fd_stream(int fd) noexcept : fd_ref(fd) {}

  /// Takes over `fd`, which the caller knows to be of this kind. No system call.
  fd_stream(int fd, fd_kind kind) noexcept : fd_ref(fd, kind) {}

  /// Takes over `fd`, of which the caller knows this much. No system call.
  fd_stream(int fd, const fd_facts& facts) noexcept : fd_ref(fd) { facts_ = facts; }

  /// Leaves `other` closed.
  fd_stream(fd_stream&& other) noexcept;

  /// Closes what is held now, as the destructor does, and leaves `other` closed.
  fd_stream& operator=(fd_stream&& other) noexcept;

  /// Closes the descriptor. An error is lost here: call `close` where it matters, that is, after writing.
  ~fd_stream();

  using fd_ref::fd;
  using fd_ref::kernel_advanced;
  using fd_ref::kernel_endpoint;
  using fd_ref::kind;
  using fd_ref::position;
  using fd_ref::read_some;
  using fd_ref::seek;
  using fd_ref::size_hint;
  using fd_ref::skip;
  using fd_ref::write_some;

  /// Whether there is a descriptor.
  bool is_open() const noexcept { return fd() >= 0; }

  /// Closes the descriptor. Whatever the result, the stream is closed after it; closing a closed one succeeds.
  /// Errors: those of close(2), which for some file systems (NFS, quotas) are the first news of a failed write. EINTR
  /// is reported, not retried: Linux has released the descriptor by then, and another thread may have its number.
  [[nodiscard]] result<void> close();

  /// Gives the descriptor away unclosed, or -1 if there is none. The stream is closed after it.
  [[nodiscard]] int release() noexcept;

  /// Switches O_NONBLOCK. It belongs to the open file and so is shared with duplicates of the descriptor, see fcntl(2).
  /// Errors: those of fcntl(2). Two fcntl(2), or one where nothing changes.
  result<void> set_non_blocking(bool on);

  /// Cuts the file to `size` bytes, or lengthens it with zeros. The position stays. Errors: those of ftruncate(2);
  /// `file_too_large` for a size that the system cannot count. One ftruncate(2).
  [[nodiscard]] result<void> resize(std::uintmax_t size);
};

}  // namespace sluice

#endif
