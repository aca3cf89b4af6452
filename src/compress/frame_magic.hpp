// SPDX-License-Identifier: BSL-1.0
//
// The first four bytes of a frame, for the formats that share the frames which may be skipped: those of Zstandard
// (RFC 8878, 3.1) and LZ4 (lz4_Frame_format.md).
//
#ifndef SLUICE_SRC_COMPRESS_FRAME_MAGIC_HPP
#define SLUICE_SRC_COMPRESS_FRAME_MAGIC_HPP

#include <sluice/compress/detail/decoder.hpp>

#include <algorithm>
#include <array>

namespace sluice::detail {

using frame_magic = std::array<unsigned char, 4>;

/// A member begins with `magic`, or with one of the 16 of skippable frames.
inline beginning look_for_frame(std::span<const std::byte> in, const frame_magic& magic) noexcept {
  static constexpr frame_magic skippable{0x50, 0x2a, 0x4d, 0x18};
  constexpr std::byte kind{0x0f};
  const std::size_t n = std::min(in.size(), magic.size());
  const auto begins_with = [&](const frame_magic& wanted) {
    return std::ranges::equal(in.subspan(1, n - 1), std::as_bytes(std::span(wanted)).subspan(1, n - 1));
  };
  const bool is_frame = in[0] == std::byte{magic[0]} && begins_with(magic);
  const bool is_skippable = (in[0] & ~kind) == std::byte{skippable[0]} && begins_with(skippable);
  if (!is_frame && !is_skippable) return beginning::other;
  return n == magic.size() ? beginning::member : beginning::unclear;
}

}  // namespace sluice::detail

#endif
