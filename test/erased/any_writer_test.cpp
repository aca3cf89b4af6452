// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/counted.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/copy.hpp>
#include <sluice/erased/any_writer.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/span_writer.hpp>
#include <sluice/memory/string_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

namespace {

using namespace sluice;
using support::kernel_stream;
using support::recording_writer;

static_assert(writer<any_writer> && vectored_writer<any_writer> && kernel_writer<any_writer>);
static_assert(!buffered_writer<any_writer> && !reader<any_writer>);
static_assert(std::is_nothrow_move_constructible_v<any_writer>);
static_assert(std::is_nothrow_move_assignable_v<any_writer>);
static_assert(!std::is_copy_constructible_v<any_writer>);
static_assert(!std::is_constructible_v<any_writer, any_writer&>);
static_assert(!std::is_constructible_v<any_writer, span_reader&>);
static_assert(!std::is_constructible_v<any_writer, const recording_writer&>);

// A buffered writer, written plainly, that counts every call.
struct slots_writer {
  std::vector<std::byte> memory = support::pattern(64);
  std::size_t used = 0;
  std::size_t calls = 0;
  std::vector<std::byte> out = {};
  bool fails = false;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    ++calls;
    if (fails) return fail(std::make_error_code(std::errc::no_space_on_device));
    (void)flush();
    out.insert(out.end(), b.begin(), b.end());
    return b.size();
  }
  result<std::span<std::byte>> prepare(std::size_t n) {
    ++calls;
    if (n > memory.size()) return fail(io_errc::buffer_too_small);
    if (n > memory.size() - used) {
      if (auto flushed = flush(); !flushed) return fail(flushed.error());
    }
    return std::span(memory).subspan(used);
  }
  void commit(std::size_t n) noexcept {
    ++calls;
    used += n;
  }
  [[gnu::noinline]] result<void> flush() {
    ++calls;
    if (fails) return fail(std::make_error_code(std::errc::no_space_on_device));
    out.insert(out.end(), memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(used));
    used = 0;
    return {};
  }
};
static_assert(buffered_writer<slots_writer>);

struct closing_writer : recording_writer {
  int* closed;
  result<void> close() {
    ++*closed;
    return {};
  }
};

TEST(any_writer, forwards_to_a_writer_without_a_buffer) {
  recording_writer inner{.chunk = 4};
  any_writer w{inner};
  EXPECT_EQ(w.write_some(as_bytes("hello")).value(), 4U);
  EXPECT_EQ(w.write_some(std::span<const std::byte>()).value(), 0U);
  EXPECT_EQ(support::text(inner.data), "hell");
  EXPECT_EQ(inner.sizes, std::vector<std::size_t>{5});
  EXPECT_TRUE(w.flush());
  EXPECT_TRUE(w.close());
}

TEST(any_writer, small_writes_cost_no_call) {
  slots_writer inner;
  inner.memory.resize(1 << 16);
  const auto data = support::pattern(1 << 20);
  {
    any_writer w{inner};
    for (std::size_t at = 0; at < data.size(); at += 8)
      ASSERT_EQ(w.write_some(std::span(data).subspan(at, 8)).value(), 8U);
    EXPECT_LE(inner.calls, 17U * 5);
    EXPECT_TRUE(w.flush());
  }
  EXPECT_EQ(inner.out, data);
}

TEST(any_writer, writes_as_large_as_the_buffered_writer_does) {
  recording_writer sink;
  const auto data = support::pattern(100000);
  any_writer w{buf_writer{sink, 1000}};
  for (std::size_t at = 0; at < data.size(); at += 10) ASSERT_TRUE(w.write_some(std::span(data).subspan(at, 10)));
  ASSERT_TRUE(w.flush());
  EXPECT_EQ(sink.data, data);
  EXPECT_EQ(sink.sizes, std::vector<std::size_t>(100, 1000));
}

TEST(any_writer, large_writes_go_past_the_buffer) {
  recording_writer sink;
  const auto data = support::pattern(100000);
  any_writer w{buf_writer{sink, 1000}};
  ASSERT_EQ(w.write_some(data).value(), data.size());
  EXPECT_EQ(sink.sizes, std::vector<std::size_t>{100000});
  ASSERT_TRUE(w.write_some(std::span(data).first(1)));
  ASSERT_TRUE(w.flush());
  ASSERT_TRUE(w.write_some(std::span(data).first(1001)));
  EXPECT_EQ(sink.sizes, (std::vector<std::size_t>{100000, 1, 1001}));
}

