// SPDX-License-Identifier: BSL-1.0
//
// A stop that another thread asks for: while the copy waits for either side, and while it moves bytes.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "threads/together.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sluice {
namespace {

using namespace test;

enum class place { pipe, socket, tcp };

void PrintTo(place p, std::ostream* out) {
  constexpr std::array names{"pipe", "socket", "tcp"};
  *out << names.at(static_cast<std::size_t>(p));
}

two_ends make(place p) {
  switch (p) {
    case place::pipe: return make_pipe_ends();
    case place::socket: return make_socket_pair();
    case place::tcp: break;
  }
  return make_tcp_pair();
}

class stopped_from_elsewhere : public testing::TestWithParam<std::tuple<place, place>> {};

// The peer sends some bytes and then nothing more, without closing.
TEST_P(stopped_from_elsewhere, while_the_source_is_silent) {
  const auto [source, target] = GetParam();
  for (const bool buffered : {false, true}) {
    two_ends in = make(source);
    two_ends out = make(target);
    write_text(in.writer.get(), "hello");
    std::stop_source stopping;
    std::jthread stopper([&] {
      char got[5];
      std::size_t n = 0;
      while (n != sizeof got) {
        const ssize_t more = ::read(out.reader.get(), got + n, sizeof got - n);
        if (more <= 0) break;
        n += static_cast<std::size_t>(more);
      }
      stopping.request_stop();
    });
    fd_ref from(in.reader.get());
    fd_ref to(out.writer.get());
    buf_writer writing(to);
    const copy_options options{.stop = stopping.get_token()};
    const auto copied = buffered ? copy(from, writing, options) : copy(from, to, options);
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, io_errc::cancelled);
    EXPECT_EQ(copied.error().side, copy_side::none);
    EXPECT_EQ(copied.error().bytes, 5U);
    EXPECT_TRUE(copied.error().unwritten.empty());
  }
}

// Nobody receives: the destination is full, and blocking.
TEST_P(stopped_from_elsewhere, while_the_destination_is_full) {
  const auto [source, target] = GetParam();
  const std::string text = some_text(8'000'000);
  two_ends in = make(source);
  two_ends out = make(target);
  // Another reference to the source, so that it can be read to its end afterwards.
  const handle rest_of(::dup(in.reader.get()));
  std::stop_source stopping;
  std::expected<std::uintmax_t, copy_error> copied;
  std::uintmax_t received = 0;
  {
    feeder fed(std::move(in.writer), text);
    std::jthread copying(
        [&] { copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.stop = stopping.get_token()}); });
    // Once the destination has had no room for a while, the copy waits for it.
    for (int quiet = 0; quiet < 5;) {
      pollfd room{.fd = out.writer.get(), .events = POLLOUT, .revents = 0};
      quiet = ::poll(&room, 1, 0) == 0 ? quiet + 1 : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    stopping.request_stop();
    copying.join();
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, io_errc::cancelled);
    EXPECT_EQ(copied.error().side, copy_side::none);
    out.writer.reset();
    const std::string got = everything(out.reader.get());
    received = got.size();
    EXPECT_EQ(copied.error().bytes, received);
    const std::string rest = support::text(copied.error().unwritten) + everything(rest_of.get());
    EXPECT_TRUE(got + rest == text);
  }
}

INSTANTIATE_TEST_SUITE_P(all, stopped_from_elsewhere,
                         testing::Combine(testing::Values(place::pipe, place::socket, place::tcp),
                                          testing::Values(place::pipe, place::socket, place::tcp)));

TEST(stopped_while_waiting, for_a_terminal) {
  std::optional<terminal> line;
  try {
    line.emplace();
  } catch (const std::exception&) {
    GTEST_SKIP() << "no pseudo-terminal to be had";
  }
  write_text(line->master.get(), "hello");
  std::stop_source stopping;
  std::atomic<std::uintmax_t> heard = 0;
  std::jthread stopper([&] {
    for (int i = 0; i != 2000 && heard != 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stopping.request_stop();
  });
  std::string got;
  string_writer to(got);
  const auto copied = copy(fd_ref(line->slave.get()), to,
                           {.on_progress = [&](std::uintmax_t n) { heard = n; },
                            .progress_interval = std::chrono::milliseconds(0),
                            .stop = stopping.get_token()});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::cancelled);
  EXPECT_EQ(copied.error().side, copy_side::none);
  EXPECT_EQ(got, "hello");
}

TEST(stopped_while_busy, a_copy_without_end) {
  EXPECT_TRUE(together(4, [](int i) {
    const handle zero(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
    const handle null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    std::stop_source stopping;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + i));
      stopping.request_stop();
    });
    fd_ref from(zero.get());
    fd_ref to(null.get());
    std::stop_token token = stopping.get_token();
    const auto copied = i % 2 == 0 ? copy(from, to, {.stop = token})
                                   : copy(repeat_reader(std::byte{7}), null_writer{}, {.stop = token});
    return !copied && copied.error().code == io_errc::cancelled && copied.error().side == copy_side::none;
  }));
}

// The token is asked for a stop at the very moments at which the copy begins, ends and goes.
TEST(stopped_while_busy, at_any_moment) {
  EXPECT_TRUE(together(4, [](int i) {
    const std::string text = some_text(20'000);
    for (int turn = 0; turn != 100; ++turn) {
      two_ends in = make_socket_pair();
      write_text(in.writer.get(), text);
      if (turn % 2 == 0) in.writer.reset();
      std::stop_source stopping;
      std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(turn * 10 + i));
        stopping.request_stop();
      });
      std::string got;
      string_writer to(got);
      const auto copied = copy(fd_ref(in.reader.get()), to, {.stop = stopping.get_token()});
      const std::uintmax_t bytes = copied ? *copied : copied.error().bytes;
      if (bytes != got.size() || !text.starts_with(got)) return false;
      if (!copied && copied.error().code != io_errc::cancelled) return false;
      if (copied && got != text) return false;
    }
    return true;
  }));
}

}  // namespace
}  // namespace sluice
