// SPDX-License-Identifier: BSL-1.0
//
// Numbers of variable width, LEB128: seven bits a byte, the lowest first, the top bit set in all bytes but the last.
//
//   name      T                   what it is called elsewhere
//   varint    unsigned, 32 or 64  ULEB128; protobuf's uint32 and uint64; the lengths of many formats
//   zigzag    signed, 32 or 64    protobuf's sint32 and sint64: 0, -1, 1, -2 ... are the varints 0, 1, 2, 3 ...
//   sleb128   signed, 32 or 64    two's complement, as in DWARF and WebAssembly
//
//   std::size_t varint_size(T);                                   // and so on: zigzag_size, read_sleb128 ...
//   std::size_t store_varint(std::span<std::byte> to, T);
//   result<loaded_varint<T>> load_varint<T>(std::span<const std::byte> from, varint_options = {});
//   std::expected<T, transfer_error> read_varint<T>(reader& r, varint_options = {});
//   std::expected<void, transfer_error> write_varint(writer& w, T);
//   U zigzag_encode(T);   T zigzag_decode(U);
//
// protobuf's int32 and int64 are the varint of the number's 64 bits, ten bytes where it is negative: read and write
// std::uint64_t and cast.
//
// What is read may be longer than it need be, as 80 80 00 for 0, up to the longest form of the type: 5 bytes for 32
// bits, 10 for 64. `canonical` refuses that. A value that does not fit the type, or a longer form, is `invalid_data`.
//
#ifndef SLUICE_CODEC_VARINT_HPP
#define SLUICE_CODEC_VARINT_HPP

#include <sluice/codec/detail/varint_bits.hpp>
#include <sluice/detail/source_ops.hpp>
#include <sluice/transfer_error.hpp>
#include <sluice/write.hpp>

#include <array>
#include <cassert>
#include <concepts>
#include <type_traits>

namespace sluice {

struct wait_options;

/// The unsigned numbers of 32 and 64 bits.
template <class T>
concept varint_unsigned = std::unsigned_integral<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
                          !std::same_as<T, char32_t> && !std::same_as<T, wchar_t>;

/// The signed numbers of 32 and 64 bits.
template <class T>
concept varint_signed = std::signed_integral<T> && (sizeof(T) == 4 || sizeof(T) == 8) && !std::same_as<T, wchar_t>;

/// How strict a varint is read.
struct varint_options {
  bool canonical = false;  ///< refuses a form that is longer than it need be
};

/// What was loaded, and how many bytes it took.
template <class T>
struct loaded_varint {
  T value;           ///< the number
  std::size_t size;  ///< bytes that it took

