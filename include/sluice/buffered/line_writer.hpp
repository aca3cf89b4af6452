// SPDX-License-Identifier: BSL-1.0
//
// A writer that passes on whole lines.
//
//   template <writer W> class line_writer;       // W may be a reference: an lvalue is referred to, an rvalue is owned
//   line_writer log{file};                       // constructed as a buf_writer is
//
#ifndef SLUICE_BUFFERED_LINE_WRITER_HPP
#define SLUICE_BUFFERED_LINE_WRITER_HPP

#include <sluice/buffered/buf_writer.hpp>

namespace sluice {

namespace detail {

/// How many bytes of `text` are whole lines: up to its last newline, and that included.
std::size_t lines_size(std::span<const std::byte> text) noexcept;

/// One write of a line_writer: `lines_due` tells whether what is pending has a newline in it.
result<std::size_t> write_lines(write_buffer& buffer, sink_ref to, bool& lines_due, std::span<const std::byte> in);

/// Passes on the whole lines of what is pending.
result<void> drain_lines(write_buffer& buffer, sink_ref to, bool& lines_due);

}  // namespace detail

/// A buf_writer that holds back no more than the line that has begun.
///
/// Everything up to the last newline of a write is passed on at once, behind what is pending: in one vectored write
/// where the inner writer has it, in one plain write where both fit into the buffer, else in two. What follows the last
/// newline stays in the buffer. A line longer than the buffer is passed on in pieces.
///
/// Lines that were committed are passed on by the next write, prepare or flush, as commit does no I/O. A copy that goes
/// past the buffer in the kernel passes on what is pending and everything after it, whole lines or not.
///
/// After a failed or a short write exactly what the inner writer did not accept is pending still, or still the
/// caller's, and a retry sends exactly that. Destructor, move assignment and exceptions: as with buf_writer.
template <writer W>
class line_writer : private buf_writer<W> {
  using base = buf_writer<W>;

 public:
  using base::base;

  /// Accepts the lines of `in` as far as the inner writer does, and if all of them, of the rest what fits into the
  /// buffer; at least one byte. After an error nothing of `in` was accepted.
  result<std::size_t> write_some(std::span<const std::byte> in) {
    return detail::write_lines(base::buffer_, base::sink(), lines_due_, in);
  }

  /// At least `n` writable bytes in place: all the free space. `n` up to the stated maximum, else `buffer_too_small`.
  /// Where room has to be made, the beginning of a line may be passed on.
  result<std::span<std::byte>> prepare(std::size_t n) {
    if (lines_due_) {
      if (auto drained = detail::drain_lines(base::buffer_, base::sink(), lines_due_); !drained)
        return fail(drained.error());
    }
    return base::prepare(n);
  }

  void commit(std::size_t n) noexcept {
    base::commit(n);
    if (n != 0 && detail::lines_size(base::pending().last(n)) != 0) lines_due_ = true;
  }

  /// Bytes that the buffer holds at most.
  using base::capacity;
  using base::close;
  using base::flush;
  using base::inner;
  using base::kernel_advanced;
  using base::kernel_endpoint;
  using base::pending;
  using base::position;
  using base::reset;
  using base::seek;
  using base::sync;

  using typename base::parts;

  /// No I/O: flush() first to have nothing left over.
  parts into_inner() && { return static_cast<base&&>(*this).into_inner(); }

 private:
  bool lines_due_ = false;
};

template <writer W>
line_writer(W&&) -> line_writer<W>;
template <writer W>
line_writer(line_writer<W>&) -> line_writer<line_writer<W>&>;  // not a copy
template <writer W>
line_writer(W&&, std::size_t) -> line_writer<W>;
template <writer W>
line_writer(W&&, buffer_capacity) -> line_writer<W>;
template <writer W>
line_writer(W&&, std::span<std::byte>) -> line_writer<W>;

}  // namespace sluice

#endif
