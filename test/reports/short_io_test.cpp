// SPDX-License-Identifier: BSL-1.0
//
// Short reads are neither ends nor gaps: uutils/coreutils#13458, uutils/coreutils#9119, hreinecke/sg3_utils#29,
// square/okio#685, aurora/rmate#7.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

// Writes pieces with pauses in between.
class dribble {
 public:
  dribble(handle to, std::string text, std::size_t piece)
      : thread_([fd = std::move(to), content = std::move(text), piece] {
          for (std::size_t at = 0; at < content.size(); at += piece) {
            write_text(fd.get(), std::string_view(content).substr(at, piece));
            ::poll(nullptr, 0, 2);
          }
        }) {}

 private:
  std::jthread thread_;
};

TEST(short_io, of_a_slow_pipe_leaves_no_gap) {
  const std::string text = some_text(60);
  for (const std::size_t piece : {1U, 2U, 3U, 7U}) {
    for (const std::size_t room : {1U, 3U, 6U, 64U}) {
      two_ends in = make_pipe_ends();
      dribble slow(std::move(in.writer), text, piece);
      string_writer to;
      EXPECT_EQ(show(copy(buf_reader(fd_ref(in.reader.get()), room), to)), "60");
      EXPECT_EQ(to.str(), text);
    }
  }
}

TEST(short_io, counts_bytes_and_not_blocks) {
  const std::string text = some_text(10'000);
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
    const temporary_folder folder;
    two_ends in = make_pipe_ends();
    const handle to = new_file(folder / "to");
    dribble slow(handle(::dup(in.writer.get())), text, 1000);
    in.writer.reset();
    EXPECT_EQ(show(copy_n(fd_ref(in.reader.get()), fd_ref(to.get()), 8192, {.buffer_size = 4096, .kernel = kernel})),
              "8192");
    EXPECT_TRUE(content_of(folder / "to") == text.substr(0, 8192));
    EXPECT_TRUE(everything(in.reader.get()) == text.substr(8192));
  }
}

TEST(short_io, is_no_end) {
  two_ends in = make_pipe_ends();
  dribble slow(std::move(in.writer), "1234", 2);
  char four[4];
  ASSERT_TRUE(read_exactly(fd_ref(in.reader.get()), std::as_writable_bytes(std::span(four))));
  EXPECT_EQ(std::string_view(four, 4), "1234");
}

// A buffer that is used up exactly at the end of its contents answers with the next byte, or the end.
TEST(short_io, never_nothing_before_the_end) {
  for (const std::size_t size : {8192U, 2 * 8192U, 4 * 8192U}) {
    const auto data = support::pattern(size);
    const auto check = [&](auto&& reader, const char* what) {
      std::vector<std::byte> all;
      std::vector<std::byte> piece(4096);
      for (;;) {
        const auto n = reader.read_some(std::span(piece));
        ASSERT_TRUE(n) << what;
        if (*n == 0) break;
        all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(*n));
      }
      EXPECT_TRUE(all == data) << what;
    };
    support::chunked_reader from{.data = data};
    check(buf_reader(from, 8192), "buf_reader");
    from = {.data = data};
    check(limit(buf_reader(from, 8192), size), "limit");
    from = {.data = data};
    check(counted(buf_reader(from, 8192)), "counted");
    from = {.data = data};
    check(any_reader(buf_reader(from, 8192)), "any_reader");
    from = {.data = data};
    check(buf_reader(buf_reader(from, 4096), 8192), "two buffers");
    check(span_reader(data), "span_reader");
  }
}

// take(5) of take(10), over pieces of one byte and over exactly as much as there is.
TEST(short_io, limits_count_what_came) {
  for (const std::size_t there : {9U, 10U, 11U}) {
    for (const std::size_t chunk : {1U, 3U, 100U}) {
      const auto data = support::pattern(there);
      support::chunked_reader from{.data = data, .chunk = chunk};
      auto outer = limit(from, 10);
      string_writer first;
      EXPECT_EQ(show(copy(limit(outer, 5), first)), "5");
      string_writer rest;
      EXPECT_EQ(show(copy(outer, rest)), std::to_string(std::min<std::size_t>(there, 10) - 5));
      EXPECT_EQ(first.str() + rest.str(), support::text(data).substr(0, std::min<std::size_t>(there, 10)));
      EXPECT_EQ(from.data.size(), there - std::min<std::size_t>(there, 10));
    }
  }
}

}  // namespace
}  // namespace sluice
