// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/write.hpp>

#include "support/allocations.hpp"
#include "support/seekable.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sluice;
using support::pattern;
using support::recording_writer;
using support::seekable_writer;
using support::text;
using support::vectored_recording_writer;

static_assert(buffered_writer<buf_writer<recording_writer>> && buffered_writer<buf_writer<recording_writer&>>);
static_assert(!vectored_writer<buf_writer<vectored_recording_writer>>);
static_assert(!seekable<buf_writer<recording_writer>> && seekable<buf_writer<seekable_writer&>>);
static_assert(!kernel_writer<buf_writer<recording_writer>> && kernel_writer<buf_writer<support::kernel_stream&>>);
static_assert(!writer<const buf_writer<recording_writer>> && !reader<buf_writer<support::kernel_stream>>);
static_assert(!std::is_copy_constructible_v<buf_writer<recording_writer>>);
static_assert(std::is_move_constructible_v<buf_writer<recording_writer>>);
static_assert(std::is_move_assignable_v<buf_writer<recording_writer&>>);

using sizes = std::vector<std::size_t>;

result<std::size_t> put(auto& w, std::string_view s) { return sluice::write_some(w, as_bytes(s)); }

// How the inner writer is held. ---------------------------------------------------------------------------------------

TEST(buf_writer, refers_to_an_lvalue_and_owns_an_rvalue) {
  recording_writer inner;
  std::array<std::byte, 4> memory;
  buf_writer by_default(inner);
  buf_writer by_size(inner, 16);
  buf_writer by_capacity(inner, {.initial = 4, .maximum = 8});
  buf_writer by_memory(inner, std::span(memory));
  static_assert(std::is_same_v<decltype(by_default), buf_writer<recording_writer&>>);
  static_assert(std::is_same_v<decltype(by_size), buf_writer<recording_writer&>>);
  static_assert(std::is_same_v<decltype(by_capacity), buf_writer<recording_writer&>>);
  static_assert(std::is_same_v<decltype(by_memory), buf_writer<recording_writer&>>);
  EXPECT_EQ(by_default.capacity(), default_buffer_size);
  EXPECT_EQ(by_size.capacity(), 16U);
  EXPECT_EQ(by_capacity.capacity(), 4U);
  EXPECT_EQ(by_memory.capacity(), 4U);
  EXPECT_EQ(&by_default.inner(), &inner);

  buf_writer owned(recording_writer{}, 16);
  static_assert(std::is_same_v<decltype(owned), buf_writer<recording_writer>>);
  EXPECT_TRUE(put(owned, "abc"));
  EXPECT_TRUE(owned.flush());
  EXPECT_EQ(text(owned.inner().data), "abc");
}

TEST(buf_writer, of_an_lvalue_buf_writer_is_no_copy) {
  recording_writer inner;
  buf_writer first(inner, 4);
  buf_writer second(first);
  static_assert(std::is_same_v<decltype(second), buf_writer<buf_writer<recording_writer&>&>>);
}

TEST(buf_writer, a_capacity_of_nothing_is_one_byte) {
  recording_writer inner;
  buf_writer out(inner, 0);
  EXPECT_EQ(out.capacity(), 1U);
  EXPECT_TRUE(write_all(out, "abc"));
  EXPECT_EQ(out.prepare(1).value().size(), 1U);
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "abc");
}

// Small writes and large ones. ----------------------------------------------------------------------------------------

TEST(buf_writer, small_writes_become_large_ones) {
  const auto data = pattern(64);
  recording_writer inner;
  buf_writer out(inner, 16);
  for (std::size_t at = 0; at < data.size(); at += 4) {
    ASSERT_EQ(out.write_some(std::span(data).subspan(at, 4)).value(), 4U);
  }
  EXPECT_EQ(inner.sizes, (sizes{16, 16, 16})) << "what fits is kept until more comes";
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(inner.sizes, (sizes{16, 16, 16, 16}));
  EXPECT_EQ(inner.data, data);
}

