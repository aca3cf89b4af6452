// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio/detail/chunk_contents.hpp>
#include <sluice/codec/recordio/index.hpp>

#include "chunk_header.hpp"

#include <algorithm>

namespace sluice {
namespace {

using detail::chunk_magic;
using detail::positional_ref;

constexpr std::size_t header_size = recordio_chunk::header_size;
constexpr std::size_t search_step = std::size_t{64} << 10;
constexpr std::uintmax_t free_checks = std::uintmax_t{16} << 20;
constexpr std::uintmax_t checks_a_byte = 8;

struct scan {
  positional_ref from;
  std::uintmax_t size;
  std::size_t max_chunk_size;
  std::uintmax_t checked = 0;

  result<void> read(std::uintmax_t offset, std::span<std::byte> out) const {
    const auto done = read_exactly_at(from, offset, out);
    if (done) return {};
    // It was longer when its size was asked for.
    if (done.error() == io_errc::unexpected_eof) return fail(io_errc::truncated);
    return fail(static_cast<std::error_code>(done.error()));
  }

  bool lies_inside(const recordio_chunk& chunk) const noexcept { return chunk.size() <= size - chunk.offset; }

  result<bool> has_right_checksum(const recordio_chunk& chunk) const {
    if (!lies_inside(chunk) || chunk.payload_size > max_chunk_size) return false;
    bytes payload(chunk.payload_size);
    if (const auto done = read(chunk.offset + header_size, payload); !done) return fail(done.error());
    return detail::checksum_fits(chunk, payload);
  }

  result<bool> is_followed(const recordio_chunk& chunk) const {
    if (!lies_inside(chunk)) return false;
    if (chunk.end() == size) return true;
    std::array<std::byte, chunk_magic.size()> next;
    if (size - chunk.end() < next.size()) return false;
    if (const auto done = read(chunk.end(), next); !done) return fail(done.error());
    return detail::begins_with_magic(next);
  }

  // The chunk that a header describes, or what is wrong with it.
  result<recordio_chunk> chunk_at(std::uintmax_t offset, std::error_code& damage) const {
    std::array<std::byte, header_size> header;
    const auto there = static_cast<std::size_t>(std::min<std::uintmax_t>(header_size, size - offset));
    if (const auto done = read(offset, std::span(header).first(there)); !done) return fail(done.error());
    const std::size_t magic = std::min(there, chunk_magic.size());
    if (!std::ranges::equal(std::span(header).first(magic), std::span(chunk_magic).first(magic))) {
      damage = io_errc::invalid_data;
      return recordio_chunk{};
    }
    damage = there < header_size ? io_errc::truncated : io_errc{};
    if (damage) return recordio_chunk{};
    const auto [chunk, sensible] = detail::read_header(header, offset);
    if (!lies_inside(chunk)) damage = io_errc::truncated;
    return chunk;
  }

  // Whether a chunk begins where the magic number was found.
  result<bool> is_chunk(std::uintmax_t offset, std::uintmax_t searched) {
    if (size - offset < header_size) return false;
    std::array<std::byte, header_size> header;
    if (const auto done = read(offset, header); !done) return fail(done.error());
    const auto [chunk, sensible] = detail::read_header(header, offset);
    if (!sensible) return false;
    const auto followed = is_followed(chunk);
    if (!followed || *followed) return followed;
    if (checked > free_checks + checks_a_byte * searched) return false;
    checked += chunk.payload_size;
    return has_right_checksum(chunk);
  }

  // The next chunk behind damage, or the end.
  result<std::uintmax_t> next_chunk(std::uintmax_t damaged) {
    std::vector<std::byte> block(search_step + chunk_magic.size() - 1);
    for (std::uintmax_t at = damaged + 1; at < size;) {
      const auto here =
          std::span(block).first(static_cast<std::size_t>(std::min<std::uintmax_t>(block.size(), size - at)));
      if (const auto done = read(at, here); !done) return fail(done.error());
      for (auto rest = here;;) {
        const auto found = std::ranges::search(rest, chunk_magic);
        if (found.empty()) break;
        const auto distance = static_cast<std::size_t>(found.begin() - here.begin());
        const auto fits = is_chunk(at + distance, at + distance - damaged);
        if (!fits) return fail(fits.error());
        if (*fits) return at + distance;
        rest = here.subspan(distance + 1);
      }
      at += std::min(here.size(), search_step);
    }
    return size;
  }
};

}  // namespace

void recordio_index::add(const recordio_chunk& chunk) {
  before_.push_back(records() + chunk.records);
  chunks_.push_back(chunk);
}

recordio_index::load_result recordio_index::load_from(positional_ref from, const recordio_options& options) {
  recordio_index index;
  const auto failed = [&](std::error_code why) {
    return std::unexpected(read_error<recordio_index>(why, std::move(index)));
  };
  const auto size = from.size();
  if (!size) return failed(size.error());
  index.file_size_ = *size;
  scan file{.from = from, .size = *size, .max_chunk_size = options.max_chunk_size};
  for (std::uintmax_t at = 0; at < *size;) {
    std::error_code damage;
    const auto chunk = file.chunk_at(at, damage);
    if (!chunk) return failed(chunk.error());
    if (!damage) {
      if (options.policy == recordio_policy::resync && !chunk->compression()) damage = io_errc::unsupported;
      if (damage) {
        const auto followed = file.is_followed(*chunk);
        if (!followed) return failed(followed.error());
        if (*followed) damage = {};
      }
    }
    if (!damage) {
      index.add(*chunk);
      at = chunk->end();
      continue;
    }
    if (options.policy != recordio_policy::resync) return failed(damage);
    if (damage == io_errc::truncated) index.report_.truncated = true;
    const auto next = file.next_chunk(at);
    if (!next) return failed(next.error());
    detail::add_loss(index.report_, {.offset = at, .bytes = *next - at, .records = chunk->records, .error = damage});
    at = *next;
  }
  return index;
}

std::optional<record_place> recordio_index::locate(std::uintmax_t record) const noexcept {
  const auto chunk = std::ranges::upper_bound(before_, record);
  if (chunk == before_.end()) return std::nullopt;
  const auto number = static_cast<std::size_t>(chunk - before_.begin());
  return record_place{.chunk = number, .record = static_cast<std::uint32_t>(record - records_before(number))};
}

std::vector<byte_range> recordio_index::ranges(std::size_t n) const {
  std::vector<byte_range> parts;
  if (n == 0) return parts;
  parts.reserve(n);
  const std::uintmax_t begin = chunks_.empty() ? 0 : chunks_.front().offset;
  const std::uintmax_t end = chunks_.empty() ? 0 : chunks_.back().end();
  const std::uintmax_t share = (end - begin) / n;
  const std::uintmax_t rest = (end - begin) % n;
  std::uintmax_t from = begin;
  for (std::size_t part = 1; part <= n; ++part) {
    const std::uintmax_t ideal = begin + share * part + std::min<std::uintmax_t>(rest, part);
    const auto chunk = std::ranges::lower_bound(chunks_, ideal, {}, &recordio_chunk::offset);
    const std::uintmax_t to = part == n || chunk == chunks_.end() ? end : chunk->offset;
    parts.push_back({.offset = from, .length = to - from});
    from = to;
  }
  return parts;
}

}  // namespace sluice
