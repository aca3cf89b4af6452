// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/counted.hpp>
#include <sluice/adaptor/limit.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::kernel_stream;
using support::window_reader;

template <class R>
concept can_limit = requires(R&& r) { std::forward<R>(r) | limit(1); };

static_assert(can_limit<chunked_reader&> && can_limit<chunked_reader>);
static_assert(!can_limit<const chunked_reader&> && !can_limit<null_writer&> && !can_limit<int>);
static_assert(!std::invocable<decltype(limit), null_writer&, std::uintmax_t>);

// As capable as what it limits, and no more.
static_assert(reader<limit_reader<chunked_reader>> && !writer<limit_reader<kernel_stream>>);
static_assert(buffered_reader<limit_reader<window_reader&>>);
static_assert(!buffered_reader<limit_reader<chunked_reader&>>);
static_assert(vectored_reader<limit_reader<support::vectored_reader_fake>>);
static_assert(!vectored_reader<limit_reader<chunked_reader>>);
static_assert(skippable<limit_reader<window_reader>> && !skippable<limit_reader<chunked_reader>>);
static_assert(size_hinted<limit_reader<window_reader>>);
static_assert(!size_hinted<limit_reader<chunked_reader>>);
static_assert(kernel_reader<limit_reader<kernel_stream>>);
static_assert(!kernel_reader<limit_reader<chunked_reader>>);
static_assert(detail::has_capacity<limit_reader<window_reader>>);
static_assert(!detail::has_capacity<limit_reader<span_reader>>);
static_assert(!seekable<limit_reader<span_reader>>);

TEST(limit, delivers_the_first_bytes_whatever_the_sizes) {
  const auto data = support::pattern(20);
  for (std::size_t n = 0; n <= 22; ++n) {
    for (std::size_t chunk = 1; chunk <= 21; ++chunk) {
      for (std::size_t request = 1; request <= 23; ++request) {
        chunked_reader inner{data, chunk};
        auto r = inner | limit(n);
        const auto got = support::drain(r, request).value();
        const std::size_t expected = std::min(n, data.size());
        ASSERT_TRUE(support::equal(got, std::span(data).first(expected)));
        ASSERT_EQ(inner.data.size(), data.size() - expected);
        ASSERT_EQ(r.remaining(), n - expected);
        ASSERT_EQ(r.limit_reached(), n <= data.size());
      }
    }
  }
}

TEST(limit, never_asks_for_more_than_is_left) {
  const auto data = support::pattern(100);
  chunked_reader inner{data, 3};
  auto r = inner | limit(10);
  ASSERT_EQ(support::drain(r, 7)->size(), 10U);
  EXPECT_EQ(inner.requests, (std::vector<std::size_t>{7, 7, 4, 1}));
}

TEST(limit, a_limit_of_nothing_touches_nothing) {
  const auto data = support::pattern(10);
  chunked_reader inner{data};
  auto r = limit(inner, 0);
  std::array<std::byte, 4> b;
  EXPECT_EQ(r.read_some(b).value(), 0U);
  EXPECT_TRUE(r.limit_reached());
  EXPECT_EQ(inner.calls, 0U);

  window_reader buffered{data};
  auto w = limit(buffered, 0);
  EXPECT_TRUE(w.fill(5)->empty());
  EXPECT_EQ(w.skip(5).value(), 0U);
  EXPECT_EQ(w.size_hint(), 0U);
  EXPECT_EQ(buffered.reads, 0U);
}

TEST(limit, does_not_touch_the_source_after_the_limit) {
  // What a pipe holds, and then a call that would block for ever.
  support::scripted_reader inner{{support::step::data("ab"), support::step::would_block()}};
  auto r = inner | limit(2);
  EXPECT_EQ(support::text(support::drain(r).value()), "ab");
  EXPECT_EQ(inner.calls, 1U);
}

TEST(limit, fills_nothing_that_is_in_the_window_already) {
  const auto data = support::pattern(16);
  window_reader inner{.data = data, .chunk = 4};
  auto r = inner | limit(4);
  EXPECT_EQ(r.fill(1)->size(), 4U);
  const std::size_t before = inner.reads;
  EXPECT_EQ(r.fill(100)->size(), 4U);
  EXPECT_EQ(inner.reads, before);
  r.consume(4);
  EXPECT_TRUE(r.fill(1)->empty());
  EXPECT_TRUE(r.buffered().empty());
  EXPECT_EQ(inner.reads, before);
  EXPECT_EQ(inner.consumed, 4U);
}