TEST(buf_writer, a_write_of_the_capacity_goes_past_an_empty_buffer) {
  const auto data = pattern(64);
  for (const std::size_t size : {16U, 17U, 40U}) {
    recording_writer inner;
    buf_writer out(inner, 16);
    EXPECT_EQ(out.write_some(std::span(data).first(size)).value(), size);
    EXPECT_EQ(inner.sizes, (sizes{size}));
    // And so it does once there is a buffer.
    EXPECT_TRUE(put(out, "x"));
    EXPECT_TRUE(out.flush());
    EXPECT_EQ(out.write_some(std::span(data).first(size)).value(), size);
    EXPECT_EQ(inner.sizes, (sizes{size, 1, size}));
    EXPECT_TRUE(out.pending().empty());
  }
}

TEST(buf_writer, what_goes_past_an_empty_buffer_allocates_none) {
  const auto data = pattern(64);
  struct : recording_writer {
    result<std::size_t> write_some(std::span<const std::byte> b) { return b.size(); }
  } inner;
  const support::allocations before;
  buf_writer out(inner, 16);
  EXPECT_EQ(out.write_some(data).value(), 64U);
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(before.count(), 0U);
  EXPECT_TRUE(put(out, "a"));
  EXPECT_TRUE(put(out, "b"));
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(before.count(), 1U);
  EXPECT_EQ(before.bytes(), 16U);
}

TEST(buf_writer, pending_bytes_and_a_large_write_are_one_call) {
  const auto data = pattern(64);
  vectored_recording_writer inner;
  buf_writer out(inner, 16);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.write_some(data).value(), 64U);
  EXPECT_EQ(inner.vectored_calls, 1U);
  EXPECT_EQ(inner.sizes, (sizes{67}));
  EXPECT_TRUE(out.pending().empty());

  // One that does not fit behind what is pending, but would fit alone.
  EXPECT_TRUE(put(out, "0123456789"));
  EXPECT_EQ(put(out, "abcdefg"), 7U);
  EXPECT_EQ(inner.sizes, (sizes{67, 17}));
  // One that fits exactly is kept.
  EXPECT_TRUE(put(out, "0123456789"));
  EXPECT_EQ(put(out, "abcdef"), 6U);
  EXPECT_EQ(inner.calls, 2U);
  EXPECT_EQ(out.pending().size(), 16U);
}

TEST(buf_writer, without_vectored_writes_pending_bytes_go_first) {
  const auto data = pattern(64);
  recording_writer inner;
  buf_writer out(inner, 16);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.write_some(data).value(), 64U);
  EXPECT_EQ(inner.sizes, (sizes{3, 64}));
  EXPECT_TRUE(put(out, "0123456789"));
  EXPECT_EQ(put(out, "abcdefg"), 7U);
  EXPECT_EQ(inner.sizes, (sizes{3, 64, 10}));
  EXPECT_EQ(text(out.pending()), "abcdefg");
}

TEST(buf_writer, an_empty_write_asks_nobody) {
  recording_writer inner;
  buf_writer out(inner, 4);
  EXPECT_EQ(out.write_some({}).value(), 0U);
  EXPECT_TRUE(out.flush());
  EXPECT_TRUE(put(out, "abcd"));
  EXPECT_EQ(out.write_some({}).value(), 0U) << "with no room left too";
  EXPECT_TRUE(put(out, "ef"));
  EXPECT_TRUE(out.flush());
  EXPECT_TRUE(out.flush());
  EXPECT_TRUE(out.close());
  EXPECT_EQ(std::ranges::count(inner.sizes, 0U), 0);
  EXPECT_EQ(text(inner.data), "abcdef");
}

