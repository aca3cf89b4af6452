// SPDX-License-Identifier: BSL-1.0
//
// Digests as text.
//
//   std::string to_hex(std::span<const std::byte>);
//   std::string to_hex(std::unsigned_integral auto);
//
#ifndef SLUICE_DIGEST_HEX_HPP
#define SLUICE_DIGEST_HEX_HPP

#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

namespace detail {
inline constexpr std::string_view hex_digits = "0123456789abcdef";
}

/// Two small digits a byte, in the order of the bytes: as sha256sum(1) writes a digest.
inline std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += detail::hex_digits[std::to_integer<unsigned>(b >> 4)];
    text += detail::hex_digits[std::to_integer<unsigned>(b & std::byte{15})];
  }
  return text;
}

/// All digits of the number, zeros in front included: the checksum 0xcbf43926 is "cbf43926".
template <std::unsigned_integral T>
std::string to_hex(T number) {
  std::string text;
  for (int shift = std::numeric_limits<T>::digits; shift > 0;) {
    shift -= 4;
    text += detail::hex_digits[static_cast<std::size_t>((number >> shift) & 15U)];
  }
  return text;
}

}  // namespace sluice

#endif
