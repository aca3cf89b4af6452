// SPDX-License-Identifier: BSL-1.0
//
// The pieces of a reader that each end with a certain byte, as a range.
//
//   split(r, end)   split(r, end, options)   split(r, end, ec)   split(r, end, options, ec)
//   r | split(end)   r | split(end, options)   r | split(end, ec)   r | split(end, options, ec)
//
//   for (std::string_view path : standard_input() | split('\0')) ...      // as find -print0 writes them
//
#ifndef SLUICE_VIEW_SPLIT_HPP
#define SLUICE_VIEW_SPLIT_HPP

#include <sluice/view/lines.hpp>

namespace sluice {

/// As `lines_options`, with the byte given to `split` in place of the newline.
using split_options = lines_options;

/// The range over the pieces of `R`, see `detail::element_view`.
template <buffered_reader R>
using split_view = detail::element_view<R, detail::record_cursor>;

namespace detail {

class split_fn {
  template <reader R>
  static auto view(R&& r, char terminator, split_options options, std::error_code* error) {
    const record_rule rule{.terminator = static_cast<std::byte>(terminator),
                           .keep_terminator = options.keep_terminator,
                           .max_length = options.max_length};
    return view_elements(std::forward<R>(r), record_cursor(rule), record_buffer(options.max_length), error);
  }
  static auto adaptor(char terminator, split_options options, std::error_code* error) {
    return closure(
        [terminator, options, error]<reader R>(R&& r) { return view(std::forward<R>(r), terminator, options, error); });
  }

 public:
  template <reader R>
  auto operator()(R&& r, char terminator, split_options options = {}) const {
    return view(std::forward<R>(r), terminator, options, nullptr);
  }
  template <reader R>
  auto operator()(R&& r, char terminator, std::error_code& error) const {
    return view(std::forward<R>(r), terminator, {}, &error);
  }
  template <reader R>
  auto operator()(R&& r, char terminator, split_options options, std::error_code& error) const {
    return view(std::forward<R>(r), terminator, options, &error);
  }

  auto operator()(char terminator, split_options options = {}) const { return adaptor(terminator, options, nullptr); }
  auto operator()(char terminator, std::error_code& error) const { return adaptor(terminator, {}, &error); }
  auto operator()(char terminator, split_options options, std::error_code& error) const {
    return adaptor(terminator, options, &error);
  }
};

}  // namespace detail

/// The pieces of `r`, each ended by the byte `terminator`, as `std::string_view`s into its buffer.
///
/// The byte is a terminator, as the newline is for `lines` and for `std::getline`, and not a separator as in
/// `std::views::split`: "" has no piece, "a,b" and "a,b," have two, "," has one empty piece. The last piece needs none.
/// All else is as for `lines`.
inline constexpr detail::split_fn split{};

}  // namespace sluice

#endif