TEST(buf_writer, passes_on_all_bytes_whatever_the_sizes) {
  const auto data = pattern(300);
  for (const std::size_t capacity : {1U, 2U, 7U, 64U, 299U, 300U, 301U}) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{5}, support::unlimited}) {
      for (const std::size_t piece : {1U, 2U, 5U, 63U, 64U, 65U, 300U}) {
        const auto run = [&](auto inner) {
          inner.chunk = chunk;
          buf_writer out(inner, capacity);
          for (std::size_t at = 0; at < data.size(); at += piece) {
            ASSERT_TRUE(write_all(out, std::span(data).subspan(at, std::min(piece, data.size() - at))));
          }
          ASSERT_TRUE(out.flush());
          EXPECT_EQ(inner.data, data) << capacity << ' ' << chunk << ' ' << piece;
          EXPECT_EQ(std::ranges::count(inner.sizes, 0U), 0);
        };
        run(recording_writer{});
        run(vectored_recording_writer{});
      }
    }
  }
}

// In place. -----------------------------------------------------------------------------------------------------------

TEST(buf_writer, prepare_lends_the_free_space_and_commit_accepts_it) {
  recording_writer inner;
  buf_writer out(inner, 8);
  auto room = out.prepare(3).value();
  ASSERT_EQ(room.size(), 8U) << "all there is";
  std::ranges::copy(as_bytes("abc"), room.begin());
  EXPECT_TRUE(out.pending().empty());
  out.commit(3);
  EXPECT_EQ(text(out.pending()), "abc");
  EXPECT_EQ(out.prepare(0).value().size(), 5U);
  EXPECT_EQ(out.prepare(5).value().data(), room.data() + 3);
  EXPECT_EQ(inner.calls, 0U);
  room = out.prepare(6).value();
  EXPECT_EQ(inner.sizes, (sizes{3})) << "room is made by passing on what is pending";
  EXPECT_EQ(room.size(), 8U);
  out.commit(0);
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(inner.calls, 1U);
}

TEST(buf_writer, its_free_space_is_what_it_takes_without_a_call) {
  recording_writer inner;
  buf_writer w{inner, 8};
  EXPECT_TRUE(w.free_space().empty()) << "nothing is allocated yet";
  EXPECT_TRUE(write_some(w, support::to_bytes("abc")));
  ASSERT_EQ(w.free_space().size(), 5U);
  w.free_space()[0] = std::byte{'d'};
  w.commit(1);
  EXPECT_EQ(text(w.pending()), "abcd");
  EXPECT_EQ(w.free_space().size(), 4U);
  EXPECT_TRUE(w.flush());
  EXPECT_EQ(text(inner.data), "abcd");
}

TEST(buf_writer, prepare_of_nothing_still_gives_room) {
  recording_writer inner;
  buf_writer out(inner, 4);
  EXPECT_EQ(out.prepare(0).value().size(), 4U);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.prepare(0).value().size(), 1U);
  out.commit(1);
  EXPECT_EQ(out.prepare(0).value().size(), 4U);
  EXPECT_EQ(inner.sizes, (sizes{4}));
}

TEST(buf_writer, prepare_grows_to_the_maximum_and_not_beyond) {
  for (std::size_t held = 0; held <= 8; ++held) {
    for (std::size_t n = 0; n <= 33; ++n) {
      const auto data = pattern(8 + n);
      recording_writer inner;
      buf_writer out(inner, {.initial = 9, .maximum = 32});
      ASSERT_TRUE(write_all(out, std::span(data).first(held)));
      const auto room = out.prepare(n);
      if (n > 32) {
        ASSERT_EQ(room.error(), io_errc::buffer_too_small);
        EXPECT_EQ(out.pending().size(), held);
        EXPECT_EQ(inner.calls, 0U);
        continue;
      }
      ASSERT_GE(room->size(), std::max<std::size_t>(n, 1));
      EXPECT_LE(out.capacity(), 32U);
      std::ranges::copy(std::span(data).subspan(held, n), room->begin());
      out.commit(n);
      ASSERT_TRUE(out.flush());
      EXPECT_TRUE(support::equal(inner.data, std::span(data).first(held + n)));
    }
  }
  recording_writer inner;
  buf_writer out(inner, {.initial = 8, .maximum = 32});
  EXPECT_EQ(out.prepare(std::numeric_limits<std::size_t>::max()).error(), io_errc::buffer_too_small);
}

