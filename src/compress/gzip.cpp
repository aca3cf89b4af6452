// SPDX-License-Identifier: BSL-1.0
#include "deflate_coders.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice {
namespace detail {
namespace {

// No deflate stream is longer than its content by less than this factor: a match is 258 bytes and two bits at least.
constexpr std::uintmax_t greatest_ratio = 1032;

}  // namespace

// RFC 1952, 2.3.1: two bytes of identification, and 8 for deflate, the only method there is.
// RFC 1950, 2.2: method 8, a window up to 32 KiB, and both bytes together a multiple of 31.
beginning inflate_decoder::look(std::span<const std::byte> in) const noexcept {
  if (format_ == deflate_format::gzip) {
    static constexpr std::array magic{std::byte{0x1f}, std::byte{0x8b}, std::byte{8}};
    if (in[0] == std::byte{0}) return beginning::padding;
    const std::size_t n = std::min(in.size(), magic.size());
    if (std::memcmp(in.data(), magic.data(), n) != 0) return beginning::other;
    return n == magic.size() ? beginning::member : beginning::unclear;
  }
  if (begun_) return beginning::other;
  if (format_ == deflate_format::raw) return beginning::member;
  const auto method = std::to_integer<unsigned>(in[0]);
  if ((method & 0x0f) != 8 || method >> 4 > 7) return beginning::other;
  if (in.size() == 1) return beginning::unclear;
  return (method * 256 + std::to_integer<unsigned>(in[1])) % 31 == 0 ? beginning::member : beginning::other;
}

std::optional<std::uintmax_t> inflate_decoder::size_hint(const compressed_extent& extent) const noexcept {
  if (format_ != deflate_format::gzip || extent.tail.size() != 4) return std::nullopt;
  std::uintmax_t size = 0;
  for (std::size_t i = 0; i != 4; ++i) size |= std::to_integer<std::uintmax_t>(extent.tail[i]) << (8 * i);
  if (size == 0 || size / greatest_ratio > extent.size) return std::nullopt;
  return size;
}

std::size_t deflate_encoder::take_staged(std::span<std::byte> out) noexcept {
  const std::size_t n = std::min(out.size(), staged_end_ - staged_begin_);
  std::memcpy(out.data(), staged_.data() + staged_begin_, n);
  staged_begin_ += n;
  return n;
}

encoded deflate_encoder::encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) {
  encoded step;
  if (staged_begin_ == staged_end_) {
    if (out.size() >= least_room) return run(in, out, mode);
    step = run(in, staged_, mode);
    staged_begin_ = 0;
    staged_end_ = std::exchange(step.produced, 0);
    staged_done_ = std::exchange(step.done, false);
    staged_mode_ = mode;
  }
  step.produced = take_staged(out);
  // Done is what was asked for then, not what is asked for now.
  if (staged_begin_ == staged_end_ && mode == staged_mode_) step.done = std::exchange(staged_done_, false);
  return step;
}

std::unique_ptr<decoder> make_inflate_decoder(deflate_format format, inflate_engine engine) {
  if (engine != inflate_engine::zlib) {
    if (auto isal = make_isal_decoder(format)) return isal;
  }
  return make_zlib_decoder(format);
}

std::unique_ptr<encoder> make_deflate_encoder(deflate_format format, int level) {
  if (level < 0) {
    if (auto isal = make_isal_encoder(format)) return isal;
    level = 1;
  }
  return make_zlib_encoder(format, std::min(level, 9));
}

}  // namespace detail
}  // namespace sluice
