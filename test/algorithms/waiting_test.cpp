// SPDX-License-Identifier: BSL-1.0
//
// Algorithms that wait: without options for as long as it takes, with a stop token or a deadline until then; and that
// tell exactly how far they came.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sluice {
namespace {

using namespace test;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

enum class place { pipe, unix_socket, tcp, terminal };

void PrintTo(place p, std::ostream* out) {
  constexpr std::array names{"pipe", "unix_socket", "tcp", "terminal"};
  *out << names.at(static_cast<std::size_t>(p));
}

// Both ends of a channel, each as the library sees it.
struct channel {
  two_ends ends;

  channel(place p, bool blocking) {
    switch (p) {
      case place::pipe: ends = make_pipe_ends(); break;
      case place::unix_socket: ends = make_socket_pair(); break;
      case place::tcp: ends = make_tcp_pair(); break;
      case place::terminal: {
        terminal line;
        ends = {std::move(line.slave), std::move(line.master)};
      }
    }
    if (!blocking) {
      for (const int fd : {ends.reader.get(), ends.writer.get()})
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
  }

  fd_ref from() const { return fd_ref(ends.reader.get()); }
  fd_ref to() const { return fd_ref(ends.writer.get()); }
};

class waiting : public testing::TestWithParam<std::tuple<place, bool>> {
 protected:
  channel make() const { return channel(std::get<0>(GetParam()), std::get<1>(GetParam())); }
  bool blocking() const { return std::get<1>(GetParam()); }
  bool is_terminal() const { return std::get<0>(GetParam()) == place::terminal; }
};

// No pipe and no connection holds as much as this.
std::string_view more_than_fits() {
  static const std::string text = some_text(16'000'000);
  return text;
}

wait_options soon() { return {.deadline = clock::now() + 10ms}; }

// Each algorithm that reads, to its end by the options; five bytes have come.
template <class Check>
void with_each_reading_algorithm(Check check) {
  check([](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
    std::byte out[10];
    const auto n = sluice::read(c.from(), out, options);
    return n ? std::expected<void, transfer_error>() : std::unexpected(n.error());
  });
  check([](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
    std::byte out[10];
    return read_exactly(c.from(), out, options);
  });
  check([](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
    const auto all = read_all(c.from(), unbounded, options);
    return all ? std::expected<void, transfer_error>() : fail(all.error(), all.error().arrived.size());
  });
  check([](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
    const auto all = read_to_string(buf_reader(c.from()), unbounded, options);
    return all ? std::expected<void, transfer_error>() : fail(all.error(), all.error().arrived.size());
  });
  check([](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
    std::string out;
    const auto n = read_until(buf_reader(c.from()), std::byte{'\n'}, out, 1000, options);
    return n ? std::expected<void, transfer_error>() : std::unexpected(n.error());
  });
  for (const std::uintmax_t n : {std::uintmax_t{1000}, std::uintmax_t{1'000'000}}) {
    check([n](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
      const auto passed = sluice::skip(c.from(), n, options);
      return passed ? std::expected<void, transfer_error>() : std::unexpected(passed.error());
    });
  }
  check([](const channel& c, const wait_options& options) -> std::expected<void, transfer_error> {
    const auto copied = copy(c.from(), null_writer(), {.stop = options.stop, .deadline = options.deadline});
    if (copied) return {};
    EXPECT_EQ(copied.error().side, copy_side::none);
    return fail(copied.error().code, copied.error().bytes);
  });
}

TEST_P(waiting, for_a_silent_source_ends_at_the_deadline) {
  with_each_reading_algorithm([&](auto run) {
    const channel c = make();
    write_text(c.ends.writer.get(), "hello");
    const auto end = run(c, soon());
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error(), std::errc::timed_out);
    EXPECT_EQ(end.error().bytes, 5U);
  });
}

// Its rate lets nothing pass by the time that the deadline is there, or else the channel is full by then.
TEST_P(waiting, to_write_through_a_throttle_ends_at_the_deadline) {
  for (const std::uint64_t rate : {std::uint64_t{100}, std::uint64_t{1'000'000'000}}) {
    channel c = make();
    auto w = throttle(c.to(), rate, 10);
    const auto end = write_all(w, more_than_fits(), {.deadline = clock::now() + 60ms});
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error(), std::errc::timed_out);
    if (is_terminal()) continue;
    c.ends.writer.reset();
    EXPECT_EQ(read_all(c.from()).value().size(), end.error().bytes);
  }
}

TEST_P(waiting, for_a_silent_source_ends_with_a_stop) {
  with_each_reading_algorithm([&](auto run) {
    const channel c = make();
    write_text(c.ends.writer.get(), "hello");
    std::stop_source stopping;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(10ms);
      stopping.request_stop();
    });
    const auto end = run(c, {.stop = stopping.get_token()});
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error(), io_errc::cancelled);
    EXPECT_EQ(end.error().bytes, 5U);
  });
}

