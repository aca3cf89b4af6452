// SPDX-License-Identifier: BSL-1.0
#include <sluice/digest/xxh3.hpp>

#include "properties.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(xxh3_64, any_digest, sluice::xxh3_64);
INSTANTIATE_TYPED_TEST_SUITE_P(xxh3_128, any_digest, sluice::xxh3_128);

/// The text that xxHash's own checks are made with.
std::vector<std::byte> sanity_text(std::size_t n) {
  std::uint64_t generator = 2654435761U;
  std::vector<std::byte> text(n);
  for (std::byte& b : text) {
    b = static_cast<std::byte>(generator >> 56U);
    generator *= 11400714785074694797U;
  }
  return text;
}

// xxHash, tests/sanity_test_vectors.h; the lengths are those at which the algorithm changes.
TEST(xxh3_64, of_the_texts_of_xxhash) {
  const std::vector<std::byte> text = sanity_text(2367);
  struct vector_of {
    std::size_t length;
    std::uint64_t digest;
  };
  for (const auto& [length, digest] : {
           vector_of{0, 0x2d06800538d394c2},
           {1, 0xc44bdff4074eecdb},
           {6, 0x27b56a84cd2d7325},
           {12, 0xa713daf0dfbb77e7},
           {24, 0xa3fe70bf9d3510eb},
           {48, 0x397da259ecba1f11},
           {80, 0xbcdefbbb2c47c90a},
           {195, 0xcd94217ee362ec3a},
           {403, 0xcdeb804d65c6dea4},
           {512, 0x617e49599013cb6b},
           {2048, 0xdd59e2c3a5f038e0},
           {2240, 0x6e73a90539cf2948},
           {2367, 0xcb37aeb9e5d361ed},
       })
    EXPECT_EQ(xxh3_64_of(std::span(text).first(length)), digest) << length;
}

TEST(xxh3_128, of_the_texts_of_xxhash) {
  const std::vector<std::byte> text = sanity_text(12);
  const auto hex_of = [&](std::size_t length) { return to_hex(xxh3_128_of(std::span(text).first(length))); };
  EXPECT_EQ(hex_of(0), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hex_of(1), "a6cd5e9392000f6ac44bdff4074eecdb");
  EXPECT_EQ(hex_of(6), "082afe0b8162d12a3e7039bdda43cfc6");
  EXPECT_EQ(hex_of(12), "6e3efd8fc7802b18061a192713f69ad9");
}

}  // namespace
}  // namespace sluice::test
