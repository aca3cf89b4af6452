// SPDX-License-Identifier: BSL-1.0
//
// Where a byte occurs, a block of 64 bytes at a time.
//
//   struct marked_block { const std::byte* begin; std::uint64_t marks; };
//   marked_block find_block(const std::byte* from, const std::byte* end, std::byte wanted) noexcept;
//   std::span<const block_finder> block_finders() noexcept;     // every way that this machine has to find one
//
#ifndef SLUICE_VIEW_DETAIL_FIND_BLOCK_HPP
#define SLUICE_VIEW_DETAIL_FIND_BLOCK_HPP

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::detail {

inline constexpr std::size_t block_size = 64;

/// Bit i of `marks` is set where `begin[i]` is the wanted byte.
struct marked_block {
  const std::byte* begin;
  std::uint64_t marks;
};

/// The first block with a mark, counted in blocks from `from`; `{end, 0}` where no byte is the wanted one. Reads nothing
/// outside of [from, end): the last block may be shorter.
marked_block find_block(const std::byte* from, const std::byte* end, std::byte wanted) noexcept;

/// One way to do that. They differ in speed only.
struct block_finder {
  const char* name;
  marked_block (*find)(const std::byte* from, const std::byte* end, std::byte wanted) noexcept;
};

/// What this machine can run, the fastest last.
std::span<const block_finder> block_finders() noexcept;

}  // namespace sluice::detail

#endif
