// SPDX-License-Identifier: BSL-1.0
#include <sluice/digest/xxh3.hpp>

// Compiled in here, for the size of the state may differ from that in a shared library of another version.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

namespace sluice::detail {

namespace {

XXH3_state_t* inside(std::byte* state) noexcept { return reinterpret_cast<XXH3_state_t*>(state); }
const XXH3_state_t* inside(const std::byte* state) noexcept { return reinterpret_cast<const XXH3_state_t*>(state); }

}  // namespace

// The functions named 64bits differ from those named 128bits in the last step only.

void xxh3_state::reset() noexcept {
  static_assert(sizeof(XXH3_state_t) <= sizeof state_ && alignof(XXH3_state_t) <= alignof(xxh3_state));
  state_ = {};
  (void)XXH3_64bits_reset(inside(state_.data()));
}

void xxh3_state::update(std::span<const std::byte> b) noexcept {
  if (!b.empty()) (void)XXH3_64bits_update(inside(state_.data()), b.data(), b.size());
}

std::uint64_t xxh3_state::value_64() const noexcept { return XXH3_64bits_digest(inside(state_.data())); }

std::array<std::byte, 16> xxh3_state::value_128() const noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(inside(state_.data())));
  return std::bit_cast<std::array<std::byte, 16>>(canonical.digest);
}

}  // namespace sluice::detail
