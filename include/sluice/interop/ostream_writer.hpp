// SPDX-License-Identifier: BSL-1.0
//
// A std::ostream as a writer.
//
//   class ostream_writer {
//     explicit ostream_writer(std::ostream&);
//     result<void> flush();
//     std::ostream& stream();
//   };
//
// Not part of <sluice/sluice.hpp>: <ostream> is dear to compile.
//
#ifndef SLUICE_INTEROP_OSTREAM_WRITER_HPP
#define SLUICE_INTEROP_OSTREAM_WRITER_HPP

#include <sluice/concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>

namespace sluice {

/// Writes into the buffer of an ostream, past the formatting. It buffers nothing itself, so that both sides can be
/// used in turn and the order is kept.
///
/// An error sets badbit, would-block included, as an ostream knows no other answer; nothing is thrown, whatever
/// `exceptions()` says, except std::bad_alloc. After badbit every request is an error.
class ostream_writer {
 public:
  /// Borrows `stream`, which has to live as long as it is used here.
  explicit ostream_writer(std::ostream& stream) noexcept : stream_(&stream) {}

  /// Passes `b` to the streambuf; returns how much of it was taken. What was taken may still fail in `flush`.
  /// A closed peer is `std::errc::broken_pipe` and never raises SIGPIPE.
  /// Errors, when nothing was taken: the code of a std::system_error that the streambuf threw, else errno as the
  /// streambuf left it, else `std::errc::io_error`.
  result<std::size_t> write_some(std::span<const std::byte> b);

  /// Has the streambuf write what it holds. Errors: as `write_some`.
  [[nodiscard]] result<void> flush();

  /// The descriptor of a std::filebuf or __gnu_cxx::stdio_filebuf that does not convert, in libstdc++, or of the FILE
  /// behind a stream that is synchronised with stdio; nothing for other streambufs, and for classes derived from
  /// these, which may look at the bytes.
  std::optional<fd_endpoint> kernel_endpoint();

  /// Has such a FILE forget where it thinks the descriptor's offset is; a filebuf asks the kernel whenever it needs it.
  void kernel_advanced(std::uintmax_t n) noexcept;

  /// The stream inside.
  std::ostream& stream() const noexcept { return *stream_; }

 private:
  std::ostream* stream_;
};

}  // namespace sluice

#endif
