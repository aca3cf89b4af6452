// SPDX-License-Identifier: BSL-1.0
//
// Large blocks of memory. A fresh block is mostly page faults: where it is very large, huge pages (madvise(2)) make
// them hundreds of times fewer. Below that size the C library keeps what was freed, and its pages are there already.
//
#include "../../growing_bytes.hpp"
#include "calls.hpp"

#include <cstdint>
#include <new>
#include <utility>

namespace sluice::detail {
namespace {

// The whole mapping of the block is advised: a mapping in two parts could not grow in one piece. A refusal changes
// nothing.
void prefer_huge_pages(void* memory, std::size_t size) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = begin / page * page;
  const std::uintptr_t last = (begin + size + page - 1) / page * page;
  sys::calls.madvise(static_cast<std::byte*>(memory) - (begin - first), last - first, MADV_HUGEPAGE);
}

// What adopt_large has for the allocation that it is about to cause.
struct block {
  void* memory = nullptr;
  std::size_t size = 0;
};
constinit thread_local block adopted;

}  // namespace

void* reallocate_large(void* memory, std::size_t size) {
  void* const larger = sys::calls.realloc(memory, size);
  if (!larger) throw std::bad_alloc();
  if (size >= own_mapping) prefer_huge_pages(larger, size);
  return larger;
}

void* allocate_large(std::size_t size) {
  if (adopted.size == size) return std::exchange(adopted, {}).memory;
  return reallocate_large(nullptr, size);
}

void deallocate_large(void* memory) noexcept { std::free(memory); }

// A vector cannot be given memory, but its allocator can.
bytes adopt_large(void* memory, std::size_t size) {
  adopted = {memory, size};
  bytes all;
  all.resize(size);
  return all;
}

}  // namespace sluice::detail
