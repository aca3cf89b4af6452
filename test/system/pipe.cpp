// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/pipe.hpp>

#include "support/descriptors.hpp"
#include "support/faults.hpp"
#include "support/signals.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace sluice {
namespace {

using test::bytes_of;
using test::call_counter;
using test::fault;

static_assert(reader<pipe_reader> && vectored_reader<pipe_reader> && kernel_reader<pipe_reader>);
static_assert(!writer<pipe_reader> && !kernel_writer<pipe_reader> && !vectored_writer<pipe_reader>);
static_assert(writer<pipe_writer> && vectored_writer<pipe_writer> && kernel_writer<pipe_writer>);
static_assert(!reader<pipe_writer> && !kernel_reader<pipe_writer> && !vectored_reader<pipe_writer>);
static_assert(!seekable<pipe_reader> && !seekable<pipe_writer> && !skippable<pipe_reader>);
static_assert(!std::is_convertible_v<pipe_reader&, fd_stream&>);

std::string read_text(pipe_reader& r, std::size_t n) {
  std::string text(n, '?');
  const auto got = r.read_some(std::as_writable_bytes(std::span(text)));
  if (!got) return "error: " + got.error().message();
  text.resize(*got);
  return text;
}

TEST(pipe, carries_bytes_to_the_end) {
  auto [in, out] = or_throw(make_pipe());
  EXPECT_EQ(out.write_some(bytes_of("hello")), 5U);
  EXPECT_TRUE(out.close());
  EXPECT_EQ(read_text(in, 10), "hello");
  EXPECT_EQ(read_text(in, 10), "");
}

TEST(pipe, is_not_inherited) {
  const auto ends = or_throw(make_pipe());
  EXPECT_TRUE(test::is_close_on_exec(ends.reader.fd()));
  EXPECT_TRUE(test::is_close_on_exec(ends.writer.fd()));
}

TEST(pipe, costs_one_call_and_knows_its_kind) {
  const call_counter calls;
  auto ends = or_throw(make_pipe());
  EXPECT_EQ(ends.reader.kind(), fd_kind::pipe);
  EXPECT_EQ(ends.writer.kernel_endpoint()->kind, fd_kind::pipe);
  EXPECT_EQ(calls.total(), 1U);
  EXPECT_EQ(ends.writer.write_some(bytes_of("x")), 1U);
  EXPECT_EQ(calls["fstat"], 0U);
}

TEST(pipe, size_is_advice) {
  const auto large = or_throw(make_pipe({.size = 1 << 17}));
  EXPECT_EQ(::fcntl(large.writer.fd(), F_GETPIPE_SZ), 1 << 17);
  EXPECT_TRUE(make_pipe({.size = 1}));
  EXPECT_TRUE(make_pipe({.size = std::numeric_limits<std::size_t>::max()}));
  const fault refused({.call = "set_pipe_size", .error = EPERM});
  EXPECT_TRUE(make_pipe({.size = 1 << 20}));
  EXPECT_EQ(refused.hits(), 1U);
}

TEST(pipe, non_blocking) {
  auto ends = or_throw(make_pipe({.non_blocking = true}));
  std::byte b[1];
  EXPECT_EQ(ends.reader.read_some(b).error(), std::errc::operation_would_block);
  const std::vector<std::byte> big(1 << 20);
  EXPECT_TRUE(ends.writer.write_some(big));
  EXPECT_EQ(ends.writer.write_some(big).error(), std::errc::operation_would_block);
  EXPECT_TRUE(ends.reader.set_non_blocking(false));
}

TEST(pipe, without_reader_is_broken_and_raises_nothing) {
  const test::default_sigpipe deadly;
  auto [in, out] = or_throw(make_pipe());
  EXPECT_TRUE(in.close());
  EXPECT_EQ(out.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
}

TEST(pipe, whose_reader_goes_while_a_write_waits_is_broken) {
  const test::default_sigpipe deadly;
  for (const bool refused : {false, true}) {
    auto ends = or_throw(make_pipe());
    const fault flag({.call = "pwritev2", .times = refused ? test::always : 0, .error = EOPNOTSUPP});
    const std::vector<std::byte> fill(1 << 16);
    ASSERT_EQ(ends.writer.write_some(fill), fill.size());
    std::jthread closer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_TRUE(ends.reader.close());
    });
    EXPECT_EQ(ends.writer.write_some(fill).error(), std::errc::broken_pipe);
  }
}

TEST(pipe, writes_through_a_storm_of_signals) {
  auto ends = or_throw(make_pipe());
  const std::vector<std::byte> fill(1 << 16);
  ASSERT_EQ(ends.writer.write_some(fill), fill.size());
  const test::signal_storm storm;
  std::jthread drain([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::vector<std::byte> got(fill.size());
    EXPECT_EQ(::read(ends.reader.fd(), got.data(), got.size()), static_cast<ssize_t>(got.size()));
  });
  EXPECT_EQ(ends.writer.write_some(bytes_of("late")), 4U);
  EXPECT_GT(storm.count(), 0);
}

TEST(pipe, reports_exhaustion) {
  std::error_code error;
  {
    const test::descriptor_limit limit(1);
    error = make_pipe().error();
  }
  EXPECT_EQ(error, std::errc::too_many_files_open);
}

TEST(pipe, ends_take_over_a_descriptor) {
  auto ends = or_throw(make_pipe());
  pipe_writer out(fd_stream(ends.writer.release()));
  EXPECT_EQ(out.write_some(bytes_of("x")), 1U);
  pipe_reader in(fd_stream(ends.reader.release()));
  EXPECT_EQ(read_text(in, 2), "x");
  EXPECT_FALSE(ends.reader.is_open());
}

}  // namespace
}  // namespace sluice
