// SPDX-License-Identifier: BSL-1.0
//
// Large blocks of memory. A fresh block is mostly page faults: where it is very large, huge pages (madvise(2)) make
// them hundreds of times fewer. Below that size the C library keeps what was freed, and its pages are there already.
//
// What is larger than own_mapping is mapped here and not by malloc(3): its content begins on a huge page, and moves to
// another such place, so that mremap(2) moves whole huge pages. realloc(3) would move it to any address, one small page
// at a time, and what comes after would be small pages too.
//
#include "../../growing_bytes.hpp"
#include "calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace sluice::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

void advise(void* memory, std::size_t size) noexcept { sys::calls.madvise(memory, size, MADV_HUGEPAGE); }

// Where the ends of a block are not those of huge pages, they have hundreds of small ones each.
constexpr std::size_t whole_huge_pages(std::size_t size) noexcept {
  return (size + huge_page - 1) / huge_page * huge_page;
}

constexpr bool is_mapped(std::size_t size) noexcept { return size > own_mapping; }

// Null if there is no room for it.
void* map_on_huge_pages(std::size_t size, int protection) noexcept {
  if (size > static_cast<std::size_t>(-1) - 2 * huge_page) return nullptr;
  const std::size_t length = whole_huge_pages(size);
  void* room = nullptr;
  if (sys::calls.map(&room, length + huge_page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != 0) return nullptr;
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(room) % huge_page) % huge_page;
  std::byte* const memory = static_cast<std::byte*>(room) + before;
  if (before != 0) sys::calls.munmap(room, before);
  sys::calls.munmap(memory + length, huge_page - before);
  return memory;
}

void* allocate_mapping(std::size_t size) noexcept {
  void* const memory = map_on_huge_pages(size, PROT_READ | PROT_WRITE);
  if (memory) advise(memory, whole_huge_pages(size));
  return memory;
}

// Null if there is no room for it; the mapping is then as it was.
void* resize_mapping(void* memory, std::size_t old_size, std::size_t size) noexcept {
  const std::size_t old_length = whole_huge_pages(old_size);
  const std::size_t length = whole_huge_pages(size);
  if (sys::calls.remap(&memory, old_length, length, 0, nullptr) == 0) return memory;
  void* const place = map_on_huge_pages(size, PROT_NONE);
  if (!place) return nullptr;
  if (sys::calls.remap(&memory, old_length, length, MREMAP_MAYMOVE | MREMAP_FIXED, place) == 0) return memory;
  sys::calls.munmap(place, length);
  return nullptr;
}

// On huge pages from own_mapping on.
void* allocate(std::size_t size) noexcept {
  if (is_mapped(size)) return allocate_mapping(size);
  if (size < own_mapping) return sys::calls.realloc(nullptr, size);
  void* const memory = sys::calls.aligned_alloc(huge_page, size);
  if (memory) advise(memory, size);
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

// Such a block lies anywhere in its mapping, all of which is advised: in two parts it could not be moved again.
void prefer_huge_pages(void* memory, std::size_t size) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(memory) % page;
  advise(static_cast<std::byte*>(memory) - before, (before + size + page - 1) / page * page);
}

void* reallocate_large(void* memory, std::size_t old_size, std::size_t size) {
  if (!is_mapped(old_size) && !is_mapped(size)) return checked(sys::calls.realloc(memory, size));
  if (is_mapped(old_size) && is_mapped(size)) return checked(resize_mapping(memory, old_size, size));
  void* const other = checked(allocate(size));
  if (old_size != 0) std::memcpy(other, memory, std::min(old_size, size));
  deallocate_large(memory, old_size);
  return other;
}

void* allocate_large(std::size_t size) {
  if (adopted.size == size) return std::exchange(adopted, {}).memory;
  return checked(allocate(size));
}

void deallocate_large(void* memory, std::size_t size) noexcept {
  if (is_mapped(size))
    sys::calls.munmap(memory, whole_huge_pages(size));
  else
    std::free(memory);
}

// A vector cannot be given memory, but its allocator can.
bytes adopt_large(void* memory, std::size_t size) {
  adopted = {memory, size};
  bytes all;
  all.resize(size);
  return all;
}

}  // namespace sluice::detail
