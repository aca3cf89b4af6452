// SPDX-License-Identifier: BSL-1.0
//
// What brings a buffer and the stream behind it together again: sync, reset, and every way of moving between them.
//
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/system/fd_ref.hpp>
#include <sluice/system/file.hpp>
#include <sluice/system/pipe.hpp>
#include <sluice/write.hpp>

#include "support/seekable.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sluice;
using support::pattern;
using support::recording_writer;
using support::seekable_reader;
using support::text;
using support::vectored_seekable_reader;

std::string take(auto& r, std::size_t n) {
  std::string s(n, '\0');
  s.resize(sluice::read_some(r, std::as_writable_bytes(std::span(s))).value());
  return s;
}

// A reader. -----------------------------------------------------------------------------------------------------------

template <class R>
concept can_sync = requires(R& r) { r.sync(); };
static_assert(can_sync<buf_reader<seekable_reader&>> && !can_sync<buf_reader<support::chunked_reader>>);

TEST(buf_reader_sync, another_user_of_the_descriptor_goes_on_where_it_stopped) {
  const sluice::test::temporary_folder folder;
  const std::string all = text(pattern(300));
  folder.write("a", all);
  for (std::size_t n = 0; n <= 64; ++n) {
    file shared = or_throw(file::open(folder / "a"));
    buf_reader in(fd_ref(shared.fd()), 32);
    std::string got;
    while (got.size() < n) got += take(in, std::min<std::size_t>(n - got.size(), 7));
    ASSERT_TRUE(in.sync());
    EXPECT_TRUE(in.buffered().empty());
    EXPECT_EQ(got + take(shared, 1), all.substr(0, n + 1));
    EXPECT_EQ(take(in, 5), all.substr(n + 1, 5)) << "and this reader after it";
    EXPECT_EQ(in.seek(static_cast<std::intmax_t>(n)), n);
    EXPECT_EQ(take(in, 3), all.substr(n, 3)) << "what was delivered before the sync is not moved back into";
  }
}

TEST(buf_reader_sync, on_a_pipe_fails_and_keeps_everything) {
  auto ends = or_throw(make_pipe());
  ASSERT_TRUE(write_all(ends.writer, "abcdef"));
  ASSERT_TRUE(ends.writer.close());
  buf_reader in(fd_ref(ends.reader.fd()), 32);
  EXPECT_EQ(take(in, 2), "ab");
  ASSERT_TRUE(in.fill(4));
  EXPECT_EQ(in.sync().error(), std::errc::invalid_seek);
  EXPECT_EQ(take(in, 9), "cdef");
  EXPECT_TRUE(in.sync()) << "nothing is buffered, and nothing to be given back";
}

TEST(buf_reader_reset, takes_another_stream_and_drops_the_rest_of_the_one_before) {
  const auto first = pattern(50, 1);
  const auto second = pattern(50, 2);
  std::array<std::byte, 16> memory;
  buf_reader in(seekable_reader{.data = first, .fail_every = 2, .error = {}}, std::span(memory));
  EXPECT_EQ(take(in, 3), text(first).substr(0, 3));
  in.reset(seekable_reader{.data = second});
  EXPECT_TRUE(in.buffered().empty());
  EXPECT_EQ(in.position(), 0U);
  EXPECT_EQ(take(in, 5), text(second).substr(0, 5));
  EXPECT_GE(in.buffered().data(), memory.data());
  EXPECT_LT(in.buffered().data(), memory.data() + memory.size()) << "in the same memory";

  support::scripted_reader failing{.steps = {support::step::data("ab"), support::step::fail(std::errc::io_error)}};
  support::scripted_reader other{.steps = {support::step::data("cd")}};
  buf_reader by_reference(failing, 8);
  EXPECT_FALSE(by_reference.fill(4));
  EXPECT_EQ(by_reference.pending_error(), std::errc::io_error);
  by_reference.reset(other);
  EXPECT_FALSE(by_reference.pending_error());
  EXPECT_EQ(take(by_reference, 4), "cd");
}

TEST(buf_reader_seek, delivers_again_what_was_delivered) {
  const auto data = pattern(100);
  seekable_reader inner{.data = data};
  buf_reader in(inner, 32);
  EXPECT_EQ(take(in, 1), text(data).substr(0, 1));
  ASSERT_TRUE(in.fill(20));
  in.consume(1);
  EXPECT_EQ(in.seek(-1, whence::current), 1U) << "after a discard, as after a read";
  EXPECT_EQ(take(in, 2), text(data).substr(1, 2));
  const std::size_t reads = inner.reads;
  for (std::size_t i = 0; i <= 20; ++i) {
    EXPECT_EQ(in.seek(static_cast<std::intmax_t>(20 - i)), 20 - i);
    EXPECT_EQ(in.position(), 20 - i);
    EXPECT_EQ(take(in, 1), text(data).substr(20 - i, 1));
  }
  EXPECT_EQ(inner.reads, reads) << "nothing is read a second time";
  EXPECT_EQ(inner.seeks, 0U);
}

