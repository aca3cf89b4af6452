// SPDX-License-Identifier: BSL-1.0
//
// The ways to read a header.
//
#ifndef SLUICE_SRC_CODEC_RECORDIO_CHUNK_HEADER_HPP
#define SLUICE_SRC_CODEC_RECORDIO_CHUNK_HEADER_HPP

#include <sluice/codec/recordio/chunk.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace sluice::detail {

inline constexpr std::array chunk_magic{std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}};

/// Whether the magic number comes first. Fewer bytes than four are none.
bool begins_with_magic(std::span<const std::byte> b) noexcept;

struct header_reading {
  recordio_chunk chunk;
  bool sensible = false;  // the compressor is a known one
};

/// A header that begins with the magic number. Its fields may be in either order, and never make sense in both: where
/// elasticdl has the compressor, 1 to 3, the other has the size of the payload, which is 0 or at least that of a
/// length. Whether the checksum fits is still to be seen. Where neither makes sense it is the standard one.
header_reading read_header(std::span<const std::byte, recordio_chunk::header_size> header,
                           std::uintmax_t offset) noexcept;

void write_header(std::span<std::byte, recordio_chunk::header_size> header, const recordio_chunk& chunk) noexcept;

}  // namespace sluice::detail

#endif
