// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/read.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::window_reader;

constexpr std::byte newline{'\n'};
constexpr std::string_view lines = "ab\n\ncdefghijklmnopq\n12345678\nlast";

// Reads all pieces, as they should be cut, and compares.
template <class R>
void expect_pieces(R& r, std::string_view text, std::size_t max) {
  while (true) {
    const std::size_t place = text.find('\n');
    const std::size_t piece = place == std::string_view::npos ? text.size() : place + 1;
    std::string out = "before:";
    const auto n = read_until(r, newline, out, max);
    const std::size_t taken = std::min(piece, max);
    EXPECT_EQ(out, "before:" + std::string(text.substr(0, taken)));
    if (piece > max) {
      ASSERT_FALSE(n);
      EXPECT_EQ(n.error(), io_errc::limit_exceeded);
      EXPECT_EQ(n.error().bytes, max);
      EXPECT_TRUE(support::equal(support::drain(r).value(), as_bytes(text.substr(taken))))
          << "the rest is in the reader";
      return;
    }
    ASSERT_TRUE(n);
    EXPECT_EQ(*n, piece);
    text.remove_prefix(piece);
    if (piece == 0) return;
  }
}

TEST(read_until, cuts_alike_whatever_arrives_at_once) {
  for (const std::string_view text : {lines, lines.substr(0, 30), std::string_view("\n"), std::string_view()}) {
    for (std::size_t chunk = 1; chunk <= 40; ++chunk) {
      for (std::size_t max = 0; max <= 20; ++max) {
        SCOPED_TRACE(testing::Message() << text.size() << " bytes, chunk " << chunk << ", max " << max);
        window_reader window{.data = as_bytes(text), .room = 6, .chunk = chunk};
        expect_pieces(window, text, max);
        buf_reader buffered(chunked_reader{.data = as_bytes(text), .chunk = chunk}, 7);
        expect_pieces(buffered, text, max);
        span_reader memory(text);
        expect_pieces(memory, text, max);
      }
    }
  }
}

TEST(read_until, keeps_what_came_before_an_error) {
  for (std::size_t k = 1; k <= 4; ++k) {
    buf_reader r(chunked_reader{.data = as_bytes("abcdef\n"), .chunk = 2, .fail_at = k}, 16);
    std::string out;
    const auto n = read_until(r, newline, out, 100);
    ASSERT_FALSE(n);
    EXPECT_EQ(n.error(), std::errc::io_error);
    EXPECT_EQ(n.error().bytes, out.size());
    EXPECT_EQ(out, std::string("abcdef\n").substr(0, 2 * (k - 1)));
    EXPECT_EQ(read_until(r, newline, out, 100).value(), 7 - 2 * (k - 1));
    EXPECT_EQ(out, "abcdef\n") << "another call goes on there";
  }
}

TEST(read_until, does_not_read_once_it_knows) {
  window_reader r{.data = as_bytes("abc\ndefghijk"), .room = 16, .chunk = 4};
  std::string out;
  EXPECT_EQ(read_until(r, newline, out, 4).value(), 4U);
  EXPECT_EQ(r.reads, 1U);
  EXPECT_EQ(read_until(r, newline, out, 3).error(), io_errc::limit_exceeded);
  EXPECT_EQ(r.reads, 2U) << "the window shows that there is more";
}

TEST(read_until, sees_through_an_erased_reader) {
  any_reader r{buf_reader(chunked_reader{.data = as_bytes(lines), .chunk = 5}, 8)};
  expect_pieces(r, lines, 100);
}

TEST(skip_until, tells_the_delimiter_from_the_end) {
  for (std::size_t chunk = 1; chunk <= 20; ++chunk) {
    buf_reader r(chunked_reader{.data = as_bytes("ab\n\ncdefghijkl"), .chunk = chunk}, 4);
    const auto expect = [&](std::uintmax_t n, bool found) {
      const auto passed = skip_until(r, newline);
      ASSERT_TRUE(passed);
      EXPECT_EQ(passed->bytes, n);
      EXPECT_EQ(passed->found, found);
    };
    expect(3, true);
    expect(1, true);
    const auto far = skip_until(r, newline, 4);
    ASSERT_FALSE(far);
    EXPECT_EQ(far.error(), io_errc::limit_exceeded);
    EXPECT_EQ(far.error().bytes, 4U);
    expect(6, false);
    expect(0, false);
  }
}

}  // namespace
