// SPDX-License-Identifier: BSL-1.0
//
// The lines of a reader, as a range.
//
//   lines(r)   lines(r, options)   lines(r, ec)   lines(r, options, ec)
//   r | lines()   r | lines(options)   r | lines(ec)   r | lines(options, ec)
//   struct lines_options { std::size_t max_length; bool keep_terminator; };
//
//   for (std::string_view line : file | lines()) ...
//
#ifndef SLUICE_VIEW_LINES_HPP
#define SLUICE_VIEW_LINES_HPP

#include <sluice/detail/adaptor.hpp>
#include <sluice/view/detail/element_view.hpp>
#include <sluice/view/detail/record_cursor.hpp>

#include <algorithm>
#include <limits>

namespace sluice {

/// How a reader is cut into lines.
struct lines_options {
  /// Bytes of a line, its terminator not counted. A longer one is `limit_exceeded`, as soon as that is certain. A
  /// bound, so that a stream without a newline cannot take all memory.
  std::size_t max_length = std::size_t{16} << 20;

  /// Lines are delivered with their LF or CRLF, so that all of them together are the stream, byte for byte.
  bool keep_terminator = false;
};

/// The range over the lines of `R`, see `detail::element_view`.
template <buffered_reader R>
using lines_view = detail::element_view<R, detail::record_cursor>;

namespace detail {

/// Grows as far as the longest record needs, which may be followed by a CRLF.
inline buffer_capacity record_buffer(std::size_t max_length) noexcept {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
  return {.initial = default_buffer_size, .maximum = std::max(default_buffer_size, std::min(max_length, most) + 2)};
}

class lines_fn {
  template <reader R>
  static auto view(R&& r, lines_options options, std::error_code* error) {
    const record_rule rule{
        .with_carriage_return = true, .keep_terminator = options.keep_terminator, .max_length = options.max_length};
    return view_elements(std::forward<R>(r), record_cursor(rule), record_buffer(options.max_length), error);
  }
  static auto adaptor(lines_options options, std::error_code* error) {
    return closure([options, error]<reader R>(R&& r) { return view(std::forward<R>(r), options, error); });
  }

 public:
  template <reader R>
  auto operator()(R&& r, lines_options options = {}) const {
    return view(std::forward<R>(r), options, nullptr);
  }
  template <reader R>
  auto operator()(R&& r, std::error_code& error) const {
    return view(std::forward<R>(r), {}, &error);
  }
  template <reader R>
  auto operator()(R&& r, lines_options options, std::error_code& error) const {
    return view(std::forward<R>(r), options, &error);
  }

  auto operator()(lines_options options = {}) const { return adaptor(options, nullptr); }
  auto operator()(std::error_code& error) const { return adaptor({}, &error); }
  auto operator()(lines_options options, std::error_code& error) const { return adaptor(options, &error); }
};

}  // namespace detail

/// The lines of `r` as `std::string_view`s into its buffer, each valid until the iterator moves on.
///
/// A line ends with LF or CRLF, which is not delivered unless asked for; a CR anywhere else is content. The newline is
/// a terminator, not a separator: "" has no line, "\n" one empty line, "a\nb" and "a\nb\n" have two. The last line
/// needs none.
///
/// A line that does not fit into the buffer makes it grow, up to the maximum that it was made with; beyond, and beyond
/// `max_length`, it is `limit_exceeded`, and the reader stands at its beginning. An unbuffered reader is put behind a
/// buffer of `default_buffer_size` bytes that grows as far as `max_length` asks for; what that has read ahead goes when
/// the view goes. To go on with the reader afterwards, put a `buf_reader` before it and take the lines of that.
inline constexpr detail::lines_fn lines{};

}  // namespace sluice

#endif
