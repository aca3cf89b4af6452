// SPDX-License-Identifier: BSL-1.0
//
// The formats that are known by their first bytes.
//
//   enum class compression { none, gzip, zstd, lz4, snappy };
//   std::string_view name(compression);
//   compression compression_of(std::span<const std::byte> head);
//
#ifndef SLUICE_COMPRESS_COMPRESSION_HPP
#define SLUICE_COMPRESS_COMPRESSION_HPP

#include <cstddef>
#include <span>
#include <string_view>

namespace sluice {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // g++ 12 takes a scoped enumerator for one that hides a name outside

/// The formats that `detect` tells by their first bytes.
enum class compression : unsigned char {
  none,  ///< or one that has no magic number to know it by, as zlib, raw deflate and raw blocks of Snappy
  gzip,
  zstd,
  lz4,     ///< in frames; the legacy format of before 2014 too, which `unlz4` answers with `unsupported`
  snappy,  ///< the framing format
};

#pragma GCC diagnostic pop

/// "gzip", and so on.
std::string_view name(compression format) noexcept;

/// As many bytes tell all formats apart.
inline constexpr std::size_t compression_magic_size = 10;

/// What the first bytes of a stream say; fewer than compression_magic_size of them are all there are. Zstandard and LZ4
/// have frames to be skipped in common: a stream that begins with one is taken for Zstandard here, while `decompressed`
/// looks at each frame.
compression compression_of(std::span<const std::byte> head) noexcept;

}  // namespace sluice

#endif
