// SPDX-License-Identifier: BSL-1.0
#include <sluice/copy.hpp>
#include <sluice/memory/memory_pipe.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/write.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

using namespace sluice;
using namespace std::chrono_literals;

static_assert(reader<memory_pipe_reader> && writer<memory_pipe_writer>);

memory_pipe polled_pipe(std::size_t capacity) {
  return make_memory_pipe(
      capacity, {.reader = {.on_would_block = would_block::fail}, .writer = {.on_would_block = would_block::fail}});
}

TEST(memory_pipe, passes_all_from_one_thread_to_another) {
  const auto data = support::pattern(5000);
  for (const std::size_t capacity : {1U, 2U, 7U, 64U, 1000U, 8192U}) {
    auto [from, to] = make_memory_pipe(capacity);
    std::jthread producer([&data, end = std::move(to)]() mutable {
      span_reader source(data);
      EXPECT_TRUE(copy(source, end));
    });
    EXPECT_EQ(support::drain(from, 33).value(), data) << capacity;
  }
}

TEST(memory_pipe, goes_round_at_every_capacity_and_chunk) {
  const auto data = support::pattern(200);
  for (std::size_t capacity = 1; capacity <= 32; ++capacity) {
    for (std::size_t chunk = 1; chunk <= 33; ++chunk) {
      auto [from, to] = polled_pipe(capacity);
      std::vector<std::byte> got;
      std::array<std::byte, 64> b;
      std::span<const std::byte> left(data);
      while (got.size() != data.size()) {
        const auto n = to.write_some(left.first(std::min<std::size_t>(left.size(), 11)));
        ASSERT_TRUE(n || n.error() == std::errc::operation_would_block);
        left = left.subspan(n.value_or(0));
        const auto m = from.read_some(std::span(b).first(chunk));
        ASSERT_TRUE(m);
        got.insert(got.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(*m));
      }
      EXPECT_EQ(got, data);
      EXPECT_EQ(from.read_some(b).error(), std::errc::operation_would_block);
    }
  }
}

TEST(memory_pipe, an_error_comes_after_the_bytes_and_stays) {
  auto [from, to] = make_memory_pipe(8);
  ASSERT_TRUE(write_all(to, "abc"));
  to.close_with(io_errc::invalid_data);
  std::array<std::byte, 8> b;
  EXPECT_EQ(from.read_some(b).value(), 3U);
  EXPECT_EQ(from.read_some(b).error(), io_errc::invalid_data);
  EXPECT_EQ(from.read_some(b).error(), io_errc::invalid_data);
  EXPECT_EQ(from.read_some({}).value(), 0U);
  EXPECT_EQ(to.write_some(as_bytes("d")).error(), std::errc::bad_file_descriptor);
}

TEST(memory_pipe, a_closed_writer_is_the_end_and_a_closed_reader_a_broken_pipe) {
  std::array<std::byte, 8> b;
  {
    auto [from, to] = make_memory_pipe(8);
    EXPECT_TRUE(to.close());
    EXPECT_EQ(from.read_some(b).value(), 0U);
  }
  auto [from, to] = make_memory_pipe(2);
  ASSERT_TRUE(write_all(to, "ab"));
  std::jthread leaver([end = std::move(from)]() mutable { end.close(); });
  EXPECT_EQ(to.write_some(as_bytes("c")).error(), std::errc::broken_pipe);
}

TEST(memory_pipe, waiting_ends_at_the_deadline_or_when_stopped) {
  std::array<std::byte, 1> b;
  const auto past = std::chrono::steady_clock::now() - 1s;
  auto late = make_memory_pipe(1, {.reader = {.deadline = past}, .writer = {.deadline = past}});
  EXPECT_EQ(late.reader.read_some(b).error(), std::errc::timed_out);
  EXPECT_EQ(late.writer.write_some(b).value(), 1U);
  EXPECT_EQ(late.writer.write_some(b).error(), std::errc::timed_out);

  std::stop_source stop;
  auto stopped = make_memory_pipe(1, {.reader = {.stop = stop.get_token()}});
  std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_EQ(stopped.reader.read_some(b).error(), io_errc::cancelled);
}

TEST(memory_pipe, moving_onto_a_side_closes_it) {
  auto one = make_memory_pipe(4);
  auto two = make_memory_pipe(4);
  one.writer = std::move(two.writer);
  std::array<std::byte, 4> b;
  EXPECT_EQ(one.reader.read_some(b).value(), 0U);
  ASSERT_TRUE(write_all(one.writer, "x"));
  EXPECT_EQ(two.reader.read_some(b).value(), 1U);
}

}  // namespace
