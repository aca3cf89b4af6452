// SPDX-License-Identifier: BSL-1.0
//
// Counts what operator new hands out. A test executable has it by compiling support/allocations.cpp.
//
//   const allocations before;
//   ...
//   before.count()   // calls of operator new since then
//   before.bytes()   // what they asked for
//
//   const refused_allocation none(4096);   // until its end, so many bytes or more are std::bad_alloc
//
// New memory is filled with `fresh_memory`, so that code which fills it with anything else shows.
//
#ifndef SLUICE_TEST_SUPPORT_ALLOCATIONS_HPP
#define SLUICE_TEST_SUPPORT_ALLOCATIONS_HPP

#include <cstddef>

namespace support {

inline constexpr std::byte fresh_memory{0xA5};

class allocations {
 public:
  allocations() noexcept : count_(total_count()), bytes_(total_bytes()) {}

  std::size_t count() const noexcept { return total_count() - count_; }
  std::size_t bytes() const noexcept { return total_bytes() - bytes_; }

 private:
  static std::size_t total_count() noexcept;
  static std::size_t total_bytes() noexcept;

  std::size_t count_;
  std::size_t bytes_;
};

class refused_allocation {
 public:
  explicit refused_allocation(std::size_t size) noexcept;
  ~refused_allocation();
  refused_allocation(const refused_allocation&) = delete;
  refused_allocation& operator=(const refused_allocation&) = delete;
};

}  // namespace support

#endif
