// SPDX-License-Identifier: BSL-1.0
//
// When a buffered writer is flushed, and in which order the bytes arrive.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace sluice {
namespace {

using namespace test;
using support::chunked_reader;
using support::recording_writer;

TEST(copy_flush, twenty_small_reads_make_one_write) {
  const auto data = support::pattern(2000);
  chunked_reader from{.data = data, .chunk = 100};
  recording_writer to;
  buf_writer out(to, 8192);
  EXPECT_EQ(show(copy(from, out)), "2000");
  EXPECT_EQ(from.calls, 21U);
  EXPECT_EQ(to.calls, 0U);
  ASSERT_TRUE(out.flush());
  EXPECT_EQ(to.sizes, std::vector<std::size_t>{2000});
}

TEST(copy_flush, at_the_end_only_where_asked) {
  for (const flush_policy policy : {flush_policy::as_needed, flush_policy::at_end, flush_policy::never}) {
    const auto data = support::pattern(100);
    chunked_reader from{data};
    recording_writer to;
    buf_writer out(to, 8192);
    EXPECT_EQ(show(copy(from, out, {.flush = policy})), "100");
    EXPECT_EQ(to.data.size(), policy == flush_policy::at_end ? 100U : 0U);
  }
}

TEST(copy_flush, small_files_coalesce_in_order) {
  const temporary_folder folder;
  std::string expected;
  std::vector<handle> sources;
  for (int i = 0; i != 50; ++i) {
    const std::string text = some_text(1000 + static_cast<std::size_t>(i), static_cast<std::uint32_t>(i));
    sources.push_back(file_with(folder / "from", text));
    std::filesystem::remove(folder / "from");
    expected += text;
  }
  file to = or_throw(file::create(folder / "to"));
  buf_writer out(to, 64 << 10);
  const call_counter calls;
  for (const handle& from : sources) ASSERT_TRUE(copy(fd_ref(from.get()), out));
  ASSERT_TRUE(out.flush());
  EXPECT_EQ(calls["write"] + calls["writev"], 1U);
  EXPECT_TRUE(content_of(folder / "to") == expected);
}

// uutils/coreutils#5186: what was buffered must not be overtaken by what goes past the buffer.
TEST(copy_flush, a_header_comes_before_a_large_file_and_a_trailer_after) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  for (const flush_policy policy : {flush_policy::as_needed, flush_policy::at_end, flush_policy::never}) {
    const handle from = file_with(folder / "from", text);
    file to = or_throw(file::create(folder / "to"));
    buf_writer out(to, 8192);
    ASSERT_TRUE(write_all(out, "header"));
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), out, {.flush = policy, .report = &report})), "500000");
    ASSERT_TRUE(write_all(out, "trailer"));
    ASSERT_TRUE(out.close());
    EXPECT_TRUE(content_of(folder / "to") == "header" + text + "trailer");
    const bool by_kernel = report[copy_path::copy_file_range].bytes + report[copy_path::clone].bytes != 0;
    EXPECT_EQ(by_kernel, policy != flush_policy::never);
  }
}

TEST(copy_flush, an_idle_source_sees_an_empty_buffer) {
  for (const bool is_socket : {false, true}) {
    two_ends in = is_socket ? make_socket_pair() : make_pipe_ends();
    two_ends out = make_pipe_ends();
    std::expected<std::uintmax_t, copy_error> copied;
    std::jthread copying([&] {
      fd_ref to(out.writer.get());
      buf_writer buffered(to, 8192);
      copied = copy(fd_ref(in.reader.get()), buffered);
      EXPECT_TRUE(buffered.flush());
      out.writer.reset();
    });
    // Each answer is waited for before the next byte is sent, as a peer would do.
    for (const char c : {'a', 'b', 'c'}) {
      write_text(in.writer.get(), std::string_view(&c, 1));
      pollfd arrived{.fd = out.reader.get(), .events = POLLIN, .revents = 0};
      ASSERT_EQ(::poll(&arrived, 1, 5000), 1) << "held back";
      char got = 0;
      ASSERT_EQ(::read(out.reader.get(), &got, 1), 1);
      EXPECT_EQ(got, c);
    }
    in.writer.reset();
    copying.join();
    EXPECT_EQ(show(copied), "3");
  }
}

