// SPDX-License-Identifier: BSL-1.0
//
// A reader byte by byte, as a range.
//
//   each_byte(r)   each_byte(r, ec)   r | each_byte()   r | each_byte(ec)
//
#ifndef SLUICE_VIEW_EACH_BYTE_HPP
#define SLUICE_VIEW_EACH_BYTE_HPP

#include <sluice/detail/adaptor.hpp>
#include <sluice/view/detail/element_view.hpp>

#include <span>

namespace sluice {

namespace detail {

class byte_cursor {
 public:
  using value_type = std::byte;

  std::size_t length() const noexcept { return window_.empty() ? 0 : 1; }
  value_type element() const noexcept { return window_.front(); }

  result<void> start(source_ref from) { return look_at(from.window(), from); }
  result<void> next(source_ref from) { return look_at(window_.subspan(1), from); }

 private:
  result<void> look_at(std::span<const std::byte> window, source_ref from) {
    window_ = window;
    if (!window_.empty()) [[likely]]
      return {};
    const auto more = from.fill(1);
    if (!more) return fail(more.error());
    window_ = *more;
    return {};
  }

  std::span<const std::byte> window_;  // from the current byte on
};

}  // namespace detail

/// The range over the bytes of `R`, see `detail::element_view`.
template <buffered_reader R>
using byte_view = detail::element_view<R, detail::byte_cursor>;

namespace detail {

class each_byte_fn {
  template <reader R>
  static auto view(R&& r, std::error_code* error) {
    return view_elements(std::forward<R>(r), byte_cursor(), buffer_capacity{}, error);
  }
  static auto adaptor(std::error_code* error) {
    return closure([error]<reader R>(R&& r) { return view(std::forward<R>(r), error); });
  }

 public:
  template <reader R>
  auto operator()(R&& r) const {
    return view(std::forward<R>(r), nullptr);
  }
  template <reader R>
  auto operator()(R&& r, std::error_code& error) const {
    return view(std::forward<R>(r), &error);
  }

  auto operator()() const { return adaptor(nullptr); }
  auto operator()(std::error_code& error) const { return adaptor(&error); }
};

}  // namespace detail

/// Each byte of `r` as a `std::byte`. Errors: the reader's.
inline constexpr detail::each_byte_fn each_byte{};

}  // namespace sluice

#endif