TEST(buf_writer, a_first_prepare_that_has_to_grow_allocates_once) {
  const support::allocations before;
  recording_writer inner;
  buf_writer out(inner, {.initial = 16, .maximum = 4096});
  EXPECT_TRUE(out.prepare(1000));
  EXPECT_EQ(before.count(), 1U);
}

TEST(buf_writer, prepare_that_cannot_make_room_keeps_what_is_pending) {
  recording_writer inner{.fail_at = 1};
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abcde"));
  EXPECT_EQ(out.prepare(4).error(), std::errc::no_space_on_device);
  EXPECT_EQ(text(out.pending()), "abcde");
  EXPECT_EQ(out.prepare(4).value().size(), 8U);
  EXPECT_EQ(text(inner.data), "abcde");
}

TEST(buf_writer, allocates_nothing_in_the_callers_memory) {
  struct {
    result<std::size_t> write_some(std::span<const std::byte> b) { return b.size(); }
  } inner;
  const support::allocations before;
  std::array<std::byte, 64> memory;
  buf_writer out(inner, std::span(memory));
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(put(out, "0123456789"));
    const auto room = out.prepare(i % 65);
    ASSERT_TRUE(room);
    EXPECT_GE(room->data(), memory.data());
    EXPECT_LE(room->data() + room->size(), memory.data() + memory.size());
    out.commit(i % 65);
  }
  EXPECT_EQ(out.prepare(65).error(), io_errc::buffer_too_small);
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(before.count(), 0U);
}

// Failures. -----------------------------------------------------------------------------------------------------------

TEST(buf_writer, after_a_failure_a_retry_sends_exactly_what_was_not_accepted) {
  recording_writer inner{.chunk = 3, .fail_at = 3};
  buf_writer out(inner, 16);
  EXPECT_TRUE(put(out, "0123456789"));
  EXPECT_EQ(out.flush().error(), std::errc::no_space_on_device);
  EXPECT_EQ(text(inner.data), "012345");
  EXPECT_EQ(text(out.pending()), "6789");
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "0123456789");
  EXPECT_TRUE(out.pending().empty());
}

TEST(buf_writer, a_failure_that_lasts_is_told_every_time_and_loses_nothing) {
  struct full {
    bool has_space = false;
    std::string data = {};
    result<std::size_t> write_some(std::span<const std::byte> b) {
      if (!has_space) return fail(std::make_error_code(std::errc::no_space_on_device));
      data += support::text(b);
      return b.size();
    }
  } inner;
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abc"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(out.flush().error(), std::errc::no_space_on_device);
    EXPECT_EQ(put(out, "0123456789").error(), std::errc::no_space_on_device) << "nothing of it was accepted";
    EXPECT_EQ(out.prepare(8).error(), std::errc::no_space_on_device);
    EXPECT_EQ(out.close().error(), std::errc::no_space_on_device);
  }
  EXPECT_EQ(text(out.pending()), "abc");
  inner.has_space = true;
  EXPECT_TRUE(put(out, "0123456789"));
  EXPECT_TRUE(out.close());
  EXPECT_EQ(inner.data, "abc0123456789");
}

TEST(buf_writer, would_block_keeps_everything) {
  for (std::size_t k = 1; k <= 4; ++k) {
    recording_writer inner{.chunk = 4, .fail_at = k, .error = std::make_error_code(std::errc::operation_would_block)};
    buf_writer out(inner, 32);
    EXPECT_TRUE(put(out, "0123456789abcdef"));
    const auto first = out.flush();
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error(), std::errc::operation_would_block);
    EXPECT_EQ(inner.data.size(), 4 * (k - 1));
    EXPECT_EQ(out.pending().size(), 16 - 4 * (k - 1));
    EXPECT_TRUE(out.flush());
    EXPECT_EQ(text(inner.data), "0123456789abcdef");
  }
}

