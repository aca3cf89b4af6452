// SPDX-License-Identifier: BSL-1.0
#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace {

std::atomic<std::size_t> new_count{0};
std::atomic<std::size_t> new_bytes{0};
std::atomic<std::size_t> refused_from{std::numeric_limits<std::size_t>::max()};

void* allocate(std::size_t size, std::size_t alignment) {
  if (size >= refused_from.load(std::memory_order_relaxed)) throw std::bad_alloc();
  new_count.fetch_add(1, std::memory_order_relaxed);
  new_bytes.fetch_add(size, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (!memory) throw std::bad_alloc();
  std::memset(memory, std::to_integer<int>(support::fresh_memory), size);
  return memory;
}

}  // namespace

namespace support {

std::size_t allocations::total_count() noexcept { return new_count.load(std::memory_order_relaxed); }
std::size_t allocations::total_bytes() noexcept { return new_bytes.load(std::memory_order_relaxed); }

refused_allocation::refused_allocation(std::size_t size) noexcept { refused_from = size; }
refused_allocation::~refused_allocation() { refused_from = std::numeric_limits<std::size_t>::max(); }

}  // namespace support

// The array forms too, as those of the address sanitizer would not call the others.
void* operator new(std::size_t size) { return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new[](std::size_t size) { return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
