// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/read.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::pattern;
using support::scripted_reader;
using support::step;
using support::text;

TEST(read, goes_on_until_it_is_full_or_the_stream_ends) {
  const auto data = pattern(100);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{7}, support::unlimited}) {
    for (std::size_t n = 0; n <= 110; ++n) {
      chunked_reader r{.data = data, .chunk = chunk};
      std::vector<std::byte> out(n, std::byte{0xEE});
      const std::size_t got = sluice::read(r, out).value();
      EXPECT_EQ(got, std::min<std::size_t>(n, 100));
      EXPECT_TRUE(support::equal(std::span(out).first(got), std::span(data).first(got)));
      EXPECT_EQ(std::ranges::count(r.requests, 0U), 0);
      EXPECT_EQ(r.data.size(), 100 - got) << "not a byte more is taken";
      if (n <= 100) {
        EXPECT_EQ(r.calls, (n + std::min(chunk, n) - (n != 0)) / std::max<std::size_t>(std::min(chunk, n), 1));
      }
    }
  }
}

TEST(read, of_nothing_asks_nobody) {
  chunked_reader r{.data = as_bytes("abc"), .fail_at = 1};
  EXPECT_EQ(sluice::read(r, {}).value(), 0U);
  EXPECT_TRUE(read_exactly(r, {}));
  EXPECT_EQ(r.calls, 0U);
}

TEST(read, takes_only_nothing_for_the_end) {
  scripted_reader r{.steps = {step::data("ab"), step::data("c"), step::data("def"), step::end(), step::data("gh")}};
  std::string out(10, '.');
  EXPECT_EQ(sluice::read(r, std::as_writable_bytes(std::span(out))).value(), 6U);
  EXPECT_EQ(out, "abcdef....");
  EXPECT_EQ(r.calls, 4U) << "one nothing is the end, and it is not asked for again";
}

TEST(read, returns_an_error_at_once) {
  for (std::size_t k = 1; k <= 3; ++k) {
    chunked_reader r{.data = as_bytes("abcdefgh"), .chunk = 2, .fail_at = k};
    std::string out(8, '.');
    EXPECT_EQ(sluice::read(r, std::as_writable_bytes(std::span(out))).error(), std::errc::io_error);
    EXPECT_EQ(r.calls, k);
    EXPECT_EQ(out.substr(0, 2 * (k - 1)), std::string("abcdefgh").substr(0, 2 * (k - 1)));
  }
}

TEST(read, believes_no_count_above_the_request) {
  support::over_counting_reader r;
  std::array<std::byte, 4> out;
  EXPECT_EQ(sluice::read(r, out).error(), io_errc::bad_count);
  EXPECT_EQ(read_exactly(r, out).error(), io_errc::bad_count);
}

TEST(read, takes_an_rvalue_too) {
  std::array<std::byte, 4> out;
  EXPECT_EQ(sluice::read(chunked_reader{.data = as_bytes("abcdef"), .chunk = 1}, out).value(), 4U);
  EXPECT_EQ(text(out), "abcd");
}

TEST(read, from_a_buffer_leaves_the_rest_there) {
  chunked_reader inner{.data = as_bytes("0123456789abcdef"), .chunk = 3};
  buf_reader r(inner, 8);
  std::array<std::byte, 7> out;
  EXPECT_EQ(sluice::read(r, out).value(), 7U);
  EXPECT_EQ(text(out), "0123456");
  EXPECT_EQ(sluice::read(r, out).value(), 7U);
  EXPECT_EQ(text(out), "789abcd");
  EXPECT_EQ(sluice::read(r, out).value(), 2U);
}

TEST(read_exactly, fills_or_says_that_the_source_was_short) {
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, support::unlimited}) {
    for (std::size_t size = 0; size <= 8; ++size) {
      const auto data = pattern(size);
      for (std::size_t n = 0; n <= 9; ++n) {
        chunked_reader r{.data = data, .chunk = chunk};
        std::vector<std::byte> out(n, std::byte{0xEE});
        const auto done = read_exactly(r, out);
        ASSERT_EQ(done.has_value(), n <= size);
        if (!done) {
          EXPECT_EQ(done.error(), io_errc::unexpected_eof);
        }
        const std::size_t arrived = std::min(n, size);
        EXPECT_TRUE(support::equal(std::span(out).first(arrived), std::span(data).first(arrived)));
        EXPECT_EQ(r.data.size(), size - arrived) << "what arrived has left the stream";
      }
    }
  }
}

TEST(read_exactly, tells_an_error_from_the_end) {
  scripted_reader r{.steps = {step::data("ab"), step::fail(std::errc::connection_reset)}};
  std::array<std::byte, 4> out;
  EXPECT_EQ(read_exactly(r, out).error(), std::errc::connection_reset);
}

TEST(read, tells_how_many_bytes_had_arrived) {
  for (std::size_t k = 1; k <= 4; ++k) {
    chunked_reader r{.data = as_bytes("abcdefgh"), .chunk = 2, .fail_at = k};
    std::string out(8, '.');
    const auto n = sluice::read(r, std::as_writable_bytes(std::span(out)));
    EXPECT_EQ(n.error().bytes, 2 * (k - 1));
    const result<std::size_t> plain = n;
    EXPECT_EQ(plain.error(), std::errc::io_error);
    EXPECT_THROW(or_throw(n), std::system_error);
  }
  chunked_reader r{.data = as_bytes("abc"), .chunk = 2};
  std::array<std::byte, 4> out;
  const auto done = read_exactly(r, out);
  EXPECT_EQ(done.error(), io_errc::unexpected_eof);
  EXPECT_EQ(done.error().bytes, 3U);
  EXPECT_EQ(done.error().message(), std::error_code(io_errc::unexpected_eof).message());
}

}  // namespace
