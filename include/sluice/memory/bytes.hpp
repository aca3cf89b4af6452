// SPDX-License-Identifier: BSL-1.0
//
// A growing array of bytes that does not fill new room with zeros.
//
//   using bytes = std::vector<std::byte, ...>;
//
#ifndef SLUICE_MEMORY_BYTES_HPP
#define SLUICE_MEMORY_BYTES_HPP

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

namespace detail {

/// `std::allocator`, but a value-initialised element of a trivial type keeps what the memory holds.
template <class T>
class no_fill_allocator : public std::allocator<T> {
 public:
  constexpr no_fill_allocator() noexcept = default;
  template <class U>
  constexpr no_fill_allocator(const no_fill_allocator<U>&) noexcept {}

  // Allocating has begun the lifetime of a trivial object already, so there is nothing to do, and
  // bytes that were written past the size of a vector are still there when its size grows over
  // them.
  template <class U>
    requires std::is_trivially_default_constructible_v<U>
  constexpr void construct(U*) noexcept {}

  template <class U, class... Args>
    requires(sizeof...(Args) != 0 || !std::is_trivially_default_constructible_v<U>)
  constexpr void construct(U* place, Args&&... args) {
    std::construct_at(place, std::forward<Args>(args)...);
  }
};

}  // namespace detail

/// A vector of bytes whose `resize` leaves the new bytes as they are: they hold anything until they
/// are written. All else is as in `std::vector<std::byte>`; `bytes(n, std::byte{0})` does fill.
using bytes = std::vector<std::byte, detail::no_fill_allocator<std::byte>>;

}  // namespace sluice

#endif
