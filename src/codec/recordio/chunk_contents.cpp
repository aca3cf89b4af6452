// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio/detail/chunk_contents.hpp>
#include <sluice/digest/crc32.hpp>

namespace sluice::detail {

bool checksum_fits(const recordio_chunk& chunk, std::span<const std::byte> payload) noexcept {
  if (chunk.layout == recordio_layout::standard) return crc32_of(payload) == chunk.checksum;
  // Its first versions took the polynomial of zlib.
  return crc32c_of(payload) == chunk.checksum || crc32_of(payload) == chunk.checksum;
}

result<void> chunk_contents::open(const recordio_chunk& chunk, std::span<const std::byte> payload,
                                  std::size_t max_size) {
  constexpr std::size_t length_size = 4;
  close();
  std::span<const std::byte> content = payload;
  if (chunk.compression() != recordio_compression::none) {
    const auto decompressed = decompressor_.decompress(chunk, payload, max_size);
    if (!decompressed) return fail(decompressed.error());
    content = *decompressed;
  }
  // All of it is looked at first: a chunk is good as a whole, or not at all.
  const std::byte* at = content.data();
  std::size_t rest = content.size();
  for (std::uint32_t n = 0; n != chunk.records; ++n) {
    if (rest < length_size) return fail(io_errc::invalid_data);
    const std::size_t size = load_le<std::uint32_t>(std::span<const std::byte, length_size>(at, length_size));
    if (rest - length_size < size) return fail(io_errc::invalid_data);
    at += length_size + size;
    rest -= length_size + size;
  }
  if (rest != 0) return fail(io_errc::invalid_data);
  at_ = content.data();
  left_ = chunk.records;
  return {};
}

}  // namespace sluice::detail
