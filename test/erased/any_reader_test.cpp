// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/counted.hpp>
#include <sluice/adaptor/limit.hpp>
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/copy.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::kernel_stream;
using support::window_reader;

static_assert(buffered_reader<any_reader> && vectored_reader<any_reader>);
static_assert(skippable<any_reader> && size_hinted<any_reader> && kernel_reader<any_reader>);
static_assert(!writer<any_reader>);
static_assert(std::is_nothrow_move_constructible_v<any_reader>);
static_assert(std::is_nothrow_move_assignable_v<any_reader>);
static_assert(!std::is_copy_constructible_v<any_reader>);
static_assert(!std::is_constructible_v<any_reader, any_reader&>);
static_assert(std::is_convertible_v<chunked_reader&, any_reader>);
static_assert(!std::is_constructible_v<any_reader, null_writer&>);
static_assert(!std::is_constructible_v<any_reader, const chunked_reader&>);
static_assert(!std::is_constructible_v<any_reader, window_reader&, std::size_t>);

// Larger than what a handle keeps inside, and counting its lives.
struct large_reader : chunked_reader {
  int* alive;
  std::array<std::byte, 200> ballast{};
  large_reader(std::span<const std::byte> d, int* count) : chunked_reader{d}, alive(count) { ++*alive; }
  large_reader(large_reader&& other) : chunked_reader(other), alive(other.alive) { ++*alive; }
  ~large_reader() { --*alive; }
};

// Small, with its window inside of itself: moving the handle moves the window.
struct tiny_reader {
  std::array<std::byte, 24> memory{};
  unsigned char begin = 0;
  unsigned char end = 24;

  explicit tiny_reader(std::span<const std::byte> d) { std::ranges::copy(d.first(24), memory.begin()); }
  result<std::size_t> read_some(std::span<std::byte> b) {
    const std::size_t n = std::min(b.size(), buffered().size());
    std::ranges::copy(buffered().first(n), b.begin());
    consume(n);
    return n;
  }
  std::span<const std::byte> buffered() const noexcept {
    return std::span(memory).subspan(begin, static_cast<std::size_t>(end - begin));
  }
  result<std::span<const std::byte>> fill(std::size_t) { return buffered(); }
  void consume(std::size_t n) noexcept { begin = static_cast<unsigned char>(begin + n); }
};
static_assert(detail::erased_object::fits<tiny_reader>);

TEST(any_reader, reads_everything_from_any_stream_in_chunks_of_any_size) {
  const auto data = support::pattern(300);
  for (std::size_t chunk = 1; chunk <= 40; ++chunk) {
    for (std::size_t request = 1; request <= 40; ++request) {
      any_reader plain{chunked_reader{data, chunk}, 16};
      ASSERT_EQ(support::drain(plain, request).value(), data);
      any_reader buffered{window_reader{.data = data, .chunk = chunk}};
      ASSERT_EQ(support::drain(buffered, request).value(), data);
      any_reader memory{span_reader{data}};
      ASSERT_EQ(support::drain(memory, request).value(), data);
    }
  }
}

TEST(any_reader, small_reads_cost_no_call) {
  const auto data = support::pattern(1 << 20);
  window_reader inner{.data = data, .room = 1 << 16};
  any_reader r{inner};
  std::array<std::byte, 8> b;
  std::size_t total = 0;
  while (const std::size_t n = r.read_some(b).value()) total += n;
  EXPECT_EQ(total, data.size());
  EXPECT_EQ(inner.reads, 17U);
  // A few for each of the sixteen times that the buffer was empty, of 131072 reads.
  EXPECT_LE(inner.calls, 17U * 4);
}

TEST(any_reader, the_window_costs_no_call) {
  const auto data = support::pattern(100);
  window_reader inner{.data = data, .room = 64};
  any_reader r{inner};
  ASSERT_EQ(r.fill(1)->size(), 64U);
  const std::size_t before = inner.calls;
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(r.buffered().size(), 64U - static_cast<std::size_t>(i));
    ASSERT_TRUE(r.fill(4));
    r.consume(1);
  }
  EXPECT_EQ(r.skip(2).value(), 2U);
  EXPECT_EQ(inner.calls, before);
}

TEST(any_reader, fills_as_the_wrapped_reader_does) {
  const auto data = support::pattern(4 << 18);
  chunked_reader source{data};
  any_reader r{buf_reader{source, 1 << 18}};
  std::size_t total = 0;
  std::size_t windows = 0;
  for (;;) {
    const auto seen = r.fill(1).value();
    if (seen.empty()) break;
    total += seen.size();
    ++windows;
    r.consume(seen.size());
  }
  EXPECT_EQ(total, data.size());
  EXPECT_EQ(windows, 4U);
  EXPECT_EQ(source.requests, std::vector<std::size_t>(5, 1 << 18));
  EXPECT_EQ(r.capacity(), std::size_t{1} << 18);
}

