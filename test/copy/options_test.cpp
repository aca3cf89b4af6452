// SPDX-License-Identifier: BSL-1.0
//
// Progress, stopping, would_block::fail, the caller's own memory, and the report.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/allocations.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sluice {
namespace {

using namespace test;
using namespace std::chrono_literals;

struct failing_writer {
  result<std::size_t> write_some(std::span<const std::byte>) {
    return fail(std::make_error_code(std::errc::no_space_on_device));
  }
};

TEST(copy_progress, ends_with_the_count_and_keeps_the_kernel_path) {
  const temporary_folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{300'000}}) {
    const handle from = file_with(folder / "from", some_text(size));
    const handle to = new_file(folder / "to");
    std::vector<std::uintmax_t> heard;
    copy_report report;
    const auto copied = copy(
        fd_ref(from.get()), fd_ref(to.get()),
        {.on_progress = [&](std::uintmax_t n) { heard.push_back(n); }, .progress_interval = 0ms, .report = &report});
    EXPECT_EQ(show(copied), std::to_string(size));
    ASSERT_FALSE(heard.empty());
    EXPECT_EQ(heard.back(), size);
    EXPECT_TRUE(std::ranges::is_sorted(heard));
    if (size > 100'000) {
      EXPECT_GE(report[copy_path::copy_file_range].bytes + report[copy_path::clone].bytes, size - 65536);
    }
  }
}

TEST(copy_progress, is_no_more_frequent_than_asked) {
  const auto data = support::pattern(100'000);
  support::chunked_reader from{.data = data, .chunk = 10};
  std::size_t calls = 0;
  EXPECT_EQ(show(copy(from, null_writer{},
                      {.on_progress = [&](std::uintmax_t) { ++calls; }, .progress_interval = std::chrono::hours(1)})),
            "100000");
  EXPECT_EQ(calls, 2U);  // the first piece, and the end
}

TEST(copy_progress, a_copier_keeps_the_interval_over_its_runs) {
  support::scripted_reader from;
  for (int i = 0; i != 20; ++i) {
    from.steps.push_back(support::step::data("x"));
    from.steps.push_back(support::step::would_block());
  }
  std::size_t calls = 0;
  null_writer to;
  copier relay(
      from, to,
      copy_options{.on_progress = [&](std::uintmax_t) { ++calls; }, .progress_interval = std::chrono::hours(1)});
  for (;;) {
    const auto step = relay.run();
    if (step && step->done) break;
  }
  EXPECT_EQ(calls, 2U);
}

TEST(copy_progress, goes_on_while_the_source_is_idle) {
  two_ends in = make_pipe_ends();
  std::atomic<int> calls = 0;
  std::expected<std::uintmax_t, copy_error> copied;
  std::jthread copying([&] {
    copied = copy(fd_ref(in.reader.get()), null_writer{},
                  {.on_progress = [&](std::uintmax_t) { ++calls; }, .progress_interval = 5ms});
  });
  for (int i = 0; i != 1000 && calls < 4; ++i) std::this_thread::sleep_for(5ms);
  EXPECT_GE(calls, 4);
  in.writer.reset();
  copying.join();
  EXPECT_EQ(show(copied), "0");
}

TEST(copy_stop, before_it_has_begun) {
  std::stop_source stop;
  stop.request_stop();
  const auto data = support::pattern(100);
  support::chunked_reader from{data};
  support::recording_writer to;
  const auto copied = copy(from, to, {.stop = stop.get_token()});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::cancelled);
  EXPECT_EQ(copied.error().side, copy_side::none);
  EXPECT_EQ(from.calls + to.calls, 0U);
}

enum class idle { pipe, unix_socket, tcp, full_pipe, full_socket, relay_to_full_socket, relay_to_full_pipe };

class copy_stop_waiting : public testing::TestWithParam<idle> {};

// Blocking descriptors on both sides: whoever stops must not have to wait for a peer.
TEST_P(copy_stop_waiting, loses_nothing) {
  const idle which = GetParam();
  const bool fills = which >= idle::full_pipe;
  const bool relays = which == idle::relay_to_full_socket || which == idle::relay_to_full_pipe;
  const temporary_folder folder;
  const std::string text = some_text(fills ? 3'000'000 : 1000);
  two_ends in;
  two_ends out;
  std::optional<feeder> fed;
  if (which == idle::full_pipe || which == idle::full_socket) {
    in.reader = file_with(folder / "from", text);
  } else {
    in = which == idle::pipe || which == idle::relay_to_full_pipe ? make_pipe_ends()
         : which == idle::tcp                                     ? make_tcp_pair()
                                                                  : make_socket_pair();
    if (relays)
      fed.emplace(std::move(in.writer), text);
    else
      write_text(in.writer.get(), text);
  }
  if (fills)
    out = which == idle::full_pipe || which == idle::relay_to_full_pipe ? make_pipe_ends() : make_socket_pair();
  else
    out.writer = new_file(folder / "to");

  std::stop_source stop;
  std::expected<std::uintmax_t, copy_error> copied;
  std::jthread copying(
      [&] { copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.stop = stop.get_token()}); });
  std::this_thread::sleep_for(60ms);
  const auto asked = std::chrono::steady_clock::now();
  stop.request_stop();
  copying.join();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, 2s);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::cancelled);
  EXPECT_EQ(copied.error().side, copy_side::none);

  std::string received;
  if (fills) {
    out.writer.reset();
    received = everything(out.reader.get());
  } else {
    in.writer.reset();
    received = content_of(folder / "to");
  }
  EXPECT_EQ(received.size(), copied.error().bytes);
  EXPECT_TRUE(received + support::text(copied.error().unwritten) + everything(in.reader.get()) == text);
}

