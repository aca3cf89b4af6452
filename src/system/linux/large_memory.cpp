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

constexpr std::size_t huge_page = std::size_t{2} << 20;

void advise(void* memory, std::size_t size) noexcept { sys::calls.madvise(memory, size, MADV_HUGEPAGE); }

// Whole huge pages: where the ends of the block are not, they have hundreds of small ones each.
void* allocate_mapping(std::size_t size) {
  if (size > static_cast<std::size_t>(-1) - huge_page) return nullptr;
  const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
  void* const memory = sys::calls.aligned_alloc(huge_page, rounded);
  if (memory) advise(memory, rounded);
  return memory;
}

void* checked(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

// What adopt_large has for the allocation that it is about to cause.
struct block {
  void* memory = nullptr;
  std::size_t size = 0;
};
constinit thread_local block adopted;

}  // namespace

// A block that realloc(3) has moved lies anywhere in its mapping, all of which is advised: in two parts it could not be
// moved again.
void prefer_huge_pages(void* memory, std::size_t size) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(memory) % page;
  advise(static_cast<std::byte*>(memory) - before, (before + size + page - 1) / page * page);
}

void* reallocate_large(void* memory, std::size_t size) {
  void* const other = checked(sys::calls.realloc(memory, size));
  if (size >= own_mapping) prefer_huge_pages(other, size);
  return other;
}

void* allocate_large(std::size_t size) {
  if (adopted.size == size) return std::exchange(adopted, {}).memory;
  return checked(size < own_mapping ? sys::calls.realloc(nullptr, size) : allocate_mapping(size));
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
