// SPDX-License-Identifier: BSL-1.0
//
// What arrives is passed on at once, whatever comes later or never: containerd/rust-extensions#79,
// uutils/coreutils#12188, golang/go#75304, golang/go#63795.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <tuple>

namespace sluice {
namespace {

using namespace test;
using namespace std::chrono_literals;

// Reads in a thread of its own, and lets another wait until so much has come.
class watched_reader {
 public:
  explicit watched_reader(int fd)
      : thread_([this, fd] {
          char piece[65'536];
          for (ssize_t n = 1; n > 0;) {
            n = ::read(fd, piece, sizeof piece);
            const std::lock_guard lock(mutex_);
            if (n > 0) text_.append(piece, static_cast<std::size_t>(n));
            ended_ = n <= 0;
            changed_.notify_all();
          }
        }) {}

  bool has(std::size_t size) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 20s, [&] { return text_.size() >= size || ended_; });
    return text_.size() >= size;
  }

  const std::string& text() {
    thread_.join();
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  bool ended_ = false;
  std::jthread thread_;
};

enum class end { pipe, unix_socket, tcp, terminal };
constexpr const char* kernels[] = {"automatic", "never", "aliasing"};
constexpr std::array end_names{"pipe", "unix_socket", "tcp", "terminal"};

class stalls : public testing::TestWithParam<std::tuple<end, end, kernel_policy>> {
 protected:
  static two_ends open_ends(end kind) {
    if (kind == end::terminal) {
      test::terminal pty;
      return {std::move(pty.slave), std::move(pty.master)};
    }
    return kind == end::pipe ? make_pipe_ends() : kind == end::tcp ? make_tcp_pair() : make_socket_pair();
  }
};

// The source is silent for as long as the receiver has not got what it gave. With much before, so that a kernel path is
// at work, and with little, so that a buffer could hold it back.
TEST_P(stalls, nothing_waits_for_what_comes_later) {
  const auto [from_kind, to_kind, kernel] = GetParam();
  for (const std::size_t first : {std::size_t{1}, std::size_t{2000}, std::size_t{150'000}}) {
    if (from_kind == end::terminal && first > 2000) continue;
    for (const bool buffered : {false, true}) {
      SCOPED_TRACE(std::to_string(first) + (buffered ? ", buffered" : ""));
      two_ends in = open_ends(from_kind);
      two_ends out = open_ends(to_kind);
      watched_reader receiver(out.reader.get());
      std::string text = some_text(first);
      std::expected<std::uintmax_t, copy_error> copied;
      const std::uintmax_t total = first + 20 * 5;
      std::jthread copying([&, policy = kernel] {
        fd_ref from(in.reader.get());
        fd_ref to(out.writer.get());
        buf_writer buffered_to(to, 8192);
        copied = buffered ? copy_n(buf_reader(from, 8192), buffered_to, total, {.kernel = policy})
                          : copy_n(from, to, total, {.kernel = policy});
      });
      write_text(in.writer.get(), text);
      EXPECT_TRUE(receiver.has(text.size()));
      for (int i = 0; i != 20; ++i) {
        write_text(in.writer.get(), "hello");
        text += "hello";
        EXPECT_TRUE(receiver.has(text.size()) || i == 19);
      }
      copying.join();
      EXPECT_EQ(show(copied), std::to_string(total));
      out.writer.reset();
      EXPECT_TRUE(receiver.text() == text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, stalls,
                         testing::Combine(testing::Values(end::pipe, end::unix_socket, end::tcp, end::terminal),
                                          testing::Values(end::pipe, end::unix_socket, end::tcp),
                                          testing::Values(kernel_policy::automatic, kernel_policy::never,
                                                          kernel_policy::aliasing)),
                         [](const auto& p) {
                           return std::string(end_names.at(static_cast<std::size_t>(std::get<0>(p.param)))) + "_to_" +
                                  end_names.at(static_cast<std::size_t>(std::get<1>(p.param))) + "_" +
                                  kernels[static_cast<std::size_t>(std::get<2>(p.param))];
                         });

// A full pipe is waited for, not asked again and again.
TEST(stalled_receiver, costs_no_calls) {
  const std::string text = some_text(500'000);
  for (const bool non_blocking : {false, true}) {
    two_ends in = make_tcp_pair();
    two_ends out = make_pipe_ends();
    if (non_blocking) ::fcntl(out.writer.get(), F_SETFL, O_WRONLY | O_NONBLOCK);
    feeder fed(std::move(in.writer), text);
    const call_counter calls;
    std::expected<std::uintmax_t, copy_error> copied;
    std::jthread copying([&] {
      copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()));
      out.writer.reset();
    });
    // Nobody reads for a while.
    ::poll(nullptr, 0, 50);
    std::size_t before = calls.total();
    for (int i = 0; i != 100; ++i) {
      ::poll(nullptr, 0, 20);
      const std::size_t now = calls.total();
      if (now == before) break;
      before = now;
    }
    ::poll(nullptr, 0, 100);
    EXPECT_LE(calls.total(), before + 10);
    EXPECT_TRUE(everything(out.reader.get()) == text);
    copying.join();
    EXPECT_EQ(show(copied), "500000");
  }
}

// A pipe may be full in places long before it is full in bytes.
TEST(tiny_segments, fill_no_pipe_for_good) {
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::aliasing}) {
    // Each byte in a place of its own, in a pipe with many more places than a private one has.
    two_ends in = make_pipe_ends(1 << 20, O_DIRECT);
    const std::string head = some_text(100'000);
    const std::string text = some_text(5000);
    std::jthread writing([&] {
      write_text(in.writer.get(), head);
      for (const char& c : text) write_text(in.writer.get(), std::string_view(&c, 1));
      in.writer.reset();
    });
    two_ends out = make_pipe_ends();
    collector received(out.reader.get());
    EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.kernel = kernel})), "105000");
    out.writer.reset();
    EXPECT_TRUE(received.text() == head + text);
  }
}

TEST(tiny_segments, of_a_connection_fill_no_pipe_for_good) {
  two_ends in = make_tcp_pair();
  two_ends out = make_tcp_pair();
  const int yes = 1;
  ::setsockopt(in.writer.get(), IPPROTO_TCP, 1 /* TCP_NODELAY */, &yes, sizeof yes);
  const std::string head = some_text(100'000);
  const std::string text = some_text(20'000);
  std::jthread writing([&] {
    write_text(in.writer.get(), head);
    for (const char& c : text) write_text(in.writer.get(), std::string_view(&c, 1));
    in.writer.reset();
  });
  std::jthread late;
  std::string got;
  late = std::jthread([&, fd = out.reader.get()] {
    ::poll(nullptr, 0, 50);  // so that segments gather
    got = everything(fd);
  });
  EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()))), "120000");
  out.writer.reset();
  late.join();
  EXPECT_TRUE(got == head + text);
}

}  // namespace
}  // namespace sluice
