// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/throttle.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/system/file.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace std::chrono_literals;
using support::chunked_reader;
using support::window_reader;

/// A clock that only sleeping moves.
struct still {
  static inline std::chrono::nanoseconds time{};
  static inline std::chrono::nanoseconds longest{};

  static detail::pace clock() {
    time = 1h;
    longest = 0ns;
    return {.now = [] { return detail::pace::clock::time_point(time); },
            .sleep =
                [](std::chrono::nanoseconds t) {
                  time += t;
                  longest = std::max(longest, t);
                }};
  }
  static double seconds() { return std::chrono::duration<double>(time - 1h).count(); }
};

// What is beyond the burst takes its time, and nothing takes more than one sleep longer.
void expect_rate(std::uintmax_t bytes, double rate, double burst) {
  EXPECT_GE(still::seconds() + 1e-6, (static_cast<double>(bytes) - burst) / rate - 0.05);
  EXPECT_LE(still::seconds(), static_cast<double>(bytes) / rate + 0.06);
  EXPECT_LE(still::longest, 51ms);
}

TEST(throttle, keeps_the_rate_for_each_chunk) {
  const auto data = support::pattern(1000);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    throttle_stream r(chunked_reader{data, chunk}, 500, 20, still::clock());
    EXPECT_EQ(support::drain(r, 100).value(), data);
    expect_rate(1000, 500, 20);
  }
}

TEST(throttle, a_request_is_cut_to_what_may_pass) {
  const auto data = support::pattern(100);
  chunked_reader inner{data};
  throttle_stream r(inner, 1000, 10, still::clock());
  std::array<std::byte, 64> b;
  EXPECT_EQ(r.read_some(b).value(), 10U);
  EXPECT_EQ(still::seconds(), 0);
  EXPECT_EQ(r.read_some(b).value(), 10U);
  EXPECT_EQ(r.read_some({}).value(), 0U);
  EXPECT_EQ(inner.requests, (std::vector<std::size_t>{10, 10}));
}

TEST(throttle, a_pause_earns_no_more_than_the_burst) {
  const auto data = support::pattern(100);
  throttle_stream r(chunked_reader{data}, 1000, 10, still::clock());
  still::time += 1h;
  std::array<std::byte, 64> b;
  EXPECT_EQ(r.read_some(b).value(), 10U);
}

TEST(throttle, copies_through_windows_at_the_rate_and_loses_nothing) {
  const auto data = support::pattern(1000);
  for (std::size_t chunk = 1; chunk <= 64; chunk += 3) {
    for (std::size_t k = 0; k <= 6; ++k) {
      window_reader inner{.data = data, .chunk = chunk, .fail_at = k};
      throttle_stream r(inner, 500, 20, still::clock());
      std::string got;
      string_writer w{got};
      if (!copy(r, w)) {
        ASSERT_TRUE(copy(r, w));
      }
      EXPECT_EQ(got, support::text(data));
      expect_rate(1000, 500, 20);
    }
  }
  std::string got;
  string_writer target{got};
  throttle_stream w(target, 500, 20, still::clock());
  ASSERT_TRUE(copy(chunked_reader{data}, w));
  EXPECT_EQ(got, support::text(data));
  expect_rate(1000, 500, 20);
}

TEST(throttle, a_large_fill_is_made_good_afterwards) {
  const auto data = support::pattern(100);
  throttle_stream r(window_reader{.data = data}, 100, 2, still::clock());
  EXPECT_EQ(r.fill(16)->size(), 16U);
  EXPECT_EQ(r.buffered().size(), 16U);
  r.consume(16);
  std::array<std::byte, 8> b;
  EXPECT_EQ(r.read_some(b).value(), 1U);
  EXPECT_GE(still::seconds(), 0.14);
}

TEST(throttle, pieces_are_cut) {
  const auto data = support::pattern(100);
  support::vectored_reader_fake inner{{.data = data}};
  throttle_stream r(inner, 100, 7, still::clock());
  std::array<std::byte, 10> b;
  const std::array in{mutable_buffer(std::span(b).first(4)), mutable_buffer(std::span(b).last(6))};
  EXPECT_EQ(r.read_some(in).value(), 7U);
  support::vectored_recording_writer to;
  throttle_stream w(to, 100, 7, still::clock());
  const std::array out{const_buffer(std::span(data).first(4)), const_buffer(std::span(data).subspan(4))};
  EXPECT_EQ(w.write_some(out).value(), 7U);
}

TEST(throttle, copies_a_file_at_the_rate) {
  const sluice::test::temporary_folder folder;
  const auto data = support::pattern(600'000);
  file made = or_throw(file::create(folder / "from"));
  span_reader bytes(data);
  ASSERT_TRUE(copy(bytes, made));
  file from = or_throw(file::open(folder / "from"));
  file to = or_throw(file::create(folder / "to"));
  throttle_stream slow(from, 1'000'000, 50'000, still::clock());
  ASSERT_EQ(copy(slow, to).value(), data.size());
  expect_rate(600'000, 1'000'000, 50'000);
}

TEST(throttle, both_forms) {
  const auto data = support::pattern(10);
  chunked_reader inner{data};
  auto r = inner | throttle(1'000'000);
  static_assert(std::same_as<decltype(r), throttle_stream<chunked_reader&>>);
  EXPECT_EQ(support::drain(r).value(), data);
  auto w = throttle(support::recording_writer{}, 1'000'000, 100);
  EXPECT_EQ(w.write_some(data).value(), 10U);
}

}  // namespace
