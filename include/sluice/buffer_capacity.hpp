// SPDX-License-Identifier: BSL-1.0
//
// How large a buffer is.
//
//   inline constexpr std::size_t default_buffer_size = 256 KiB;
//   struct buffer_capacity { std::size_t initial; std::size_t maximum; };
//
#ifndef SLUICE_BUFFER_CAPACITY_HPP
#define SLUICE_BUFFER_CAPACITY_HPP

#include <cstddef>

namespace sluice {

/// Bytes of a buffer that nobody chose a size for: the measured best for files. A buffer is allocated when it is first
/// used and never zero-filled, so an unused one costs nothing and only the pages that are used take memory.
inline constexpr std::size_t default_buffer_size = std::size_t{256} << 10;

/// A buffer that may grow: `fill(n)` and `prepare(n)` above `maximum` fail with `buffer_too_small`.
struct buffer_capacity {
  std::size_t initial = default_buffer_size;  ///< bytes; 0 is taken as 1
  std::size_t maximum = initial;              ///< bytes; less than initial is taken as initial
};

}  // namespace sluice

#endif
