// SPDX-License-Identifier: BSL-1.0
//
// Room in a container of bytes that nobody has filled.
//
//   reserve_for_overwrite(c, n)     // on huge pages where it is large
//   resize_for_overwrite(c, n)      // without filling
//
#ifndef SLUICE_DETAIL_RESIZE_FOR_OVERWRITE_HPP
#define SLUICE_DETAIL_RESIZE_FOR_OVERWRITE_HPP

#include <cstddef>

namespace sluice::detail {

/// A block of this size is a mapping of its own: glibc never takes more than 32 MiB from its heap (M_MMAP_THRESHOLD,
/// mallopt(3)). So it is always fresh, and fresh memory is mostly page faults: it is worth huge pages.
inline constexpr std::size_t own_mapping = std::size_t{32} << 20;

/// Asks for huge pages under a block of at least `own_mapping` bytes that malloc(3) has given. One madvise(2); a
/// refusal changes nothing.
void prefer_huge_pages(void* memory, std::size_t size) noexcept;

/// Reserves room for `n` bytes. The allocator of `bytes` sees to huge pages itself, that of a std::string does not.
template <class Container>
void reserve_for_overwrite(Container& c, std::size_t n) {
  if (n <= c.capacity()) return;
  c.reserve(n);
  if constexpr (requires { typename Container::traits_type; }) {
    if (n >= own_mapping) prefer_huge_pages(c.data(), c.capacity());
  }
}

/// Sets the size to `n` and leaves new bytes as they are: within the capacity, what was written behind the old size is
/// still there. For a std::string, or a vector whose `resize` does not fill.
template <class Container>
void resize_for_overwrite(Container& c, std::size_t n) {
  if constexpr (requires { c.resize_and_overwrite(n, [](auto*, std::size_t k) { return k; }); })
    // libstdc++ 12 calls back with the new capacity where that is more than was asked for.
    c.resize_and_overwrite(n, [n](auto*, std::size_t) { return n; });
  else
    c.resize(n);
}

}  // namespace sluice::detail

#endif
