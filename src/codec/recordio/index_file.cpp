// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/endian.hpp>
#include <sluice/codec/recordio/index.hpp>
#include <sluice/digest/crc32.hpp>

#include <algorithm>
#include <string_view>

namespace sluice {
namespace {

constexpr std::string_view index_magic("SLRIDX\0\1", 8);
constexpr std::size_t version_at = 7;
constexpr std::size_t entry_size = 28;

// Entries are read and written so many at a time.
constexpr std::size_t entries_a_block = 1024;

using entry = std::span<std::byte, entry_size>;

void store_entry(entry to, const recordio_chunk& chunk) noexcept {
  store_le(to.subspan<0, 8>(), std::uint64_t{chunk.offset});
  store_le(to.subspan<8, 4>(), chunk.payload_size);
  store_le(to.subspan<12, 4>(), chunk.records);
  store_le(to.subspan<16, 4>(), chunk.checksum);
  store_le(to.subspan<20, 4>(), chunk.compressor);
  store_le(to.subspan<24, 4>(), static_cast<std::uint32_t>(chunk.layout));
}

result<recordio_chunk> load_entry(std::span<const std::byte, entry_size> from) noexcept {
  const auto layout = load_le<std::uint32_t>(from.subspan<24, 4>());
  if (layout > 1) return fail(io_errc::invalid_data);
  return recordio_chunk{.offset = load_le<std::uint64_t>(from.subspan<0, 8>()),
                        .payload_size = load_le<std::uint32_t>(from.subspan<8, 4>()),
                        .records = load_le<std::uint32_t>(from.subspan<12, 4>()),
                        .checksum = load_le<std::uint32_t>(from.subspan<16, 4>()),
                        .compressor = load_le<std::uint32_t>(from.subspan<20, 4>()),
                        .layout = static_cast<recordio_layout>(layout)};
}

// Reads with a running checksum.
struct summed_source {
  detail::source_ref from;
  crc32c sum = {};

  result<void> read(std::span<std::byte> out) {
    const auto done = detail::read_exactly(from, out, nullptr);
    if (!done && done.error() == io_errc::unexpected_eof) return fail(io_errc::truncated);
    if (!done) return fail(done.error());
    sum.update(out);
    return {};
  }
};

}  // namespace

result<void> recordio_index::write_to(detail::sink_ref to) const {
  crc32c sum;
  const auto put = [&](std::span<const std::byte> b) {
    sum.update(b);
    return detail::write_all(to, b, nullptr);
  };
  std::array<std::byte, 32> head;
  std::ranges::copy(as_bytes(index_magic), head.begin());
  store_le(std::span(head).subspan<8, 8>(), std::uint64_t{file_size_});
  store_le(std::span(head).subspan<16, 8>(), std::uint64_t{chunks_.empty() ? 0 : chunks_.back().end()});
  store_le(std::span(head).subspan<24, 8>(), std::uint64_t{chunks_.size()});
  if (const auto done = put(head); !done) return fail(done.error());
  std::vector<std::byte> block(std::min(chunks_.size(), entries_a_block) * entry_size);
  for (auto rest = chunks(); !rest.empty();) {
    const auto now = rest.first(std::min(rest.size(), entries_a_block));
    for (std::size_t i = 0; i != now.size(); ++i)
      store_entry(std::span(block).subspan(i * entry_size).first<entry_size>(), now[i]);
    if (const auto done = put(std::span(block).first(now.size() * entry_size)); !done) return fail(done.error());
    rest = rest.subspan(now.size());
  }
  std::array<std::byte, 4> end;
  store_le(std::span(end), sum.value());
  if (const auto done = detail::write_all(to, end, nullptr); !done) return fail(done.error());
  return {};
}

result<recordio_index> recordio_index::read_from(detail::source_ref from) {
  summed_source in{from};
  std::array<std::byte, 32> head;
  if (const auto done = in.read(head); !done) return fail(done.error());
  if (!std::ranges::equal(std::span(head).first(version_at), as_bytes(index_magic.substr(0, version_at))))
    return fail(io_errc::invalid_data);
  if (head[version_at] != std::byte{1}) return fail(io_errc::unsupported);

  recordio_index index;
  index.file_size_ = load_le<std::uint64_t>(std::span(head).subspan<8, 8>());
  const auto end = load_le<std::uint64_t>(std::span(head).subspan<16, 8>());
  auto left = load_le<std::uint64_t>(std::span(head).subspan<24, 8>());
  std::uintmax_t behind = 0;
  std::vector<std::byte> block;
  while (left != 0) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(left, entries_a_block));
    block.resize(now * entry_size);
    if (const auto done = in.read(block); !done) return fail(done.error());
    for (std::size_t i = 0; i != now; ++i) {
      const auto chunk = load_entry(std::span<const std::byte>(block).subspan(i * entry_size).first<entry_size>());
      if (!chunk) return fail(chunk.error());
      if (chunk->offset < behind || chunk->offset > index.file_size_ ||
          chunk->size() > index.file_size_ - chunk->offset)
        return fail(io_errc::invalid_data);
      behind = chunk->end();
      index.add(*chunk);
    }
    left -= now;
  }
  const std::uint32_t sum = in.sum.value();
  std::array<std::byte, 4> told;
  if (const auto done = in.read(told); !done) return fail(done.error());
  if (load_le<std::uint32_t>(std::span<const std::byte, 4>(told)) != sum) return fail(io_errc::checksum_mismatch);
  if (behind != end) return fail(io_errc::invalid_data);
  return index;
}

}  // namespace sluice
