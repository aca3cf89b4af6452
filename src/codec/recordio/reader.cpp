// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio/detail/reader_state.hpp>

#include "chunk_header.hpp"

#include <algorithm>

namespace sluice::detail {
namespace {

constexpr std::size_t header_size = recordio_chunk::header_size;

// Damage is searched in steps of this many bytes.
constexpr std::size_t search_step = std::size_t{64} << 10;

// How many bytes of candidates may be summed in vain for each byte that is searched: so that headers made to look good
// cannot make the search quadratic.
constexpr std::uintmax_t checks_a_byte = 8;
constexpr std::uintmax_t free_checks = std::uintmax_t{16} << 20;

}  // namespace

next_record recordio_reader_state::enter(source_ref from) {
  while (contents_.left() == 0) {
    const result<bool> more = advance(from);
    if (!more) return fail(more.error());
    if (!*more) return std::nullopt;
  }
  return contents_.next();
}

result<std::uintmax_t> recordio_reader_state::skip_records(source_ref from, std::uintmax_t n) {
  std::uintmax_t passed = 0;
  while (passed != n) {
    if (contents_.left() == 0) {
      const result<bool> more = advance(from);
      if (!more) return fail(more.error());
      if (!*more) break;
    }
    const auto step = static_cast<std::uint32_t>(std::min<std::uintmax_t>(n - passed, contents_.left()));
    contents_.skip(step);
    passed += step;
  }
  return passed;
}

// Goes to the next good chunk; false at the end.
result<bool> recordio_reader_state::advance(source_ref from) {
  if (held_ != 0) drop(from, held_);
  for (;;) {
    if (error_) return fail(error_);
    if (ended_) return false;
    if (searching_) {
      const result<bool> there = find_chunk(from);
      if (!there) return there;
      continue;
    }
    const result<found> next = look(from);
    if (!next) return fail(next.error());
    switch (next->what) {
      case found::kind::end: ended_ = true; return false;
      case found::kind::chunk: return true;
      case found::kind::bad: break;
    }
    if (const result<bool> passed = pass_over(from, *next); !passed) return passed;
  }
}

// Loads the chunk at the place at hand, and takes nothing.
result<recordio_reader_state::found> recordio_reader_state::look(source_ref from) {
  using enum found::kind;
  const auto seen = window_.need(from, header_size);
  if (!seen) return fail(seen.error());
  if (*seen == 0) return found{.what = end};
  const auto head = window_.seen();
  const auto magic = head.first(std::min(head.size(), chunk_magic.size()));
  if (!std::ranges::equal(magic, std::span(chunk_magic).first(magic.size())))
    return found{.what = bad, .error = io_errc::invalid_data};
  if (*seen < header_size) return found{.what = bad, .error = io_errc::truncated};

  const header_reading header = read_header(head.first<header_size>(), offset_);
  chunk_ = header.chunk;
  const auto is_bad = [](std::error_code why) { return found{.what = bad, .error = why, .has_extent = true}; };
  if (!header.sensible) return is_bad(io_errc::unsupported);
  if (chunk_.payload_size > options_.max_chunk_size) return is_bad(io_errc::limit_exceeded);
  const auto arrived = window_.need(from, static_cast<std::size_t>(chunk_.size()));
  if (!arrived) return fail(arrived.error());
  if (*arrived < chunk_.size()) return found{.what = bad, .error = io_errc::truncated};
  const auto payload = window_.seen().subspan(header_size, chunk_.payload_size);
  if (!checksum_fits(chunk_, payload)) return is_bad(io_errc::checksum_mismatch);
  const result<void> opened = contents_.open(chunk_, payload, options_.max_chunk_size);
  if (!opened) return is_bad(opened.error());
  held_ = chunk_.size();
  ++report_.chunks;
  report_.records += chunk_.records;
  return found{};
}

result<bool> recordio_reader_state::pass_over(source_ref from, const found& bad) {
  if (options_.policy == recordio_policy::resync) return resync(from, bad);
  if (options_.policy == recordio_policy::skip_chunk && bad.has_extent) return skip_bad(from, bad);
  error_ = bad.error;
  return fail(error_);
}

result<bool> recordio_reader_state::skip_bad(source_ref from, const found& bad) {
  const auto passed = window_.skip(from, chunk_.size());
  if (!passed) {
    error_ = passed.error();
    return fail(error_);
  }
  losing_.offset = offset_;
  offset_ += *passed;
  if (*passed < chunk_.size()) {
    error_ = io_errc::truncated;
    return fail(error_);
  }
  lose(*passed, chunk_.records, bad.error);
  return true;
}

// The header of a bad chunk is believed where another chunk, or the end, follows; else something is searched that fits.
result<bool> recordio_reader_state::resync(source_ref from, const found& bad) {
  losing_ = {.offset = offset_, .error = bad.error};
  if (bad.error == io_errc::truncated) report_.truncated = true;
  if (bad.has_extent && chunk_.payload_size <= options_.max_chunk_size) {
    const result<bool> sound = whole_and_followed(from, chunk_);
    if (!sound) return sound;
    losing_.records = chunk_.records;
    if (*sound) {
      const std::uintmax_t size = chunk_.size();
      drop(from, size);
      lose(size, losing_.records, bad.error);
      return true;
    }
  }
  searching_ = true;
  drop(from, 1);
  return true;
}

result<bool> recordio_reader_state::whole_and_followed(source_ref from, const recordio_chunk& chunk) {
  const auto size = static_cast<std::size_t>(chunk.size());
  const auto seen = window_.need(from, size + chunk_magic.size());
  if (!seen) return fail(seen.error());
  return *seen == size || (*seen > size && begins_with_magic(window_.seen().subspan(size)));
}

// Searches on until a chunk begins, or the end has come. What it has passed over it has taken, so that it goes on there
// after an error of the stream.
result<bool> recordio_reader_state::find_chunk(source_ref from) {
  for (;;) {
    const auto seen = window_.need(from, header_size);
    if (!seen) return fail(seen.error());
    const bool at_end = *seen < header_size;
    const auto in = window_.seen();
    const auto magic = std::ranges::search(in, chunk_magic).begin();
    // The last bytes may be the first of a magic number.
    std::size_t passed = static_cast<std::size_t>(magic - in.begin());
    if (magic == in.end() && !at_end) passed -= chunk_magic.size() - 1;
    if (at_end) passed = in.size();
    drop(from, passed);
    if (at_end) {
      ended_ = true;
      break;
    }
    if (magic == in.end()) {
      const auto more = window_.need(from, search_step);
      if (!more) return fail(more.error());
      continue;
    }
    const result<bool> fits = is_chunk(from);
    if (!fits) return fits;
    if (*fits) break;
    drop(from, 1);
  }
  searching_ = false;
  lose(offset_ - losing_.offset, losing_.records, losing_.error);
  return true;
}

// Whether what begins with the magic number is a chunk.
result<bool> recordio_reader_state::is_chunk(source_ref from) {
  const auto seen = window_.need(from, header_size);
  if (!seen) return fail(seen.error());
  if (*seen < header_size) return false;
  const auto [chunk, sensible] = read_header(window_.seen().first<header_size>(), offset_);
  if (!sensible || chunk.payload_size > options_.max_chunk_size) return false;
  const result<bool> followed = whole_and_followed(from, chunk);
  if (!followed || *followed) return followed;
  if (window_.seen().size() < chunk.size()) return false;
  if (checked_ > free_checks + checks_a_byte * (offset_ - losing_.offset)) return false;
  checked_ += chunk.payload_size;
  return checksum_fits(chunk, window_.seen().subspan(header_size, chunk.payload_size));
}

void recordio_reader_state::drop(source_ref from, std::uintmax_t n) noexcept {
  contents_.close();
  window_.consume(from, static_cast<std::size_t>(n));
  offset_ += n;
  held_ = 0;
}

void recordio_reader_state::lose(std::uintmax_t bytes, std::uintmax_t records, std::error_code why) {
  add_loss(report_, {.offset = losing_.offset, .bytes = bytes, .records = records, .error = why});
}

}  // namespace sluice::detail
