// SPDX-License-Identifier: BSL-1.0
//
// What the header of a RecordIO chunk says.
//
//   enum class recordio_compression { none, snappy, gzip };
//   enum class recordio_layout { standard, elasticdl };
//   struct recordio_chunk;
//
// A file is chunks, one behind another. A chunk is a header of 20 bytes, five numbers of 32 bits with the low byte
// first, and a payload of records, each behind its length of 32 bits; the payload as a whole may be compressed.
//
#ifndef SLUICE_CODEC_RECORDIO_CHUNK_HPP
#define SLUICE_CODEC_RECORDIO_CHUNK_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sluice {

/// How a payload is stored.
enum class recordio_compression : unsigned char {
  none,
  snappy,  ///< the framing format; in the layout of elasticdl a raw block
  gzip,    ///< one member
};

/// The order of the fields of a header. Both begin with the magic number 0x01020304, so it takes the other
/// fields and the checksum to tell.
enum class recordio_layout : unsigned char {
  standard,   ///< checksum, compressor, size, records, as wangkuiyi/recordio and PaddlePaddle write them
  elasticdl,  ///< records, checksum, compressor, size
};

/// A chunk, as its header describes it. The checksum does not cover the header: nothing of it is certain before the
/// payload was seen.
struct recordio_chunk {
  static constexpr std::size_t header_size = 20;  ///< bytes

  std::uintmax_t offset = 0;                           ///< of the header, in bytes
  std::uint32_t payload_size = 0;                      ///< as stored, in bytes
  std::uint32_t records = 0;                           ///< how many it holds
  std::uint32_t checksum = 0;                          ///< of the payload as stored
  std::uint32_t compressor = 0;                        ///< the number in the header, which may mean nothing
  recordio_layout layout = recordio_layout::standard;  ///< the order of the header's fields

  /// Header and payload, in bytes.
  std::uintmax_t size() const noexcept { return header_size + std::uintmax_t{payload_size}; }

  /// Where the next chunk begins.
  std::uintmax_t end() const noexcept { return offset + size(); }

  /// What the number means; nothing for an unknown one.
  std::optional<recordio_compression> compression() const noexcept {
    const std::uint32_t first = layout == recordio_layout::elasticdl ? 1 : 0;
    if (compressor < first || compressor - first > 2) return std::nullopt;
    return static_cast<recordio_compression>(compressor - first);
  }

  bool operator==(const recordio_chunk&) const = default;
};

}  // namespace sluice

#endif