TEST_P(waiting, that_has_ended_before_it_began_moves_nothing) {
  std::stop_source stopping;
  stopping.request_stop();
  for (const wait_options& options :
       {wait_options{.stop = stopping.get_token()}, wait_options{.deadline = clock::time_point::min()},
        wait_options{.deadline = clock::now()}}) {
    const channel c = make();
    write_text(c.ends.writer.get(), "hello");
    std::byte out[5];
    const auto end = read_exactly(c.from(), out, options);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().bytes, 0U);
    EXPECT_EQ(write_all(c.to(), "abc", options).error().bytes, 0U);
    EXPECT_TRUE(read_exactly(c.from(), out, {.deadline = clock::now() + 1min}));
    EXPECT_EQ(support::text(out), "hello");
  }
}

TEST_P(waiting, that_is_not_wanted_says_so) {
  if (blocking()) return;
  const channel c = make();
  write_text(c.ends.writer.get(), "hello");
  std::byte out[10];
  const auto end = sluice::read(c.from(), out, {.on_would_block = would_block::fail});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error(), std::errc::operation_would_block);
  EXPECT_EQ(end.error().bytes, 5U);
  EXPECT_EQ(sluice::skip(c.from(), 1'000'000, {.on_would_block = would_block::fail}).error(),
            std::errc::operation_would_block);
  const auto written = write_all(c.to(), more_than_fits(), {.on_would_block = would_block::fail});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), std::errc::operation_would_block);
  EXPECT_GT(written.error().bytes, 0U);
}

// What was sent so far, without waiting for more.
std::string received(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  std::string all;
  char piece[65536];
  for (;;) {
    const ssize_t n = ::read(fd, piece, sizeof piece);
    if (n > 0) {
      all.append(piece, static_cast<std::size_t>(n));
      continue;
    }
    // TCP on the loopback may need a moment for what is on its way.
    pollfd more{.fd = fd, .events = POLLIN, .revents = 0};
    if (n == 0 || ::poll(&more, 1, 50) <= 0 || (more.revents & POLLIN) == 0) return all;
  }
}

TEST_P(waiting, for_a_full_destination_ends_at_the_deadline) {
  const std::string_view text = more_than_fits();
  for (const bool in_pieces : {false, true}) {
    const channel c = make();
    const std::span whole = as_bytes(text);
    const const_buffer pieces[]{whole.first(10), whole.subspan(10, 0), whole.subspan(10, 5000), whole.subspan(5010)};
    const auto end = in_pieces ? write_all(c.to(), pieces, soon()) : write_all(c.to(), text, soon());
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error(), std::errc::timed_out);
    if (is_terminal()) continue;  // the line may drop what nobody reads
    const std::string got = received(c.ends.reader.get());
    EXPECT_EQ(end.error().bytes, got.size());
    EXPECT_TRUE(text.starts_with(got));
  }
}

TEST_P(waiting, for_a_full_destination_ends_with_a_stop) {
  if (is_terminal()) return;
  const std::string_view text = more_than_fits();
  const channel c = make();
  std::stop_source stopping;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    stopping.request_stop();
  });
  const auto end = write_all(c.to(), text, {.stop = stopping.get_token()});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error(), io_errc::cancelled);
  EXPECT_EQ(end.error().bytes, received(c.ends.reader.get()).size());
}

