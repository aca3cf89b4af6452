// SPDX-License-Identifier: BSL-1.0
//
// Numbers of fixed width, little and big end first.
//
//   template <class T> T load_le(std::span<const std::byte, sizeof(T)>);         // load_be
//   template <class T> void store_le(std::span<std::byte, sizeof(T)>, T);        // store_be
//   template <class T> std::expected<T, transfer_error> read_le(reader& r);      // read_be
//   template <class T> std::expected<void, transfer_error> write_le(writer& w, T);    // write_be
//
// T is an integer, an enumeration, std::byte, float or double, as IEEE 754 has them. Every pattern of bits survives:
// negative zero and the payload of a NaN too. A `bool` is none of them, as not every byte is one.
//
#ifndef SLUICE_CODEC_ENDIAN_HPP
#define SLUICE_CODEC_ENDIAN_HPP

#include <sluice/read.hpp>
#include <sluice/write.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace sluice {

/// What has a width of its own on the wire.
template <class T>
concept fixed_width =
    !std::same_as<T, bool> && (std::integral<T> || std::is_enum_v<T> ||
                               (std::floating_point<T> && std::numeric_limits<T>::is_iec559 && sizeof(T) <= 8));

namespace detail {

template <std::size_t Size>
using unsigned_of_size = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t, std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

/// The bytes of `value` the other way round where `Order` is not the machine's.
template <std::endian Order, class U>
constexpr U ordered(U value) noexcept {
  if constexpr (Order == std::endian::native)
    return value;
  else
    return std::byteswap(value);
}

template <std::endian Order, fixed_width T>
constexpr T load(std::span<const std::byte, sizeof(T)> from) noexcept {
  std::array<std::byte, sizeof(T)> bytes;
  std::copy_n(from.data(), sizeof(T), bytes.data());
  return std::bit_cast<T>(ordered<Order>(std::bit_cast<unsigned_of_size<sizeof(T)>>(bytes)));
}

template <std::endian Order, fixed_width T>
constexpr void store(std::span<std::byte, sizeof(T)> to, T value) noexcept {
  const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(
      ordered<Order>(std::bit_cast<unsigned_of_size<sizeof(T)>>(value)));
  std::copy_n(bytes.data(), sizeof(T), to.data());
}

template <std::endian Order, fixed_width T, reader R>
inline std::expected<T, transfer_error> read_number(R& r) {
  std::array<std::byte, sizeof(T)> bytes;
  if (const auto done = sluice::read_exactly(r, bytes); !done) [[unlikely]]
    return std::unexpected(done.error());
  return detail::load<Order, T>(bytes);
}

template <std::endian Order, fixed_width T, writer W>
inline std::expected<void, transfer_error> write_number(W& w, T value) {
  std::array<std::byte, sizeof(T)> bytes;
  detail::store<Order, T>(bytes, value);
  return sluice::write_all(w, std::span<const std::byte>(bytes));
}

}  // namespace detail

/// The number that the bytes are, the lowest first.
template <fixed_width T>
[[nodiscard]] constexpr T load_le(std::span<const std::byte, sizeof(T)> from) noexcept {
  return detail::load<std::endian::little, T>(from);
}

/// The number that the bytes are, the highest first: network byte order.
template <fixed_width T>
[[nodiscard]] constexpr T load_be(std::span<const std::byte, sizeof(T)> from) noexcept {
  return detail::load<std::endian::big, T>(from);
}

/// Puts the bytes of `value` down, the lowest first.
template <fixed_width T>
constexpr void store_le(std::span<std::byte, sizeof(T)> to, T value) noexcept {
  detail::store<std::endian::little, T>(to, value);
}

/// Puts the bytes of `value` down, the highest first.
template <fixed_width T>
constexpr void store_be(std::span<std::byte, sizeof(T)> to, T value) noexcept {
  detail::store<std::endian::big, T>(to, value);
}

/// Reads a number, the lowest byte first. From a buffered reader this is a compare and a load. Errors: the reader's;
/// `unexpected_eof` where the stream ends before, and then `bytes` of it were there: 0 at the very end.
template <fixed_width T, reader R>
[[nodiscard]] inline std::expected<T, transfer_error> read_le(R&& r) {
  return detail::read_number<std::endian::little, T>(r);
}

/// The same, the highest byte first.
template <fixed_width T, reader R>
[[nodiscard]] inline std::expected<T, transfer_error> read_be(R&& r) {
  return detail::read_number<std::endian::big, T>(r);
}

/// Writes a number, the lowest byte first. Errors: those of write_all.
template <fixed_width T, writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_le(W&& w, T value) {
  return detail::write_number<std::endian::little, T>(w, value);
}

/// The same, the highest byte first.
template <fixed_width T, writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_be(W&& w, T value) {
  return detail::write_number<std::endian::big, T>(w, value);
}

}  // namespace sluice

#endif
