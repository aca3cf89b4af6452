// SPDX-License-Identifier: BSL-1.0
//
// The bytes of a varint: seven bits each, the lowest first, the top bit set in all but the last. The three encodings of
// <sluice/codec/varint.hpp> differ in what the bits mean.
//
//   struct varint_rule;                                      // which values and forms are taken
//   std::expected<seen_varint, io_errc> decode_varint(std::span<const std::byte>, varint_rule);
//   seen_varint first_varint(const std::byte* at);           // without a branch for each byte
//   std::size_t put_varint(std::byte* to, V bits, std::size_t size);
//
#ifndef SLUICE_CODEC_DETAIL_VARINT_BITS_HPP
#define SLUICE_CODEC_DETAIL_VARINT_BITS_HPP

#include <sluice/result.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sluice::detail {

/// Bytes that the longest varint has.
inline constexpr std::size_t varint_bytes = 10;

struct varint_rule {
  unsigned bits;           // of the value: 32 or 64
  bool two_complement;     // the highest bit that is there goes on for ever
  bool canonical = false;  // none but the shortest form

  constexpr std::size_t longest() const noexcept { return (bits + 6) / 7; }
};

struct seen_varint {
  std::uint64_t value;
  std::size_t size;  // bytes; 0 where there is none
};

constexpr std::size_t unsigned_varint_size(std::uint64_t value) noexcept {
  // ceil(width / 7) of a width from 1 to 64, without a division
  return (static_cast<std::size_t>(std::bit_width(value | 1)) * 9 + 64) / 64;
}

/// One bit more than the number has tells its sign.
constexpr std::size_t signed_varint_size(std::int64_t value) noexcept {
  const auto magnitude = static_cast<std::uint64_t>(value ^ (value >> 63));
  return (static_cast<std::size_t>(std::bit_width(magnitude) + 1) * 9 + 64) / 64;
}

constexpr std::uint64_t sign_extended(std::uint64_t bits, std::size_t size) noexcept {
  const auto unused = static_cast<int>(64 - 7 * std::min<std::size_t>(size, 9));
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
}

/// Whether the rule takes the value in so many bytes.
constexpr bool fits(varint_rule rule, seen_varint seen) noexcept {
  const auto as_signed = static_cast<std::int64_t>(seen.value);
  if (rule.bits == 32) {
    if (seen.size > rule.longest()) return false;
    if (rule.two_complement ? as_signed != static_cast<std::int32_t>(as_signed) : seen.value >> 32 != 0) return false;
  }
  if (!rule.canonical) return true;
  return seen.size == (rule.two_complement ? signed_varint_size(as_signed) : unsigned_varint_size(seen.value));
}

/// The varint at the beginning. Errors: `unexpected_eof` where there is no byte, `truncated` where they end inside,
/// `invalid_data` where the rule refuses it, as soon as the longest form has been seen.
constexpr std::expected<seen_varint, io_errc> decode_varint(std::span<const std::byte> from,
                                                            varint_rule rule) noexcept {
  const std::size_t most = std::min(from.size(), rule.longest());
  seen_varint seen{0, 0};
  for (std::size_t i = 0; i < most; ++i) {
    const auto byte = std::to_integer<std::uint64_t>(from[i]);
    seen.value |= (byte & 0x7f) << (7 * i);
    if ((byte & 0x80) != 0) continue;
    seen.size = i + 1;
    if (seen.size < varint_bytes) {
      if (rule.two_complement) seen.value = sign_extended(seen.value, seen.size);
    } else if (byte != 0 && byte != (rule.two_complement ? 0x7f : 1)) {
      // Of the tenth byte there is one bit, which a negative number repeats.
      return std::unexpected(io_errc::invalid_data);
    }
    if (!fits(rule, seen)) return std::unexpected(io_errc::invalid_data);
    return seen;
  }
  if (from.empty()) return std::unexpected(io_errc::unexpected_eof);
  return std::unexpected(most < rule.longest() ? io_errc::truncated : io_errc::invalid_data);
}

constexpr std::uint64_t little_end_first(std::uint64_t word) noexcept {
  return std::endian::native == std::endian::little ? word : std::byteswap(word);
}

/// The seven bits of each of eight bytes, side by side.
inline std::uint64_t without_top_bits(std::uint64_t word) noexcept {
  word = (word & 0x007f'007f'007f'007f) | (word & 0x7f00'7f00'7f00'7f00) >> 1;
  word = (word & 0x0000'3fff'0000'3fff) | (word & 0x3fff'0000'3fff'0000) >> 2;
  return (word & 0x0000'0000'0fff'ffff) | (word & 0x0fff'ffff'0000'0000) >> 4;
}

/// The varint whose first eight bytes are `word`, with which it does not end.
[[gnu::noinline]] inline seen_varint long_varint(const std::byte* at, std::uint64_t word) noexcept {
  const std::uint64_t low = without_top_bits(word);
  const auto ninth = std::to_integer<std::uint64_t>(at[8]);
  const auto tenth = std::to_integer<std::uint64_t>(at[9]);
  if (ninth < 0x80) return {low | ninth << 56, 9};
  if (tenth > 1) return {0, 0};
  return {low | (ninth & 0x7f) << 56 | tenth << 63, 10};
}

/// Reads varint_bytes bytes; finds an unsigned varint, or none where there is none. One byte and two, which most have,
/// are branches: where the processor foresees them, it need not know the size to go on behind it. From three to eight,
/// the size only decides how many bits count, so there is nothing to mispredict.
inline seen_varint first_varint(const std::byte* at) noexcept {
  const auto first = std::to_integer<std::uint64_t>(at[0]);
  const auto second = std::to_integer<std::uint64_t>(at[1]);
  if (first < 0x80) return {first, 1};
  if (second < 0x80) return {(first & 0x7f) | second << 7, 2};
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  word = little_end_first(word);
  const std::uint64_t ends = ~word & 0x8080'8080'8080'8080;
  if (ends == 0) [[unlikely]]
    return long_varint(at, word);
  word &= ends ^ (ends - 1);  // up to the lowest end
  return {without_top_bits(word), static_cast<std::size_t>(std::countr_zero(ends)) / 8 + 1};
}

/// Puts down the lowest 7 * size bits; V is signed where a tenth byte repeats the sign. Returns `size`.
template <class V>
constexpr std::size_t put_varint_bytes(std::byte* to, V bits, std::size_t size) noexcept {
  for (std::size_t i = 0; i + 1 < size; ++i, bits >>= 7) to[i] = static_cast<std::byte>((bits & 0x7f) | 0x80);
  to[size - 1] = static_cast<std::byte>(bits & 0x7f);
  return size;
}

/// The same with room for varint_bytes bytes, all of which it may write: up to eight, without a branch for each.
template <class V>
std::size_t put_varint(std::byte* to, V bits, std::size_t size) noexcept {
  if (size > sizeof(std::uint64_t)) [[unlikely]]
    return put_varint_bytes(to, bits, size);
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - 8 * size);
  auto word = static_cast<std::uint64_t>(bits);
  word = (word & 0x0000'0000'0fff'ffff) | (word & 0x00ff'ffff'f000'0000) << 4;
  word = (word & 0x0000'3fff'0000'3fff) | (word & 0x0fff'c000'0fff'c000) << 2;
  word = (word & 0x007f'007f'007f'007f) | (word & 0x3f80'3f80'3f80'3f80) << 1;
  word = little_end_first((word & whole) | (0x8080'8080'8080'8080 & (whole >> 8)));
  std::memcpy(to, &word, sizeof word);
  return size;
}

}  // namespace sluice::detail

#endif