TEST(any_reader, a_copy_takes_as_many_calls_as_without_it) {
  const auto data = support::pattern(1 << 20);
  for (const bool inside : {false, true}) {
    chunked_reader source{data};
    support::recording_writer sink;
    any_reader r = inside ? any_reader{source} : any_reader{buf_reader{source, 1 << 18}};
    ASSERT_EQ(copy(r, sink).value(), data.size());
    EXPECT_EQ(sink.data, data);
    EXPECT_EQ(sink.sizes, std::vector<std::size_t>(4, 1 << 18));
    EXPECT_EQ(source.requests, std::vector<std::size_t>(5, 1 << 18));
  }
}

TEST(any_reader, a_copy_begins_with_what_is_buffered) {
  const auto data = support::pattern(5000);
  for (std::size_t used = 0; used <= 300; used += 7) {
    chunked_reader source{data, 100};
    any_reader r{source, 256};
    std::vector<std::byte> got(used);
    for (std::size_t n = 0; n < used;) n += r.read_some(std::span(got).subspan(n)).value();
    support::recording_writer sink;
    ASSERT_EQ(copy(r, sink).value(), data.size() - used);
    got.insert(got.end(), sink.data.begin(), sink.data.end());
    ASSERT_EQ(got, data);
  }
}

TEST(any_reader, a_large_read_goes_past_the_buffer) {
  const auto data = support::pattern(1000);
  chunked_reader source{data};
  any_reader r{source, 100};
  std::vector<std::byte> b(500);
  EXPECT_EQ(r.read_some(b).value(), 500U);
  EXPECT_EQ(source.requests, std::vector<std::size_t>{500});
}

TEST(any_reader, a_request_for_nothing_reads_nothing) {
  chunked_reader source;
  any_reader r{source};
  EXPECT_EQ(r.read_some(std::span<std::byte>()).value(), 0U);
  EXPECT_EQ(r.read_some(std::span<const mutable_buffer>()).value(), 0U);
  EXPECT_TRUE(r.buffered().empty());
  EXPECT_EQ(source.calls, 0U);
}

TEST(any_reader, tells_what_was_consumed_before_it_is_gone_or_moved) {
  const auto data = support::pattern(100);
  window_reader inner{.data = data};
  std::array<std::byte, 3> b;
  {
    any_reader r{inner};
    ASSERT_TRUE(r.fill(10));
    r.consume(2);
    ASSERT_EQ(r.read_some(b).value(), 3U);
    EXPECT_EQ(inner.consumed, 0U);
    r.sync();
    EXPECT_EQ(inner.consumed, 5U);
    r.consume(r.buffered().size() - 10);
    any_reader moved = std::move(r);
    EXPECT_EQ(inner.consumed, 6U);
    moved.consume(moved.fill(1)->size());
    EXPECT_EQ(inner.consumed, 6U);
  }
  EXPECT_EQ(inner.consumed, 16U);
}

TEST(any_reader, an_owned_wrapper_of_an_lvalue_is_told_too) {
  const auto data = support::pattern(100);
  window_reader inner{.data = data};
  {
    any_reader r{inner | limit(50)};
    ASSERT_TRUE(r.fill(1));
    r.consume(7);
  }
  EXPECT_EQ(inner.consumed, 7U);
}

TEST(any_reader, the_wrapped_reader_may_be_used_after_a_sync) {
  const auto data = support::pattern(100);
  window_reader inner{.data = data};
  any_reader r{inner};
  ASSERT_TRUE(r.fill(8));
  r.consume(3);
  r.sync();
  std::array<std::byte, 4> b;
  ASSERT_EQ(inner.read_some(b).value(), 4U);
  EXPECT_EQ(b[0], data[3]);
  EXPECT_EQ(r.buffered()[0], data[7]);
}

TEST(any_reader, moves_a_window_that_lies_inside) {
  const auto data = support::pattern(24);
  any_reader r{tiny_reader{data}};
  ASSERT_TRUE(r.fill(1));
  r.consume(4);
  std::vector<any_reader> moved;
  for (int i = 0; i < 10; ++i) {
    moved.push_back(std::move(r));
    EXPECT_TRUE(support::equal(moved.back().buffered(), std::span(data).subspan(4)));
    r = std::move(moved.back());
    EXPECT_TRUE(support::equal(r.fill(1).value(), std::span(data).subspan(4)));
  }
}

