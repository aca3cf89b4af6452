// SPDX-License-Identifier: BSL-1.0
//
// What docs/guarantees.md promises and no other test looks at.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/signals.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 10'000;

TEST(copy_guarantees, memory_gives_up_exactly_what_was_accepted) {
  const auto data = support::pattern(size);
  for (const std::size_t chunk : {1000U, 4096U}) {
    for (const std::size_t k : {1U, 2U, 3U}) {
      for (const bool with_options : {false, true}) {
        support::recording_writer to{.chunk = chunk, .fail_at = k};
        span_reader from(data);
        const copy_options options;
        const auto copied = with_options ? copy(from, to, options) : copy(from, to);
        ASSERT_FALSE(copied);
        EXPECT_EQ(copied.error().bytes, (k - 1) * chunk);
        EXPECT_EQ(copied.error().bytes, to.data.size());
        EXPECT_TRUE(copied.error().unwritten.empty());
        EXPECT_EQ(from.remaining(), size - to.data.size());
      }
    }
  }
}

TEST(copy_guarantees, a_drain_has_nothing_in_flight) {
  const auto data = support::pattern(size);
  for (const std::size_t k : {1U, 2U, 5U}) {
    support::chunked_reader inner{.data = data, .chunk = 700};
    buf_reader from(inner, 1000);
    support::recording_writer to{.chunk = 300, .fail_at = k};
    const auto copied = copy(from, to);
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().bytes, to.data.size());
    EXPECT_TRUE(copied.error().unwritten.empty());
    EXPECT_EQ(support::text(from.buffered()) + support::text(inner.data),
              support::text(std::span(data).subspan(to.data.size())));
  }
}

TEST(copy_guarantees, what_a_buffered_writer_holds_counts_as_accepted) {
  const auto data = support::pattern(100);
  support::chunked_reader from{data};
  support::recording_writer inner{.fail_at = 1};
  buf_writer to(inner, 1000);
  EXPECT_EQ(show(copy(from, to)), "100");
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_FALSE(to.flush());
  EXPECT_TRUE(support::equal(to.pending(), data));
  EXPECT_TRUE(to.flush());
  EXPECT_TRUE(support::equal(inner.data, data));
}

// The offsets of files say the same as the counts, whichever call of a copy failed for good.
TEST(copy_guarantees, offsets_agree_with_the_counts) {
  const temporary_folder folder;
  const std::string text = some_text(300'000);
  for (const kernel_policy policy : {kernel_policy::automatic, kernel_policy::never}) {
    for (std::size_t k = 1; k != 8; ++k) {
      const handle from = file_with(folder / "from", text);
      const handle to = new_file(folder / "to");
      const fault kernel({.call = "copy_file_range", .at = k, .times = always, .error = EIO});
      const fault other({.call = "sendfile", .at = k, .times = always, .error = EIO});
      const fault full({.call = "write", .at = k, .times = always, .error = ENOSPC});
      const fault small({.call = "write", .times = always, .shorten = 10'000});
      const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()), {.buffer_size = 20'000, .kernel = policy});
      const std::uintmax_t bytes = copied ? *copied : copied.error().bytes;
      const std::size_t unwritten = copied ? 0 : copied.error().unwritten.size();
      EXPECT_EQ(static_cast<std::uintmax_t>(offset_of(from.get())), bytes + unwritten);
      EXPECT_EQ(static_cast<std::uintmax_t>(offset_of(to.get())), bytes);
      EXPECT_TRUE(content_of(folder / "to") == text.substr(0, bytes));
    }
  }
}

std::stop_source* stopped_by_clone = nullptr;

// Plays a file system that clones, and is told to stop meanwhile.
int clone_and_stop(int from, int to, off64_t offset, off64_t length, off64_t to_offset) {
  std::string all(static_cast<std::size_t>(length), '\0');
  if (::pread(from, all.data(), all.size(), offset) != length) return -1;
  if (::pwrite(to, all.data(), all.size(), to_offset) != length) return -1;
  stopped_by_clone->request_stop();
  return 0;
}

TEST(copy_guarantees, a_clone_is_all_or_nothing) {
  const temporary_folder folder;
  const std::string text = some_text(300'000);
  for (const int error : {0, EINVAL, EXDEV, ENOSPC}) {
    SCOPED_TRACE(error);
    const handle from = file_with(folder / "from", text);
    const handle to = new_file(folder / "to");
    std::stop_source stopping;
    stopped_by_clone = &stopping;
    const replaced_call works(&call_table::clone_range, &clone_and_stop);
    std::optional<fault> fails;
    if (error != 0) fails.emplace(fault_plan{.call = "clone_range", .error = error});
    copy_report report;
    const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()), {.stop = stopping.get_token(), .report = &report});
    if (error == 0) {
      // The stop is heard only once all of the file is there.
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code, io_errc::cancelled);
      EXPECT_EQ(copied.error().bytes, text.size());
      EXPECT_GT(report[copy_path::clone].bytes, 0U);
    } else {
      EXPECT_EQ(show(copied), std::to_string(text.size()));
      EXPECT_EQ(report[copy_path::clone].bytes, 0U);
      EXPECT_EQ(report[copy_path::clone].gave_way.value(), error);
    }
    EXPECT_TRUE(content_of(folder / "to") == text);
  }
}

struct stopping_reader : support::chunked_reader {
  std::stop_source stopping{};
  std::size_t stop_at = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    const auto n = chunked_reader::read_some(b);
    if (calls == stop_at) stopping.request_stop();
    return n;
  }
};

