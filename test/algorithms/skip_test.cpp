// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/kernel_endpoint.hpp>
#include <sluice/skip.hpp>

#include "support/seekable.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::pattern;
using support::scripted_reader;
using support::seekable_reader;
using support::step;
using support::window_reader;

// The algorithm makes no stream skippable that was not.
static_assert(!skippable<buf_reader<chunked_reader>> && skippable<buf_reader<seekable_reader>>);

// A descriptor that may turn out to be a pipe: it has a skip, which then serves nothing.
struct pipe_reader_fake : chunked_reader {
  std::size_t skips = 0;
  result<std::uintmax_t> skip(std::uintmax_t) { return ++skips, fail(io_errc::unsupported); }
};

// Skips n bytes, and expects the stream to go on behind them.
template <class R>
void expect_skip(R& r, std::span<const std::byte> data, std::uintmax_t n) {
  const auto passed = sluice::skip(r, n);
  ASSERT_TRUE(passed);
  const auto expected = static_cast<std::size_t>(std::min<std::uintmax_t>(n, data.size()));
  EXPECT_EQ(*passed, expected);
  const auto rest = support::drain(r, 5);
  ASSERT_TRUE(rest);
  EXPECT_TRUE(support::equal(*rest, data.subspan(expected)));
}

TEST(skip, passes_over_that_many_and_no_more_in_a_stream_of_any_kind) {
  const auto data = pattern(60);
  std::vector<std::uintmax_t> counts{unbounded};
  for (std::uintmax_t n = 0; n <= 62; ++n) counts.push_back(n);
  for (const std::uintmax_t n : counts) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, support::unlimited}) {
      SCOPED_TRACE(testing::Message() << n << " bytes, chunk " << chunk);
      chunked_reader plain{.data = data, .chunk = chunk};
      expect_skip(plain, data, n);
      seekable_reader sought{.data = data, .chunk = chunk};
      expect_skip(sought, data, n);
      pipe_reader_fake pipe{{.data = data, .chunk = chunk}};
      expect_skip(pipe, data, n);
      window_reader window{.data = data, .chunk = chunk};
      expect_skip(window, data, n);
      buf_reader over_plain(chunked_reader{.data = data, .chunk = chunk}, 8);
      expect_skip(over_plain, data, n);
      buf_reader over_sought(seekable_reader{.data = data, .chunk = chunk}, 8);
      expect_skip(over_sought, data, n);
      buf_reader over_pipe(pipe_reader_fake{{.data = data, .chunk = chunk}}, 8);
      expect_skip(over_pipe, data, n);
    }
  }
}

TEST(skip, of_nothing_asks_nobody) {
  chunked_reader plain{.data = as_bytes("abc")};
  EXPECT_EQ(sluice::skip(plain, 0).value(), 0U);
  EXPECT_EQ(plain.calls, 0U);
  seekable_reader sought{.data = as_bytes("abc")};
  EXPECT_EQ(sluice::skip(sought, 0).value(), 0U);
  EXPECT_EQ(sought.reads + sought.skips + sought.seeks, 0U);
}

TEST(skip, consumes_what_is_buffered_before_anything_else) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader r(inner, 8);
  ASSERT_TRUE(r.fill(1));
  EXPECT_EQ(sluice::skip(r, 8).value(), 8U);
  EXPECT_EQ(inner.reads, 1U);
  EXPECT_EQ(inner.skips, 0U);
  ASSERT_TRUE(r.fill(1));
  EXPECT_EQ(inner.reads, 2U);
  EXPECT_EQ(sluice::skip(r, 3).value(), 3U);
  EXPECT_EQ(r.position().value(), 11U);
}