TEST(any_reader, owns_and_ends_what_it_was_given) {
  const auto data = support::pattern(50);
  int alive = 0;
  {
    any_reader r{large_reader(data, &alive)};
    EXPECT_EQ(alive, 1);
    any_reader s{std::move(r)};
    EXPECT_EQ(alive, 1);
    r = any_reader{large_reader(data, &alive)};
    EXPECT_EQ(alive, 2);
    s = std::move(r);
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(support::drain(s).value(), data);
    s = any_reader{};
    EXPECT_EQ(alive, 0);
  }
  EXPECT_EQ(alive, 0);
}

TEST(any_reader, refers_to_an_lvalue) {
  const auto data = support::pattern(50);
  int alive = 0;
  large_reader inner(data, &alive);
  any_reader r{inner, 10};
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(support::drain(r).value(), data);
  EXPECT_TRUE(inner.data.empty());
}

TEST(any_reader, an_empty_handle_fails) {
  any_reader r;
  EXPECT_FALSE(r);
  std::array<std::byte, 1> b;
  EXPECT_EQ(r.read_some(b).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(r.fill(1).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(r.skip(1).error(), std::errc::bad_file_descriptor);
  EXPECT_TRUE(r.buffered().empty());
  EXPECT_EQ(r.capacity(), 0U);
  EXPECT_FALSE(r.size_hint());
  EXPECT_FALSE(r.kernel_endpoint());
  r.kernel_advanced(0);
  any_reader full{span_reader{"x"}};
  EXPECT_TRUE(full);
  r = std::move(full);
  EXPECT_EQ(full.read_some(b).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(r.read_some(b).value(), 1U);
}

TEST(any_reader, keeps_the_kernel_endpoint) {
  kernel_stream inner;
  inner.data = support::pattern(100);
  any_reader r{inner, 10};
  std::array<std::byte, 4> b;
  ASSERT_EQ(r.read_some(b).value(), 4U);
  const auto endpoint = r.kernel_endpoint();
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->fd, 42);
  EXPECT_EQ(endpoint->buffered, r.buffered().size());
  r.consume(r.buffered().size());
  EXPECT_EQ(r.kernel_endpoint()->buffered, 0U);
  r.kernel_advanced(7);
  EXPECT_EQ(inner.advanced, 7U);
  EXPECT_FALSE(any_reader{chunked_reader{}}.kernel_endpoint());
}

TEST(any_reader, keeps_the_kernel_endpoint_through_adaptors_on_both_sides) {
  kernel_stream inner;
  inner.data = support::pattern(100);
  auto r = any_reader{inner | counted() | limit(60)} | limit(50) | counted();
  EXPECT_EQ(r.kernel_endpoint()->max_bytes, 50U);
  r.kernel_advanced(20);
  EXPECT_EQ(r.kernel_endpoint()->max_bytes, 30U);
  EXPECT_EQ(inner.advanced, 20U);
}

TEST(any_reader, a_limit_below_that_was_reached_inside_the_kernel_shows) {
  kernel_stream inner;
  inner.data = support::pattern(100);
  any_reader r{inner | limit(50)};
  r.kernel_advanced(50);
  EXPECT_TRUE(support::drain(r).value().empty());
}

TEST(any_reader, hints_and_skips_where_the_wrapped_reader_does) {
  const auto data = support::pattern(100);
  window_reader inner{.data = data};
  any_reader r{inner};
  ASSERT_TRUE(r.fill(1));
  r.consume(5);
  EXPECT_EQ(r.size_hint(), 95U);
  EXPECT_EQ(r.skip(50).value(), 50U);
  EXPECT_EQ(r.fill(1).value()[0], data[55]);
  EXPECT_EQ(r.skip(unbounded).value(), 45U);

  any_reader plain{chunked_reader{data}, 10};
  EXPECT_FALSE(plain.size_hint());
  ASSERT_TRUE(plain.fill(1));
  EXPECT_EQ(plain.skip(4).value(), 4U);
  EXPECT_EQ(plain.skip(7).error(), io_errc::unsupported);
  EXPECT_EQ(plain.buffered().size(), 6U);
}

TEST(any_reader, scatters_what_is_buffered_and_reads_pieces_in_one_call) {
  const auto data = support::pattern(100);
  std::array<std::byte, 12> memory;
  const auto all = std::span(memory);
  const std::array pieces{mutable_buffer(all.first(5)), mutable_buffer(), mutable_buffer(all.last(7))};

  window_reader inner{.data = data};
  any_reader buffered{inner};
  ASSERT_TRUE(buffered.fill(1));
  EXPECT_EQ(buffered.read_some(pieces).value(), 12U);
  EXPECT_TRUE(support::equal(all, std::span(data).first(12)));
  EXPECT_EQ(buffered.read_some(pieces).value(), 4U);
  EXPECT_EQ(buffered.read_some(pieces).value(), 5U);  // a read into the first piece
  EXPECT_TRUE(support::equal(all.first(5), std::span(data).subspan(16, 5)));
}

TEST(any_reader, errors_lose_nothing) {
  const auto data = support::pattern(40);
  for (std::size_t k = 1; k <= 6; ++k) {
    for (std::size_t wanted = 1; wanted <= 16; ++wanted) {
      window_reader inner{.data = data, .chunk = 7, .fail_at = k};
      any_reader r{inner};
      std::vector<std::byte> got;
      int errors = 0;
      for (;;) {
        const auto seen = r.fill(wanted);
        if (!seen) {
          ASSERT_EQ(seen.error(), std::errc::io_error);
          ++errors;
          continue;
        }
        if (seen->empty()) break;
        const std::size_t used = std::min<std::size_t>(wanted, seen->size());
        got.insert(got.end(), seen->begin(), seen->begin() + static_cast<std::ptrdiff_t>(used));
        r.consume(used);
      }
      ASSERT_EQ(got, data);
      ASSERT_LE(errors, 1);
    }
  }
}

TEST(any_reader, does_not_believe_impossible_counts) {
  any_reader r{support::over_counting_reader{}, 8};
  std::array<std::byte, 4> b;
  EXPECT_EQ(read_some(r, b).error(), io_errc::bad_count);
  EXPECT_EQ(r.fill(1).error(), io_errc::bad_count);
}

// Every interleaving that a random walk finds, against an offset into the data. Direct: the handle's own reader is
// the lvalue, which therefore knows after a sync what was consumed.
template <class Make>
void walk(Make make, std::uint32_t seed, bool direct = false) {
  std::mt19937 random(seed);
  const auto data = support::pattern(2000, seed);
  window_reader lvalue{.data = data, .room = 1 + random() % 40, .chunk = 1 + random() % 50};
  any_reader r = make(lvalue, data);
  const std::span<const std::byte> all = data;
  std::size_t at = 0;
  std::vector<std::byte> b;
  while (at < data.size()) {
    ASSERT_TRUE(support::equal(r.buffered(), all.subspan(at, r.buffered().size())));
    switch (random() % 9) {
      case 0:
      case 1: {
        b.assign(random() % 60, std::byte{});
        const std::size_t n = r.read_some(b).value();
        ASSERT_TRUE(support::equal(std::span(b).first(n), all.subspan(at, n)));
        ASSERT_EQ(n == 0, b.empty());
        at += n;
        break;
      }
      case 2: {
        const std::size_t n = std::min<std::size_t>(random() % 40, r.capacity());
        const auto seen = r.fill(n).value();
        ASSERT_GE(seen.size(), std::min(n, data.size() - at));
        ASSERT_TRUE(support::equal(seen, all.subspan(at, seen.size())));
        break;
      }
      case 3: {
        const std::size_t n = r.buffered().empty() ? 0 : random() % (r.buffered().size() + 1);
        r.consume(n);
        at += n;
        break;
      }
      case 4: {
        const auto n = r.skip(random() % 60);
        if (n)
          at += static_cast<std::size_t>(*n);
        else
          ASSERT_EQ(n.error(), io_errc::unsupported);
        break;
      }
      case 5:
        r.sync();
        if (direct) {
          ASSERT_EQ(lvalue.consumed, at);
        }
        break;
      case 6: {
        any_reader other = std::move(r);
        r = std::move(other);
        break;
      }
      case 7: {
        const auto hint = r.size_hint();
        if (hint) {
          ASSERT_EQ(*hint, data.size() - at);
        }
        break;
      }
      case 8: {
        std::array<std::byte, 30> memory;
        const std::size_t cut = random() % 30;
        const std::array pieces{mutable_buffer(std::span(memory).first(cut)),
                                mutable_buffer(std::span(memory).subspan(cut))};
        const std::size_t n = r.read_some(pieces).value();
        ASSERT_NE(n, 0U);
        ASSERT_TRUE(support::equal(std::span(memory).first(n), all.subspan(at, n)));
        at += n;
        break;
      }
    }
  }
  ASSERT_TRUE(r.fill(1)->empty());
}

TEST(any_reader, agrees_with_the_data_after_any_mix) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    walk([](window_reader& inner, auto&) { return any_reader{inner}; }, seed, true);
    walk([](window_reader& inner, auto&) { return any_reader{inner | limit(2000)}; }, seed, true);
    walk([](window_reader& inner, auto&) { return any_reader{window_reader(inner)}; }, seed);
    walk([](auto&, auto& data) { return any_reader{span_reader{data}}; }, seed);
    walk([seed](auto&, auto& data) { return any_reader{chunked_reader{data, 13}, seed}; }, seed);
    walk([](auto&, auto& data) { return any_reader{support::vectored_reader_fake{{data, 9}}, 20}; }, seed);
    walk([](window_reader& inner, auto&) { return any_reader{any_reader{inner} | counted()}; }, seed);
  }
}

}  // namespace
