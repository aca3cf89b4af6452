// SPDX-License-Identifier: BSL-1.0
//
// Two copiers over one pair of connections, in one epoll loop: a proxy. Each direction ends for itself, and its end is
// passed on while the other goes on (tokio-rs/tokio#3876); and a peer that waits for what a buffer holds gets it
// (tokio-rs/tokio PR#8424).
//
#include "copier/driver.hpp"

namespace sluice {
namespace {

using namespace test;

// A peer that sends a text, ends its direction and receives until the end of the other.
struct peer {
  int fd;
  std::string_view text;
  std::size_t may_send_after = 0;  // it has to receive so much first
  bool after_the_end = false;      // or the end of the other direction
  std::size_t sent = 0;
  bool closed = false;
  bool at_end = false;
  std::string received{};

  // Sends and receives a piece each; whether anything happened.
  bool move(std::size_t most) {
    bool moved = false;
    if (!closed && received.size() >= may_send_after && (at_end || !after_the_end)) {
      const auto piece = text.substr(sent, most);
      const ssize_t n = piece.empty() ? 0 : ::send(fd, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n > 0) sent += static_cast<std::size_t>(n);
      moved = n > 0;
      if (sent == text.size()) {
        ::shutdown(fd, SHUT_WR);
        closed = moved = true;
      }
    }
    char piece[6000];
    const ssize_t n = at_end ? -1 : ::recv(fd, piece, std::min(most, sizeof piece), MSG_DONTWAIT);
    if (n > 0) received.append(piece, static_cast<std::size_t>(n));
    if (n == 0) at_end = true;
    return moved || n >= 0;
  }
};

// One direction of the proxy.
struct direction {
  std::function<run_result()> run;
  int from;
  int to;
  copy_step last{};
  bool done = false;

  // Runs if what it waits for is there, or it has not been asked yet.
  void turn(const std::function<bool(int, readiness)>& is_ready) {
    if (done || (last.wait_for != readiness::none && !is_ready(last.fd, last.wait_for))) return;
    const run_result answer = run();
    ASSERT_TRUE(answer) << answer.error().code.message();
    last = *answer;
    if (!last.done) return;
    done = true;
    ASSERT_EQ(::shutdown(to, SHUT_WR), 0);
  }
};

class proxy_loop {
 public:
  proxy_loop(int near, int far) : epoll_(::epoll_create1(EPOLL_CLOEXEC)), fds_{near, far} {
    for (const int fd : fds_) control(EPOLL_CTL_ADD, fd, 0);
  }

  void run(direction& up, direction& down, peer& client, peer& server, std::size_t piece) {
    const auto deadline = std::chrono::steady_clock::now() + driver::watchdog;
    while (!(up.done && down.done && client.at_end && server.at_end)) {
      for (direction* d : {&up, &down}) {
        d->turn([this](int fd, readiness what) { return ready(fd, what); });
        if (testing::Test::HasFatalFailure()) return;
      }
      const bool client_moved = client.move(piece);
      const bool moved = server.move(piece) || client_moved;
      wait(up, down, moved ? 0 : 20);
      ASSERT_LT(std::chrono::steady_clock::now(), deadline)
          << "up " << up.last.bytes << (up.done ? " done" : "") << ", down " << down.last.bytes
          << (down.done ? " done" : "");
    }
  }

 private:
  void control(int what, int fd, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    ASSERT_EQ(::epoll_ctl(epoll_.get(), what, fd, &event), 0);
  }

  // Waits for exactly what both directions have named.
  void wait(const direction& up, const direction& down, int milliseconds) {
    for (const int fd : fds_) {
      std::uint32_t events = 0;
      for (const direction* d : {&up, &down}) {
        if (!d->done && d->last.fd == fd) events |= d->last.wait_for == readiness::readable ? EPOLLIN : EPOLLOUT;
      }
      control(EPOLL_CTL_MOD, fd, events);
    }
    seen_ = {};
    epoll_event events[2];
    const int n = ::epoll_wait(epoll_.get(), events, 2, milliseconds);
    for (int i = 0; i < n; ++i) seen_.at(events[i].data.fd == fds_[0] ? 0 : 1) = events[i].events;
  }

  bool ready(int fd, readiness what) const {
    const std::uint32_t events = seen_.at(fd == fds_[0] ? 0 : 1);
    return (events & (EPOLLERR | EPOLLHUP | (what == readiness::readable ? EPOLLIN : EPOLLOUT))) != 0;
  }

