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
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

namespace detail {

/// From this size on, in bytes, memory can grow without a copy, and the largest of it lies on huge pages, where the
/// system has them: it comes from malloc(3), or from mmap(2), as its size tells.
inline constexpr std::size_t large_allocation = std::size_t{1} << 20;

void* allocate_large(std::size_t size);
void deallocate_large(void* memory, std::size_t size) noexcept;

/// `std::allocator`, but a value-initialised element of a trivial type keeps what the memory holds, and large
/// allocations are those above.
template <class T>
class no_fill_allocator : public std::allocator<T> {
 public:
  constexpr no_fill_allocator() noexcept = default;
  template <class U>
  constexpr no_fill_allocator(const no_fill_allocator<U>&) noexcept {}

  constexpr T* allocate(std::size_t n) {
    if !consteval {
      if (is_large(n)) {
        if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(allocate_large(n * sizeof(T)));
      }
    }
    return std::allocator<T>::allocate(n);
  }

  constexpr void deallocate(T* memory, std::size_t n) noexcept {
    if !consteval {
      if (is_large(n)) return deallocate_large(memory, n * sizeof(T));
    }
    std::allocator<T>::deallocate(memory, n);
  }

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

 private:
  static constexpr bool is_large(std::size_t n) noexcept {
    return alignof(T) <= alignof(std::max_align_t) && n >= (large_allocation + sizeof(T) - 1) / sizeof(T);
  }
};

}  // namespace detail

/// A vector of bytes whose `resize` leaves the new bytes as they are: they hold anything until they
/// are written. All else is as in `std::vector<std::byte>`; `bytes(n, std::byte{0})` does fill. From
/// 1 MiB on the memory does not come from operator new.
using bytes = std::vector<std::byte, detail::no_fill_allocator<std::byte>>;

}  // namespace sluice

#endif