INSTANTIATE_TEST_SUITE_P(all, copy_stop_waiting,
                         testing::Values(idle::pipe, idle::unix_socket, idle::tcp, idle::full_pipe, idle::full_socket,
                                         idle::relay_to_full_socket, idle::relay_to_full_pipe));

TEST(copy_would_block, fails_with_an_account_and_goes_on) {
  two_ends in = make_socket_pair();
  two_ends out = make_pipe_ends(4096, O_NONBLOCK);
  ::fcntl(in.reader.get(), F_SETFL, O_NONBLOCK);
  const std::string text = some_text(100'000);
  write_text(in.writer.get(), text);
  std::string received;
  std::string pending;
  fd_ref from(in.reader.get());
  fd_ref to(out.writer.get());
  bool reader_blocked = false;
  bool writer_blocked = false;
  std::uintmax_t accepted = 0;
  for (int turn = 0; turn != 1000; ++turn) {
    char piece[10'000];
    const ssize_t n = ::read(out.reader.get(), piece, sizeof piece);
    if (n > 0) received.append(piece, static_cast<std::size_t>(n));
    // What an earlier copy has taken goes first.
    support::scripted_reader held;
    if (!pending.empty()) {
      span_reader first(pending);
      const auto copied = copy(first, to, {.on_would_block = would_block::fail});
      accepted += copied ? *copied : copied.error().bytes;
      pending = support::text(first.buffered());
      continue;
    }
    const auto copied = copy(from, to, {.on_would_block = would_block::fail});
    if (copied) {
      accepted += *copied;
      break;
    }
    EXPECT_EQ(copied.error().code, std::errc::operation_would_block);
    accepted += copied.error().bytes;
    pending = support::text(copied.error().unwritten);
    if (copied.error().side == copy_side::reader) {
      reader_blocked = true;
      in.writer.reset();
    } else {
      writer_blocked = true;
    }
  }
  out.writer.reset();
  received += everything(out.reader.get());
  EXPECT_TRUE(reader_blocked && writer_blocked);
  EXPECT_EQ(accepted, text.size());
  EXPECT_TRUE(received == text);
}

TEST(copy_error, is_an_error_code_for_those_who_want_no_more) {
  const auto stopped = [] { return copy(span_reader(as_bytes("abc")), failing_writer()); };
  EXPECT_EQ(stopped().error(), std::errc::no_space_on_device);
  copy_error torn;
  torn.code = io_errc::truncated;
  EXPECT_EQ(torn, io_errc::truncated);
  EXPECT_NE(stopped().error(), io_errc::truncated);
  const result<std::uintmax_t> plain = stopped();
  EXPECT_EQ(plain.error(), std::errc::no_space_on_device);
  const auto passed_on = [&]() -> result<std::string> {
    if (auto copied = stopped(); !copied) return fail(copied.error());
    return "";
  };
  EXPECT_EQ(passed_on().error(), std::errc::no_space_on_device);
}

TEST(copy_memory, of_the_caller_means_none_of_ours) {
  const temporary_folder folder;
  const std::string text = some_text(300'000);
  std::vector<std::byte> memory(4096);
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
    const handle from = file_with(folder / "from", text);
    const handle to = new_file(folder / "to");
    const copy_options options{.scratch = memory, .kernel = kernel};
    fd_ref in(from.get());
    fd_ref out(to.get());
    const support::allocations before;
    const auto copied = copy(in, out, options);
    const std::size_t made = before.count();
    EXPECT_EQ(show(copied), "300000");
    EXPECT_EQ(made, 0U);
    EXPECT_TRUE(content_of(folder / "to") == text);
  }
  two_ends in = make_pipe_ends();
  two_ends out = make_socket_pair();
  feeder fed(std::move(in.writer), text);
  collector received(out.reader.get());
  EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.scratch = memory})), "300000");
  out.writer.reset();
  EXPECT_TRUE(received.text() == text);
}