  handle epoll_;
  std::array<int, 2> fds_;
  std::array<std::uint32_t, 2> seen_{};
};

enum class talk : unsigned char { both_at_once, client_first, server_first, one_is_silent };

void PrintTo(talk t, std::ostream* out) {
  constexpr std::array names{"both_at_once", "client_first", "server_first", "one_is_silent"};
  *out << names.at(static_cast<std::size_t>(t));
}

class copier_proxy : public testing::TestWithParam<std::tuple<medium, medium, bool, talk, std::size_t>> {};

TEST_P(copier_proxy, both_directions_end_for_themselves) {
  const auto [near_kind, far_kind, buffered, order, piece] = GetParam();
  channel left(near_kind);  // left.reader() is the proxy's, left.writer() the client's
  channel right(far_kind);  // right.writer() is the proxy's, right.reader() the server's
  const std::string request = order == talk::one_is_silent ? "" : some_text(70'000, 1);
  const std::string response = some_text(90'000, 2);
  peer client{.fd = left.writer(), .text = request, .after_the_end = order == talk::server_first};
  peer server{.fd = right.reader(), .text = response, .after_the_end = order == talk::client_first};
  fd_ref near(left.reader());
  fd_ref far(right.writer());
  const copy_options options{.flush = flush_policy::at_end};
  buf_reader near_in(near, 3000);
  buf_reader far_in(far, 3000);
  buf_writer near_out(near, 3000);
  buf_writer far_out(far, 3000);
  copier up(near, far, options);
  copier down(far, near, options);
  copier buffered_up(near_in, far_out, options);
  copier buffered_down(far_in, near_out, options);
  const bool b = buffered;
  direction upwards{.run = [&] { return b ? buffered_up.run() : up.run(); }, .from = near.fd(), .to = far.fd()};
  direction downwards{.run = [&] { return b ? buffered_down.run() : down.run(); }, .from = far.fd(), .to = near.fd()};
  proxy_loop(near.fd(), far.fd()).run(upwards, downwards, client, server, piece);
  EXPECT_TRUE(server.received == request);
  EXPECT_TRUE(client.received == response);
  EXPECT_TRUE(client.at_end && server.at_end);
}

INSTANTIATE_TEST_SUITE_P(all, copier_proxy,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp),
                                          testing::Values(medium::unix_socket, medium::tcp), testing::Bool(),
                                          testing::Values(talk::both_at_once, talk::client_first, talk::server_first,
                                                          talk::one_is_silent),
                                          testing::Values(std::size_t{1000}, std::size_t{100'000})));

// A byte in a buffered writer goes out before the copier says that it waits for the source.
class copier_with_a_held_byte : public testing::TestWithParam<std::tuple<medium, medium, wrapping, bool>> {};

TEST_P(copier_with_a_held_byte, the_echo_is_not_waited_for_in_vain) {
  const auto [source, target, wrapped, at_end] = GetParam();
  channel in(source);
  channel out(target);
  driven_copier relay(wrapped, in, out, {.flush = at_end ? flush_policy::at_end : flush_policy::as_needed});
  for (int i = 0; i != 5; ++i) {
    const char ping = static_cast<char>('a' + i);
    ASSERT_EQ(in.offer({&ping, 1}), 1U);
    pollfd arrived{.fd = in.reader(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&arrived, 1, 10'000), 1);
    const run_result answer = relay.run();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->bytes, static_cast<std::uintmax_t>(i) + 1);
    EXPECT_EQ(answer->wait_for, readiness::readable);
    EXPECT_EQ(answer->fd, in.reader());
    EXPECT_EQ(relay.pending(), 0U);
    arrived.fd = out.reader();
    ASSERT_EQ(::poll(&arrived, 1, 10'000), 1) << "held back";
    EXPECT_EQ(out.take(10), std::string(1, ping));
  }
}

// The source is named where it has nothing, and its end is found, though the destination is full as well.
TEST(copier_with_a_held_byte_of, a_pipe_to_a_full_pipe) {
  for (const bool to_the_end : {false, true}) {
    channel in(medium::pipe);
    channel out(medium::pipe);
    driven_copier relay(wrapping::none, in, out);
    run_result answer;
    for (const std::string_view piece : {"a", "b"}) {
      ASSERT_EQ(in.offer(piece), 1U);
      answer = relay.run();
      ASSERT_TRUE(answer);
    }
    // One byte fills a pipe of one page for splice(2).
    EXPECT_EQ(answer->bytes, 1U);
    EXPECT_EQ(answer->wait_for, readiness::writable);
    EXPECT_EQ(out.take(10), "a");
    answer = relay.run();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->bytes, 2U);
    EXPECT_EQ(answer->wait_for, readiness::readable);
    EXPECT_EQ(answer->fd, in.reader());
    if (!to_the_end) continue;
    in.close_writer();
    answer = relay.run();
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->done);
    EXPECT_EQ(out.take(10), "b");
  }
}

// Asked not to flush, it does not.
TEST(copier_with_a_held_byte_of, a_writer_that_is_not_to_be_flushed) {
  channel in(medium::unix_socket);
  channel out(medium::unix_socket);
  driven_copier relay(wrapping::buf_writer, in, out, {.flush = flush_policy::never});
  ASSERT_EQ(in.offer("a"), 1U);
  const run_result answer = relay.run();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->wait_for, readiness::readable);
  EXPECT_EQ(answer->bytes, 1U);
  EXPECT_EQ(relay.pending(), 1U);
  EXPECT_EQ(out.waiting(), 0U);
}

INSTANTIATE_TEST_SUITE_P(all, copier_with_a_held_byte,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(wrapping::none, wrapping::buf_writer, wrapping::both_buffers,
                                                          wrapping::any_buf_writer),
                                          testing::Bool()));

}  // namespace
}  // namespace sluice
