// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/broadcast.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using support::recording_writer;
using support::vectored_recording_writer;

static_assert(writer<broadcast_writer<recording_writer, null_writer>>);
static_assert(!vectored_writer<broadcast_writer<recording_writer, null_writer>>);
static_assert(vectored_writer<broadcast_writer<vectored_recording_writer&, null_writer>>);
static_assert(!kernel_writer<broadcast_writer<support::kernel_stream, support::kernel_stream>>);
static_assert(!buffered_writer<broadcast_writer<null_writer>>);

constexpr auto drop = broadcast_options{.on_failure = broadcast_policy::drop_failing};

TEST(broadcast, a_failing_writer_is_dropped_where_that_is_wanted) {
  const auto data = support::pattern(64);
  for (std::size_t k = 1; k <= 12; ++k) {
    recording_writer a{.chunk = 5, .fail_at = k};
    recording_writer b{.chunk = 7};
    auto w = broadcast(drop, a, b);
    span_reader from(data);
    ASSERT_TRUE(copy(from, w)) << k;
    EXPECT_EQ(b.data, data);
    EXPECT_EQ(w.is_dropped(0), k <= a.calls);
    EXPECT_EQ(w.error(0), std::errc::no_space_on_device);
    EXPECT_EQ(w.accepted(0), a.data.size());
    EXPECT_TRUE(std::ranges::equal(a.data, std::span(data).first(a.data.size())));
    EXPECT_FALSE(w.error(1));
  }
}

TEST(broadcast, fails_when_none_is_left) {
  const auto data = support::pattern(8);
  auto w = broadcast(drop, recording_writer{.fail_at = 1}, recording_writer{.chunk = 4, .fail_at = 2});
  EXPECT_EQ(w.write_some(data).value(), 4U);
  EXPECT_EQ(w.write_some(std::span(data).subspan(4)).error(), std::errc::no_space_on_device);
  EXPECT_EQ(w.write_some(std::span(data).subspan(4)).error(), std::errc::no_space_on_device);
  EXPECT_EQ(w.flush().error(), std::errc::no_space_on_device);
}

TEST(broadcast, a_writer_that_would_block_is_not_dropped) {
  const auto data = support::pattern(8);
  recording_writer slow{.fail_at = 1, .error = std::make_error_code(std::errc::operation_would_block)};
  recording_writer quick;
  auto w = broadcast(drop, slow, quick);
  EXPECT_EQ(w.write_some(data).error(), std::errc::operation_would_block);
  EXPECT_EQ(w.accepted(1), 8U);
  EXPECT_EQ(w.write_some(data).value(), 8U);
  EXPECT_EQ(slow.data, data);
  EXPECT_EQ(quick.data, data);
}

TEST(broadcast, an_error_behind_a_short_write_is_told_once_by_the_next) {
  const auto data = support::pattern(10);
  recording_writer a;
  recording_writer b{.chunk = 4, .fail_at = 2};
  auto w = broadcast(b, a);
  EXPECT_EQ(w.write_some(data).value(), 4U);
  EXPECT_EQ(w.write_some(std::span(data).subspan(4)).error(), std::errc::no_space_on_device);
  EXPECT_EQ(w.error(0), std::errc::no_space_on_device);
  EXPECT_EQ(w.write_some(std::span(data).subspan(4)).value(), 4U);
  EXPECT_FALSE(w.error(0));
}

TEST(broadcast, a_writer_that_takes_nothing_has_failed) {
  const auto data = support::pattern(4);
  auto w = broadcast(null_writer(), recording_writer{.chunk = 0});
  EXPECT_EQ(w.write_some(data).error(), io_errc::write_zero);
  EXPECT_EQ(w.write_some(std::span<const std::byte>()).value(), 0U);
}

TEST(broadcast, pieces_go_on_at_any_byte) {
  const auto data = support::pattern(30);
  const std::span<const std::byte> all(data);
  for (std::size_t chunk = 1; chunk <= 30; ++chunk) {
    vectored_recording_writer a;
    a.chunk = chunk;
    vectored_recording_writer b;
    b.chunk = 7;
    auto w = a | broadcast(b);
    static_assert(std::same_as<decltype(w), broadcast_writer<vectored_recording_writer&, vectored_recording_writer&>>);
    for (std::size_t done = 0; done != 30;) {
      const std::size_t cut = done + (30 - done) / 2;
      const std::array pieces{const_buffer(all.subspan(done, cut - done)), const_buffer(),
                              const_buffer(all.subspan(cut))};
      done += w.write_some(pieces).value();
    }
    EXPECT_EQ(a.data, data);
    EXPECT_EQ(b.data, data);
  }
}

}  // namespace