TEST(buf_writer, a_writer_that_accepts_nothing_is_an_error) {
  for (const std::size_t size : {1U, 8U, 9U}) {
    recording_writer inner{.chunk = 0};
    buf_writer out(inner, 8);
    const std::string data(size, 'x');
    if (size >= 8) {
      EXPECT_EQ(put(out, data).error(), io_errc::write_zero) << "past the buffer";
      EXPECT_TRUE(out.pending().empty());
    }
    EXPECT_TRUE(put(out, "abc"));
    EXPECT_EQ(out.flush().error(), io_errc::write_zero);
    EXPECT_EQ(out.prepare(8).error(), io_errc::write_zero);
    EXPECT_EQ(put(out, "01234567").error(), io_errc::write_zero);
    EXPECT_EQ(text(out.pending()), "abc");
  }
  vectored_recording_writer inner{{.chunk = 0}};
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(put(out, "01234567").error(), io_errc::write_zero);
  EXPECT_EQ(text(out.pending()), "abc");
}

TEST(buf_writer, believes_no_count_above_the_request) {
  support::over_counting_writer inner;
  buf_writer out(inner, 8);
  EXPECT_EQ(put(out, "0123456789").error(), io_errc::bad_count);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.flush().error(), io_errc::bad_count);
  EXPECT_EQ(put(out, "0123456789").error(), io_errc::bad_count);
  EXPECT_EQ(out.prepare(8).error(), io_errc::bad_count);
  EXPECT_EQ(text(out.pending()), "abc");

  struct over_counting_vectored : support::over_counting_writer {
    using over_counting_writer::write_some;
    result<std::size_t> write_some(std::span<const const_buffer> pieces) { return detail::cpo::total_size(pieces) + 1; }
  };
  buf_writer vectored(over_counting_vectored{}, 8);
  EXPECT_TRUE(put(vectored, "abc"));
  EXPECT_EQ(put(vectored, "0123456789").error(), io_errc::bad_count);
  EXPECT_EQ(text(vectored.pending()), "abc");
}

// Every operation in turn while the k-th call of the inner writer fails and each takes `chunk` bytes at most. What was
// accepted is at all times what the inner writer has and what is pending.
template <class Inner>
void write_with_a_failure(std::uint32_t seed, std::size_t fail_at, std::size_t chunk) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", call " << fail_at << " fails, chunk " << chunk);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t capacity = 1 + below(12);
  const std::size_t maximum = capacity + below(12);
  const auto data = pattern(2000, seed);
  std::span<const std::byte> left(data);
  std::vector<std::byte> accepted;
  const auto accept = [&](std::size_t n) {
    accepted.insert(accepted.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(n));
    left = left.subspan(n);
  };

  Inner inner;
  inner.chunk = chunk;
  inner.fail_at = fail_at;
  buf_writer out(inner, {.initial = capacity, .maximum = maximum});
  for (int step = 0; step < 25; ++step) {
    const std::size_t calls = inner.calls;
    const auto failed_now = [&] { return calls < fail_at && inner.calls >= fail_at; };
    switch (below(4)) {
      case 0:
      case 1: {
        const std::size_t n = below(2 * maximum);
        const auto written = out.write_some(left.first(n));
        ASSERT_EQ(written.has_value(), !failed_now());
        if (!written) break;
        ASSERT_LE(*written, n);
        ASSERT_EQ(*written == 0, n == 0);
        if (n < capacity) {
          ASSERT_EQ(*written, n);
        }
        accept(*written);
        break;
      }
      case 2: {
        const std::size_t n = below(maximum + 1);
        const auto room = out.prepare(n);
        ASSERT_EQ(room.has_value(), !failed_now());
        if (!room) break;
        ASSERT_GE(room->size(), std::max<std::size_t>(n, 1));
        std::ranges::copy(left.first(n), room->begin());
        out.commit(n);
        accept(n);
        break;
      }
      default: {
        const bool flushed = out.flush().has_value();
        ASSERT_EQ(flushed, !failed_now());
        ASSERT_TRUE(out.pending().empty() || !flushed);
      }
    }
    std::vector<std::byte> all = inner.data;
    all.insert(all.end(), out.pending().begin(), out.pending().end());
    ASSERT_EQ(all, accepted) << "step " << step;
  }
  if (!out.flush()) {
    ASSERT_TRUE(out.flush());
  }
  ASSERT_EQ(inner.data, accepted);
  ASSERT_EQ(std::ranges::count(inner.sizes, 0U), 0);
}

