// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/write.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace sluice;
using support::pattern;
using support::recording_writer;
using support::text;

TEST(write_all, goes_on_until_all_is_accepted) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const auto data = pattern(size);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{7}, support::unlimited}) {
      recording_writer w{.chunk = chunk};
      EXPECT_TRUE(write_all(w, data));
      EXPECT_EQ(w.data, data);
      EXPECT_EQ(w.calls, size == 0 ? 0 : chunk == support::unlimited ? 1 : (size + chunk - 1) / chunk);
    }
  }
}

TEST(write_all, of_nothing_asks_nobody) {
  recording_writer w{.fail_at = 1};
  EXPECT_TRUE(write_all(w, ""));
  EXPECT_TRUE(write_all(w, std::span<const std::byte>()));
  EXPECT_EQ(w.calls, 0U);
}

TEST(write_all, takes_text) {
  recording_writer w{.chunk = 3};
  EXPECT_TRUE(write_all(w, "literal, "));
  EXPECT_TRUE(write_all(w, std::string("string, ")));
  EXPECT_TRUE(write_all(w, std::string_view("a\0b", 3)));
  EXPECT_EQ(text(w.data), std::string("literal, string, a\0b", 20));
}

TEST(write_all, takes_bytes_of_any_container) {
  recording_writer w;
  const std::array<std::byte, 2> array{std::byte{'a'}, std::byte{'b'}};
  EXPECT_TRUE(write_all(w, array));
  EXPECT_TRUE(write_all(w, support::to_bytes("cd")));
  EXPECT_EQ(text(w.data), "abcd");
}

TEST(write_all, stops_at_an_error) {
  for (std::size_t k = 1; k <= 4; ++k) {
    recording_writer w{.chunk = 2, .fail_at = k};
    EXPECT_EQ(write_all(w, "abcdefgh").error(), std::errc::no_space_on_device);
    EXPECT_EQ(w.calls, k);
    EXPECT_EQ(text(w.data), std::string("abcdefgh").substr(0, 2 * (k - 1)));
  }
}

TEST(write_all, does_not_spin_where_nothing_is_accepted) {
  recording_writer w{.chunk = 0};
  EXPECT_EQ(write_all(w, "abc").error(), io_errc::write_zero);
  EXPECT_EQ(w.calls, 1U);
}

TEST(write_all, believes_no_count_above_the_request) {
  support::over_counting_writer w;
  EXPECT_EQ(write_all(w, "abc").error(), io_errc::bad_count);
}

TEST(write_all, takes_an_rvalue_too) {
  recording_writer inner;
  EXPECT_TRUE(write_all(buf_writer(inner, 8), "abc"));
  EXPECT_EQ(text(inner.data), "abc");
}

TEST(write_all, into_a_buffer_does_not_flush_it) {
  recording_writer inner;
  buf_writer w(inner, 8);
  EXPECT_TRUE(write_all(w, "abc"));
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_TRUE(write_all(w, "0123456789"));
  EXPECT_TRUE(w.flush());
  EXPECT_EQ(text(inner.data), "abc0123456789");
}

}  // namespace
