// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/erased/any_writer.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/span_writer.hpp>
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

// Whatever the room, every writer ends up with the same bytes, and a borrowed buffer is never overrun.
TEST(write_all, fits_into_the_free_space_or_goes_past_it) {
  for (std::size_t size = 0; size <= 20; ++size) {
    const auto data = pattern(size);
    recording_writer inner;
    std::array<std::byte, 40> memory{};
    span_writer room{std::span(memory).first(2 * size)};
    bytes_writer grown;
    {
      buf_writer buffered{inner, 16};
      any_writer erased{buffered};
      for (int times = 0; times != 2; ++times) {
        EXPECT_TRUE(write_all(buffered, data));
        EXPECT_TRUE(write_all(erased, data));
        EXPECT_TRUE(write_all(room, data));
        EXPECT_TRUE(write_all(grown, data));
        erased.sync();
      }
    }
    std::vector<std::byte> twice = data;
    twice.insert(twice.end(), data.begin(), data.end());
    EXPECT_TRUE(support::equal(grown.view(), twice));
    EXPECT_TRUE(support::equal(room.written(), std::span(twice).first(2 * size)));
    EXPECT_EQ(inner.data.size(), 4 * size);
    EXPECT_TRUE(support::equal(std::span(inner.data).first(2 * size), twice));
    if (size != 0) {
      const auto full = write_all(room, data);
      EXPECT_EQ(full.error(), std::errc::no_space_on_device);
      EXPECT_EQ(full.error().bytes, 0U);
    }
  }
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

// All splits of a text into five pieces, empty ones among them.
template <class Check>
void for_each_split(std::string_view text, Check check) {
  const std::size_t n = text.size();
  for (std::size_t a = 0; a <= n; ++a) {
    for (std::size_t b = a; b <= n; ++b) {
      for (std::size_t c = b; c <= n; ++c) {
        const std::array<const_buffer, 5> pieces{as_bytes(text.substr(0, a)), std::span<const std::byte>(),
                                                 as_bytes(text.substr(a, b - a)), as_bytes(text.substr(b, c - b)),
                                                 as_bytes(text.substr(c))};
        check(std::span<const const_buffer>(pieces));
      }
    }
  }
}

TEST(write_all, of_pieces_goes_on_in_the_middle_of_one) {
  const std::string_view whole = "0123456789";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, support::unlimited}) {
    for_each_split(whole, [&](std::span<const const_buffer> pieces) {
      support::vectored_recording_writer vectored{{.chunk = chunk}};
      EXPECT_TRUE(write_all(vectored, pieces));
      EXPECT_EQ(text(vectored.data), whole);
      EXPECT_EQ(std::ranges::count(vectored.sizes, 0U), 0);
      if (chunk == support::unlimited) {
        EXPECT_EQ(vectored.calls, 1U);
      }
      recording_writer plain{.chunk = chunk};
      EXPECT_TRUE(write_all(plain, pieces));
      EXPECT_EQ(text(plain.data), whole);
      EXPECT_EQ(std::ranges::count(plain.sizes, 0U), 0);
    });
  }
}

TEST(write_all, of_pieces_tells_how_many_bytes_were_accepted) {
  for (std::size_t k = 1; k <= 4; ++k) {
    for_each_split("0123456", [&](std::span<const const_buffer> pieces) {
      support::vectored_recording_writer w{{.chunk = 2, .fail_at = k}};
      const auto done = write_all(w, pieces);
      if (w.calls < k) return;
      ASSERT_FALSE(done);
      EXPECT_EQ(done.error(), std::errc::no_space_on_device);
      EXPECT_EQ(done.error().bytes, w.data.size());
    });
  }
  const const_buffer one(as_bytes("abc"));
  EXPECT_EQ(write_all(recording_writer{.chunk = 0}, std::span(&one, 1)).error(), io_errc::write_zero);
  EXPECT_TRUE(write_all(recording_writer{.fail_at = 1}, std::span<const const_buffer>()));
}

TEST(write_all, of_any_number_of_pieces) {
  const auto data = pattern(5000);
  std::vector<const_buffer> pieces;
  for (const std::byte& b : data) pieces.push_back(const_buffer(&b, 1));
  for (const std::size_t chunk : {std::size_t{7}, support::unlimited}) {
    struct : support::vectored_recording_writer {
      std::size_t most = 0;
      using support::vectored_recording_writer::write_some;
      result<std::size_t> write_some(std::span<const const_buffer> given) {
        most = std::max(most, given.size());
        return vectored_recording_writer::write_some(given);
      }
    } w;
    w.chunk = chunk;
    EXPECT_TRUE(write_all(w, pieces));
    EXPECT_EQ(w.data, data);
    EXPECT_GT(w.most, 1U);
    EXPECT_LE(w.most, 1024U);
  }
}

TEST(write_all, tells_how_many_bytes_were_accepted) {
  for (std::size_t k = 1; k <= 4; ++k) {
    recording_writer w{.chunk = 2, .fail_at = k};
    EXPECT_EQ(write_all(w, "abcdefgh").error().bytes, 2 * (k - 1));
  }
  const result<void> plain = write_all(recording_writer{.fail_at = 1}, "abc");
  EXPECT_EQ(plain.error(), std::errc::no_space_on_device);
}

}  // namespace
