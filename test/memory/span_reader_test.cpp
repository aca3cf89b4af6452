// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/span_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace {

using namespace sluice;

static_assert(buffered_reader<span_reader> && buffered_reader<span_reader&>);
static_assert(skippable<span_reader> && seekable<span_reader> && size_hinted<span_reader>);
static_assert(!vectored_reader<span_reader> && !kernel_reader<span_reader>);
static_assert(!writer<span_reader>);
static_assert(!reader<const span_reader>);
static_assert(std::is_trivially_copyable_v<span_reader>);

TEST(span_reader, reads_everything_in_chunks_of_any_size) {
  const auto data = support::pattern(257);
  for (std::size_t chunk = 1; chunk <= data.size() + 1; ++chunk) {
    span_reader r(data);
    EXPECT_EQ(support::drain(r, chunk).value(), data);
    EXPECT_EQ(r.remaining(), 0U);
    EXPECT_EQ(r.position().value(), data.size());
  }
}

TEST(span_reader, a_request_for_nothing_reads_nothing) {
  span_reader r{"abc"};
  EXPECT_EQ(r.read_some({}).value(), 0U);
  EXPECT_EQ(r.remaining(), 3U);
  span_reader none;
  EXPECT_EQ(none.read_some({}).value(), 0U);
  std::array<std::byte, 1> one;
  EXPECT_EQ(none.read_some(one).value(), 0U);
  EXPECT_TRUE(none.buffered().empty());
}

TEST(span_reader, the_window_is_the_whole_rest_and_is_not_copied) {
  const auto data = support::pattern(100);
  span_reader r(data);
  r.consume(40);
  for (const std::size_t n : {0U, 1U, 60U, 61U, 1000U}) {
    const auto filled = r.fill(n).value();
    EXPECT_EQ(filled.data(), data.data() + 40);
    EXPECT_EQ(filled.size(), 60U);
  }
  r.consume(60);
  EXPECT_TRUE(r.fill(1).value().empty());
}

TEST(span_reader, skips_up_to_the_end) {
  span_reader r{"0123456789"};
  EXPECT_EQ(r.skip(0).value(), 0U);
  EXPECT_EQ(r.skip(4).value(), 4U);
  EXPECT_EQ(support::text(r.buffered()), "456789");
  EXPECT_EQ(r.skip(unbounded).value(), 6U);
  EXPECT_EQ(r.skip(1).value(), 0U);
}

TEST(span_reader, seeks_within_the_memory_and_nowhere_else) {
  for (std::intmax_t at = 0; at <= 5; ++at) {
    for (std::intmax_t by = -7; by <= 7; ++by) {
      for (const whence from : {whence::begin, whence::current, whence::end}) {
        span_reader r{"01234"};
        r.consume(static_cast<std::size_t>(at));
        const std::intmax_t base = from == whence::begin ? 0 : from == whence::current ? at : 5;
        const auto moved = r.seek(by, from);
        const bool inside = base + by >= 0 && base + by <= 5;
        ASSERT_EQ(moved.has_value(), inside);
        const auto expected = static_cast<std::uintmax_t>(inside ? base + by : at);
        if (moved) {
          EXPECT_EQ(*moved, expected);
        } else {
          EXPECT_EQ(moved.error(), std::errc::invalid_argument);
        }
        EXPECT_EQ(r.position().value(), expected);
      }
    }
  }
}

TEST(span_reader, no_offset_overflows) {
  span_reader r{"01234"};
  r.consume(2);
  for (const whence from : {whence::begin, whence::current, whence::end}) {
    EXPECT_FALSE(r.seek(std::numeric_limits<std::intmax_t>::min(), from));
    EXPECT_FALSE(r.seek(std::numeric_limits<std::intmax_t>::max(), from));
    EXPECT_EQ(r.position().value(), 2U);
  }
}

TEST(span_reader, the_hint_is_exact) {
  span_reader r{"abc"};
  EXPECT_EQ(r.size_hint(), 3U);
  r.consume(1);
  EXPECT_EQ(r.size_hint(), 2U);
}

}  // namespace
