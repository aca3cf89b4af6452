// SPDX-License-Identifier: BSL-1.0
#include "deflate_coders.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::detail {
namespace {

// No deflate stream is shorter than its content by more than this factor: a match is 258 bytes, and two bits at least.
constexpr std::uintmax_t greatest_ratio = 1032;

// RFC 1952, 2.3.1.
constexpr unsigned has_header_crc = 0x02;
constexpr unsigned has_extra = 0x04;
constexpr unsigned has_name = 0x08;
constexpr unsigned has_comment = 0x10;
constexpr unsigned reserved_flags = 0xe0;

// A name and a comment may be of any length. Nothing of them is kept, but input that never comes to a content would be
// read for ever.
constexpr std::size_t longest_text = std::size_t{1} << 20;

constexpr bool is_zlib_header(unsigned method, unsigned flags) noexcept {
  return (method & 0x0f) == 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 == 0;
}

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
  return is_zlib_header(method, std::to_integer<unsigned>(in[1])) ? beginning::member : beginning::other;
}

std::optional<std::uintmax_t> inflate_decoder::size_hint(const compressed_extent& extent) const noexcept {
  if (format_ != deflate_format::gzip || extent.tail.size() != 4) return std::nullopt;
  std::uintmax_t size = 0;
  for (std::size_t i = 0; i != 4; ++i) size |= std::to_integer<std::uintmax_t>(extent.tail[i]) << (8 * i);
  if (size == 0 || size / greatest_ratio > extent.size) return std::nullopt;
  return size;
}

void inflate_decoder::begin() {
  begun_ = true;
  part_ = format_ == deflate_format::raw ? part::body : part::fixed;
  header_crc_ = size_ = 0;
  skip_ = text_ = collected_ = 0;
  restart();
}

decoded inflate_decoder::decode(std::span<const std::byte> in, std::span<std::byte> out) {
  decoded step;
  std::span<const std::byte> rest = in;
  if (part_ < part::body) {
    step.error = read_header(rest);
    step.consumed = in.size() - rest.size();
    if (step.error || rest.empty()) return step;
  }
  if (part_ == part::body) {
    const decoded body = inflate(rest, out);
    size_ += static_cast<std::uint32_t>(body.produced);
    step.consumed += body.consumed;
    step.produced = body.produced;
    step.error = body.error;
    if (step.error || !body.member_ended) return step;
    rest = rest.subspan(body.consumed);
    part_ = part::trailer;
  }
  const std::size_t before = rest.size();
  const std::size_t size = format_ == deflate_format::gzip ? 8 : format_ == deflate_format::zlib ? 4 : 0;
  const bool complete = collect(rest, size);
  step.consumed += before - rest.size();
  if (!complete) return step;
  step.error = check_trailer();
  step.member_ended = !step.error;
  return step;
}

// Goes on until the header is complete or `in` is used up.
std::error_code inflate_decoder::read_header(std::span<const std::byte>& in) {
  const std::span<const std::byte> begin = in;
  const auto summed = [&] { header_crc_ = crc32_by_zlib(header_crc_, begin.first(begin.size() - in.size())); };
  while (part_ != part::body) {
    bool complete = true;
    switch (part_) {
      case part::fixed:
        if (format_ == deflate_format::zlib) {
          if (!collect(in, 2)) return {};
          part_ = part::body;
          return check_zlib_header();
        }
        complete = collect(in, 10);
        if (!complete) break;
        flags_ = std::to_integer<unsigned char>(field_[3]);
        if (collected(0, 3) != 0x088b1f || (flags_ & reserved_flags) != 0) return io_errc::invalid_data;
        break;
      case part::extra_size:
        if ((flags_ & has_extra) == 0) break;
        complete = collect(in, 2);
        if (complete) skip_ = collected(0, 2);
        break;
      case part::extra: {
        const std::size_t n = std::min(in.size(), skip_);
        in = in.subspan(n);
        skip_ -= n;
        complete = skip_ == 0;
        break;
      }
      case part::name: complete = (flags_ & has_name) == 0 || read_text(in); break;
      case part::comment: complete = (flags_ & has_comment) == 0 || read_text(in); break;
      case part::header_crc:
        if ((flags_ & has_header_crc) == 0) break;
        if (collected_ == 0) summed();
        if (!collect(in, 2)) return {};
        if (collected(0, 2) != (header_crc_ & 0xffff)) return io_errc::checksum_mismatch;
        break;
      case part::body:
      case part::trailer: break;
    }
    if (text_ > longest_text) return io_errc::invalid_data;
    if (!complete) {
      summed();
      return {};
    }
    part_ = static_cast<part>(std::to_underlying(part_) + 1);
  }
  return {};
}

std::error_code inflate_decoder::check_zlib_header() const noexcept {
  constexpr unsigned has_dictionary = 0x20;
  const auto method = std::to_integer<unsigned>(field_[0]);
  const auto flags = std::to_integer<unsigned>(field_[1]);
  if (!is_zlib_header(method, flags)) return io_errc::invalid_data;
  if ((flags & has_dictionary) != 0) return io_errc::unsupported;
  return {};
}

// Passes over characters and the zero that ends them.
bool inflate_decoder::read_text(std::span<const std::byte>& in) noexcept {
  const auto end = std::ranges::find(in, std::byte{0});
  const auto length = static_cast<std::size_t>(end - in.begin());
  text_ += length;
  const bool complete = end != in.end();
  in = in.subspan(complete ? length + 1 : length);
  return complete;
}

// Whether the first `size` bytes of a field, which the input may cut anywhere, are together.
bool inflate_decoder::collect(std::span<const std::byte>& in, std::size_t size) noexcept {
  const std::size_t n = std::min(in.size(), size - collected_);
  std::copy_n(in.begin(), n, field_.begin() + static_cast<std::ptrdiff_t>(collected_));
  in = in.subspan(n);
  collected_ += n;
  if (collected_ != size) return false;
  collected_ = 0;
  return true;
}

std::uint32_t inflate_decoder::collected(std::size_t at, std::size_t size) const noexcept {
  std::uint32_t number = 0;
  for (std::size_t i = size; i-- != 0;) number = number << 8 | std::to_integer<std::uint32_t>(field_[at + i]);
  return number;
}

// RFC 1952, 2.3.1: CRC-32 and length modulo 2^32, the lowest byte first. RFC 1950, 2.2: Adler-32, the highest first.
std::error_code inflate_decoder::check_trailer() const noexcept {
  if (format_ == deflate_format::gzip && (collected(0, 4) != checksum() || collected(4, 4) != size_))
    return io_errc::checksum_mismatch;
  if (format_ == deflate_format::zlib && __builtin_bswap32(collected(0, 4)) != checksum())
    return io_errc::checksum_mismatch;
  return {};
}

}  // namespace sluice::detail