TEST(any_writer, commits_before_it_is_gone_or_moved) {
  slots_writer inner;
  {
    any_writer w{inner};
    ASSERT_TRUE(w.write_some(as_bytes("one ")));
    EXPECT_EQ(inner.used, 0U);
    w.sync();
    EXPECT_EQ(inner.used, 4U);
    ASSERT_TRUE(w.write_some(as_bytes("two ")));
    any_writer moved = std::move(w);
    EXPECT_EQ(inner.used, 8U);
    ASSERT_TRUE(moved.write_some(as_bytes("three")));
  }
  ASSERT_TRUE(inner.flush());
  EXPECT_EQ(support::text(inner.out), "one two three");
}

TEST(any_writer, the_wrapped_writer_may_be_used_after_a_sync) {
  std::string target;
  string_writer inner{target};
  any_writer w{inner};
  ASSERT_TRUE(w.write_some(as_bytes("a")));
  w.sync();
  ASSERT_TRUE(inner.write_some(as_bytes("b")));
  ASSERT_TRUE(w.write_some(as_bytes("c")));
  ASSERT_TRUE(w.flush());
  EXPECT_EQ(target, "abc");
}

TEST(any_writer, an_owned_buffer_is_flushed_at_the_end) {
  recording_writer sink;
  {
    any_writer w{buf_writer{sink, 100}};
    ASSERT_TRUE(w.write_some(as_bytes("lost?")));
  }
  EXPECT_EQ(support::text(sink.data), "lost?");
  {
    any_writer w{buf_writer{sink, 100}};
    ASSERT_TRUE(w.write_some(as_bytes(" no,")));
    w = any_writer{buf_writer{sink, 100}};
    ASSERT_TRUE(w.write_some(as_bytes(" not even then")));
  }
  EXPECT_EQ(support::text(sink.data), "lost? no, not even then");
}

TEST(any_writer, closes_what_can_be_closed) {
  int closed = 0;
  any_writer w{closing_writer{{}, &closed}};
  EXPECT_TRUE(w.close());
  EXPECT_EQ(closed, 1);
  closing_writer lvalue{{}, &closed};
  any_writer buffered{buf_writer{lvalue, 10}};
  ASSERT_TRUE(buffered.write_some(as_bytes("x")));
  EXPECT_TRUE(buffered.close());
  EXPECT_EQ(closed, 2);
  EXPECT_EQ(support::text(lvalue.data), "x");
}

