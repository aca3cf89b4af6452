// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio/detail/chunk_contents.hpp>

#ifdef SLUICE_WITH_GZIP
#include <sluice/compress/gzip.hpp>
#endif
#ifdef SLUICE_WITH_SNAPPY
#include <sluice/compress/snappy.hpp>
#endif

#include <algorithm>
#include <cstdint>

namespace sluice::detail {

struct chunk_decompressor::coders {
  bytes out;
#ifdef SLUICE_WITH_GZIP
  std::unique_ptr<decoder> gzip;
#endif
#ifdef SLUICE_WITH_SNAPPY
  std::unique_ptr<decoder> snappy;
#endif
};

chunk_decompressor::chunk_decompressor() noexcept = default;
chunk_decompressor::chunk_decompressor(chunk_decompressor&&) noexcept = default;
chunk_decompressor& chunk_decompressor::operator=(chunk_decompressor&&) noexcept = default;
chunk_decompressor::~chunk_decompressor() = default;

namespace {

#if defined(SLUICE_WITH_GZIP) || defined(SLUICE_WITH_SNAPPY)

// What comes out, in a buffer that grows with it.
class output {
 public:
  output(bytes& out, std::size_t max_size) noexcept : out_(out), max_size_(max_size) {}

  std::span<std::byte> room() noexcept {
    return std::span(out_).subspan(size_, std::min(out_.size(), max_size_) - size_);
  }
  std::span<const std::byte> content() const noexcept { return std::span<const std::byte>(out_).first(size_); }
  void put(std::size_t n) noexcept { size_ += n; }

  /// Room for content that claims to be of that size, as far as the size of what it is decoded from makes that likely.
  void expect(std::uintmax_t size, std::size_t stored) {
    constexpr std::uintmax_t likely_ratio = 8;
    reserve(static_cast<std::size_t>(std::min({size, std::uintmax_t{max_size_}, likely_ratio * stored})));
  }

  /// At least `n` bytes of room. False where that would be more than there may be.
  bool reserve(std::size_t n) {
    if (room().size() >= n) return true;
    if (max_size_ - size_ < n) return false;
    const std::size_t wanted = std::min(max_size_, std::max(size_ + n, size_ + size_ / 2));
    if (size_ == 0) bytes().swap(out_);
    out_.resize(wanted);
    return true;
  }