TEST(copy_guarantees, nothing_more_is_taken_after_a_stop) {
  const auto data = support::pattern(size);
  for (const std::size_t k : {1U, 2U, 7U}) {
    for (const bool buffered : {false, true}) {
      stopping_reader from{{.data = data, .chunk = 500}};
      from.stop_at = k;
      support::recording_writer to{.chunk = 200};
      buf_writer writing(to, 300);
      const copy_options options{.stop = from.stopping.get_token()};
      const auto copied = buffered ? copy(from, writing, options) : copy(from, to, options);
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code, io_errc::cancelled);
      EXPECT_EQ(copied.error().side, copy_side::none);
      EXPECT_EQ(from.calls, k);
      EXPECT_EQ(copied.error().bytes, to.data.size() + writing.pending().size());
      EXPECT_EQ(support::text(to.data) + support::text(writing.pending()) + support::text(copied.error().unwritten) +
                    support::text(from.data),
                support::text(data));
    }
  }
}

// One end of each kernel path and of none.
struct ends {
  two_ends from;
  two_ends to;
};

ends make_ends(std::string_view from, std::string_view to, const temporary_folder& folder, const std::string& text) {
  ends made;
  if (from == "file") {
    made.from.reader = file_with(folder / "from", text);
  } else {
    made.from = from == "pipe" ? make_pipe_ends(1 << 20) : make_socket_pair();
    write_text(made.from.writer.get(), text);
    made.from.writer.reset();
  }
  if (to == "file")
    made.to = {file_with(folder / "to", ""), new_file(folder / "to")};
  else
    made.to = to == "pipe" ? make_pipe_ends(1 << 20) : make_socket_pair();
  return made;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> pairs{{{"file", "file"},
                                                                              {"file", "pipe"},
                                                                              {"file", "socket"},
                                                                              {"pipe", "socket"},
                                                                              {"socket", "pipe"},
                                                                              {"socket", "file"}}};

TEST(copy_guarantees, interrupted_calls_are_repeated) {
  const temporary_folder folder;
  const std::string text = some_text(150'000);
  for (const auto& [from, to] : pairs) {
    for (const std::string_view call :
         {"read", "write", "send", "pwritev2", "copy_file_range", "clone_range", "sendfile", "splice", "poll"}) {
      for (const std::size_t k : {1U, 2U, 3U}) {
        SCOPED_TRACE(std::string(from) + " to " + std::string(to) + ", " + std::string(call) + " " + std::to_string(k));
        ends e = make_ends(from, to, folder, text);
        {
          const fault interrupted({.call = call, .at = k, .times = 3, .error = EINTR});
          ASSERT_EQ(show(copy(fd_ref(e.from.reader.get()), fd_ref(e.to.writer.get()))), std::to_string(text.size()));
        }
        e.to.writer.reset();
        ASSERT_TRUE(everything(e.to.reader.get()) == text);
      }
    }
  }
}

TEST(copy_guarantees, signals_are_left_as_they_were) {
  const temporary_folder folder;
  const std::string text = some_text(150'000);
  const default_sigpipe deadly;
  sigset_t pipe_only;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  for (const bool pending_before : {false, true}) {
    for (const auto& [from, to] : pairs) {
      if (to == "file") continue;
      SCOPED_TRACE(std::string(from) + " to " + std::string(to));
      ends e = make_ends(from, to, folder, text);
      e.to.reader.reset();
      sigset_t before;
      ::pthread_sigmask(pending_before ? SIG_BLOCK : SIG_UNBLOCK, &pipe_only, nullptr);
      if (pending_before) ::pthread_kill(::pthread_self(), SIGPIPE);
      ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
      const auto copied = copy(fd_ref(e.from.reader.get()), fd_ref(e.to.writer.get()));
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code, std::errc::broken_pipe);
      sigset_t after;
      ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
      EXPECT_EQ(::sigismember(&after, SIGPIPE), ::sigismember(&before, SIGPIPE));
      sigset_t pending;
      ::sigpending(&pending);
      EXPECT_EQ(::sigismember(&pending, SIGPIPE) == 1, pending_before);
      struct sigaction now{};
      ::sigaction(SIGPIPE, nullptr, &now);
      EXPECT_EQ(now.sa_handler, SIG_DFL);
      if (pending_before) {
        const timespec at_once{};
        EXPECT_EQ(::sigtimedwait(&pipe_only, nullptr, &at_once), SIGPIPE);
      }
    }
  }
}

// A read that brings nothing is the end, and so is an empty message; another copy goes on behind it.
TEST(copy_guarantees, an_empty_message_ends_the_copy) {
  two_ends in = make_socket_pair(SOCK_SEQPACKET);
  for (const std::string_view message : {"one", "", "two"})
    ASSERT_EQ(::send(in.writer.get(), message.data(), message.size(), 0), static_cast<ssize_t>(message.size()));
  in.writer.reset();
  fd_ref from(in.reader.get());
  bytes_writer to;
  EXPECT_EQ(show(copy(from, to)), "3");
  EXPECT_EQ(show(copy(from, to)), "3");
}

}  // namespace
}  // namespace sluice
