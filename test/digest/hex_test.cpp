// SPDX-License-Identifier: BSL-1.0
#include <sluice/digest/hex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using sluice::to_hex;

TEST(to_hex, writes_bytes_in_their_order) {
  EXPECT_EQ(to_hex(std::array{std::byte{0x01}, std::byte{0xfe}, std::byte{0x00}, std::byte{0xa9}}), "01fe00a9");
  EXPECT_EQ(to_hex(std::span<const std::byte>()), "");
}

TEST(to_hex, writes_every_byte_as_printf_does) {
  for (unsigned value = 0; value != 256; ++value) {
    std::array<char, 3> expected{};
    std::snprintf(expected.data(), expected.size(), "%02x", value);
    EXPECT_EQ(to_hex(std::array{static_cast<std::byte>(value)}), expected.data());
    EXPECT_EQ(to_hex(static_cast<std::uint8_t>(value)), expected.data());
  }
}

TEST(to_hex, writes_all_digits_of_a_number) {
  EXPECT_EQ(to_hex(std::uint32_t{0xcbf43926}), "cbf43926");
  EXPECT_EQ(to_hex(std::uint32_t{0}), "00000000");
  EXPECT_EQ(to_hex(std::uint16_t{0xabc}), "0abc");
  EXPECT_EQ(to_hex(std::uint64_t{0x0123456789abcdef}), "0123456789abcdef");
  EXPECT_EQ(to_hex(~std::uint64_t{0}), "ffffffffffffffff");
}

}  // namespace
