// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/line_writer.hpp>
#include <sluice/write.hpp>

#include "support/allocations.hpp"
#include "support/seekable.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sluice;
using support::recording_writer;
using support::text;
using support::vectored_recording_writer;

static_assert(buffered_writer<line_writer<recording_writer>> && buffered_writer<line_writer<recording_writer&>>);
static_assert(!seekable<line_writer<recording_writer>> && seekable<line_writer<support::seekable_writer&>>);
static_assert(!kernel_writer<line_writer<recording_writer>> && kernel_writer<line_writer<support::kernel_stream&>>);
static_assert(!std::is_copy_constructible_v<line_writer<recording_writer>>);
static_assert(std::is_move_assignable_v<line_writer<recording_writer&>>);
static_assert(!std::is_convertible_v<line_writer<recording_writer>&, buf_writer<recording_writer>&>);

using sizes = std::vector<std::size_t>;

result<std::size_t> put(auto& w, std::string_view s) { return sluice::write_some(w, as_bytes(s)); }

/// A writer of which the test says what each call accepts: a count, or -1 for a failure. After these, everything.
template <class Base>
struct scripted : Base {
  std::vector<int> answers;

  using Base::write_some;
  result<std::size_t> write_some(std::span<const std::byte> b) {
    const int answer = this->calls < answers.size() ? answers[this->calls] : 1 << 20;
    Base::fail_at = answer < 0 ? this->calls + 1 : 0;
    Base::chunk = answer < 0 ? 0 : static_cast<std::size_t>(answer);
    return Base::write_some(b);
  }
};

struct vectored_scripted : scripted<recording_writer> {
  using scripted::write_some;
  result<std::size_t> write_some(std::span<const const_buffer> pieces) {
    std::vector<std::byte> joined;
    for (const const_buffer& piece : pieces) joined.insert(joined.end(), piece.data, piece.data + piece.size);
    return write_some(joined);
  }
};

template <class Inner>
struct line_writing : testing::Test {};
using inner_writers = testing::Types<recording_writer, vectored_recording_writer>;
TYPED_TEST_SUITE(line_writing, inner_writers);

TYPED_TEST(line_writing, passes_on_whole_lines_and_keeps_the_rest) {
  TypeParam inner;
  line_writer out(inner, 32);
  EXPECT_EQ(put(out, "on"), 2U);
  EXPECT_EQ(put(out, "e"), 1U);
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_EQ(put(out, "\ntwo\nthr"), 8U);
  EXPECT_EQ(inner.sizes, (sizes{8})) << "what was pending and two lines, in one write";
  EXPECT_EQ(text(inner.data), "one\ntwo\n");
  EXPECT_EQ(text(out.pending()), "thr");
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "one\ntwo\nthr");
}

TYPED_TEST(line_writing, a_line_longer_than_the_buffer_passes_in_pieces) {
  TypeParam inner;
  line_writer out(inner, 4);
  for (const char c : std::string("0123456789\n")) EXPECT_EQ(put(out, std::string_view(&c, 1)), 1U);
  EXPECT_EQ(text(inner.data), "0123456789\n");
  EXPECT_TRUE(out.pending().empty());
  ASSERT_TRUE(write_all(out, "0123456789abc\n0123456789"));
  ASSERT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "0123456789\n0123456789abc\n0123456789");
}

TYPED_TEST(line_writing, large_lines_behind_something_are_passed_on_at_once) {
  TypeParam inner;
  line_writer out(inner, 4);
  EXPECT_TRUE(put(out, "ab"));
  EXPECT_EQ(put(out, "0123456789\nx"), 12U);
  EXPECT_EQ(inner.sizes, (vectored_writer<TypeParam> ? sizes{13} : sizes{2, 11}));
  EXPECT_EQ(text(out.pending()), "x");
}

TYPED_TEST(line_writing, committed_lines_go_with_the_next_operation) {
  const auto put_in_place = [](auto& out, std::string_view s) {
    const auto room = out.prepare(s.size());
    ASSERT_TRUE(room);
    std::ranges::copy(as_bytes(s), room->begin());
    out.commit(s.size());
  };
  TypeParam inner;
  line_writer out(inner, 16);
  put_in_place(out, "a\nb");
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_TRUE(put(out, "c"));
  EXPECT_EQ(text(inner.data), "a\n");
  EXPECT_EQ(text(out.pending()), "bc");
  put_in_place(out, "d\ne");
  ASSERT_TRUE(out.prepare(14)) << "what is not passed on has moved to the front";
  EXPECT_EQ(text(inner.data), "a\nbcd\n");
  EXPECT_EQ(text(out.pending()), "e");
  put_in_place(out, "f\n");
  EXPECT_TRUE(put(out, "g\nh"));
  EXPECT_EQ(inner.sizes, (sizes{2, 4, 5}));
  put_in_place(out, "i\nj");
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "a\nbcd\nef\ng\nhi\nj");
}

TYPED_TEST(line_writing, believes_no_count_and_no_zero) {
  scripted<TypeParam> nothing;
  nothing.answers = {0};
  line_writer out(nothing, 8);
  EXPECT_EQ(put(out, "a\n").error(), io_errc::write_zero);
  EXPECT_TRUE(out.pending().empty());
  support::over_counting_writer liar;
  line_writer to_liar(liar, 8);
  EXPECT_EQ(put(to_liar, "a\n").error(), io_errc::bad_count);
  EXPECT_EQ(put(to_liar, "a"), 1U);
  EXPECT_EQ(put(to_liar, "a\n").error(), io_errc::bad_count);
  EXPECT_EQ(text(std::move(to_liar).into_inner().unwritten), "a");
}

