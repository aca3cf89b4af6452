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

  byte_cursor unstarted() const noexcept { return {}; }

  std::size_t length() const noexcept { return window_.empty() ? 0 : 1; }
  value_type element() const noexcept { return window_.front(); }

  result<void> start(source_ref from) {
    window_ = from.window();
    return window_.empty() ? find(from) : result<void>();
  }

  bool next() noexcept {
    window_ = window_.subspan(1);
    return !window_.empty();
  }

  [[gnu::noinline]] result<void> find(source_ref from) {
    window_ = {};
    const auto window = from.fill(1);
    if (!window) return fail(window.error());
    window_ = *window;
    return {};
  }

 private:
  std::span<const std::byte> window_;  // of the reader, from the current byte
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
