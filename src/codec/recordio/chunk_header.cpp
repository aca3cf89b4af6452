// SPDX-License-Identifier: BSL-1.0
#include "chunk_header.hpp"

#include <sluice/codec/endian.hpp>
#include <sluice/codec/recordio/policy.hpp>

#include <algorithm>

namespace sluice::detail {
namespace {

// In the order in which the fields are stored, behind the magic number.
using fields = std::array<std::uint32_t recordio_chunk::*, 4>;
constexpr fields standard_order{&recordio_chunk::checksum, &recordio_chunk::compressor, &recordio_chunk::payload_size,
                                &recordio_chunk::records};
constexpr fields elasticdl_order{&recordio_chunk::records, &recordio_chunk::checksum, &recordio_chunk::compressor,
                                 &recordio_chunk::payload_size};

const fields& order_of(recordio_layout layout) noexcept {
  return layout == recordio_layout::elasticdl ? elasticdl_order : standard_order;
}

recordio_chunk read_as(recordio_layout layout, std::span<const std::byte, recordio_chunk::header_size> header,
                       std::uintmax_t offset) noexcept {
  recordio_chunk chunk{.offset = offset, .layout = layout};
  auto at = std::span<const std::byte>(header).subspan(chunk_magic.size());
  for (const auto field : order_of(layout)) {
    chunk.*field = load_le<std::uint32_t>(at.first<4>());
    at = at.subspan(4);
  }
  return chunk;
}

}  // namespace

bool begins_with_magic(std::span<const std::byte> b) noexcept {
  return b.size() >= chunk_magic.size() && std::ranges::equal(b.first(chunk_magic.size()), chunk_magic);
}

header_reading read_header(std::span<const std::byte, recordio_chunk::header_size> header,
                           std::uintmax_t offset) noexcept {
  constexpr std::size_t length_size = 4;
  const recordio_chunk elasticdl = read_as(recordio_layout::elasticdl, header, offset);
  if (elasticdl.compression()) return {.chunk = elasticdl, .sensible = true};
  const recordio_chunk standard = read_as(recordio_layout::standard, header, offset);
  const bool holds_records = standard.payload_size == 0 || standard.payload_size >= length_size;
  return {.chunk = standard, .sensible = standard.compression() && holds_records};
}

void write_header(std::span<std::byte, recordio_chunk::header_size> header, const recordio_chunk& chunk) noexcept {
  std::ranges::copy(chunk_magic, header.begin());
  auto at = std::span<std::byte>(header).subspan(chunk_magic.size());
  for (const auto field : order_of(chunk.layout)) {
    store_le(at.first<4>(), chunk.*field);
    at = at.subspan(4);
  }
}

void add_loss(recordio_report& report, const recordio_loss& loss) {
  ++report.losses;
  report.bytes_lost += loss.bytes;
  report.records_lost += loss.records;
  if (report.places.size() < recordio_report::most_losses) report.places.push_back(loss);
}

}  // namespace sluice::detail
