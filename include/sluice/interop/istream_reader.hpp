// SPDX-License-Identifier: BSL-1.0
//
// A std::istream as a reader.
//
//   class istream_reader {                             // a buffered reader
//     explicit istream_reader(std::istream&);
//     result<void> give_back();
//     std::istream& stream();
//   };
//
// Not part of <sluice/sluice.hpp>: <istream> is dear to compile.
//
#ifndef SLUICE_INTEROP_ISTREAM_READER_HPP
#define SLUICE_INTEROP_ISTREAM_READER_HPP

#include <sluice/concepts.hpp>
#include <sluice/interop/stdio.hpp>

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <span>
#include <vector>

namespace sluice {

/// Reads from the buffer of an istream, past the formatting: no sentry, no skipping of white space. The window is the
/// streambuf's own get area, so that both sides can be used in turn and neither loses a byte.
///
/// Only a `fill` that wants more than the get area holds, or a streambuf without a get area, makes this object take
/// bytes out of the stream. They stay readable here; `give_back` and the destructor return them.
///
/// At the end eofbit is set, after an error badbit, except that `operation_would_block` leaves the state as it is.
/// Nothing is thrown, whatever `exceptions()` says, except std::bad_alloc. After eofbit it tries again, so that a file
/// that has grown can be read on; after badbit every request is an error.
///
/// std::cin that is synchronised with stdio has no buffer of its own: with libstdc++ it is read as a `stdio_reader`
/// reads stdin. So the streambuf may not be exchanged while it is used here.
class istream_reader {
 public:
  /// Borrows `stream`, which has to live as long as it is used here.
  explicit istream_reader(std::istream& stream) noexcept;
  istream_reader(istream_reader&& other) noexcept;
  istream_reader& operator=(istream_reader&& other) noexcept;

  /// Gives back what is held here, as far as the stream takes it.
  ~istream_reader();

  /// Reads what is buffered, or what one underflow of the streambuf makes available; where nothing is buffered and
  /// there is an endpoint, a large span is read into directly. 0 is the end. Errors: the code of a std::system_error
  /// that the streambuf threw (std::filebuf: that of read(2)), else `std::errc::io_error`.
  result<std::size_t> read_some(std::span<std::byte> b);

  /// What can be read without asking the streambuf for more.
  std::span<const std::byte> buffered() noexcept;

  /// Makes `n` bytes visible, fewer only at the end. Errors: as `read_some`; the bytes before the
  /// error are in the window.
  result<std::span<const std::byte>> fill(std::size_t n);

  /// Drops the first `n` bytes of the window.
  void consume(std::size_t n) noexcept;

  /// The descriptor of a std::filebuf or __gnu_cxx::stdio_filebuf that does not convert, in libstdc++, or of the FILE
  /// behind a stream that is synchronised with stdio; nothing for other streambufs, and for classes derived from
  /// these, which may look at the bytes.
  std::optional<fd_endpoint> kernel_endpoint();

  /// Has the stream forget what was delivered before, so that nothing of that is put back.
  void kernel_advanced(std::uintmax_t n) noexcept;

  /// Returns the bytes that are held here to the stream, by seeking or by putting them back. Errors:
  /// `io_errc::unsupported` where it takes neither; what it did not take stays readable here.
  [[nodiscard]] result<void> give_back();

  /// The stream inside.
  std::istream& stream() const noexcept { return *stream_; }

 private:
  std::size_t held() const noexcept { return held_.size() - pos_; }
  result<bool> underflow();
  void take(std::size_t n);
  std::error_code failed(std::error_code why);
  result<std::span<const std::byte>> fill_from_stdio(std::size_t n);
  result<std::size_t> read_directly(int fd, std::span<std::byte> b);
  void forget_delivered() noexcept;
  void give_back_silently() noexcept;

  std::istream* stream_;
  std::optional<stdio_reader> stdio_;  // where everything passes through a FILE; held_ is unused then
  std::vector<std::byte> held_;        // taken out of the stream; delivered up to pos_
  std::size_t pos_ = 0;
};

}  // namespace sluice

#endif
