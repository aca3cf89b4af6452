// SPDX-License-Identifier: BSL-1.0
//
// A buffer around a reader, in the form of an adaptor.
//
//   buffered(r, n)     r | buffered(n)     r | buffered()      // a buf_reader of n bytes; default_buffer_size
//
#ifndef SLUICE_ADAPTOR_BUFFERED_HPP
#define SLUICE_ADAPTOR_BUFFERED_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/detail/adaptor.hpp>

namespace sluice {

namespace detail {

struct buffered_fn {
  template <reader R>
  buf_reader<R> operator()(R&& r, std::size_t capacity = default_buffer_size) const {
    return buf_reader<R>(std::forward<R>(r), capacity);
  }

  auto operator()(std::size_t capacity = default_buffer_size) const {
    return closure([capacity]<reader R>(R&& r) { return buf_reader<R>(std::forward<R>(r), capacity); });
  }
};

}  // namespace detail

/// `buffered(r, n)` and `r | buffered(n)`: `r` behind a buffer of `n` bytes, as a `buf_reader`.
inline constexpr detail::buffered_fn buffered{};

}  // namespace sluice

#endif
