// SPDX-License-Identifier: BSL-1.0
//
// Drives a copier through epoll, and checks its accounts after every run.
//
//   driven_copier relay(wrapping::any_reader, in, out, options);   // of any types, behind one
//   driver d(in, out, text, {.feed = 700, .drain = 5000, .edge = true});
//   d.to_the_end(relay);                                           // or d.step(relay), a run at a time
//   EXPECT_TRUE(d.received() == text);
//
// The driver waits for exactly what the copier has named, and never longer than a watchdog allows. The peers on both
// sides only move when the copier waits for them: so a wrong name hangs, and is found out.
//
#ifndef SLUICE_TEST_COPIER_DRIVER_HPP
#define SLUICE_TEST_COPIER_DRIVER_HPP

#include <sluice/sluice.hpp>

#include "copier/channels.hpp"

#include <gtest/gtest.h>

#include <sys/epoll.h>

#include <chrono>
#include <functional>
#include <memory>

namespace sluice::test {

enum class wrapping : unsigned char {
  none,
  buf_reader,
  buf_writer,
  both_buffers,
  limit,
  any_reader,
  buffered_any_reader,
  any_writer,
  any_buf_writer
};

inline constexpr std::array all_wrappings{
    wrapping::none,       wrapping::buf_reader,          wrapping::buf_writer, wrapping::both_buffers,  wrapping::limit,
    wrapping::any_reader, wrapping::buffered_any_reader, wrapping::any_writer, wrapping::any_buf_writer};

inline void PrintTo(wrapping w, std::ostream* out) {
  constexpr std::array names{"none",       "buf_reader",          "buf_writer", "both_buffers",  "limit",
                             "any_reader", "buffered_any_reader", "any_writer", "any_buf_writer"};
  *out << names.at(static_cast<std::size_t>(w));
}

using run_result = std::expected<copy_step, copy_error>;

/// A copier between two wrapped descriptors, behind one type.
class driven_copier {
 public:
  driven_copier(wrapping w, const channel& in, const channel& out,
                const copy_options& options = {.flush = flush_policy::at_end})
      : from_(in.reader()), to_(out.writer()) {
    choose(w, options);
  }

  driven_copier(const driven_copier&) = delete;
  driven_copier& operator=(const driven_copier&) = delete;

  run_result run() { return run_(); }
  std::string release() { return support::text(release_()); }
  std::uintmax_t bytes() const { return bytes_(); }

  /// Read from the descriptor and still in the reader; written to the writer and not yet to the descriptor.
  std::uintmax_t read_ahead() const { return read_ahead_(); }
  std::uintmax_t pending() const { return pending_(); }

  result<std::size_t> read_on(std::span<std::byte> b) { return read_(b); }
  result<void> flush() { return flush_(); }

  /// Moves the copier into a new place.
  void move() { move_(); }

 private:
  void choose(wrapping w, const copy_options& options) {
    switch (w) {
      case wrapping::none: return adopt(from_, to_, options);
      case wrapping::buf_reader: return adopt(reading_, to_, options);
      case wrapping::buf_writer: return adopt(from_, writing_, options);
      case wrapping::both_buffers: return adopt(reading_, writing_, options);
      case wrapping::limit: return adopt(sluice::limit(from_, std::uintmax_t{1} << 40), to_, options);
      case wrapping::any_reader: return adopt(sluice::any_reader(from_), to_, options);
      case wrapping::buffered_any_reader: return adopt(sluice::any_reader(from_, room), to_, options);
      case wrapping::any_writer: return adopt(from_, sluice::any_writer(to_), options);
      case wrapping::any_buf_writer: return adopt(from_, sluice::any_writer(writing_), options);
    }
  }

