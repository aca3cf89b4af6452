// SPDX-License-Identifier: BSL-1.0
//
// Streams that are within their rights and still surprise: wrappers that go from one descriptor to another, that hide a
// window, that throw in the middle, that take only messages.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <thread>

namespace sluice {
namespace {

using namespace test;

// One descriptor after the other, as a chain has them. Gives up where a copy would never end.
struct parts {
  std::vector<fd_ref> all;
  std::size_t current = 0;
  std::uintmax_t patience = 20'000'000;

  result<std::size_t> read_some(std::span<std::byte> b) {
    for (;;) {
      auto n = all.at(current).read_some(b);
      if (n && *n != 0) {
        if (*n > patience) return fail(std::make_error_code(std::errc::timed_out));
        patience -= *n;
      }
      if (!n || *n != 0 || current + 1 == all.size()) return n;
      ++current;
    }
  }
  auto kernel_endpoint() { return all.at(current).kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t) {}
};

handle appending(const std::string& path) { return handle(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)); }

TEST(unusual_streams, a_part_that_is_the_destination_is_refused) {
  const temporary_folder folder;
  for (const std::size_t first : {std::size_t{10}, std::size_t{200'000}}) {
    const std::string text = some_text(first);
    const std::string old = some_text(100'000, 5);
    const handle small = file_with(folder / "first", text);
    const handle from = file_with(folder / "to", old);
    const handle to = appending(folder / "to");
    const auto copied = copy(parts{{fd_ref(small.get()), fd_ref(from.get())}}, fd_ref(to.get()));
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, io_errc::same_file);
    EXPECT_EQ(copied.error().side, copy_side::writer);
    const std::string arrived = content_of(folder / "to");
    EXPECT_TRUE(arrived.starts_with(old + text.substr(0, std::min(first, copied.error().bytes))));
    EXPECT_EQ(arrived.size(), old.size() + copied.error().bytes);
  }
}

// The second part has the number of the first.
TEST(unusual_streams, a_part_under_the_same_number_is_another_file) {
  struct reopened {
    fd_ref now;
    std::string next;
    bool at_second = false;
    std::uintmax_t patience = 20'000'000;

    result<std::size_t> read_some(std::span<std::byte> b) {
      auto n = now.read_some(b);
      if (n && *n == 0 && !std::exchange(at_second, true)) {
        const handle other(::open(next.c_str(), O_RDONLY | O_CLOEXEC));
        ::dup2(other.get(), now.fd());
        now = fd_ref(now.fd());
        n = now.read_some(b);
      }
      if (n && (patience -= *n) > 20'000'000) return fail(std::make_error_code(std::errc::timed_out));
      return n;
    }
    auto kernel_endpoint() { return now.kernel_endpoint(); }
    void kernel_advanced(std::uintmax_t) {}
  };
  const temporary_folder folder;
  const handle from = file_with(folder / "first", some_text(200'000));
  file_with(folder / "to", some_text(100'000, 5));
  const handle to = appending(folder / "to");
  const auto copied = copy(reopened{fd_ref(from.get()), folder / "to"}, fd_ref(to.get()));
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::same_file);
}

// A window that nobody sees does not hide that both are one file.
TEST(unusual_streams, a_hidden_window_onto_the_destination) {
  struct hiding {
    buf_reader<fd_ref> inner;
    std::uintmax_t patience = 20'000'000;

    result<std::size_t> read_some(std::span<std::byte> b) {
      if (patience < b.size()) return fail(std::make_error_code(std::errc::timed_out));
      patience -= b.size();
      return inner.read_some(b);
    }
    auto kernel_endpoint() { return inner.kernel_endpoint(); }
    void kernel_advanced(std::uintmax_t n) { inner.kernel_advanced(n); }
  };
  const temporary_folder folder;
  const std::string old = some_text(100'000);
  const handle from = file_with(folder / "to", old);
  const handle to = appending(folder / "to");
  hiding source{buf_reader(fd_ref(from.get()), 4096)};
  ASSERT_TRUE(source.inner.fill(1));
  const auto copied = copy(source, fd_ref(to.get()));
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::same_file);
  EXPECT_EQ(content_of(folder / "to"), old);
}

TEST(unusual_streams, messages_after_a_file_stay_whole) {
  const temporary_folder folder;
  const std::string text = some_text(100'010);
  file_with(folder / "from", text.substr(0, 10));
  file first = or_throw(file::open(folder / "from"));
  two_ends second = make_socket_pair(SOCK_SEQPACKET);
  ASSERT_EQ(::send(second.writer.get(), text.data() + 10, 100'000, 0), 100'000);
  second.writer.reset();
  struct file_then_messages {
    file& first;
    fd_ref second;
    bool at_second = false;

    result<std::size_t> read_some(std::span<std::byte> b) {
      if (!at_second) {
        auto n = first.read_some(b);
        at_second = true;
        return n;
      }
      return second.read_some(b);
    }
    auto kernel_endpoint() { return at_second ? second.kernel_endpoint() : first.kernel_endpoint(); }
    void kernel_advanced(std::uintmax_t) {}
  };
  file to = or_throw(file::create(folder / "to"));
  EXPECT_EQ(show(copy(file_then_messages{first, fd_ref(second.reader.get())}, to)), "100010");
  EXPECT_TRUE(content_of(folder / "to") == text);
}

TEST(unusual_streams, a_source_in_memory_is_cut_into_messages_that_fit) {
  const std::string text = some_text(1'000'000);
  for (const bool in_a_buffer : {false, true}) {
    two_ends out = make_socket_pair(SOCK_SEQPACKET);
    const int small = 100'000;
    ASSERT_EQ(::setsockopt(out.writer.get(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
    collector received(out.reader.get());
    fd_ref to(out.writer.get());
    if (in_a_buffer) {
      buf_reader from(span_reader(text), text.size());
      ASSERT_TRUE(from.fill(text.size()));
      EXPECT_EQ(show(copy(from, to)), "1000000");
    } else {
      EXPECT_EQ(show(copy(span_reader(text), to)), "1000000");
    }
    out.writer.reset();
    EXPECT_TRUE(received.text() == text);
  }
}

// A writer with a flush and no buffer to show, that has something to flush.
struct flushing {
  fd_ref inner;
  int throws = 0;
  std::uintmax_t held = 10;

  result<std::size_t> write_some(std::span<const std::byte> b) { return inner.write_some(b); }
  result<void> flush() {
    if (throws-- > 0) throw std::runtime_error("flush");
    held = 0;
    return {};
  }
  std::optional<fd_endpoint> kernel_endpoint() {
    auto endpoint = inner.kernel_endpoint();
    endpoint->buffered = held;
    return endpoint;
  }
  void kernel_advanced(std::uintmax_t) {}
};

TEST(unusual_streams, a_flush_that_throws_loses_nothing) {
  const temporary_folder folder;
  const std::string text = some_text(200'000);
  const handle from = file_with(folder / "from", text);
  const handle to = new_file(folder / "to");
  copier relay{fd_ref(from.get()), flushing{fd_ref(to.get()), 1}};
  EXPECT_THROW((void)relay.run(), std::runtime_error);
  const auto step = relay.run();
  ASSERT_TRUE(step);
  EXPECT_TRUE(step->done);
  EXPECT_EQ(step->bytes, text.size());
  EXPECT_TRUE(content_of(folder / "to") == text);
}

struct throws_in_call {
  std::string& out;
  int call;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    if (--call == 0) throw std::runtime_error("write");
    const std::size_t n = std::min<std::size_t>(b.size(), 10);
    out += support::text(b.first(n));
    return n;
  }
};

TEST(unusual_streams, a_bound_and_a_count_outlive_an_exception) {
  const std::string text = some_text(1000);
  const std::vector<std::byte> data = support::to_bytes(text);
  for (const bool buffered_source : {false, true}) {
    for (int call = 1; call != 12; ++call) {
      SCOPED_TRACE(call);
      std::string out;
      support::chunked_reader source{.data = data};
      buf_reader window(source, 64);
      const auto check = [&](auto& relay) {
        EXPECT_THROW((void)relay.run(), std::runtime_error);
        EXPECT_EQ(relay.bytes(), out.size());
        const auto step = relay.run();
        ASSERT_TRUE(step);
        EXPECT_EQ(step->bytes, 100U);
        EXPECT_EQ(out, text.substr(0, 100));
      };
      if (call == 11) continue;  // ten calls are all that there are
      if (buffered_source) {
        copier relay{window, throws_in_call{out, call}, 100, copy_options{}};
        check(relay);
      } else {
        copier relay{source, throws_in_call{out, call}, 100, copy_options{}};
        check(relay);
      }
    }
  }
}

// With no pipe to be had, a watched copy still asks for no more than fits.
TEST(unusual_streams, a_stop_is_heard_where_no_pipe_is_to_be_had) {
  const std::string text = some_text(2'000'000);
  two_ends in = make_pipe_ends(1 << 20);
  two_ends out = make_socket_pair();
  feeder fed(std::move(in.writer), text);
  std::string arrived;
  std::jthread reader([&, fd = out.reader.get()] {
    char piece[65536];
    while (arrived.size() < 600'000) {
      const ssize_t n = ::read(fd, piece, sizeof piece);
      if (n <= 0) return;
      arrived.append(piece, static_cast<std::size_t>(n));
    }
  });
  const fault none({.call = "pipe2", .times = always, .error = EMFILE});
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  const auto copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.stop = stop.get_token()});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::cancelled);
  EXPECT_LE(none.calls(), 1U);
  reader.join();
  out.writer.reset();
  arrived += everything(out.reader.get());
  EXPECT_EQ(arrived.size(), copied.error().bytes);
  arrived += support::text(copied.error().unwritten);
  EXPECT_TRUE(text.starts_with(arrived));
  in.reader.reset();
}

TEST(unusual_streams, a_handoff_is_not_begun_after_a_stop) {
  struct own_way {
    bool asked = false;
    result<std::size_t> read_some(std::span<std::byte>) { return std::size_t{0}; }
    std::expected<copy_handled, copy_error> copy_to(string_writer&, std::uintmax_t) {
      asked = true;
      return copy_handled{.bytes = 0, .done = true};
    }
  };
  std::stop_source stop;
  stop.request_stop();
  own_way from;
  string_writer to;
  const auto copied = copy(from, to, {.stop = stop.get_token()});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::cancelled);
  EXPECT_EQ(copied.error().side, copy_side::none);
  EXPECT_FALSE(from.asked);
}

// A peer may be waiting for what the writer holds, also where the source looks like a file by its path.
TEST(unusual_streams, a_fifo_is_not_waited_for_with_bytes_held_back) {
  const temporary_folder folder;
  const std::string path = folder / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const handle writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct hiding {
    buf_writer<file&> inner;
    result<std::size_t> write_some(std::span<const std::byte> b) { return inner.write_some(b); }
    result<void> flush() { return inner.flush(); }
    auto kernel_endpoint() { return inner.kernel_endpoint(); }
    void kernel_advanced(std::uintmax_t n) { inner.kernel_advanced(n); }
  };
  file to = or_throw(file::create(folder / "to"));
  hiding out{buf_writer<file&>(to)};
  ASSERT_TRUE(write_all(out, "hello"));
  std::string seen;
  std::jthread peer([&] {
    for (int i = 0; i != 1000 && (seen = content_of(folder / "to")).empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    write_text(writer.get(), "x");
  });
  file from = or_throw(file::open(path));
  EXPECT_TRUE(copy_n(from, out, 1));
  peer.join();
  EXPECT_EQ(seen, "hello");
}

TEST(unusual_streams, a_large_buffer_of_a_writer_does_not_keep_the_kernel_out) {
  const temporary_folder folder;
  const std::string text = some_text(4'000'000);
  const handle from = file_with(folder / "from", text);
  for (const std::size_t capacity : {std::size_t{1000}, std::size_t{100'000}, std::size_t{8} << 20}) {
    const handle to = new_file(folder / "to");
    buf_writer out(fd_ref(to.get()), capacity);
    ::lseek(from.get(), 0, SEEK_SET);
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), out, {.report = &report})), "4000000");
    EXPECT_TRUE(out.flush());
    EXPECT_GE(report[copy_path::copy_file_range].bytes, 3'700'000U) << capacity;
    EXPECT_EQ(report[copy_path::fill].bytes % 4096, 0U);
    EXPECT_TRUE(content_of(folder / "to") == text);
  }
}

}  // namespace
}  // namespace sluice