// A flush that fails takes nothing with it: the header is still in the buffer, the file has not been read.
TEST(copy_flush, a_failing_flush_is_accounted_and_tried_again) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  const handle from = file_with(folder / "from", text);
  file to = or_throw(file::create(folder / "to"));
  buf_writer out(to, 8192);
  ASSERT_TRUE(write_all(out, "header"));
  fd_ref in(from.get());
  std::uintmax_t before = 0;
  {
    const fault full({.call = "write", .times = always, .error = ENOSPC});
    const auto copied = copy(in, out);
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, std::errc::no_space_on_device);
    EXPECT_EQ(copied.error().side, copy_side::writer);
    EXPECT_EQ(out.pending().size(), 6 + copied.error().bytes);
    EXPECT_EQ(static_cast<std::uintmax_t>(offset_of(from.get())),
              copied.error().bytes + copied.error().unwritten.size());
    before = copied.error().bytes;
    ASSERT_TRUE(copied.error().unwritten.empty());
  }
  EXPECT_EQ(show(copy(in, out)), std::to_string(text.size() - before));
  ASSERT_TRUE(out.close());
  EXPECT_TRUE(content_of(folder / "to") == "header" + text);
}

// A wrapper that shows the descriptor and can flush, but has no buffer of its own to show.
template <class W>
struct thin_writer {
  W& inner;

  result<std::size_t> write_some(std::span<const std::byte> b) { return inner.write_some(b); }
  result<void> flush() { return inner.flush(); }
  std::optional<fd_endpoint> kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) { inner.kernel_advanced(n); }
};

TEST(copy_flush, a_failing_flush_behind_a_wrapper_loses_nothing) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  const handle from = file_with(folder / "from", text);
  file to = or_throw(file::create(folder / "to"));
  buf_writer out(to, 8192);
  thin_writer<decltype(out)> thin{out};
  ASSERT_TRUE(write_all(thin, "header"));
  fd_ref in(from.get());
  std::expected<std::uintmax_t, copy_error> copied;
  {
    const fault full({.call = "write", .error = ENOSPC});
    copied = copy(in, thin);
  }
  ASSERT_FALSE(copied);
  ASSERT_TRUE(write_all(thin, copied.error().unwritten));
  ASSERT_TRUE(copy(in, thin));
  ASSERT_TRUE(out.close());
  EXPECT_TRUE(content_of(folder / "to") == "header" + text);
}

// One whose flush does not reach the buffer: then nothing may pass it, and the copy still ends.
struct hoarding_writer {
  buf_writer<file&>& inner;

  result<std::size_t> write_some(std::span<const std::byte> b) { return inner.write_some(b); }
  result<void> flush() { return {}; }
  std::optional<fd_endpoint> kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) { inner.kernel_advanced(n); }
};

TEST(copy_flush, a_writer_that_does_not_flush_is_not_passed) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  const handle from = file_with(folder / "from", text);
  file to = or_throw(file::create(folder / "to"));
  buf_writer<file&> out(to, 8192);
  hoarding_writer hoarding{out};
  ASSERT_TRUE(write_all(hoarding, "header"));
  EXPECT_EQ(show(copy(fd_ref(from.get()), hoarding)), "500000");
  ASSERT_TRUE(out.close());
  EXPECT_TRUE(content_of(folder / "to") == "header" + text);
}

// The last flush may have to wait, too; it is not done before all has gone out.
TEST(copy_flush, a_flush_that_would_block_is_finished) {
  two_ends ends = make_pipe_ends(4096, O_NONBLOCK);
  const auto data = support::pattern(300'000);
  chunked_reader from{data};
  fd_ref to(ends.writer.get());
  buf_writer out(to, 1 << 20);
  std::expected<std::uintmax_t, copy_error> copied;
  {
    std::jthread copying([&] { copied = copy(from, out, {.flush = flush_policy::at_end}); });
    std::string received;
    while (received.size() != data.size()) {
      pollfd arrived{.fd = ends.reader.get(), .events = POLLIN, .revents = 0};
      ASSERT_EQ(::poll(&arrived, 1, 5000), 1) << "after " << received.size();
      char piece[3000];
      const ssize_t n = ::read(ends.reader.get(), piece, sizeof piece);
      if (n > 0) received.append(piece, static_cast<std::size_t>(n));
    }
    EXPECT_TRUE(received == support::text(data));
  }
  EXPECT_EQ(show(copied), "300000");
  EXPECT_TRUE(out.pending().empty());
}

}  // namespace
}  // namespace sluice
