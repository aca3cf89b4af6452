// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/endian.hpp>
#include <sluice/codec/recordio/dmlc.hpp>

#include "write_pieces.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::detail {
namespace {

constexpr std::uint32_t magic_number = 0xced7230a;
constexpr std::array magic{std::byte{0x0a}, std::byte{0x23}, std::byte{0xd7}, std::byte{0xce}};
constexpr std::size_t word = 4;
constexpr std::size_t head_size = 2 * word;
constexpr std::size_t longest = (std::size_t{1} << 29) - 1;
constexpr std::size_t search_step = std::size_t{64} << 10;

enum part : std::uint32_t { whole, first, middle, last };

constexpr std::size_t padded(std::size_t n) noexcept { return (n + word - 1) / word * word; }

std::uint32_t word_at(std::span<const std::byte> b, std::size_t at) noexcept {
  return load_le<std::uint32_t>(b.subspan(at).first<word>());
}

// The first magic number at a multiple of 4 from `from` on, or the end.
std::size_t find_magic(std::span<const std::byte> b, std::size_t from) noexcept {
  for (std::size_t at = from; b.size() - at >= word; at += word)
    if (word_at(b, at) == magic_number) return at;
  return b.size();
}

}  // namespace

next_record dmlc_parser::next(source_ref from) {
  if (held_ != 0) drop(from, std::exchange(held_, 0));
  for (;;) {
    if (error_) return fail(error_);
    if (ended_) return std::nullopt;
    if (searching_) {
      const result<bool> found = find_record(from);
      if (!found) return fail(found.error());
      continue;
    }
    std::optional<std::span<const std::byte>> record;
    const result<std::error_code> damage = step(from, record);
    if (!damage) return fail(damage.error());
    if (*damage) {
      if (options_.policy == recordio_policy::fail) {
        error_ = *damage;
        return fail(error_);
      }
      if (*damage == io_errc::truncated) report_.truncated = true;
      damage_ = *damage;
      // A part that does not fit to those before it may begin the next record; what begins with no magic number cannot.
      if (!joining_) record_begin_ = offset_;
      if (offset_ == record_begin_) drop(from, std::min(word, window_.seen().size()));
      joining_ = false;
      searching_ = true;
      continue;
    }
    if (record) {
      ++report_.records;
      return record;
    }
  }
}

// Takes one part; the damage that it has met, if any. A record is told where it is complete.
result<std::error_code> dmlc_parser::step(source_ref from, std::optional<std::span<const std::byte>>& record) {
  const auto seen = window_.need(from, head_size);
  if (!seen) return fail(seen.error());
  if (*seen == 0) {
    if (joining_) return make_error_code(io_errc::truncated);
    ended_ = true;
    return std::error_code();
  }
  const auto head = window_.seen();
  const std::size_t shown = std::min(head.size(), word);
  if (!std::ranges::equal(head.first(shown), std::span(magic).first(shown)))
    return make_error_code(io_errc::invalid_data);
  if (*seen < head_size) return make_error_code(io_errc::truncated);
  const std::uint32_t flag = word_at(head, word) >> 29;
  const std::size_t size = word_at(head, word) & longest;
  if (joining_ ? flag != middle && flag != last : flag != whole && flag != first)
    return make_error_code(io_errc::invalid_data);
  const std::size_t joined = joining_ ? joined_.size() + word : 0;
  if (size > options_.max_record_size || joined > options_.max_record_size - size)
    return make_error_code(io_errc::limit_exceeded);
  const std::size_t all = head_size + padded(size);
  const auto there = window_.need(from, all);
  if (!there) return fail(there.error());
  if (*there < all) return make_error_code(io_errc::truncated);
  const auto data = window_.seen().subspan(head_size, size);
  if (flag == whole) {
    held_ = all;
    record = data;
    return std::error_code();
  }
  if (!joining_) {
    record_begin_ = offset_;
    joined_.clear();
  } else {
    joined_.insert(joined_.end(), magic.begin(), magic.end());
  }
  joined_.insert(joined_.end(), data.begin(), data.end());
  joining_ = flag != last;
  drop(from, all);
  if (!joining_) record = std::span<const std::byte>(joined_);
  return std::error_code();
}

// Goes to the next place where a record may begin, or to the end.
result<bool> dmlc_parser::find_record(source_ref from) {
  for (;;) {
    const auto seen = window_.need(from, head_size);
    if (!seen) return fail(seen.error());
    if (*seen < head_size) {
      drop(from, *seen);
      ended_ = true;
      break;
    }
    // Places count from the beginning of the stream.
    const auto shift = static_cast<std::size_t>((word - offset_ % word) % word);
    const auto in = window_.seen();
    const std::size_t at = find_magic(in, shift);
    if (in.size() - at >= head_size) {
      const std::uint32_t flag = word_at(in, at + word) >> 29;
      if (flag == whole || flag == first) {
        drop(from, at);
        break;
      }
      drop(from, at + word);
      continue;
    }
    // The last bytes may belong to a header.
    drop(from, at == in.size() ? in.size() - (word - 1) : at);
    const auto more = window_.need(from, search_step);
    if (!more) return fail(more.error());
  }
  searching_ = false;
  add_loss(report_, {.offset = record_begin_, .bytes = offset_ - record_begin_, .records = 0, .error = damage_});
  return true;
}

void dmlc_parser::drop(source_ref from, std::size_t n) noexcept {
  window_.consume(from, n);
  offset_ += n;
}

frame_written write_dmlc(sink_ref to, std::span<const std::byte> record) {
  if (record.size() > longest) return {.error = io_errc::limit_exceeded};
  static constexpr std::array<std::byte, word - 1> zeros{};
  frame_written so_far;
  for (std::size_t begin = 0;;) {
    const std::size_t end = find_magic(record, begin);
    const bool is_last = end == record.size();
    const std::uint32_t flag = is_last ? (begin == 0 ? whole : last) : (begin == 0 ? first : middle);
    const std::size_t size = end - begin;
    std::array<std::byte, head_size> head;
    store_le(std::span(head).first<word>(), magic_number);
    store_le(std::span(head).last<word>(), flag << 29 | static_cast<std::uint32_t>(size));
    const frame_written done =
        write_pieces(to, head, record.subspan(begin, size), std::span(zeros).first(padded(size) - size));
    so_far.begun |= done.begun;
    so_far.error = done.error;
    if (so_far.error || is_last) return so_far;
    begin = end + word;
  }
}

}  // namespace sluice::detail