  template <class R, class W>
  void adopt(R&& reader, W&& writer, const copy_options& options) {
    using type = copier<R, W>;
    const auto made = std::make_shared<std::unique_ptr<type>>(
        std::make_unique<type>(std::forward<R>(reader), std::forward<W>(writer), options));
    run_ = [made] { return (*made)->run(); };
    release_ = [made] { return (*made)->release(); };
    bytes_ = [made] { return (*made)->bytes(); };
    read_ahead_ = [made] { return sluice::kernel_endpoint((*made)->source()).value().buffered; };
    pending_ = [made] { return sluice::kernel_endpoint((*made)->destination()).value().buffered; };
    read_ = [made](std::span<std::byte> b) { return sluice::read_some((*made)->source(), b); };
    flush_ = [made]() -> result<void> {
      if constexpr (requires { sluice::flush((*made)->destination()); })
        return sluice::flush((*made)->destination());
      else
        return {};
    };
    move_ = [made] { *made = std::make_unique<type>(std::move(**made)); };
  }

  static constexpr std::size_t room = 3000;

  fd_ref from_;
  fd_ref to_;
  sluice::buf_reader<fd_ref&> reading_{from_, room};
  sluice::buf_writer<fd_ref&> writing_{to_, room};
  std::function<run_result()> run_;
  std::function<std::vector<std::byte>()> release_;
  std::function<std::uintmax_t()> bytes_;
  std::function<std::uintmax_t()> read_ahead_;
  std::function<std::uintmax_t()> pending_;
  std::function<result<std::size_t>(std::span<std::byte>)> read_;
  std::function<result<void>()> flush_;
  std::function<void()> move_;
};

/// Says whether one descriptor has become ready for one thing: level-triggered, it is asked for just that; edge-
/// triggered, both descriptors are registered once and every edge is remembered.
class readiness_loop {
 public:
  readiness_loop(bool edge, int reader, int writer) : edge_(edge), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (!edge) return;
    add(reader, EPOLLIN | EPOLLET);
    add(writer, EPOLLOUT | EPOLLET);
  }

  /// The copier has found that it is not ready.
  void not_ready(readiness what) { flag(what) = false; }

  bool ready(int fd, readiness what, int milliseconds) {
    if (!edge_) {
      add(fd, what == readiness::readable ? EPOLLIN : EPOLLOUT);
      epoll_event event{};
      const int n = ::epoll_wait(epoll_.get(), &event, 1, milliseconds);
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
      return n > 0;
    }
    collect(0);
    if (!flag(what)) collect(milliseconds);
    return flag(what);
  }

  void collect(int milliseconds) {
    if (!edge_) return;
    epoll_event events[2];
    const int n = ::epoll_wait(epoll_.get(), events, 2, milliseconds);
    for (int i = 0; i < n; ++i) {
      if ((events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) readable_ = true;
      if ((events[i].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) writable_ = true;
    }
  }

 private:
  bool& flag(readiness what) { return what == readiness::readable ? readable_ : writable_; }

  void add(int fd, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);  // refused for regular files, which are never waited for
  }

  bool edge_;
  handle epoll_;
  bool readable_ = false;
  bool writable_ = false;
};

struct pace {
  std::size_t feed = 5000;   // bytes that the source's peer sends at a time
  std::size_t drain = 5000;  // and the destination's peer receives
  bool edge = false;
};

class driver {
 public:
  driver(channel& in, channel& out, std::string_view text, pace p = {})
      : in_(in), out_(out), text_(text), pace_(p), loop_(p.edge, in.reader(), out.writer()) {
    if (in.kind() == medium::file) feed(text.size());
  }

  static constexpr auto watchdog = std::chrono::seconds(20);

  /// Forgets an error, so that the copier may be run again.
  copy_error forgive() {
    copy_error e = std::move(error_).value();
    error_.reset();
    return e;
  }

  /// One run, its accounts, and then the peers' turn until what the copier waits for is there. False once it is done
  /// or has failed.
  bool step(driven_copier& relay) {
    loop_.collect(0);
    const run_result answer = relay.run();
    ++runs_;
    if (!answer) {
      error_ = answer.error();
      return false;
    }
    check(relay, *answer);
    if (testing::Test::HasFailure()) return false;
    if (answer->done) {
      done_ = true;
      return false;
    }
    return await(*answer);
  }

  void to_the_end(driven_copier& relay) {
    while (step(relay)) {
    }
  }

