// SPDX-License-Identifier: BSL-1.0
//
// A copy as an object, driven by poll(2) over sockets that take little at a time.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/signals.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

two_ends tiny_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
    throw std::runtime_error("socketpair");
  const int size = 1;  // the kernel rounds it up to a few kilobytes
  for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return {handle(ends[0]), handle(ends[1])};
}

// Sends what fits; the count.
std::size_t offer(int fd, std::string_view text) {
  const ssize_t n = ::send(fd, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

// Takes what there is, `most` bytes at a time.
std::string take(int fd, std::size_t most) {
  std::string piece(most, '\0');
  const ssize_t n = ::recv(fd, piece.data(), piece.size(), MSG_DONTWAIT);
  piece.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return piece;
}

struct copier_relay : testing::TestWithParam<std::tuple<bool, bool, std::size_t>> {};

TEST_P(copier_relay, nothing_is_lost_or_twice) {
  const auto [buffered_in, buffered_out, piece] = GetParam();
  two_ends in = tiny_pair();
  two_ends out = tiny_pair();
  const std::string text = some_text(200'000);
  fd_ref from(in.reader.get());
  fd_ref to(out.writer.get());
  buf_reader reading(from, 3000);
  buf_writer writing(to, 3000);
  const auto drive = [&](auto& source, auto& target) {
    copier relay(source, target, copy_options{.flush = flush_policy::at_end});
    std::size_t sent = 0;
    std::string received;
    std::uintmax_t last = 0;
    for (int turn = 0; turn != 1'000'000; ++turn) {
      if (sent != text.size()) {
        sent += offer(in.writer.get(), std::string_view(text).substr(sent, piece));
        if (sent == text.size()) in.writer.reset();
      }
      const auto step = relay.run();
      ASSERT_TRUE(step) << step.error().code.message();
      ASSERT_GE(step->bytes, last);
      ASSERT_LE(step->bytes, sent);
      ASSERT_GE(step->bytes, received.size());
      last = step->bytes;
      received += take(out.reader.get(), piece * 2);
      if (step->done) break;
      ASSERT_NE(step->wait_for, readiness::none);
      ASSERT_EQ(step->fd, step->wait_for == readiness::readable ? in.reader.get() : out.writer.get());
    }
    EXPECT_EQ(relay.bytes(), text.size());
    EXPECT_TRUE(relay.release().empty());
    out.writer.reset();
    received += everything(out.reader.get());
    EXPECT_TRUE(received == text);
  };
  if (buffered_in && buffered_out)
    drive(reading, writing);
  else if (buffered_in)
    drive(reading, to);
  else if (buffered_out)
    drive(from, writing);
  else
    drive(from, to);
}

INSTANTIATE_TEST_SUITE_P(all, copier_relay,
                         testing::Combine(testing::Bool(), testing::Bool(),
                                          testing::Values(std::size_t{500}, std::size_t{5000}, std::size_t{100'000})));

// At every stop: accepted + released + still readable is what was sent.
TEST(copier, gives_up_what_it_holds) {
  for (std::size_t stop = 0; stop != 12; ++stop) {
    two_ends in = make_socket_pair();
    two_ends out = tiny_pair();
    ::fcntl(in.reader.get(), F_SETFL, O_NONBLOCK);
    const std::string text = some_text(150'000);
    write_text(in.writer.get(), text);
    in.writer.reset();
    copier relay(fd_ref(in.reader.get()), fd_ref(out.writer.get()));
    std::string received;
    for (std::size_t i = 0; i <= stop; ++i) {
      const auto step = relay.run();
      ASSERT_TRUE(step);
      ASSERT_FALSE(step->done);
      received += take(out.reader.get(), 10'000);
    }
    const std::uintmax_t accepted = relay.bytes();
    const std::string held = support::text(relay.release());
    EXPECT_TRUE(relay.release().empty());
    const std::string rest = everything(in.reader.get());
    EXPECT_EQ(accepted + held.size() + rest.size(), text.size());
    out.writer.reset();
    received += everything(out.reader.get());
    EXPECT_EQ(received.size(), accepted);
    EXPECT_TRUE(received + held + rest == text);
  }
}

// The peer goes away while a private pipe is full: an error, no signal, and nothing lost.
TEST(copier, a_peer_that_goes_away_between_two_runs) {
  const default_sigpipe deadly;
  for (const bool to_pipe : {false, true}) {
    for (const int runs : {1, 2, 4}) {
      two_ends in = make_socket_pair();
      two_ends out = to_pipe ? make_pipe_ends(4096, O_NONBLOCK) : tiny_pair();
      const std::string text = some_text(150'000);
      write_text(in.writer.get(), text);
      in.writer.reset();
      copier relay(fd_ref(in.reader.get()), fd_ref(out.writer.get()));
      std::size_t received = 0;
      for (int i = 0; i != runs; ++i) {
        const auto step = relay.run();
        ASSERT_TRUE(step);
        ASSERT_FALSE(step->done);
        char piece[6000];
        const ssize_t n = ::read(out.reader.get(), piece, sizeof piece);
        if (n > 0 && i + 1 != runs) received += static_cast<std::size_t>(n);
      }
      out.reader.reset();
      const auto broken = relay.run();
      ASSERT_FALSE(broken);
      EXPECT_EQ(broken.error().code, std::errc::broken_pipe);
      EXPECT_EQ(broken.error().side, copy_side::writer);
      EXPECT_TRUE(broken.error().unwritten.empty());
      const std::uintmax_t accepted = relay.bytes();
      EXPECT_EQ(broken.error().bytes, accepted);
      EXPECT_GE(accepted, received);
      const std::string held = support::text(relay.release());
      EXPECT_TRUE(held + everything(in.reader.get()) == text.substr(accepted));
    }
  }
}

TEST(copier, both_directions_with_half_close) {
  two_ends left = tiny_pair();   // left.reader is the client's
  two_ends right = tiny_pair();  // right.reader is the server's
  const std::string request = some_text(60'000, 1);
  const std::string response = some_text(90'000, 2);
  fd_ref near(left.writer.get());
  fd_ref far(right.writer.get());
  copier up(near, far);
  copier down(far, near);
  std::string at_server;
  std::string at_client;
  std::size_t sent = 0;
  std::size_t answered = 0;
  bool up_done = false;
  bool down_done = false;
  for (int turn = 0; turn != 1'000'000 && !(up_done && down_done); ++turn) {
    if (sent != request.size() &&
        (sent += offer(left.reader.get(), std::string_view(request).substr(sent))) == request.size())
      ::shutdown(left.reader.get(), SHUT_WR);
    if (!up_done) {
      const auto step = up.run();
      ASSERT_TRUE(step);
      if ((up_done = step->done)) ::shutdown(right.writer.get(), SHUT_WR);
    }
    at_server += take(right.reader.get(), 4000);
    // The server answers once it has seen the end of the request.
    if (up_done && at_server.size() == request.size() && answered != response.size()) {
      answered += offer(right.reader.get(), std::string_view(response).substr(answered));
      if (answered == response.size()) ::shutdown(right.reader.get(), SHUT_WR);
    }
    if (!down_done) {
      const auto step = down.run();
      ASSERT_TRUE(step);
      down_done = step->done;
    }
    at_client += take(left.reader.get(), 4000);
  }
  ::shutdown(left.writer.get(), SHUT_WR);
  at_client += everything(left.reader.get());
  EXPECT_TRUE(up_done && down_done);
  EXPECT_TRUE(at_server == request);
  EXPECT_TRUE(at_client == response);
}

TEST(copier, stops_at_its_bound_and_stays_done) {
  const auto data = support::pattern(1000);
  support::chunked_reader from{.data = data, .chunk = 7};
  support::recording_writer to;
  copier part(from, to, 100, copy_options{});
  for (int i = 0; i != 2; ++i) {
    const auto step = part.run();
    ASSERT_TRUE(step);
    EXPECT_TRUE(step->done);
    EXPECT_EQ(step->bytes, 100U);
  }
  EXPECT_EQ(from.data.size(), 900U);
}

TEST(copier, can_be_moved_with_what_it_holds) {
  two_ends in = make_socket_pair();
  two_ends out = tiny_pair();
  const std::string text = some_text(100'000);
  write_text(in.writer.get(), text);
  in.writer.reset();
  copier first(fd_ref(in.reader.get()), fd_ref(out.writer.get()));
  ASSERT_TRUE(first.run());
  copier second = std::move(first);
  std::string received;
  for (;;) {
    received += take(out.reader.get(), 100'000);
    const auto step = second.run();
    ASSERT_TRUE(step);
    if (step->done) break;
  }
  received += take(out.reader.get(), 100'000);
  EXPECT_TRUE(received == text);
}

}  // namespace
}  // namespace sluice
