// SPDX-License-Identifier: BSL-1.0
//
// A reader in pieces of one size, as a range.
//
//   chunks(r, n)   chunks(r, n, ec)   r | chunks(n)   r | chunks(n, ec)
//
#ifndef SLUICE_VIEW_CHUNKS_HPP
#define SLUICE_VIEW_CHUNKS_HPP

#include <sluice/detail/adaptor.hpp>
#include <sluice/view/detail/element_view.hpp>

#include <algorithm>
#include <cassert>
#include <span>

namespace sluice {

namespace detail {

class chunk_cursor {
 public:
  using value_type = std::span<const std::byte>;

  chunk_cursor() = default;
  explicit chunk_cursor(std::size_t size) noexcept : size_(size) { assert(size != 0); }

  chunk_cursor unstarted() const noexcept { return chunk_cursor(size_); }

  std::size_t length() const noexcept { return chunk_.size(); }
  value_type element() const noexcept { return chunk_; }

  result<void> start(source_ref from) { return find(from); }
  static bool next() noexcept { return false; }
  result<void> find(source_ref from) {
    chunk_ = {};
    if (ended_) return {};
    const auto window = from.fill(size_);
    if (!window) return fail(window.error());
    ended_ = window->size() < size_;
    chunk_ = window->first(std::min(size_, window->size()));
    return {};
  }

 private:
  std::span<const std::byte> chunk_;
  std::size_t size_ = 1;
  bool ended_ = false;
};

}  // namespace detail

/// The range over the chunks of `R`, see `detail::element_view`.
template <buffered_reader R>
using chunks_view = detail::element_view<R, detail::chunk_cursor>;

namespace detail {

class chunks_fn {
  template <reader R>
  static auto view(R&& r, std::size_t n, std::error_code* error) {
    const std::size_t buffer_size = std::max(n, default_buffer_size);
    return view_elements(std::forward<R>(r), chunk_cursor(n), {buffer_size, buffer_size}, error);
  }
  static auto adaptor(std::size_t n, std::error_code* error) {
    return closure([n, error]<reader R>(R&& r) { return view(std::forward<R>(r), n, error); });
  }

 public:
  template <reader R>
  auto operator()(R&& r, std::size_t n) const {
    return view(std::forward<R>(r), n, nullptr);
  }
  template <reader R>
  auto operator()(R&& r, std::size_t n, std::error_code& error) const {
    return view(std::forward<R>(r), n, &error);
  }

  auto operator()(std::size_t n) const { return adaptor(n, nullptr); }
  auto operator()(std::size_t n, std::error_code& error) const { return adaptor(n, &error); }
};

}  // namespace detail

/// Pieces of `n` bytes, `n` > 0, as `std::span<const std::byte>` into the buffer of `r`; only the last may be shorter.
/// Errors: the reader's; `buffer_too_small` where `n` is more than its buffer may grow to.
inline constexpr detail::chunks_fn chunks{};

}  // namespace sluice

#endif