TEST(copy_memory, a_small_file_needs_none) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", "abc");
  const handle to = new_file(folder / "to");
  fd_ref in(from.get());
  fd_ref out(to.get());
  const support::allocations before;
  const auto copied = copy(in, out);
  EXPECT_EQ(before.count(), 0U);
  EXPECT_EQ(show(copied), "3");
}

TEST(copy_memory, the_size_of_the_buffer_is_the_size_of_the_requests) {
  const auto data = support::pattern(10'000);
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{100'000}}) {
    support::chunked_reader from{data};
    support::recording_writer to;
    EXPECT_EQ(show(copy(from, to, {.buffer_size = size})), "10000");
    EXPECT_EQ(std::ranges::max(from.requests), size);
    EXPECT_TRUE(support::equal(to.data, data));
  }
}

TEST(copy_report_of, a_failed_copy_counts_what_was_accepted) {
  const auto data = support::pattern(10'000);
  support::chunked_reader from{.data = data, .chunk = 100, .fail_at = 5};
  copy_report report;
  const auto copied = copy(from, null_writer{}, {.report = &report});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().bytes, 400U);
  EXPECT_EQ(sum_of(report), 400U);
  EXPECT_EQ(report[copy_path::scratch].calls, 4U);
  EXPECT_FALSE(report.reason.empty());
}

TEST(copy_report_of, a_path_that_gave_way_says_why) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", some_text(300'000));
  const handle to = new_file(folder / "to");
  const fault filtered({.call = "copy_file_range", .times = always, .error = EPERM});
  copy_report report;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), "300000");
  EXPECT_EQ(report[copy_path::copy_file_range].gave_way.value(), EPERM);
  EXPECT_GT(report[copy_path::sendfile].bytes, 0U);
}

TEST(copy_report_of, names) {
  EXPECT_EQ(name(copy_path::handoff), "handoff");
  EXPECT_EQ(name(copy_path::splice), "splice");
}

}  // namespace
}  // namespace sluice
