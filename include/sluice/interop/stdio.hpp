// SPDX-License-Identifier: BSL-1.0
//
// A FILE* as a reader and as a writer.
//
//   class stdio_reader {                               // a buffered reader
//     explicit stdio_reader(std::FILE*);
//     result<void> give_back();
//     std::FILE* stream();
//   };
//   class stdio_writer {
//     explicit stdio_writer(std::FILE*);
//     result<void> flush();
//     std::FILE* stream();
//   };
//
// Each call locks the FILE once. Not part of <sluice/sluice.hpp>.
//
#ifndef SLUICE_INTEROP_STDIO_HPP
#define SLUICE_INTEROP_STDIO_HPP

#include <sluice/concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

namespace sluice {

/// Reads from a FILE. With glibc the window is the FILE's own buffer, so that both sides can be used in turn and
/// neither loses a byte; no other thread may use the FILE while a window is looked at. Only a `fill` that wants more
/// than is in that buffer takes bytes out of the FILE; they stay readable here, and `give_back` and the destructor
/// return them. With another C library there is no window in place, and no kernel endpoint.
///
/// The end sets the FILE's end indicator, which is sticky: after the end of a terminal's input clearerr(3) goes on.
/// EINTR is retried. An error sets the error indicator, except `operation_would_block`.
class stdio_reader {
 public:
  /// Borrows `stream`, which has to be open as long as it is used here.
  explicit stdio_reader(std::FILE* stream) noexcept : stream_(stream) {}
  stdio_reader(stdio_reader&& other) noexcept;
  stdio_reader& operator=(stdio_reader&& other) noexcept;

  /// Gives back what is held here, as far as the FILE takes it.
  ~stdio_reader();

  /// Reads what is buffered, or what one refill makes available; where nothing is buffered and there is an endpoint,
  /// a span that is larger than the FILE's buffer is read into directly. 0 is the end. Errors: those of read(2).
  result<std::size_t> read_some(std::span<std::byte> b);

  /// What can be read without a refill.
  std::span<const std::byte> buffered() noexcept;

  /// Makes `n` bytes visible, fewer only at the end. Errors: as `read_some`; the bytes before the error are in the
  /// window.
  result<std::span<const std::byte>> fill(std::size_t n);

  /// Drops the first `n` bytes of the window.
  void consume(std::size_t n) noexcept;

  /// The FILE's descriptor; nothing for one without, such as that of fmemopen(3), nor while a byte is put back by
  /// ungetc or something is written and not flushed.
  std::optional<fd_endpoint> kernel_endpoint() noexcept;

  /// Has the FILE forget where it thinks the descriptor's offset is.
  void kernel_advanced(std::uintmax_t n) noexcept;

  /// Returns the bytes that are held here to the FILE, see ungetc(3). Errors: `io_errc::unsupported` where it does not
  /// take them all; those stay readable here.
  [[nodiscard]] result<void> give_back();

  /// The FILE inside.
  std::FILE* stream() const noexcept { return stream_; }

 private:
  std::size_t held() const noexcept { return held_.size() - pos_; }
  result<bool> refill();
  bool take(std::size_t n);

  std::FILE* stream_;
  std::vector<std::byte> held_;  // taken out of the FILE; delivered up to pos_
  std::size_t pos_ = 0;
};

/// Writes into a FILE. It buffers nothing itself, so that both sides can be used in turn and the order is kept. A
/// closed peer is `std::errc::broken_pipe` and never raises SIGPIPE.
class stdio_writer {
 public:
  /// Borrows `stream`, which has to be open as long as it is used here.
  explicit stdio_writer(std::FILE* stream) noexcept : stream_(stream) {}

  /// Passes `b` to fwrite(3), which takes all of it. What was taken may still fail in `flush`.
  /// Errors: those of write(2), for good: the FILE has dropped what it held, nobody knows how much of it went out, and
  /// from then on every call fails. So a descriptor that would block, or a signal, is `io_error` here.
  result<std::size_t> write_some(std::span<const std::byte> b);

  /// fflush(3). Errors: as `write_some`.
  [[nodiscard]] result<void> flush();

  /// The FILE's descriptor, with glibc; nothing for a FILE without one, nor while it holds input that was read ahead.
  std::optional<fd_endpoint> kernel_endpoint() noexcept;

  /// Has the FILE forget where it thinks the descriptor's offset is.
  void kernel_advanced(std::uintmax_t n) noexcept;

  /// The FILE inside.
  std::FILE* stream() const noexcept { return stream_; }

 private:
  std::FILE* stream_;
};

}  // namespace sluice

#endif