TEST(buf_writer, loses_and_repeats_nothing_whichever_call_fails) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    for (std::size_t fail_at = 0; fail_at <= 40; ++fail_at) {
      for (const std::size_t chunk :
           {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{11}, support::unlimited}) {
        write_with_a_failure<recording_writer>(seed, fail_at, chunk);
        write_with_a_failure<vectored_recording_writer>(seed, fail_at, chunk);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// An inner writer that throws, having accepted bytes. -----------------------------------------------------------------

template <class Inner>
struct throws_once : Inner {
  bool armed = true;

  using Inner::write_some;
  result<std::size_t> write_some(std::span<const std::byte> b) {
    auto n = Inner::write_some(b);
    if (std::exchange(armed, false)) throw std::runtime_error("after it was written");
    return n;
  }
};

struct vectored_thrower : throws_once<recording_writer> {
  using throws_once::write_some;
  result<std::size_t> write_some(std::span<const const_buffer> pieces) {
    std::vector<std::byte> joined;
    for (const const_buffer& piece : pieces) joined.insert(joined.end(), piece.data, piece.data + piece.size);
    return write_some(joined);
  }
};

TEST(buf_writer, writes_nothing_twice_where_the_inner_writer_threw) {
  throws_once<recording_writer> inner;
  {
    buf_writer out(inner, 8);
    EXPECT_TRUE(put(out, "abc"));
    EXPECT_THROW((void)out.flush(), std::runtime_error);
    EXPECT_EQ(text(out.pending()), "abc") << "for the caller to judge";
  }
  EXPECT_EQ(text(inner.data), "abc");

  throws_once<recording_writer> in_prepare;
  {
    buf_writer out(in_prepare, 8);
    EXPECT_TRUE(put(out, "abc"));
    EXPECT_THROW((void)out.prepare(8), std::runtime_error);
    buf_writer moved(std::move(out));
  }
  EXPECT_EQ(text(in_prepare.data), "abc");

  vectored_thrower vectored;
  {
    buf_writer out(vectored, 8);
    EXPECT_TRUE(put(out, "abc"));
    EXPECT_THROW((void)put(out, "01234567"), std::runtime_error);
    buf_writer other(vectored, 8);
    out = std::move(other);
  }
  EXPECT_EQ(text(vectored.data), "abc01234567");
}

TEST(buf_writer, after_an_exception_the_caller_may_still_try_again) {
  throws_once<recording_writer> inner;
  {
    buf_writer out(inner, 8);
    EXPECT_TRUE(put(out, "abc"));
    EXPECT_THROW((void)out.flush(), std::runtime_error);
    EXPECT_TRUE(out.flush());
    EXPECT_TRUE(put(out, "def"));
  }
  EXPECT_EQ(text(inner.data), "abcabcdef") << "and all is as before, the destructor's write included";
}

TEST(buf_writer, a_destructor_lets_no_exception_out) {
  throws_once<recording_writer> inner;
  {
    buf_writer out(inner, 8);
    EXPECT_TRUE(put(out, "abc"));
  }
  EXPECT_EQ(text(inner.data), "abc");
}

// Closing, destroying, moving, taking apart. --------------------------------------------------------------------------

struct closable_writer : recording_writer {
  int closed = 0;
  std::error_code close_error = {};
  result<void> close() {
    ++closed;
    if (close_error) return fail(close_error);
    return {};
  }
};

TEST(buf_writer, close_flushes_and_closes) {
  closable_writer inner;
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_TRUE(out.close());
  EXPECT_EQ(text(inner.data), "abc");
  EXPECT_EQ(inner.closed, 1);
}

TEST(buf_writer, takes_nothing_after_it_was_closed) {
  closable_writer inner;
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abc"));
  ASSERT_TRUE(out.close());
  EXPECT_TRUE(out.free_space().empty());
  EXPECT_EQ(out.write_some(as_bytes("d")).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(out.prepare(1).error(), std::errc::bad_file_descriptor);
  EXPECT_TRUE(out.pending().empty());
  EXPECT_EQ(text(inner.data), "abc");
}

TEST(buf_writer, close_reports_the_flush_and_then_does_not_close) {
  closable_writer inner;
  inner.fail_at = 1;
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.close().error(), std::errc::no_space_on_device);
  EXPECT_EQ(inner.closed, 0);
  EXPECT_EQ(text(out.pending()), "abc");
  EXPECT_TRUE(out.close());
  EXPECT_EQ(inner.closed, 1);
  EXPECT_EQ(text(inner.data), "abc");
}

TEST(buf_writer, close_reports_the_inner_close) {
  closable_writer inner;
  inner.close_error = std::make_error_code(std::errc::io_error);
  buf_writer out(inner, 8);
  EXPECT_EQ(out.close().error(), std::errc::io_error);
}

TEST(buf_writer, the_destructor_writes_what_is_pending) {
  recording_writer inner{.chunk = 2};
  {
    buf_writer out(inner, 8);
    EXPECT_TRUE(put(out, "abcde"));
  }
  EXPECT_EQ(text(inner.data), "abcde");
}

TEST(buf_writer, moves_with_its_contents) {
  recording_writer inner;
  {
    buf_writer first(inner, 8);
    EXPECT_TRUE(put(first, "abc"));
    buf_writer second(std::move(first));
    EXPECT_EQ(text(second.pending()), "abc");
    EXPECT_TRUE(first.pending().empty());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(put(second, "def"));
    EXPECT_EQ(inner.calls, 0U);
  }
  EXPECT_EQ(text(inner.data), "abcdef");
  EXPECT_EQ(inner.calls, 1U);
}

TEST(buf_writer, move_assignment_writes_what_was_pending_before) {
  recording_writer inner;
  recording_writer other;
  {
    buf_writer out(inner, 8);
    EXPECT_TRUE(put(out, "old"));
    buf_writer next(other, 16);
    EXPECT_TRUE(put(next, "new"));
    out = std::move(next);
    EXPECT_EQ(text(inner.data), "old");
    EXPECT_EQ(text(out.pending()), "new");
    EXPECT_EQ(out.capacity(), 16U);
    EXPECT_EQ(&out.inner(), &other);
    auto& self = out;
    out = std::move(self);
    EXPECT_EQ(text(out.pending()), "new");
    EXPECT_EQ(other.calls, 0U);
  }
  EXPECT_EQ(text(other.data), "new");
}

TEST(buf_writer, into_inner_does_no_io) {
  recording_writer inner{.chunk = 2, .fail_at = 2};
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abcde"));
  EXPECT_FALSE(out.flush());
  auto [stream, unwritten] = std::move(out).into_inner();
  EXPECT_EQ(&stream, &inner);
  EXPECT_EQ(text(unwritten), "cde");
  EXPECT_EQ(inner.calls, 2U);

  buf_writer owner(recording_writer{}, 8);
  EXPECT_TRUE(put(owner, "abc"));
  auto parts = std::move(owner).into_inner();
  EXPECT_EQ(text(parts.unwritten), "abc");
  EXPECT_EQ(parts.inner.calls, 0U);
}

TEST(buf_writer, flush_reaches_the_inner_buffer_too) {
  recording_writer inner;
  buf_writer middle(inner, 64);
  buf_writer out(middle, 8);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "abc");
  EXPECT_TRUE(middle.pending().empty());

  // Even when there is nothing in the outer one.
  EXPECT_TRUE(put(middle, "def"));
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(text(inner.data), "abcdef");
}

TEST(buf_writer, close_reaches_the_innermost_stream) {
  closable_writer inner;
  buf_writer out(buf_writer(inner, 64), 8);
  static_assert(std::is_same_v<decltype(out), buf_writer<buf_writer<closable_writer&>>>);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_TRUE(out.close());
  EXPECT_EQ(text(inner.data), "abc");
  EXPECT_EQ(inner.closed, 1);
}

// Position and seek. --------------------------------------------------------------------------------------------------

TEST(buf_writer, the_position_counts_what_is_pending) {
  seekable_writer inner;
  buf_writer out(inner, 8);
  EXPECT_EQ(out.position().value(), 0U);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.position().value(), 3U);
  EXPECT_TRUE(put(out, "0123456789"));
  EXPECT_EQ(out.position().value(), 13U);
  EXPECT_EQ(inner.writes, 2U);
  EXPECT_EQ(inner.at, 13U);
}