// Whatever the inner writer answers, each byte reaches it once and in order. ------------------------------------------

template <class Inner>
void write_with_answers(std::uint32_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Inner inner;
  for (int i = 0; i != 40; ++i) inner.answers.push_back(below(4) == 0 ? -1 : static_cast<int>(1 + below(9)));
  const std::size_t capacity = 1 + below(12);
  line_writer out(inner, {.initial = capacity, .maximum = capacity + below(6)});
  std::string accepted;
  for (int step = 0; step != 40; ++step) {
    std::string piece;
    for (std::size_t n = 1 + below(14); n != 0; --n) piece += below(4) == 0 ? '\n' : static_cast<char>('a' + below(26));
    const std::size_t calls = inner.calls;
    switch (below(5)) {
      case 0: (void)out.flush(); break;
      case 1: {
        piece.resize(std::min(piece.size(), capacity));
        const auto room = out.prepare(piece.size());
        if (!room) break;
        std::ranges::copy(as_bytes(piece), room->begin());
        out.commit(piece.size());
        accepted += piece;
        break;
      }
      default: {
        const auto n = put(out, piece);
        if (!n) {
          ASSERT_GT(inner.calls, calls);
          break;
        }
        ASSERT_GE(*n, 1U);
        ASSERT_LE(*n, piece.size());
        accepted += piece.substr(0, *n);
        // Lines that were accepted have left the buffer.
        ASSERT_EQ(text(out.pending()).find('\n'), std::string::npos) << "step " << step;
      }
    }
    ASSERT_EQ(text(inner.data) + text(out.pending()), accepted) << "step " << step;
  }
  inner.answers.clear();
  ASSERT_TRUE(out.flush());
  ASSERT_EQ(text(inner.data), accepted);
  ASSERT_EQ(std::ranges::count(inner.sizes, 0U), 0);
}

TEST(line_writer, loses_and_repeats_nothing_whatever_is_answered) {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    write_with_answers<scripted<recording_writer>>(seed);
    write_with_answers<vectored_scripted>(seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(line_writer, a_retry_sends_exactly_what_was_not_accepted) {
  scripted<recording_writer> inner;
  inner.answers = {1, -1, 2, -1};
  line_writer out(inner, 16);
  EXPECT_TRUE(put(out, "ab"));
  EXPECT_EQ(put(out, "cd\nx").error(), std::errc::no_space_on_device);
  EXPECT_EQ(text(out.pending()), "b");
  EXPECT_EQ(put(out, "cd\nx"), 1U) << "a short write is told as one";
  EXPECT_EQ(put(out, "d\nx").error(), std::errc::no_space_on_device);
  EXPECT_EQ(put(out, "d\nx"), 3U);
  EXPECT_EQ(text(inner.data), "abcd\n");
  EXPECT_EQ(text(out.pending()), "x");
}

TEST(line_writer, without_memory_nothing_is_written) {
  recording_writer inner;
  line_writer out(inner, 4096);
  {
    const support::refused_allocation none(4096);
    EXPECT_THROW(static_cast<void>(put(out, "one\ntwo")), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(put(out, "two")), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(out.prepare(1)), std::bad_alloc);
    EXPECT_EQ(text(inner.data), "");
    EXPECT_EQ(text(out.pending()), "");
    EXPECT_EQ(put(out, "zero\n"), 5U) << "lines alone need no memory";
  }
  EXPECT_EQ(put(out, "one\ntwo"), 7U);
  EXPECT_EQ(text(inner.data), "zero\none\n");
  EXPECT_EQ(text(out.pending()), "two");
  EXPECT_TRUE(out.flush());
}

TEST(line_writer, after_an_exception_only_what_was_pending_before_is_in_doubt) {
  struct thrower : recording_writer {
    bool armed = true;
    result<std::size_t> write_some(std::span<const std::byte> b) {
      if (std::exchange(armed, false)) throw std::runtime_error("before anything was written");
      return recording_writer::write_some(b);
    }
  } inner;
  line_writer out(inner, 16);
  EXPECT_TRUE(put(out, "ab"));
  EXPECT_THROW((void)put(out, "c\n"), std::runtime_error);
  EXPECT_EQ(text(out.pending()), "ab");
  EXPECT_EQ(put(out, "c\n"), 2U);
  EXPECT_EQ(text(inner.data), "abc\n");
}

TEST(line_writer, the_destructor_and_into_inner_keep_the_last_line) {
  recording_writer inner;
  {
    line_writer out(inner, 16);
    EXPECT_TRUE(put(out, "a\nb"));
    line_writer moved(std::move(out));
  }
  EXPECT_EQ(text(inner.data), "a\nb");
  line_writer out(recording_writer{}, 16);
  EXPECT_TRUE(put(out, "a\nb"));
  const auto parts = std::move(out).into_inner();
  EXPECT_EQ(text(parts.inner.data), "a\n");
  EXPECT_EQ(text(parts.unwritten), "b");
}

TEST(line_writer, buffers_in_the_callers_memory) {
  recording_writer inner;
  std::array<std::byte, 4> memory;
  line_writer out(inner, std::span(memory));
  EXPECT_EQ(out.capacity(), 4U);
  EXPECT_EQ(put(out, "a\nb"), 3U);
  EXPECT_EQ(out.pending().data(), memory.data());
}

}  // namespace
