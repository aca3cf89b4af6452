// SPDX-License-Identifier: BSL-1.0
//
// The elements of a range in a container, as std::ranges::to of C++23.
//
//   to<C>(range)     range | to<C>()
//
//   auto all = file | lines() | to<std::vector<std::string>>();
//
#ifndef SLUICE_VIEW_TO_HPP
#define SLUICE_VIEW_TO_HPP

#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

namespace sluice {

namespace detail {

/// A `std::string_view`, a span: what it shows belongs to somebody else.
template <class T>
concept borrowing = std::ranges::view<T> && std::ranges::borrowed_range<T>;

template <class C, std::ranges::input_range Range>
C collected(Range&& range) {
  using element = typename C::value_type;
  static_assert(!borrowing<element> || std::ranges::forward_range<Range>,
                "an element of a single-pass range is valid until the iterator moves on; keep a copy, as std::string");
  C all;
  for (auto&& value : range) {
    // A byte is no character unless somebody says so.
    if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, std::byte> && std::integral<element>)
      all.insert(all.end(), static_cast<element>(value));
    else
      all.insert(all.end(), element(std::forward<decltype(value)>(value)));
  }
  return all;
}

template <class C>
struct to_closure {
  template <std::ranges::input_range Range>
  friend C operator|(Range&& range, to_closure) {
    return collected<C>(std::forward<Range>(range));
  }
};

}  // namespace detail

/// A container of type `C` with the elements of `range`, each made into its `value_type` explicitly: a
/// `std::string_view` becomes a `std::string`. A container of string views or spans is refused where the range can be
/// passed once only, as they would show a buffer that has moved on.
template <class C, std::ranges::input_range Range>
C to(Range&& range) {
  return detail::collected<C>(std::forward<Range>(range));
}

/// The same as an adaptor, `range | to<std::vector<std::string>>()`.
template <class C>
auto to() {
  return detail::to_closure<C>();
}

}  // namespace sluice

#endif
