// SPDX-License-Identifier: BSL-1.0
#ifndef SLUICE_BENCH_SUPPORT_LARGE_BLOCK_HPP
#define SLUICE_BENCH_SUPPORT_LARGE_BLOCK_HPP

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>

namespace sluice::bench {

/// Memory for std::free: on huge pages where it is large, which is the best that one can do by hand.
inline void* large_block(std::size_t size) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  constexpr std::size_t fresh_anyway = std::size_t{32} << 20;
  if (size < fresh_anyway) return std::malloc(size);
  const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
  void* const memory = std::aligned_alloc(huge_page, rounded);
  ::madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

}  // namespace sluice::bench

#endif