  friend bool operator==(const loaded_varint&, const loaded_varint&) = default;
};

/// Bytes of the longest form of a T: 5 or 10.
template <class T>
  requires varint_unsigned<T> || varint_signed<T>
inline constexpr std::size_t max_varint_size = (8 * sizeof(T) + 6) / 7;

/// The number that stands for `value`: small where that is near 0.
template <varint_signed T>
[[nodiscard]] constexpr std::make_unsigned_t<T> zigzag_encode(T value) noexcept {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(static_cast<U>(value) << 1) ^ static_cast<U>(value >> (8 * sizeof(T) - 1));
}

/// The number that `coded` stands for.
template <varint_unsigned U>
[[nodiscard]] constexpr std::make_signed_t<U> zigzag_decode(U coded) noexcept {
  return static_cast<std::make_signed_t<U>>((coded >> 1) ^ (0 - (coded & 1)));
}

/// How many bytes the shortest form has, which is the one that is written.
[[nodiscard]] constexpr std::size_t varint_size(varint_unsigned auto value) noexcept {
  return detail::unsigned_varint_size(value);
}
/// Bytes of the number in zigzag.
[[nodiscard]] constexpr std::size_t zigzag_size(varint_signed auto value) noexcept {
  return varint_size(zigzag_encode(value));
}
/// Bytes of the number in signed LEB128.
[[nodiscard]] constexpr std::size_t sleb128_size(varint_signed auto value) noexcept {
  return detail::signed_varint_size(value);
}

/// Puts `value` down at the beginning of `to`, which has room for it; returns how many bytes that were.
constexpr std::size_t store_varint(std::span<std::byte> to, varint_unsigned auto value) noexcept {
  assert(to.size() >= varint_size(value));
  return detail::put_varint_bytes(to.data(), std::uint64_t{value}, varint_size(value));
}
/// Stores the number in zigzag, as store_varint does; returns how many bytes it took.
constexpr std::size_t store_zigzag(std::span<std::byte> to, varint_signed auto value) noexcept {
  return store_varint(to, zigzag_encode(value));
}
/// Stores the number in signed LEB128, as store_varint does; returns how many bytes it took.
constexpr std::size_t store_sleb128(std::span<std::byte> to, varint_signed auto value) noexcept {
  assert(to.size() >= sleb128_size(value));
  return detail::put_varint_bytes(to.data(), std::int64_t{value}, sleb128_size(value));
}

namespace detail {

template <class T>
constexpr varint_rule rule_of(varint_options options) noexcept {
  return {.bits = 8 * sizeof(T), .two_complement = std::signed_integral<T>, .canonical = options.canonical};
}

template <class T>
constexpr result<loaded_varint<T>> load_bits(std::span<const std::byte> from, varint_options options) noexcept {
  const auto seen = decode_varint(from, rule_of<T>(options));
  if (!seen) return fail(seen.error());
  return loaded_varint<T>{static_cast<T>(seen->value), seen->size};
}

/// As find_varint; and takes it out of the stream. From a reader without a buffer, byte by byte.
std::expected<seen_varint, transfer_error> read_varint(source_ref from, varint_rule rule);

/// The varint that comes next in a buffered reader, where it stays; of size 0 at the end of the stream. Waits as the
/// options say. Errors: the reader's, those of decode_varint but unexpected_eof.
result<seen_varint> find_varint(source_ref from, varint_rule rule, const wait_options* options);

template <class T, reader R>
inline std::expected<T, transfer_error> read_bits(R& r, varint_options options) {
  if constexpr (buffered_reader<R>) {
    const std::span<const std::byte> window = sluice::window(r);
    if (window.size() >= varint_bytes) [[likely]] {
      seen_varint seen = first_varint(window.data());
      constexpr bool two_complement = std::signed_integral<T>;
      if (seen.size != 0 && !(two_complement && seen.size == varint_bytes)) [[likely]] {
        if (two_complement) seen.value = sign_extended(seen.value, seen.size);
        if (fits(rule_of<T>(options), seen)) [[likely]] {
          sluice::consume(r, seen.size);
          return static_cast<T>(seen.value);
        }
      }
    }
  }
  const auto seen = detail::read_varint(unwrapped_source(r), rule_of<T>(options));
  if (!seen) return std::unexpected(seen.error());
  if (seen->size == 0) return fail(io_errc::unexpected_eof, 0);
  return static_cast<T>(seen->value);
}

template <writer W, class V>
inline std::expected<void, transfer_error> write_bits(W& w, V bits, std::size_t size) {
  if constexpr (buffered_writer<W>) {
    const result<std::span<std::byte>> room = sluice::prepare(w, varint_bytes);
    if (room) [[likely]] {
      sluice::commit(w, put_varint(room->data(), bits, size));
      return {};
    }
    if (room.error() != io_errc::buffer_too_small) return fail(room.error(), 0);
  }
  std::array<std::byte, varint_bytes> bytes;
  return sluice::write_all(w, std::span<const std::byte>(bytes).first(put_varint(bytes.data(), bits, size)));
}

}  // namespace detail

/// The varint at the beginning of `from`, whatever follows it. Errors: `unexpected_eof` where `from` is empty,
/// `truncated` where it ends inside, `invalid_data` where the value does not fit T or the form is refused.
template <varint_unsigned T>
[[nodiscard]] constexpr result<loaded_varint<T>> load_varint(std::span<const std::byte> from,
                                                             varint_options options = {}) noexcept {
  return detail::load_bits<T>(from, options);
}
/// Loads a number in zigzag, as load_varint does.
template <varint_signed T>
[[nodiscard]] constexpr result<loaded_varint<T>> load_zigzag(std::span<const std::byte> from,
                                                             varint_options options = {}) noexcept {
  const auto coded = detail::load_bits<std::make_unsigned_t<T>>(from, options);
  if (!coded) return fail(coded.error());
  return loaded_varint<T>{zigzag_decode(coded->value), coded->size};
}
/// Loads a number in signed LEB128, as load_varint does.
template <varint_signed T>
[[nodiscard]] constexpr result<loaded_varint<T>> load_sleb128(std::span<const std::byte> from,
                                                              varint_options options = {}) noexcept {
  return detail::load_bits<T>(from, options);
}

/// Reads a varint and nothing behind it. Where ten bytes are in the window of a buffered reader, there
/// is no branch for each byte; a reader without a window is read byte by byte.
///
/// Errors: the reader's; `unexpected_eof` where the stream ends before the first byte, `truncated` where it ends
/// inside; `invalid_data` where the value does not fit T or the form is refused. A buffered reader stands where it
/// stood then, unless its whole buffer is shorter than a varint; of another, the error's `bytes` have left the stream.
template <varint_unsigned T, reader R>
[[nodiscard]] inline std::expected<T, transfer_error> read_varint(R&& r, varint_options options = {}) {
  return detail::read_bits<T>(r, options);
}
/// Reads a number in zigzag, as read_varint does.
template <varint_signed T, reader R>
[[nodiscard]] inline std::expected<T, transfer_error> read_zigzag(R&& r, varint_options options = {}) {
  const auto coded = detail::read_bits<std::make_unsigned_t<T>>(r, options);
  if (!coded) return std::unexpected(coded.error());
  return zigzag_decode(*coded);
}
/// Reads a number in signed LEB128, as read_varint does.
template <varint_signed T, reader R>
[[nodiscard]] inline std::expected<T, transfer_error> read_sleb128(R&& r, varint_options options = {}) {
  return detail::read_bits<T>(r, options);
}

/// Writes `value` in its shortest form; into the buffer of a buffered writer in place. Errors: those of write_all.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_varint(W&& w, varint_unsigned auto value) {
  return detail::write_bits(w, std::uint64_t{value}, varint_size(value));
}
/// Writes a number in zigzag, as write_varint does.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_zigzag(W&& w, varint_signed auto value) {
  return sluice::write_varint(w, zigzag_encode(value));
}
/// Writes a number in signed LEB128, as write_varint does.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_sleb128(W&& w, varint_signed auto value) {
  return detail::write_bits(w, std::int64_t{value}, sleb128_size(value));
}

}  // namespace sluice

#endif