/// Position and bytes are those of a string, after whatever mixture.
template <class Inner>
void walk(std::uint32_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  auto data = pattern(200, seed);
  std::string model = text(data);
  Inner inner;
  inner.data = data;
  inner.chunk = 1 + below(20);
  const std::size_t capacity = 1 + below(16);
  buf_reader<Inner> in(std::move(inner), {.initial = capacity, .maximum = capacity + below(16)});
  std::size_t at = 0;
  std::vector<std::byte> other;
  for (int step = 0; step != 60; ++step) {
    switch (below(8)) {
      case 0:
      case 1: {
        const std::size_t n = below(2 * capacity);
        const std::string got = take(in, n);
        ASSERT_EQ(got, model.substr(at, got.size()));
        ASSERT_EQ(got.empty(), n == 0 || at == model.size());
        at += got.size();
        break;
      }
      case 2: {
        const std::size_t n = below(capacity + 1);
        const auto seen = in.peek(n);
        ASSERT_TRUE(seen);
        ASSERT_EQ(text(*seen), model.substr(at, n));
        break;
      }
      case 3: {
        const std::size_t n = below(2 * capacity);
        const auto passed = in.skip(n);
        ASSERT_EQ(passed, std::min(n, model.size() - at));
        at += static_cast<std::size_t>(*passed);
        break;
      }
      case 4: {
        at = below(model.size() + 1);
        ASSERT_EQ(in.seek(static_cast<std::intmax_t>(at)), at);
        break;
      }
      case 5: {
        const std::size_t back = std::min(at, below(2 * capacity));
        at -= back;
        ASSERT_EQ(in.seek(-static_cast<std::intmax_t>(back), whence::current), at);
        break;
      }
      case 6: {
        ASSERT_TRUE(in.sync());
        ASSERT_EQ(in.inner().at, at);
        break;
      }
      default: {
        if (below(4) != 0) break;
        other = pattern(100 + below(100), seed + static_cast<std::uint32_t>(step));
        std::swap(data, other);
        model = text(data);
        Inner next;
        next.data = data;
        next.chunk = 1 + below(20);
        in.reset(std::move(next));
        at = 0;
      }
    }
    ASSERT_EQ(in.position(), at) << "step " << step;
  }
}

TEST(buf_reader, any_mixture_is_that_of_a_string) {
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    walk<seekable_reader>(seed);
    walk<vectored_seekable_reader>(seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// A writer. -----------------------------------------------------------------------------------------------------------

struct synced_writer : recording_writer {
  std::vector<std::size_t> synced;  // how much had arrived by then
  std::error_code sync_error;

  result<void> sync(sync_level level = sync_level::all) {
    if (level == sync_level::none) return {};
    synced.push_back(data.size());
    if (sync_error) return fail(sync_error);
    return {};
  }
};

template <class W>
concept can_sync_data = requires(W& w) { w.sync(sync_level::data); };
static_assert(can_sync<buf_writer<synced_writer>> && can_sync_data<buf_writer<synced_writer&>>);
static_assert(can_sync_data<buf_writer<file>> && can_sync_data<buf_writer<buf_writer<file>&>>);
static_assert(!can_sync<buf_writer<recording_writer>>);

TEST(buf_writer_sync, drains_and_then_syncs) {
  synced_writer inner;
  buf_writer out(inner, 16);
  ASSERT_TRUE(write_all(out, "abc"));
  EXPECT_TRUE(out.sync());
  EXPECT_EQ(inner.synced, std::vector<std::size_t>{3}) << "with something in the buffer too";
  EXPECT_TRUE(out.sync(sync_level::data));
  EXPECT_EQ(inner.synced.size(), 2U);
  EXPECT_TRUE(out.sync(sync_level::none));
  EXPECT_EQ(inner.synced.size(), 2U);
}

TEST(buf_writer_sync, reports_both_errors) {
  synced_writer inner;
  inner.fail_at = 1;
  inner.sync_error = std::make_error_code(std::errc::io_error);
  buf_writer out(inner, 16);
  ASSERT_TRUE(write_all(out, "abc"));
  EXPECT_EQ(out.sync().error(), std::errc::no_space_on_device);
  EXPECT_TRUE(inner.synced.empty());
  EXPECT_EQ(text(out.pending()), "abc");
  EXPECT_EQ(out.sync().error(), std::errc::io_error);
  EXPECT_EQ(text(inner.data), "abc");
}

TEST(buf_writer_reset, flushes_before_it_takes_another_or_changes_nothing) {
  recording_writer first;
  first.fail_at = 1;
  recording_writer second;
  buf_writer out(first, 16);
  ASSERT_TRUE(write_all(out, "abc"));
  EXPECT_EQ(out.reset(second).error(), std::errc::no_space_on_device);
  EXPECT_EQ(&out.inner(), &first);
  EXPECT_EQ(text(out.pending()), "abc");
  ASSERT_TRUE(out.reset(second));
  EXPECT_EQ(text(first.data), "abc");
  ASSERT_TRUE(write_all(out, "def"));
  ASSERT_TRUE(out.flush());
  EXPECT_EQ(text(second.data), "def");
}

TEST(buf_writer_reset, goes_on_after_a_close) {
  const sluice::test::temporary_folder folder;
  std::array<std::byte, 16> memory;
  buf_writer out(or_throw(file::create(folder / "a")), std::span(memory));
  ASSERT_TRUE(write_all(out, "abc"));
  ASSERT_TRUE(out.close());
  EXPECT_FALSE(write_all(out, "lost"));
  ASSERT_TRUE(out.reset(or_throw(file::create(folder / "b"))));
  ASSERT_TRUE(write_all(out, "def"));
  ASSERT_TRUE(out.close());
  EXPECT_EQ(folder.read("a"), "abc");
  EXPECT_EQ(folder.read("b"), "def");
}

}  // namespace