TEST(skip, leaves_the_rest_to_the_streams_own) {
  const auto data = pattern(100'000);
  seekable_reader inner{.data = data};
  buf_reader r(inner, 8);
  ASSERT_TRUE(r.fill(1));
  EXPECT_EQ(sluice::skip(r, 90'000).value(), 90'000U);
  EXPECT_EQ(inner.reads, 1U);
  EXPECT_EQ(inner.skips, 1U);
  EXPECT_EQ(inner.at, 90'000U);
}

TEST(skip, reads_a_plain_stream_in_large_pieces_and_never_too_far) {
  const auto data = pattern(100'000);
  chunked_reader r{.data = data};
  EXPECT_EQ(sluice::skip(r, 90'000).value(), 90'000U);
  EXPECT_EQ(r.data.size(), 10'000U);
  EXPECT_LE(r.calls, 6U);
}

TEST(skip, asks_a_stream_that_cannot_skip_only_once) {
  const auto data = pattern(1000);
  pipe_reader_fake plain{{.data = data}};
  EXPECT_EQ(sluice::skip(plain, 900).value(), 900U);
  EXPECT_EQ(plain.skips, 1U);

  pipe_reader_fake inner{{.data = data}};
  buf_reader r(inner, 8);
  EXPECT_EQ(sluice::skip(r, 900).value(), 900U);
  EXPECT_EQ(inner.skips, 1U);
  EXPECT_EQ(inner.calls, 113U);
}

TEST(skip, ends_with_the_stream) {
  chunked_reader empty{};
  EXPECT_EQ(sluice::skip(empty, 1).value(), 0U);
  scripted_reader r{.steps = {step::data("abc"), step::end(), step::data("def")}};
  EXPECT_EQ(sluice::skip(r, unbounded).value(), 3U);
  EXPECT_EQ(r.calls, 2U);
}

TEST(skip, returns_errors) {
  chunked_reader plain{.data = as_bytes("abcdef"), .chunk = 2, .fail_at = 2};
  EXPECT_EQ(sluice::skip(plain, 5).error(), std::errc::io_error);
  window_reader window{.data = as_bytes("abcdef"), .chunk = 2, .fail_at = 1};
  EXPECT_EQ(sluice::read_some(window, std::span<std::byte>()).value(), 0U);
  struct failing : chunked_reader {
    result<std::uintmax_t> skip(std::uintmax_t) { return fail(std::make_error_code(std::errc::io_error)); }
  } own{{.data = as_bytes("abc")}};
  EXPECT_EQ(sluice::skip(own, 2).error(), std::errc::io_error);
  EXPECT_EQ(own.calls, 0U) << "any error but unsupported is the answer";
}

TEST(skip, does_not_take_an_error_behind_the_buffer_for_the_end) {
  const auto run = [](auto inner) {
    buf_reader r(inner, 8);
    ASSERT_EQ(r.fill(5).error(), std::errc::io_error);
    ASSERT_EQ(r.buffered().size(), 3U);
    EXPECT_EQ(sluice::skip(r, 5).error(), std::errc::io_error);
    EXPECT_EQ(sluice::skip(r, 5).value(), 3U) << "told once";
  };
  struct with_skip : scripted_reader {
    result<std::uintmax_t> skip(std::uintmax_t) { return fail(io_errc::unsupported); }
  };
  const std::deque<step> steps{step::data("abc"), step::fail(std::errc::io_error), step::data("def")};
  run(scripted_reader{.steps = steps});
  run(with_skip{{.steps = steps}});
}

TEST(skip, believes_no_count_above_the_request) {
  support::over_counting_reader own;
  EXPECT_EQ(sluice::skip(own, 5).error(), io_errc::bad_count);
  struct {
    result<std::size_t> read_some(std::span<std::byte> b) { return b.size() + 1; }
  } plain;
  EXPECT_EQ(sluice::skip(plain, 5).error(), io_errc::bad_count);
  buf_reader over_own(own, 8);
  EXPECT_EQ(sluice::skip(over_own, 5).error(), io_errc::bad_count);
}

TEST(skip, takes_an_rvalue_too) { EXPECT_EQ(sluice::skip(chunked_reader{.data = as_bytes("abc")}, 2).value(), 2U); }

}  // namespace