TEST(buf_writer, seeks_after_passing_on_what_is_pending) {
  seekable_writer inner;
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abcdef"));
  EXPECT_EQ(out.seek(1).value(), 1U);
  EXPECT_TRUE(put(out, "XY"));
  EXPECT_EQ(out.seek(1, whence::current).value(), 4U);
  EXPECT_TRUE(put(out, "Z"));
  EXPECT_EQ(out.seek(0, whence::end).value(), 6U);
  EXPECT_EQ(text(inner.data), "aXYdZf");
}

TEST(buf_writer, does_not_seek_after_a_failed_flush) {
  struct broken : seekable_writer {
    result<std::size_t> write_some(std::span<const std::byte>) {
      return fail(std::make_error_code(std::errc::io_error));
    }
  } inner;
  buf_writer out(inner, 8);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_EQ(out.seek(9).error(), std::errc::io_error);
  EXPECT_EQ(inner.at, 0U);
  EXPECT_EQ(text(out.pending()), "abc");
}

// The capability protocol. --------------------------------------------------------------------------------------------

TEST(buf_writer, its_endpoint_tells_what_is_pending) {
  support::kernel_stream inner;
  inner.endpoint = fd_endpoint{.fd = 42, .kind = fd_kind::pipe, .max_bytes = 100};
  buf_writer middle(inner, 8);
  buf_writer out(middle, 8);
  ASSERT_TRUE(out.kernel_endpoint());
  EXPECT_EQ(out.kernel_endpoint()->fd, 42);
  EXPECT_EQ(out.kernel_endpoint()->kind, fd_kind::pipe);
  EXPECT_EQ(out.kernel_endpoint()->buffered, 0U);
  EXPECT_TRUE(put(out, "abc"));
  EXPECT_TRUE(put(middle, "de"));
  EXPECT_EQ(out.kernel_endpoint()->buffered, 5U) << "here and in the inner one";
  EXPECT_EQ(out.kernel_endpoint()->max_bytes, 100U) << "those that are pending included";
  EXPECT_TRUE(out.flush());
  EXPECT_EQ(out.kernel_endpoint()->buffered, 0U);
  out.kernel_advanced(7);
  EXPECT_EQ(inner.advanced, 7U);
  inner.endpoint.reset();
  EXPECT_FALSE(out.kernel_endpoint());
}

}  // namespace
