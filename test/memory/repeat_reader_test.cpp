// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/repeat_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace sluice;

static_assert(reader<repeat_reader> && skippable<repeat_reader> && reader<zero_reader>);
static_assert(!buffered_reader<repeat_reader> && !size_hinted<repeat_reader>);

template <class R>
std::vector<std::byte> take(R& r, std::size_t n) {
  // Filled with something else before, so that what is not written shows.
  std::vector<std::byte> b(n, std::byte{0xee});
  EXPECT_EQ(r.read_some(b).value(), n);
  return b;
}

TEST(repeat_reader, repeats_a_byte) {
  repeat_reader r{std::byte{0x2d}};
  EXPECT_EQ(take(r, 100), std::vector(100, std::byte{0x2d}));
  EXPECT_EQ(r.read_some({}).value(), 0U);
}

TEST(repeat_reader, zeros) {
  zero_reader r;
  EXPECT_EQ(take(r, 100000), std::vector<std::byte>(100000));
  EXPECT_EQ(r.skip(7).value(), 7U);
}

TEST(repeat_reader, repeats_a_pattern_across_requests_and_skips_of_any_size) {
  std::mt19937 random(3);
  for (std::size_t period = 1; period < 40; ++period) {
    const auto pattern = support::pattern(period, static_cast<std::uint32_t>(period));
    repeat_reader r{pattern};
    std::size_t at = 0;
    for (int i = 0; i < 100; ++i) {
      const std::size_t n = random() % 200;
      if (random() % 4 == 0) {
        ASSERT_EQ(r.skip(n).value(), n);
      } else {
        const auto b = take(r, n);
        for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(b[k], pattern[(at + k) % period]);
      }
      at += n;
    }
  }
}

TEST(repeat_reader, long_requests_and_long_patterns) {
  for (const std::size_t period : {3U, 1000U, 16383U, 16384U, 16385U, 100000U}) {
    const auto pattern = support::pattern(period);
    repeat_reader r{pattern};
    ASSERT_EQ(r.skip(1).value(), 1U);
    const auto b = take(r, 250001);
    for (std::size_t k = 0; k < b.size(); ++k) ASSERT_EQ(b[k], pattern[(k + 1) % period]);
    EXPECT_EQ(take(r, 1)[0], pattern[(b.size() + 1) % period]);
  }
}

TEST(repeat_reader, skips_further_than_any_size) {
  repeat_reader r{"abc"};
  EXPECT_EQ(r.skip(unbounded).value(), unbounded);
  EXPECT_EQ(support::text(take(r, 3)), std::string("abcabc").substr(unbounded % 3, 3));
}

}  // namespace