TEST_P(waiting, copy_ends_at_the_deadline_and_loses_nothing) {
  if (is_terminal()) return;
  const std::string_view text = more_than_fits();
  const channel c = make();
  span_reader from{text};
  const auto copied = copy(from, c.to(), {.deadline = clock::now() + 20ms});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, std::errc::timed_out);
  EXPECT_EQ(copied.error().side, copy_side::none);
  EXPECT_EQ(copied.error().bytes, received(c.ends.reader.get()).size());
  EXPECT_EQ(copied.error().bytes + copied.error().unwritten.size() + from.remaining(), text.size());
}

TEST_P(waiting, without_options_takes_as_long_as_the_peer_does) {
  if (is_terminal()) return;
  const std::string text = some_text(600'000);
  channel c = make();
  {
    std::jthread peer([&] {
      for (std::string_view left = text; !left.empty();
           left.remove_prefix(std::min<std::size_t>(left.size(), 150'000))) {
        EXPECT_TRUE(write_all(c.to(), left.substr(0, 150'000)));
        std::this_thread::sleep_for(1ms);
      }
      c.ends.writer.reset();
    });
    std::string first(10'000, '\0');
    EXPECT_TRUE(read_exactly(c.from(), std::as_writable_bytes(std::span(first))));
    EXPECT_EQ(sluice::skip(c.from(), 200'000).value(), 200'000U);
    const auto rest = read_to_string(c.from());
    EXPECT_TRUE(rest && *rest == text.substr(210'000));
  }
}

TEST_P(waiting, with_a_far_deadline_changes_nothing) {
  if (is_terminal()) return;
  const std::string text = some_text(600'000);
  channel c = make();
  const wait_options options{.deadline = clock::now() + 5min};
  std::jthread peer([&] {
    const std::span whole = as_bytes(text);
    const const_buffer pieces[]{whole.first(10), whole.subspan(10, 200'000), whole.subspan(200'010)};
    EXPECT_TRUE(write_all(c.to(), pieces, options));
    c.ends.writer.reset();
  });
  const auto all = read_to_string(c.from(), unbounded, options);
  EXPECT_TRUE(all && *all == text);
}

INSTANTIATE_TEST_SUITE_P(all, waiting,
                         testing::Combine(testing::Values(place::pipe, place::unix_socket, place::tcp, place::terminal),
                                          testing::Bool()));

TEST(waiting_copier, ends_at_the_deadline_and_keeps_what_is_in_flight) {
  const two_ends in = make_pipe_ends(0, O_NONBLOCK);
  write_text(in.writer.get(), "hello");
  copier relay{fd_ref(in.reader.get()), null_writer(), {.deadline = clock::now() + 5ms}};
  EXPECT_EQ(relay.run().value().bytes, 5U);
  std::this_thread::sleep_for(10ms);
  const auto late = relay.run();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, std::errc::timed_out);
  EXPECT_EQ(late.error().side, copy_side::none);
  EXPECT_EQ(late.error().bytes, 5U);
}

TEST(waiting_for_nobody, of_a_stream_without_a_descriptor_is_an_error) {
  support::scripted_reader r{.steps = {support::step::data("abc"), support::step::would_block()}};
  std::byte out[8];
  const auto n = sluice::read(r, out);
  EXPECT_EQ(n.error(), std::errc::operation_would_block);
  EXPECT_EQ(n.error().bytes, 3U);
}

TEST(waiting_for_a_poll, that_fails_is_its_error) {
  const two_ends in = make_pipe_ends(0, O_NONBLOCK);
  write_text(in.writer.get(), "hello");
  const fault broken({.call = "poll", .error = ENOMEM});
  std::byte out[8];
  const auto n = sluice::read(fd_ref(in.reader.get()), out);
  EXPECT_EQ(n.error(), std::errc::not_enough_memory);
  EXPECT_EQ(n.error().bytes, 5U);
}

// A kernel that cannot write without waiting: small pieces, each once there is room.
TEST(waiting_for_room, without_a_way_to_write_at_once_sends_small_pieces) {
  const std::string text = some_text(500'000);
  const two_ends out = make_pipe_ends();
  const fault refused({.call = "pwritev2", .times = always, .error = EOPNOTSUPP});
  const auto end = write_all(fd_ref(out.writer.get()), text, soon());
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error(), std::errc::timed_out);
  EXPECT_EQ(end.error().bytes, received(out.reader.get()).size());
}

}  // namespace
}  // namespace sluice