TEST(any_writer, an_empty_handle_fails) {
  any_writer w;
  EXPECT_FALSE(w);
  EXPECT_EQ(w.write_some(as_bytes("x")).error(), std::errc::bad_file_descriptor);
  EXPECT_TRUE(w.flush());
  EXPECT_TRUE(w.close());
  EXPECT_FALSE(w.kernel_endpoint());
  any_writer full{bytes_writer{}};
  EXPECT_TRUE(full);
  w = std::move(full);
  EXPECT_EQ(full.write_some(as_bytes("x")).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(w.write_some(as_bytes("x")).value(), 1U);
}

TEST(any_writer, keeps_the_kernel_endpoint) {
  kernel_stream inner;
  any_writer w{buf_writer{inner, 100}};
  ASSERT_TRUE(w.write_some(as_bytes("hello")));
  ASSERT_TRUE(w.write_some(as_bytes("world")));
  EXPECT_EQ(w.kernel_endpoint()->fd, 42);
  EXPECT_EQ(w.kernel_endpoint()->buffered, 10U);
  ASSERT_TRUE(w.flush());
  EXPECT_EQ(w.kernel_endpoint()->buffered, 0U);
  w.kernel_advanced(9);
  EXPECT_EQ(inner.advanced, 9U);
  EXPECT_FALSE(any_writer{recording_writer{}}.kernel_endpoint());
}

TEST(any_writer, an_error_accepts_nothing) {
  constexpr std::string_view sixty = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  slots_writer inner;
  any_writer w{inner};
  ASSERT_TRUE(w.write_some(as_bytes(sixty)));
  inner.fails = true;
  EXPECT_EQ(w.write_some(as_bytes("too much")).error(), std::errc::no_space_on_device);
  EXPECT_EQ(w.write_some(as_bytes("b")).value(), 1U);
  EXPECT_EQ(w.flush().error(), std::errc::no_space_on_device);
  inner.fails = false;
  EXPECT_TRUE(w.flush());
  EXPECT_EQ(support::text(inner.out), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
}

TEST(any_writer, does_not_believe_impossible_counts) {
  any_writer w{support::over_counting_writer{}};
  EXPECT_EQ(write_some(w, as_bytes("x")).error(), io_errc::bad_count);
}

TEST(any_writer, gathers_pieces) {
  const std::array pieces{const_buffer(as_bytes("one ")), const_buffer(), const_buffer(as_bytes("two"))};
  support::vectored_recording_writer vectored;
  any_writer direct{vectored};
  EXPECT_EQ(direct.write_some(pieces).value(), 7U);
  EXPECT_EQ(vectored.vectored_calls, 1U);

  recording_writer plain;
  any_writer first_only{plain};
  EXPECT_EQ(first_only.write_some(std::span(pieces).subspan(1)).value(), 3U);
  EXPECT_EQ(first_only.write_some(std::span<const const_buffer>()).value(), 0U);

  slots_writer buffered;
  any_writer w{buffered};
  for (int i = 0; i < 20; ++i) ASSERT_EQ(w.write_some(pieces).value(), 7U);
  ASSERT_TRUE(w.flush());
  std::string expected;
  for (int i = 0; i < 20; ++i) expected += "one two";
  EXPECT_EQ(support::text(buffered.out), expected);
}

TEST(any_writer, small_copies_coalesce_in_the_buffer) {
  recording_writer sink;
  const auto data = support::pattern(100);
  any_writer w{buf_writer{sink, 1000}};
  for (int i = 0; i < 10; ++i) {
    support::chunked_reader source{data};
    ASSERT_EQ(copy(source, w).value(), 100U);
    ASSERT_EQ(copy(span_reader{data}, w).value(), 100U);
  }
  ASSERT_TRUE(w.flush());
  EXPECT_EQ(sink.data.size(), 2000U);
  EXPECT_LE(sink.sizes.size(), 3U);
}

// Every interleaving that a random walk finds, against a plain vector.
template <class Make>
void walk(Make make, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto data = support::pattern(300, seed);
  recording_writer sink{.chunk = 1 + random() % 100};
  std::vector<std::byte> expected;
  {
    any_writer w = make(sink);
    for (int i = 0; i < 200; ++i) {
      const auto piece = std::span(data).first(random() % (random() % 2 == 0 ? 10 : 300));
      switch (random() % 6) {
        case 0:
        case 1:
        case 2: {
          const std::size_t n = w.write_some(piece).value();
          ASSERT_EQ(n == 0, piece.empty());
          expected.insert(expected.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
          break;
        }
        case 3: {
          const std::size_t cut = piece.empty() ? 0 : random() % piece.size();
          const std::array pieces{const_buffer(piece.first(cut)), const_buffer(piece.subspan(cut))};
          const std::size_t n = w.write_some(pieces).value();
          expected.insert(expected.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
          break;
        }
        case 4:
          if (random() % 4 == 0) {
            ASSERT_TRUE(w.flush());
            ASSERT_EQ(sink.data, expected);
          } else {
            w.sync();
          }
          break;
        case 5: {
          any_writer other = std::move(w);
          w = std::move(other);
          break;
        }
      }
    }
  }
  ASSERT_EQ(sink.data, expected);
}

TEST(any_writer, agrees_with_a_plain_vector_after_any_mix) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    walk([](recording_writer& sink) { return any_writer{sink}; }, seed);
    walk([seed](recording_writer& sink) { return any_writer{buf_writer{sink, 1 + seed}}; }, seed);
    walk([](recording_writer& sink) { return any_writer{counted(buf_writer{sink, 64})}; }, seed);
    walk([](recording_writer& sink) { return any_writer{any_writer{buf_writer{sink, 50}} | counted()}; }, seed);
  }
}

}  // namespace