TEST(limit, the_window_ends_at_the_limit) {
  const auto data = support::pattern(64);
  for (std::size_t n = 0; n <= 70; ++n) {
    for (std::size_t k = 1; k <= 16; ++k) {
      window_reader inner{.data = data, .chunk = 5};
      auto r = inner | limit(n);
      std::vector<std::byte> got;
      for (;;) {
        const auto seen = r.fill(k).value();
        ASSERT_TRUE(support::equal(seen, r.buffered()));
        if (seen.empty()) break;
        ASSERT_TRUE(seen.size() >= k || got.size() + seen.size() == std::min(n, data.size()));
        const std::size_t used = std::min(k, seen.size());
        got.insert(got.end(), seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(used));
        r.consume(used);
      }
      const std::size_t expected = std::min(n, data.size());
      ASSERT_TRUE(support::equal(got, std::span(data).first(expected)));
      ASSERT_EQ(inner.consumed, expected);
    }
  }
}

TEST(limit, a_small_limit_fits_where_a_large_fill_would_not) {
  const auto data = support::pattern(64);
  window_reader inner{.data = data};
  auto r = inner | limit(10);
  EXPECT_EQ(r.fill(1000)->size(), 10U);
  auto s = inner | limit(17);
  EXPECT_EQ(s.fill(17).error(), io_errc::buffer_too_small);
}

TEST(limit, cuts_pieces) {
  const auto data = support::pattern(100);
  for (std::size_t n = 0; n <= 14; ++n) {
    support::vectored_reader_fake inner{{.data = data}};
    auto r = inner | limit(n);
    std::array<std::byte, 12> memory{};
    const auto all = std::span(memory);
    const std::array pieces{mutable_buffer(all.first(4)), mutable_buffer(), mutable_buffer(all.subspan(4, 5)),
                            mutable_buffer(all.last(3))};
    const std::size_t expected = std::min<std::size_t>(n, 12);
    ASSERT_EQ(r.read_some(pieces).value(), expected);
    EXPECT_TRUE(support::equal(all.first(expected), std::span(data).first(expected)));
    EXPECT_TRUE(std::ranges::all_of(all.subspan(expected), [](auto b) { return b == std::byte{}; }));
    EXPECT_EQ(r.remaining(), n - expected);
    EXPECT_EQ(inner.vectored_calls, n == 0 ? 0U : 1U);
  }
}

TEST(limit, cuts_more_pieces_than_it_has_room_for) {
  const auto data = support::pattern(100);
  support::vectored_reader_fake inner{{.data = data}};
  auto r = inner | limit(50);
  std::array<std::byte, 60> memory{};
  std::vector<mutable_buffer> pieces;
  for (std::byte& b : memory) pieces.emplace_back(&b, 1);
  std::size_t done = 0;
  while (const std::size_t n = r.read_some(std::span(pieces).subspan(done)).value()) done += n;
  EXPECT_EQ(done, 50U);
  EXPECT_TRUE(support::equal(std::span(memory).first(50), std::span(data).first(50)));
}

TEST(limit, skips_up_to_the_limit) {
  const auto data = support::pattern(100);
  window_reader inner{.data = data};
  auto r = inner | limit(10);
  EXPECT_EQ(r.skip(4).value(), 4U);
  EXPECT_EQ(r.skip(unbounded).value(), 6U);
  EXPECT_TRUE(r.limit_reached());
  EXPECT_EQ(inner.consumed, 10U);
  auto rest = inner | limit(1000);
  EXPECT_EQ(rest.skip(1000).value(), 90U);
  EXPECT_FALSE(rest.limit_reached());
}

TEST(limit, does_not_believe_impossible_counts) {
  auto r = support::over_counting_reader{} | limit(10);
  std::array<std::byte, 4> b;
  EXPECT_EQ(r.read_some(b).error(), io_errc::bad_count);
  EXPECT_EQ(r.skip(4).error(), io_errc::bad_count);
  EXPECT_EQ(r.remaining(), 10U);
}