 private:
  bytes& out_;
  std::size_t max_size_;
  std::size_t size_ = 0;
};

#endif

#ifdef SLUICE_WITH_GZIP

result<std::span<const std::byte>> gunzip_chunk(decoder& format, std::span<const std::byte> payload, output out) {
  constexpr std::size_t least_room = std::size_t{4} << 10;
  constexpr std::size_t trailer_size = 8;
  // The last four bytes are the size of the content, modulo 4 GiB.
  if (payload.size() > trailer_size) out.expect(load_le<std::uint32_t>(payload.last<4>()), payload.size());
  format.begin();
  for (bool ended = false; !ended || !payload.empty();) {
    if (ended) {
      if (format.look(payload) != beginning::member) return fail(io_errc::invalid_data);
      format.begin();
    }
    if (out.room().empty() && !out.reserve(least_room) && !out.reserve(1)) {
      // Full to the last byte: the member may end here, but nothing may come.
      std::byte beyond;
      const decoded step = format.decode(payload, std::span(&beyond, 1));
      if (step.error) return fail(step.error);
      if (step.produced != 0) return fail(io_errc::limit_exceeded);
      if (step.consumed == 0 && !step.member_ended) return fail(io_errc::invalid_data);
      payload = payload.subspan(step.consumed);
      ended = step.member_ended;
      continue;
    }
    const decoded step = format.decode(payload, out.room());
    payload = payload.subspan(step.consumed);
    out.put(step.produced);
    if (step.error) return fail(step.error);
    ended = step.member_ended;
    if (!ended && step.consumed == 0 && step.produced == 0) return fail(io_errc::invalid_data);
  }
  return out.content();
}

#endif

#ifdef SLUICE_WITH_SNAPPY

// The frame at the beginning, or what there is of it.
std::size_t frame_size(std::span<const std::byte> in) noexcept {
  constexpr std::size_t header_size = 4;
  if (in.size() < header_size) return in.size();
  return std::min(in.size(), header_size + (load_le<std::uint32_t>(in.first<header_size>()) >> 8));
}

// How much content the frame at the beginning has at most, so that it can be decoded in place.
std::size_t room_for_frame(std::span<const std::byte> in) noexcept {
  constexpr std::size_t before_block = 8;
  constexpr std::size_t most = 65536;
  if (in.size() <= before_block || in[0] > std::byte{1}) return 0;
  if (in[0] == std::byte{1}) return std::min<std::size_t>(most, load_le<std::uint32_t>(in.first<4>()) >> 8);
  std::size_t size = 0;
  for (int shift = 0; shift < 21 && in.size() > before_block + static_cast<std::size_t>(shift / 7); shift += 7) {
    const auto digit = std::to_integer<std::size_t>(in[before_block + static_cast<std::size_t>(shift / 7)]);
    size |= (digit & 0x7f) << shift;
    if (digit < 0x80) break;
  }
  return std::min(most, size);
}

result<std::span<const std::byte>> unsnappy_chunk(decoder& format, std::span<const std::byte> payload, output out) {
  std::uintmax_t claimed = 0;
  for (auto rest = payload; !rest.empty(); rest = rest.subspan(frame_size(rest))) claimed += room_for_frame(rest);
  out.expect(claimed, payload.size());
  format.begin();
  // The identifier comes first, and only a member can begin with it.
  if (!payload.empty() && format.look(payload) != beginning::member) return fail(io_errc::invalid_data);
  while (!payload.empty()) {
    if (!out.reserve(room_for_frame(payload))) return fail(io_errc::limit_exceeded);
    // A decoder that has nothing to give still wants to see a place.
    std::byte none;
    const std::span<std::byte> room = out.room().empty() ? std::span(&none, 1) : out.room();
    const decoded step = format.decode(payload.first(frame_size(payload)), room);
    if (step.error) return fail(step.error);
    if (out.room().empty() && step.produced != 0) return fail(io_errc::limit_exceeded);
    out.put(step.produced);
    payload = payload.subspan(step.consumed);
    if (step.consumed == 0 && step.produced == 0) return fail(io_errc::invalid_data);
  }
  if (!format.may_end()) return fail(io_errc::invalid_data);
  return out.content();
}

#endif

}  // namespace

result<std::span<const std::byte>> chunk_decompressor::decompress([[maybe_unused]] const recordio_chunk& chunk,
                                                                  [[maybe_unused]] std::span<const std::byte> payload,
                                                                  [[maybe_unused]] std::size_t max_size) {
  const auto compression = chunk.compression();
  if (!compression) return fail(io_errc::unsupported);
  if (!coders_) coders_ = std::make_unique<coders>();
#ifdef SLUICE_WITH_GZIP
  if (*compression == recordio_compression::gzip) {
    auto& format = coders_->gzip;
    if (!format) format = make_inflate_decoder(deflate_format::gzip, inflate_engine::automatic);
    return gunzip_chunk(*format, payload, output(coders_->out, max_size));
  }
#endif
#ifdef SLUICE_WITH_SNAPPY
  if (*compression == recordio_compression::snappy) {
    if (chunk.layout == recordio_layout::elasticdl) {
      const auto done = snappy_uncompress(payload, coders_->out, max_size);
      if (!done) return fail(done.error());
      return std::span<const std::byte>(coders_->out);
    }
    auto& format = coders_->snappy;
    if (!format) format = make_snappy_decoder();
    return unsnappy_chunk(*format, payload, output(coders_->out, max_size));
  }
#endif
  return fail(io_errc::unsupported);
}

}  // namespace sluice::detail
