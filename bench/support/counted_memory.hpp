// SPDX-License-Identifier: BSL-1.0
//
// Counts operator new, and realloc(3) as the library calls it for large blocks. For the one source of a program, which is
// linked with -Wl,--wrap=realloc.
//
//   counted_memory::restart();   ...   counted_memory used = counted_memory::since_restart;   ...   used.report(state);
//
#ifndef SLUICE_BENCH_SUPPORT_COUNTED_MEMORY_HPP
#define SLUICE_BENCH_SUPPORT_COUNTED_MEMORY_HPP

#include <benchmark/benchmark.h>

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace sluice::bench {

/// A block that has grown counts with its last size.
struct counted_memory {
  std::size_t count = 0;
  std::size_t bytes = 0;
  std::size_t block_bytes = 0;

  static counted_memory since_restart;
  static void restart() noexcept { since_restart = {}; }

  void report(benchmark::State& state) const {
    state.counters["allocations"] = static_cast<double>(count);
    state.counters["allocated"] = static_cast<double>(bytes + block_bytes);
  }
};

inline counted_memory counted_memory::since_restart;

/// Memory for std::free, as the library takes it: large blocks on huge pages.
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

// Not inlined, or the compiler would see a new that is freed.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++sluice::bench::counted_memory::since_restart.count;
  sluice::bench::counted_memory::since_restart.bytes += size;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" void* __real_realloc(void* memory, std::size_t size);
extern "C" void* __wrap_realloc(void* memory, std::size_t size) {
  if (!memory) ++sluice::bench::counted_memory::since_restart.count;
  sluice::bench::counted_memory::since_restart.block_bytes = size;
  return __real_realloc(memory, size);
}

#endif
