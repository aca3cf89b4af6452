// SPDX-License-Identifier: BSL-1.0
//
// Arithmetic of positions that cannot overflow.
//
#ifndef SLUICE_DETAIL_OFFSETS_HPP
#define SLUICE_DETAIL_OFFSETS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace sluice::detail {

/// `base` moved by `offset`; nothing outside of [0, `end`]. `base` is inside.
constexpr std::optional<std::uintmax_t> moved_within(std::uintmax_t base, std::intmax_t offset, std::uintmax_t end) {
  const auto forward = static_cast<std::uintmax_t>(offset);
  const std::uintmax_t distance = offset < 0 ? 0 - forward : forward;
  if (distance > (offset < 0 ? base : end - base)) return std::nullopt;
  return offset < 0 ? base - distance : base + distance;
}

/// `offset`, seen from `ahead` bytes further on. No offset that far back is valid, so it may stop at the least.
constexpr std::intmax_t seen_from(std::size_t ahead, std::intmax_t offset) {
  const auto by = static_cast<std::intmax_t>(ahead);
  return std::max(offset, std::numeric_limits<std::intmax_t>::min() + by) - by;
}

}  // namespace sluice::detail

#endif