  /// Lets the peers go on until the descriptor is ready.
  bool await(const copy_step& s) {
    const bool reads = s.wait_for == readiness::readable;
    EXPECT_NE(s.wait_for, readiness::none);
    EXPECT_EQ(s.fd, reads ? in_.reader() : out_.writer());
    EXPECT_NE(reads ? in_.kind() : out_.kind(), medium::file);
    if (testing::Test::HasFailure()) return false;
    loop_.not_ready(s.wait_for);
    const auto deadline = std::chrono::steady_clock::now() + watchdog;
    int patience = 0;
    while (!loop_.ready(s.fd, s.wait_for, patience)) {
      std::size_t moved = 0;
      if (reads) {
        moved = feed(pace_.feed);
      } else {
        const std::string piece = out_.take(pace_.drain);
        received_ += piece;
        moved = piece.size();
      }
      patience = moved != 0 ? 0 : 5;
      if (std::chrono::steady_clock::now() > deadline) {
        ADD_FAILURE() << "never " << (reads ? "readable" : "writable") << " after " << s.bytes << " bytes, sent "
                      << sent_ << ", received " << received_.size();
        return false;
      }
    }
    return true;
  }

  /// Sends up to `most` bytes, and closes behind the last.
  std::size_t feed(std::size_t most) {
    if (closed_) return 0;
    const std::size_t n = in_.offer(text_.substr(sent_, most));
    sent_ += n;
    if (sent_ == text_.size()) {
      in_.close_writer();
      closed_ = true;
      return n + 1;
    }
    return n;
  }

  /// What the copier has taken from the descriptor and holds itself.
  std::uintmax_t in_flight(const driven_copier& relay) const {
    return in_.taken() - relay.read_ahead() - relay.bytes();
  }

  /// After the copy: everything that the destination has got, the copier's writer flushed.
  const std::string& finish(driven_copier& relay) {
    for (auto flushed = relay.flush(); !flushed; flushed = relay.flush()) {
      if (flushed.error() != std::errc::operation_would_block) {
        ADD_FAILURE() << flushed.error().message();
        break;
      }
      received_ += out_.take(pace_.drain);
    }
    out_.close_writer();
    received_ += out_.rest();
    return received_;
  }

  /// What can still be read through the copier's reader.
  std::string readable_rest(driven_copier& relay) {
    std::string rest;
    std::byte piece[2000];
    const auto deadline = std::chrono::steady_clock::now() + watchdog;
    while (std::chrono::steady_clock::now() < deadline) {
      const auto n = relay.read_on(piece);
      if (n && *n == 0) break;
      if (n) rest += support::text(std::span(piece, *n));
      if (!n) feed(pace_.feed);
    }
    return rest;
  }

  bool done() const { return done_; }
  const std::optional<copy_error>& error() const { return error_; }
  std::size_t runs() const { return runs_; }
  std::size_t idle_runs() const { return idle_; }
  std::size_t sent() const { return sent_; }
  const std::string& received() const { return received_; }

 private:
  void check(driven_copier& relay, const copy_step& s) {
    const std::uintmax_t accepted = out_.accepted();
    const std::uintmax_t taken = in_.taken();
    EXPECT_EQ(s.bytes, relay.bytes());
    EXPECT_EQ(s.bytes, accepted + relay.pending());
    EXPECT_GE(taken, relay.read_ahead() + s.bytes);
    EXPECT_LE(taken, sent_);
    if (s.done) {
      EXPECT_EQ(s.bytes, text_.size());
      EXPECT_EQ(in_flight(relay), 0U);
    }
    const std::tuple now(s.bytes, accepted, taken, s.wait_for);
    if (now == last_ && !s.done) ++idle_;
    last_ = now;
  }

  channel& in_;
  channel& out_;
  std::string_view text_;
  pace pace_;
  readiness_loop loop_;
  std::string received_;
  std::size_t sent_ = 0;
  bool closed_ = false;
  bool done_ = false;
  std::optional<copy_error> error_;
  std::size_t runs_ = 0;
  std::size_t idle_ = 0;
  std::tuple<std::uintmax_t, std::uintmax_t, std::uintmax_t, readiness> last_{};
};

}  // namespace sluice::test

#endif
