// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio/range.hpp>

#include "chunk_header.hpp"

#include <algorithm>

namespace sluice::detail {

constexpr std::size_t header_size = recordio_chunk::header_size;

recordio_range_state::recordio_range_state(const recordio_index& index, std::intmax_t start, std::intmax_t count,
                                           const recordio_options& options) noexcept
    : index_(&index), options_(options) {
  const std::uintmax_t all = index.records();
  const std::uintmax_t first = std::min(all, static_cast<std::uintmax_t>(std::max<std::intmax_t>(start, 0)));
  size_ = count < 0 ? all - first : std::min(all - first, static_cast<std::uintmax_t>(count));
  left_ = size_;
  if (const auto place = index.locate(first)) {
    chunk_ = place->chunk;
    first_ = place->record;
  }
}

result<bool> recordio_range_state::enter(positional_ref from) {
  while (left_here_ == 0) {
    if (error_) return fail(error_);
    if (left_ == 0) return false;
    const recordio_chunk& chunk = index_->chunks()[chunk_];
    const std::uintmax_t wanted = std::min<std::uintmax_t>(left_, chunk.records - first_);
    const result<void> loaded = load(from, chunk);
    if (!loaded) {
      // What the system says is no damage, and a next call tries again.
      if (loaded.error().category() != io_category()) return fail(loaded.error());
      if (options_.policy == recordio_policy::fail) {
        error_ = loaded.error();
        return fail(error_);
      }
      if (loaded.error() == io_errc::truncated) report_.truncated = true;
      add_loss(report_, {.offset = chunk.offset, .bytes = chunk.size(), .records = wanted, .error = loaded.error()});
    } else {
      contents_.skip(first_);
      left_here_ = wanted;
      ++report_.chunks;
      report_.records += wanted;
    }
    left_ -= wanted;
    first_ = 0;
    ++chunk_;
  }
  return true;
}

result<void> recordio_range_state::load(positional_ref from, const recordio_chunk& chunk) {
  if (chunk.payload_size > options_.max_chunk_size) return fail(io_errc::limit_exceeded);
  if (!chunk.compression()) return fail(io_errc::unsupported);
  const auto size = static_cast<std::size_t>(chunk.size());
  if (buffer_.size() < size) {
    // An index that somebody else has made may claim anything.
    const auto there = from.size();
    if (!there) return fail(there.error());
    if (*there < chunk.offset || *there - chunk.offset < size) return fail(io_errc::truncated);
    bytes().swap(buffer_);
    buffer_.resize(size);
  }
  const std::span<std::byte> stored = std::span(buffer_).first(size);
  if (const auto done = read_exactly_at(from, chunk.offset, stored); !done) {
    if (done.error() == io_errc::unexpected_eof) return fail(io_errc::truncated);
    return fail(static_cast<std::error_code>(done.error()));
  }
  if (!begins_with_magic(stored) || read_header(stored.first<header_size>(), chunk.offset).chunk != chunk)
    return fail(io_errc::invalid_data);
  const auto payload = stored.subspan(header_size);
  if (!checksum_fits(chunk, payload)) return fail(io_errc::checksum_mismatch);
  return contents_.open(chunk, payload, options_.max_chunk_size);
}

}  // namespace sluice::detail