TEST(limit, an_error_counts_nothing) {
  const auto data = support::pattern(10);
  chunked_reader inner{.data = data, .chunk = 2, .fail_at = 2};
  auto r = inner | limit(5);
  std::array<std::byte, 4> b;
  EXPECT_EQ(r.read_some(b).value(), 2U);
  EXPECT_EQ(r.read_some(b).error(), std::errc::io_error);
  EXPECT_EQ(r.remaining(), 3U);
  EXPECT_EQ(r.read_some(b).value(), 2U);
  EXPECT_EQ(r.read_some(b).value(), 1U);
  EXPECT_EQ(r.read_some(b).value(), 0U);
}

TEST(limit, the_hint_is_no_more_than_the_limit) {
  span_reader inner{"0123456789"};
  EXPECT_EQ(limit(inner, 3).size_hint(), 3U);
  EXPECT_EQ(limit(inner, 30).size_hint(), 10U);
}

TEST(limit, bounds_the_kernel_endpoint) {
  kernel_stream inner;
  inner.endpoint->max_bytes = 100;
  inner.endpoint->buffered = 20;
  auto r = inner | limit(50);
  EXPECT_EQ(r.kernel_endpoint()->fd, 42);
  EXPECT_EQ(r.kernel_endpoint()->max_bytes, 50U);
  EXPECT_EQ(r.kernel_endpoint()->buffered, 20U);
  r.kernel_advanced(45);
  EXPECT_EQ(inner.advanced, 45U);
  EXPECT_EQ(r.remaining(), 5U);
  EXPECT_EQ(r.kernel_endpoint()->max_bytes, 5U);
  EXPECT_EQ(r.kernel_endpoint()->buffered, 5U);
  r.kernel_advanced(6);  // more than was allowed: still no more than nothing is left
  EXPECT_EQ(r.remaining(), 0U);
  EXPECT_EQ(r.kernel_endpoint()->max_bytes, 0U);
  EXPECT_EQ((inner | limit(500)).kernel_endpoint()->max_bytes, 100U);
  inner.endpoint.reset();
  EXPECT_FALSE((inner | limit(500)).kernel_endpoint());
}

TEST(limit, nests) {
  const auto data = support::pattern(100);
  for (std::size_t outer = 0; outer <= 12; ++outer) {
    chunked_reader inner{data, 3};
    auto ten = inner | limit(10);
    auto r = ten | limit(outer);
    const std::size_t expected = std::min<std::size_t>(outer, 10);
    EXPECT_EQ(support::drain(r, 4)->size(), expected);
    EXPECT_EQ(ten.remaining(), 10 - expected);
    EXPECT_EQ(inner.data.size(), data.size() - expected);
  }
}

TEST(limit, refers_to_an_lvalue_and_owns_an_rvalue) {
  chunked_reader inner;
  auto by_reference = inner | limit(1);
  static_assert(std::same_as<decltype(by_reference), limit_reader<chunked_reader&>>);
  EXPECT_EQ(&by_reference.inner(), &inner);
  static_assert(std::same_as<decltype(limit_reader(inner, 1)), limit_reader<chunked_reader&>>);

  auto by_value = std::move(inner) | limit(1);
  static_assert(std::same_as<decltype(by_value), limit_reader<chunked_reader>>);
  EXPECT_NE(&by_value.inner(), &inner);
  static_assert(std::same_as<decltype(limit_reader(chunked_reader{}, 1)), limit_reader<chunked_reader>>);
  static_assert(std::same_as<decltype(limit(inner, 1)), limit_reader<chunked_reader&>>);
}

TEST(limit, gives_the_inner_reader_back) {
  span_reader inner{"0123456789"};
  auto r = limit(inner, 4);
  r.consume(3);
  EXPECT_EQ(&std::move(r).into_inner(), &inner);
  auto owning = span_reader{"abcdef"} | limit(4);
  owning.consume(3);
  span_reader back = std::move(owning).into_inner();
  EXPECT_EQ(support::text(back.buffered()), "def");
}

TEST(limit, composes_before_there_is_a_stream) {
  const auto data = support::pattern(100);
  chunked_reader inner{data};
  const auto ten_counted = limit(10) | counted();
  auto r = inner | ten_counted;
  static_assert(std::same_as<decltype(r), counted_stream<limit_reader<chunked_reader&>>>);
  EXPECT_EQ(support::drain(r)->size(), 10U);
  EXPECT_EQ(r.count(), 10U);

  auto again = inner | (limit(20) | limit(15) | counted() | limit(12));
  EXPECT_EQ(support::drain(again)->size(), 12U);
  EXPECT_EQ(again.inner().count(), 12U);
  EXPECT_EQ(inner.data.size(), 78U);
}

}  // namespace
