// SPDX-License-Identifier: BSL-1.0
//
// What is asked of the kernel: nothing that makes TCP hold back a last piece (golang/go#10948, golang/go#45256,
// golang/go#61530), no empty message (golang/go#71424), nothing after the end (async-rs/async-std#894).
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

unsigned splice_flags = 0;
std::size_t left_of_file = 0;
bool asked_too_much = false;
std::size_t sent = 0;

ssize_t watched_splice(int from, off64_t* a, int to, off64_t* b, std::size_t n, unsigned flags) {
  splice_flags |= flags;
  return ::splice(from, a, to, b, n, flags);
}

ssize_t watched_sendfile(int to, int from, off64_t* at, std::size_t n) {
  struct stat status;
  ::fstat(from, &status);
  left_of_file = static_cast<std::size_t>(status.st_size - ::lseek(from, 0, SEEK_CUR));
  asked_too_much |= n > left_of_file;
  const ssize_t moved = ::sendfile64(to, from, at, n);
  if (moved > 0) sent += static_cast<std::size_t>(moved);
  return moved;
}

TEST(requests, announce_no_more_to_come) {
  for (const bool from_socket : {false, true}) {
    splice_flags = 0;
    two_ends in = from_socket ? make_tcp_pair() : make_pipe_ends();
    two_ends out = make_tcp_pair();
    const std::string text = some_text(300'000);
    feeder fed(std::move(in.writer), text);
    collector received(out.reader.get());
    const replaced_call watched(&call_table::splice, &watched_splice);
    EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()))), "300000");
    out.writer.reset();
    EXPECT_TRUE(received.text() == text);
    EXPECT_NE(splice_flags, 0U);
    EXPECT_EQ(splice_flags & SPLICE_F_MORE, 0U);
  }
}

// A header and a file, again and again over one connection.
TEST(requests, are_no_larger_than_what_is_left_of_a_file) {
  const temporary_folder folder;
  const std::string text = some_text(300'000);
  two_ends out = make_tcp_pair();
  collector received(out.reader.get());
  asked_too_much = false;
  sent = 0;
  std::string expected;
  {
    const replaced_call watched(&call_table::sendfile, &watched_sendfile);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1024}, std::size_t{70'000}, text.size()}) {
      const handle from = file_with(folder / "from", text.substr(0, size));
      fd_ref to(out.writer.get());
      ASSERT_TRUE(write_all(to, "header"));
      EXPECT_EQ(show(copy(fd_ref(from.get()), to)), std::to_string(size));
      expected += "header" + text.substr(0, size);
    }
  }
  out.writer.reset();
  EXPECT_TRUE(received.text() == expected);
  EXPECT_FALSE(asked_too_much);
  EXPECT_GT(sent, 200'000U);
}

// golang/go#53658: an empty file is at its end, and no reason for another way of copying.
TEST(requests, for_an_empty_file_are_few) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", "");
  two_ends out = make_tcp_pair();
  const call_counter calls;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(out.writer.get()))), "0");
  EXPECT_EQ(calls["read"], 1U);
  EXPECT_EQ(calls["sendfile"] + calls["write"] + calls["send"], 0U);
}

TEST(requests, send_no_empty_message) {
  const temporary_folder folder;
  for (const std::size_t size : {0U, 100U, 40'000U}) {
    for (const bool buffered_reader : {false, true}) {
      for (const bool buffered_writer : {false, true}) {
        two_ends out = make_socket_pair(SOCK_SEQPACKET);
        const handle from = file_with(folder / "from", some_text(size));
        fd_ref in(from.get());
        fd_ref to(out.writer.get());
        buf_reader buffered_in(in, 8192);
        buf_writer buffered_out(to, 8192);
        const copy_options options{.flush = flush_policy::at_end};
        const auto copied = buffered_reader && buffered_writer ? copy(buffered_in, buffered_out, options)
                            : buffered_reader                  ? copy(buffered_in, to, options)
                            : buffered_writer                  ? copy(in, buffered_out, options)
                                                               : copy(in, to, options);
        EXPECT_EQ(show(copied), std::to_string(size));
        ASSERT_TRUE(buffered_out.flush());
        // Every message that is there has bytes, up to the one that says so.
        ASSERT_EQ(::send(out.writer.get(), "!", 1, 0), 1);
        std::string got;
        char memory[65'536];
        for (;;) {
          const ssize_t n = ::recv(out.reader.get(), memory, sizeof memory, 0);
          ASSERT_GT(n, 0) << "an empty message";
          got.append(memory, static_cast<std::size_t>(n));
          if (got.size() > size) break;
        }
        EXPECT_TRUE(got == some_text(size) + "!");
      }
    }
  }
}

// A reader that has said "the end" is not asked again: a terminal would have to be told twice.
TEST(requests, end_with_the_end) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{8192}, std::size_t{300'000}}) {
    const auto data = support::pattern(size);
    support::chunked_reader from{.data = data};
    support::recording_writer to;
    EXPECT_EQ(show(copy(from, to)), std::to_string(size));
    // Each request but the last one brought something.
    std::size_t brought = 0;
    std::size_t at = 0;
    for (const std::size_t request : from.requests) {
      const std::size_t n = std::min(request, size - at);
      at += n;
      if (n != 0) ++brought;
    }
    EXPECT_EQ(from.calls, brought + 1);
  }
  two_ends pipe = make_pipe_ends();
  write_text(pipe.writer.get(), "abc");
  pipe.writer.reset();
  const call_counter calls;
  bytes_writer kept;
  EXPECT_EQ(show(copy(fd_ref(pipe.reader.get()), kept)), "3");
  EXPECT_EQ(calls["read"], 2U);
}

// golang/go#66988, uutils/coreutils#13073: a wrapper does not hide the way that the kernel has.
TEST(requests, go_past_every_wrapper_of_the_library) {
  const temporary_folder folder;
  const std::string text = some_text(1'000'000);
  const handle from = file_with(folder / "from", text);
  const auto way = [&](auto&& reader) {
    ::lseek(from.get(), 0, SEEK_SET);
    two_ends out = make_tcp_pair();
    collector received(out.reader.get());
    copy_report report;
    EXPECT_EQ(show(copy(reader, fd_ref(out.writer.get()), {.report = &report})), "1000000");
    out.writer.reset();
    EXPECT_TRUE(received.text() == text);
    return report.main_path();
  };
  fd_ref in(from.get());
  EXPECT_EQ(way(in), copy_path::sendfile);
  EXPECT_EQ(way(limit(in, 1'000'000)), copy_path::sendfile);
  EXPECT_EQ(way(counted(in)), copy_path::sendfile);
  EXPECT_EQ(way(buf_reader(in, 8192)), copy_path::sendfile);
  EXPECT_EQ(way(any_reader(in)), copy_path::sendfile);
  EXPECT_EQ(way(counted(limit(buf_reader(in, 4096), 2'000'000))), copy_path::sendfile);
  any_reader inner(limit(in, 1'000'000));
  EXPECT_EQ(way(reader_ref(inner)), copy_path::sendfile);
}

}  // namespace
}  // namespace sluice
