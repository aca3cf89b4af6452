// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>

#include "support/allocations.hpp"
#include "support/seekable.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::pattern;
using support::scripted_reader;
using support::seekable_reader;
using support::step;
using support::text;
using support::vectored_reader_fake;
using support::vectored_seekable_reader;
using support::window_reader;

// Concepts: as capable as what it wraps. ------------------------------------------------------------------------------

static_assert(buffered_reader<buf_reader<chunked_reader>> && buffered_reader<buf_reader<chunked_reader&>>);
static_assert(!skippable<buf_reader<chunked_reader>> && !seekable<buf_reader<chunked_reader>>);
static_assert(!size_hinted<buf_reader<chunked_reader>> && !kernel_reader<buf_reader<chunked_reader>>);
static_assert(skippable<buf_reader<seekable_reader&>> && seekable<buf_reader<seekable_reader&>>);
static_assert(size_hinted<buf_reader<seekable_reader>> && kernel_reader<buf_reader<seekable_reader>>);
static_assert(!in_memory_reader<buf_reader<chunked_reader>>);
static_assert(!reader<const buf_reader<chunked_reader>> && !writer<buf_reader<support::kernel_stream>>);
static_assert(!std::is_copy_constructible_v<buf_reader<chunked_reader>>);
static_assert(std::is_move_constructible_v<buf_reader<chunked_reader>>);
static_assert(std::is_move_assignable_v<buf_reader<chunked_reader&>>);

result<std::string> read_text(auto& r, std::size_t n) {
  std::string s(n, '\0');
  const auto got = sluice::read_some(r, std::as_writable_bytes(std::span(s)));
  if (!got) return fail(got.error());
  s.resize(*got);
  return s;
}

chunked_reader source_of(std::string_view s, std::size_t chunk = support::unlimited) {
  return {.data = as_bytes(s), .chunk = chunk};
}

// How the inner reader is held. ---------------------------------------------------------------------------------------

TEST(buf_reader, refers_to_an_lvalue_and_owns_an_rvalue) {
  chunked_reader inner = source_of("abcdef");
  std::array<std::byte, 4> memory;

  buf_reader by_default(inner);
  buf_reader by_size(inner, 16);
  buf_reader by_capacity(inner, {.initial = 4, .maximum = 8});
  buf_reader by_memory(inner, std::span(memory));
  static_assert(std::is_same_v<decltype(by_default), buf_reader<chunked_reader&>>);
  static_assert(std::is_same_v<decltype(by_size), buf_reader<chunked_reader&>>);
  static_assert(std::is_same_v<decltype(by_capacity), buf_reader<chunked_reader&>>);
  static_assert(std::is_same_v<decltype(by_memory), buf_reader<chunked_reader&>>);
  EXPECT_EQ(by_default.capacity(), default_buffer_size);
  EXPECT_EQ(by_size.capacity(), 16U);
  EXPECT_EQ(by_capacity.capacity(), 4U);
  EXPECT_EQ(by_memory.capacity(), 4U);
  EXPECT_EQ(&by_default.inner(), &inner);

  buf_reader owned(source_of("abcdef"), 16);
  buf_reader owned_too(std::move(inner));
  static_assert(std::is_same_v<decltype(owned), buf_reader<chunked_reader>>);
  static_assert(std::is_same_v<decltype(owned_too), buf_reader<chunked_reader>>);
  EXPECT_EQ(read_text(owned, 3), "abc");
}

TEST(buf_reader, of_an_lvalue_buf_reader_is_no_copy) {
  chunked_reader inner = source_of("abcdef");
  buf_reader first(inner, 4);
  buf_reader second(first);
  static_assert(std::is_same_v<decltype(second), buf_reader<buf_reader<chunked_reader&>&>>);
  buf_reader moved(std::move(first));
  static_assert(std::is_same_v<decltype(moved), buf_reader<chunked_reader&>>);
}

TEST(buf_reader, a_capacity_of_nothing_is_one_byte) {
  chunked_reader inner = source_of("abc");
  buf_reader in(inner, 0);
  EXPECT_EQ(in.capacity(), 1U);
  EXPECT_EQ(text(in.fill(1).value()), "a");
  EXPECT_EQ(support::drain(in, 1).value(), support::to_bytes("abc"));
}

TEST(buf_reader, a_maximum_below_the_initial_size_is_the_initial_size) {
  chunked_reader inner = source_of("abcdefgh");
  buf_reader in(inner, {.initial = 4, .maximum = 2});
  EXPECT_EQ(in.fill(4).value().size(), 4U);
  EXPECT_EQ(in.fill(5).error(), io_errc::buffer_too_small);
}

// Small requests and large ones. --------------------------------------------------------------------------------------

TEST(buf_reader, delivers_all_bytes_whatever_the_sizes) {
  const auto data = pattern(300);
  for (const std::size_t capacity : {1U, 2U, 3U, 7U, 64U, 299U, 300U, 301U, 1000U}) {
    for (const std::size_t chunk :
         {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{64}, support::unlimited}) {
      for (const std::size_t request : {1U, 2U, 5U, 63U, 64U, 65U, 301U}) {
        buf_reader plain(chunked_reader{.data = data, .chunk = chunk}, capacity);
        EXPECT_EQ(support::drain(plain, request).value(), data) << capacity << ' ' << chunk << ' ' << request;
        buf_reader vectored(vectored_reader_fake{{.data = data, .chunk = chunk}}, capacity);
        EXPECT_EQ(support::drain(vectored, request).value(), data) << capacity << ' ' << chunk << ' ' << request;
      }
    }
  }
}

TEST(buf_reader, small_requests_share_one_read) {
  const auto data = pattern(64);
  chunked_reader inner{.data = data};
  buf_reader in(inner, 64);
  std::array<std::byte, 4> out;
  for (std::size_t at = 0; at < data.size(); at += 4) {
    ASSERT_EQ(in.read_some(out).value(), 4U);
    EXPECT_TRUE(support::equal(out, std::span(data).subspan(at, 4)));
  }
  EXPECT_EQ(inner.requests, (std::vector<std::size_t>{64}));
}

TEST(buf_reader, a_request_of_the_capacity_goes_past_an_empty_buffer) {
  const auto data = pattern(64);
  for (const std::size_t request : {16U, 17U, 40U}) {
    chunked_reader inner{.data = data};
    inner.requests.reserve(1);
    buf_reader in(inner, 16);
    std::vector<std::byte> out(request);
    const support::allocations before;
    ASSERT_EQ(in.read_some(out).value(), request);
    EXPECT_EQ(before.count(), 0U);
    EXPECT_TRUE(support::equal(out, std::span(data).first(request)));
    EXPECT_EQ(inner.requests, (std::vector<std::size_t>{request}));
    EXPECT_TRUE(in.buffered().empty());
  }
}

TEST(buf_reader, a_large_request_takes_what_is_buffered_and_no_more) {
  chunked_reader inner = source_of("0123456789abcdefghij");
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 3), "012");
  EXPECT_EQ(read_text(in, 20), "34567") << "one call of the inner reader at most, and none where bytes are at hand";
  EXPECT_EQ(inner.calls, 1U);
  EXPECT_EQ(read_text(in, 20), "89abcdefghij");
  EXPECT_EQ(inner.calls, 2U);
}

TEST(buf_reader, a_small_request_finding_nothing_is_one_vectored_read) {
  const auto data = pattern(64);
  vectored_reader_fake inner{{.data = data}};
  buf_reader in(inner, 16);
  std::array<std::byte, 5> out;
  ASSERT_EQ(in.read_some(out).value(), 5U);
  EXPECT_TRUE(support::equal(out, std::span(data).first(5)));
  EXPECT_EQ(inner.calls, 1U);
  EXPECT_EQ(inner.vectored_calls, 1U);
  ASSERT_EQ(inner.last_pieces.size(), 2U);
  EXPECT_EQ(inner.last_pieces[0].data, out.data()) << "the request is served in place";
  EXPECT_EQ(inner.last_pieces[0].size, 5U);
  EXPECT_EQ(inner.last_pieces[1].size, 16U);
  EXPECT_TRUE(support::equal(in.buffered(), std::span(data).subspan(5, 16))) << "the surplus is kept";

  // Exactly the request, and less than it.
  vectored_reader_fake exact{{.data = data, .chunk = 5}};
  buf_reader in_exact(exact, 16);
  EXPECT_EQ(in_exact.read_some(out).value(), 5U);
  EXPECT_TRUE(in_exact.buffered().empty());
  vectored_reader_fake less{{.data = data, .chunk = 3}};
  buf_reader in_less(less, 16);
  EXPECT_EQ(in_less.read_some(out).value(), 3U);
  EXPECT_TRUE(in_less.buffered().empty());
}

TEST(buf_reader, a_large_request_is_not_vectored) {
  const auto data = pattern(64);
  vectored_reader_fake inner{{.data = data}};
  buf_reader in(inner, 16);
  std::array<std::byte, 16> out;
  ASSERT_EQ(in.read_some(out).value(), 16U);
  EXPECT_EQ(inner.vectored_calls, 0U);
  EXPECT_EQ(inner.calls, 1U);
}

TEST(buf_reader, an_empty_request_asks_nobody) {
  chunked_reader inner = source_of("abc");
  buf_reader in(inner, 8);
  EXPECT_EQ(in.read_some({}).value(), 0U);
  EXPECT_TRUE(in.fill(0).value().empty());
  EXPECT_TRUE(in.peek(0).value().empty());
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_EQ(read_text(in, 1), "a");
  EXPECT_EQ(in.read_some({}).value(), 0U);
  EXPECT_EQ(text(in.fill(0).value()), "bc");
  EXPECT_EQ(inner.calls, 1U);
}

TEST(buf_reader, never_asks_for_nothing) {
  const auto data = pattern(100);
  for (const std::size_t capacity : {1U, 4U, 10U}) {
    chunked_reader inner{.data = data, .chunk = 3};
    buf_reader in(inner, {.initial = capacity, .maximum = 20});
    for (std::size_t n = 0; n <= 20; ++n) {
      ASSERT_TRUE(in.fill(n));
      ASSERT_TRUE(read_text(in, n));
      ASSERT_TRUE(in.peek(n));
    }
    EXPECT_EQ(std::ranges::count(inner.requests, 0U), 0);
  }
}

TEST(buf_reader, the_end_is_nothing_read_and_may_come_again) {
  scripted_reader inner{.steps = {step::data("ab"), step::end(), step::data("cd")}};
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 1), "a");
  EXPECT_EQ(read_text(in, 9), "b");
  EXPECT_EQ(read_text(in, 9), "");
  EXPECT_EQ(read_text(in, 9), "cd") << "a terminal, or a file that grows, goes on";
}

// Data of exactly the capacity, or a multiple of it, ends with the last byte and not before.
TEST(buf_reader, zero_is_the_end_and_nothing_else) {
  for (std::size_t size = 0; size <= 33; ++size) {
    const auto data = pattern(size);
    for (const std::size_t request : {1U, 3U, 8U, 9U}) {
      chunked_reader inner{.data = data};
      buf_reader in(inner, 8);
      EXPECT_EQ(support::drain(in, request).value(), data);
    }
  }
}

// The window. ---------------------------------------------------------------------------------------------------------

TEST(buf_reader, fill_shows_what_is_there_and_consume_drops_it) {
  chunked_reader inner = source_of("0123456789");
  buf_reader in(inner, 8);
  EXPECT_TRUE(in.buffered().empty());
  EXPECT_EQ(text(in.fill(1).value()), "01234567") << "all that is buffered, not only what was asked for";
  EXPECT_EQ(text(in.buffered()), "01234567");
  in.consume(3);
  EXPECT_EQ(text(in.buffered()), "34567");
  EXPECT_EQ(text(in.fill(5).value()), "34567");
  EXPECT_EQ(inner.calls, 1U);
  EXPECT_EQ(text(in.fill(6).value()), "3456789");
  EXPECT_EQ(inner.calls, 2U);
  in.consume(7);
  EXPECT_TRUE(in.buffered().empty());
  EXPECT_TRUE(in.fill(1).value().empty());
}

TEST(buf_reader, fill_reads_no_more_often_than_needed) {
  const auto data = pattern(256);
  for (const std::size_t chunk : {1U, 2U, 3U, 7U, 64U}) {
    for (std::size_t n = 1; n <= 64; ++n) {
      chunked_reader inner{.data = data, .chunk = chunk};
      buf_reader in(inner, 64);
      const auto seen = in.fill(n).value();
      EXPECT_GE(seen.size(), n);
      EXPECT_EQ(inner.calls, (n + chunk - 1) / chunk) << "chunk " << chunk << ", fill " << n;
      // The same again costs nothing.
      EXPECT_EQ(in.fill(n).value().data(), seen.data());
      EXPECT_EQ(inner.calls, (n + chunk - 1) / chunk);
    }
  }
}

TEST(buf_reader, fill_gives_less_only_at_the_end) {
  for (const std::size_t chunk : {1U, 2U, 100U}) {
    chunked_reader inner = source_of("abcde", chunk);
    buf_reader in(inner, 16);
    EXPECT_EQ(text(in.fill(9).value()), "abcde");
    in.consume(4);
    EXPECT_EQ(text(in.fill(2).value()), "e");
    in.consume(1);
    EXPECT_TRUE(in.fill(1).value().empty());
  }
}

TEST(buf_reader, fill_keeps_what_it_has_for_every_place_of_the_window) {
  const auto data = pattern(64);
  for (std::size_t consumed = 0; consumed <= 16; ++consumed) {
    for (std::size_t n = 1; n <= 16; ++n) {
      chunked_reader inner{.data = data};
      buf_reader in(inner, 16);
      ASSERT_EQ(in.fill(1).value().size(), 16U);
      in.consume(consumed);
      const auto seen = in.fill(n).value();
      ASSERT_GE(seen.size(), n);
      EXPECT_TRUE(support::equal(seen, std::span(data).subspan(consumed, seen.size())));
    }
  }
}

TEST(buf_reader, fill_grows_to_the_maximum_and_not_beyond) {
  const auto data = pattern(256);
  for (const std::size_t held : {0U, 1U, 5U, 8U}) {
    for (std::size_t n = 1; n <= 40; ++n) {
      chunked_reader inner{.data = data, .chunk = 8};
      buf_reader in(inner, {.initial = 8, .maximum = 40});
      ASSERT_EQ(in.fill(1).value().size(), 8U);
      in.consume(8 - held);
      const auto seen = in.fill(n).value();
      ASSERT_GE(seen.size(), n);
      EXPECT_TRUE(support::equal(seen, std::span(data).subspan(8 - held, seen.size())));
      EXPECT_GE(in.capacity(), n);
      EXPECT_LE(in.capacity(), 40U);
    }
  }
}

TEST(buf_reader, fill_above_the_maximum_is_refused_and_changes_nothing) {
  chunked_reader inner = source_of("0123456789");
  buf_reader in(inner, {.initial = 4, .maximum = 8});
  EXPECT_EQ(in.fill(9).error(), io_errc::buffer_too_small);
  EXPECT_EQ(in.fill(std::numeric_limits<std::size_t>::max()).error(), io_errc::buffer_too_small);
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_EQ(read_text(in, 2), "01");
  EXPECT_EQ(in.fill(9).error(), io_errc::buffer_too_small);
  EXPECT_EQ(text(in.fill(8).value()), "23456789");
}

TEST(buf_reader, growing_by_small_steps_is_not_an_allocation_a_step) {
  const auto data = pattern(1 << 16);
  chunked_reader inner{.data = data, .chunk = 16};
  buf_reader in(inner, {.initial = 16, .maximum = 1 << 16});
  inner.requests.reserve(1 << 16);
  const support::allocations before;
  for (std::size_t n = 16; n <= data.size(); n += 16) ASSERT_EQ(in.fill(n).value().size(), n);
  EXPECT_TRUE(support::equal(in.buffered(), data));
  EXPECT_LE(before.count(), 14U);
  EXPECT_LE(before.bytes(), std::size_t{1} << 17);
}

// Looking ahead. ------------------------------------------------------------------------------------------------------

TEST(buf_reader, peek_shows_exactly_what_was_asked_for_again_and_again) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 10);
  EXPECT_EQ(read_text(in, 9), "012345678");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(text(in.peek(6).value()), "9abcde");
    EXPECT_EQ(in.position().value(), 9U);
  }
  EXPECT_EQ(inner.reads, 2U);
  EXPECT_EQ(text(in.peek(1).value()), "9");
  EXPECT_EQ(read_text(in, 20), "9abcdef");
}

TEST(buf_reader, peek_tells_too_much_from_the_end) {
  chunked_reader inner = source_of("abc");
  buf_reader in(inner, 4);
  EXPECT_EQ(in.peek(5).error(), io_errc::buffer_too_small);
  EXPECT_EQ(inner.calls, 0U);
  EXPECT_EQ(text(in.peek(4).value()), "abc") << "what there is, and that it is less says why";
  EXPECT_EQ(in.peek(5).error(), io_errc::buffer_too_small);
  EXPECT_EQ(text(in.buffered()), "abc");
  EXPECT_EQ(read_text(in, 9), "abc");
  EXPECT_TRUE(in.peek(1).value().empty());
}

// Errors. -------------------------------------------------------------------------------------------------------------

TEST(buf_reader, an_error_behind_bytes_waits_until_they_are_served) {
  scripted_reader inner{.steps = {step::data("abc"), step::fail(std::errc::connection_reset), step::data("def")}};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.fill(5).error(), std::errc::connection_reset);
  EXPECT_EQ(text(in.buffered()), "abc");
  EXPECT_EQ(inner.calls, 2U);
  EXPECT_EQ(in.fill(4).error(), std::errc::connection_reset);
  EXPECT_EQ(in.peek(4).error(), std::errc::connection_reset);
  EXPECT_EQ(text(in.peek(2).value()), "ab");
  EXPECT_EQ(inner.calls, 2U) << "the inner reader was not asked again";
  EXPECT_EQ(read_text(in, 2), "ab");
  EXPECT_EQ(read_text(in, 2), "c");
  EXPECT_EQ(read_text(in, 2).error(), std::errc::connection_reset) << "and again, as nothing is left before it";
  EXPECT_EQ(inner.calls, 2U);
  EXPECT_EQ(read_text(in, 2), "de") << "told for good";
}

TEST(buf_reader, fill_too_tells_a_waiting_error_for_good) {
  scripted_reader inner{.steps = {step::data("abc"), step::fail(std::errc::io_error), step::data("def")}};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.fill(5).error(), std::errc::io_error);
  in.consume(3);
  EXPECT_EQ(in.fill(1).error(), std::errc::io_error);
  EXPECT_EQ(text(in.fill(1).value()), "def");
}

TEST(buf_reader, a_large_request_does_not_go_past_a_waiting_error) {
  scripted_reader inner{.steps = {step::data("abc"), step::fail(std::errc::io_error), step::data("def")}};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.fill(5).error(), std::errc::io_error);
  EXPECT_EQ(read_text(in, 100), "abc");
  EXPECT_EQ(read_text(in, 100).error(), std::errc::io_error);
  EXPECT_EQ(read_text(in, 100), "def");
}

TEST(buf_reader, an_error_with_nothing_before_it_is_told_once) {
  scripted_reader inner{.steps = {step::fail(std::errc::io_error), step::fail(std::errc::io_error), step::data("abc")}};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.fill(1).error(), std::errc::io_error);
  EXPECT_EQ(read_text(in, 1).error(), std::errc::io_error);
  EXPECT_EQ(read_text(in, 1), "a");
  EXPECT_EQ(inner.calls, 3U);
}

TEST(buf_reader, would_block_does_not_wait) {
  for (const std::errc transient :
       {std::errc::operation_would_block, std::errc::resource_unavailable_try_again, std::errc::interrupted}) {
    scripted_reader inner{.steps = {step::data("abc"), step::fail(transient), step::data("def")}};
    buf_reader in(inner, 8);
    EXPECT_EQ(in.fill(5).error(), transient);
    EXPECT_EQ(text(in.buffered()), "abc");
    EXPECT_EQ(text(in.fill(5).value()), "abcdef") << "the next attempt asks again";
  }
}

TEST(buf_reader, moving_elsewhere_leaves_a_waiting_error_behind) {
  const auto failed = [](seekable_reader& inner) {
    buf_reader in(inner, 8);
    EXPECT_EQ(in.fill(5).error(), std::errc::io_error);
    EXPECT_EQ(text(in.buffered()), "012");
    return in;
  };
  const seekable_reader start{.data = as_bytes("0123456789abcdef"), .chunk = 3, .fail_every = 2};

  seekable_reader sought = start;
  buf_reader away = failed(sought);
  EXPECT_EQ(away.seek(10).value(), 10U);
  EXPECT_EQ(read_text(away, 9), "abc");

  seekable_reader within = start;
  buf_reader near = failed(within);
  EXPECT_EQ(near.seek(3).value(), 3U);
  EXPECT_EQ(read_text(near, 9).error(), std::errc::io_error) << "it is just here";
  EXPECT_EQ(read_text(near, 9), "345");
}

TEST(buf_reader, skip_does_not_take_a_waiting_error_for_the_end) {
  struct skipping : scripted_reader {
    std::size_t skips = 0;
    result<std::uintmax_t> skip(std::uintmax_t) { return ++skips, fail(io_errc::unsupported); }
  };
  skipping inner{{.steps = {step::data("abc"), step::fail(std::errc::io_error), step::data("def")}}};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.fill(5).error(), std::errc::io_error);
  EXPECT_EQ(in.skip(4).error(), std::errc::io_error);
  EXPECT_EQ(text(in.buffered()), "abc") << "nothing was skipped";
  EXPECT_EQ(in.skip(3).value(), 3U);
  EXPECT_EQ(in.skip(1).error(), std::errc::io_error);
  EXPECT_EQ(inner.skips, 0U);
  EXPECT_EQ(read_text(in, 9), "def");
}

TEST(buf_reader, a_waiting_error_forbids_the_kernel_path) {
  struct kernel_script : scripted_reader {
    std::optional<fd_endpoint> kernel_endpoint() { return fd_endpoint{.fd = 42}; }
    void kernel_advanced(std::uintmax_t) {}
  };
  kernel_script inner{{.steps = {step::data("abc"), step::fail(std::errc::io_error), step::data("def")}}};
  buf_reader in(inner, 8);
  EXPECT_TRUE(in.kernel_endpoint());
  EXPECT_EQ(in.fill(5).error(), std::errc::io_error);
  EXPECT_FALSE(in.kernel_endpoint());
  EXPECT_EQ(read_text(in, 9), "abc");
  EXPECT_FALSE(in.kernel_endpoint());
  EXPECT_FALSE(read_text(in, 9));
  EXPECT_TRUE(in.kernel_endpoint());
}

TEST(buf_reader, believes_no_count_above_the_request) {
  support::over_counting_reader inner;
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 1).error(), io_errc::bad_count) << "into the buffer";
  EXPECT_EQ(read_text(in, 8).error(), io_errc::bad_count) << "past it";
  EXPECT_EQ(in.fill(1).error(), io_errc::bad_count);
  EXPECT_EQ(in.peek(8).error(), io_errc::bad_count);
  EXPECT_EQ(in.skip(3).error(), io_errc::bad_count);
  EXPECT_TRUE(in.buffered().empty());

  struct over_counting_vectored : support::over_counting_reader {
    using over_counting_reader::read_some;
    result<std::size_t> read_some(std::span<const mutable_buffer> pieces) {
      return detail::cpo::total_size(pieces) + 1;
    }
  };
  buf_reader vectored(over_counting_vectored{}, 8);
  EXPECT_EQ(read_text(vectored, 1).error(), io_errc::bad_count);
  EXPECT_TRUE(vectored.buffered().empty());
}

TEST(buf_reader, a_thrown_exception_leaves_it_as_it_was) {
  struct throwing : chunked_reader {
    result<std::size_t> read_some(std::span<std::byte> b) {
      if (calls == 1) {
        ++calls;
        throw std::runtime_error("no");
      }
      return chunked_reader::read_some(b);
    }
  };
  throwing inner{source_of("abcdef", 3)};
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 1), "a");
  EXPECT_THROW((void)in.fill(4), std::runtime_error);
  EXPECT_EQ(text(in.buffered()), "bc");
  EXPECT_EQ(text(in.fill(4).value()), "bcdef");
}

// Memory. -------------------------------------------------------------------------------------------------------------

// A reader of which nothing allocates.
struct frugal_reader {
  std::size_t chunk = 8;
  std::size_t largest_request = 0;
  bool saw_other_memory = false;  // anything but what operator new hands out in the tests

  result<std::size_t> read_some(std::span<std::byte> b) {
    largest_request = std::max(largest_request, b.size());
    saw_other_memory |= std::ranges::any_of(b, [](std::byte x) { return x != support::fresh_memory; });
    return std::min(chunk, b.size());
  }
};

TEST(buf_reader, allocates_when_it_is_first_used_and_then_no_more) {
  const support::allocations before;
  frugal_reader inner;
  buf_reader in(inner, 4096);
  EXPECT_TRUE(in.buffered().empty());
  EXPECT_EQ(in.read_some({}).value(), 0U);
  EXPECT_TRUE(in.fill(0));
  EXPECT_EQ(before.count(), 0U);
  std::array<std::byte, 16> out;
  EXPECT_TRUE(in.read_some(out));
  EXPECT_EQ(before.count(), 1U);
  EXPECT_EQ(before.bytes(), 4096U);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(in.read_some(out));
    EXPECT_TRUE(in.fill(static_cast<std::size_t>(i)));
  }
  EXPECT_EQ(before.count(), 1U);
}

TEST(buf_reader, a_first_fill_that_has_to_grow_allocates_once) {
  const support::allocations before;
  frugal_reader inner{.chunk = 1000};
  buf_reader in(inner, {.initial = 16, .maximum = 4096});
  EXPECT_TRUE(in.fill(1000));
  EXPECT_EQ(before.count(), 1U);
}

TEST(buf_reader, allocates_nothing_in_the_callers_memory) {
  const support::allocations before;
  std::array<std::byte, 64> memory;
  frugal_reader inner;
  buf_reader in(inner, std::span(memory));
  std::array<std::byte, 16> out;
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(in.read_some(out));
    const auto seen = in.fill(i % 65);
    ASSERT_TRUE(seen);
    EXPECT_GE(seen->data(), memory.data());
    EXPECT_LE(seen->data() + seen->size(), memory.data() + memory.size());
  }
  EXPECT_EQ(in.fill(65).error(), io_errc::buffer_too_small);
  EXPECT_EQ(before.count(), 0U);
}

TEST(buf_reader, does_not_fill_its_memory) {
  frugal_reader inner{.chunk = 0};
  buf_reader in(inner, 4096);
  std::array<std::byte, 1> out;
  EXPECT_EQ(in.read_some(out).value(), 0U);
  EXPECT_EQ(inner.largest_request, 4096U);
  EXPECT_FALSE(inner.saw_other_memory);
}

// The cost of a read is that of its bytes, however large the buffer is.
TEST(buf_reader, touches_no_byte_that_did_not_arrive) {
  constexpr std::byte untouched{0x5A};
  std::vector<std::byte> memory(std::size_t{256} << 10, untouched);
  const auto rest_is_untouched = [&] {
    return std::ranges::all_of(std::span(memory).subspan(8), [](std::byte b) { return b == untouched; });
  };
  const auto data = pattern(8 * 100);
  chunked_reader inner{.data = data, .chunk = 8};
  buf_reader in(inner, std::span(memory));
  std::array<std::byte, 8> out;
  for (std::size_t at = 0; at < data.size(); at += 8) {
    ASSERT_EQ(in.read_some(out).value(), 8U);
    ASSERT_TRUE(support::equal(out, std::span(data).subspan(at, 8)));
  }
  EXPECT_EQ(inner.calls, 100U);
  EXPECT_TRUE(rest_is_untouched());

  // Neither do 1-byte requests, whose surplus stays in the buffer.
  chunked_reader again{.data = data, .chunk = 8};
  buf_reader one(again, std::span(memory));
  EXPECT_EQ(support::drain(one, 1).value(), data);
  EXPECT_TRUE(rest_is_untouched());
}

// Moving and taking apart. --------------------------------------------------------------------------------------------

TEST(buf_reader, into_inner_hands_back_the_stream_and_what_was_read_ahead) {
  chunked_reader inner = source_of("0123456789");
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 3), "012");
  auto [stream, unread] = std::move(in).into_inner();
  static_assert(std::is_same_v<decltype(buf_reader<chunked_reader&>::parts::inner), chunked_reader&>);
  EXPECT_EQ(&stream, &inner);
  EXPECT_EQ(text(unread), "34567");
  EXPECT_EQ(read_text(stream, 9), "89");

  buf_reader owner(source_of("0123456789"), 8);
  EXPECT_EQ(read_text(owner, 3), "012");
  auto parts = std::move(owner).into_inner();
  EXPECT_EQ(text(parts.unread), "34567");
  EXPECT_EQ(read_text(parts.inner, 9), "89");

  buf_reader unused(source_of("0123456789"), 8);
  auto whole = std::move(unused).into_inner();
  EXPECT_TRUE(whole.unread.empty());
  EXPECT_EQ(whole.inner.calls, 0U);
}

TEST(buf_reader, moves_with_its_contents) {
  chunked_reader inner = source_of("0123456789");
  buf_reader first(inner, 8);
  EXPECT_EQ(read_text(first, 3), "012");
  buf_reader second(std::move(first));
  EXPECT_EQ(text(second.buffered()), "34567");
  EXPECT_TRUE(first.buffered().empty());  // NOLINT(bugprone-use-after-move)

  chunked_reader other = source_of("abc");
  buf_reader third(other, 4);
  EXPECT_EQ(read_text(third, 1), "a");
  third = std::move(second);
  EXPECT_EQ(text(third.buffered()), "34567");
  EXPECT_EQ(third.capacity(), 8U);
  EXPECT_EQ(&third.inner(), &inner);
  EXPECT_EQ(read_text(third, 9), "34567");
  EXPECT_EQ(read_text(third, 9), "89");

  auto& self = third;
  third = std::move(self);
  EXPECT_EQ(read_text(third, 9), "");

  first = buf_reader(inner, 8);
  inner.data = as_bytes("again");
  EXPECT_EQ(read_text(first, 2), "ag") << "one that was moved from can be assigned to";
}

TEST(buf_reader, moves_the_callers_memory_and_a_waiting_error) {
  std::array<std::byte, 8> memory;
  scripted_reader inner{.steps = {step::data("abc"), step::fail(std::errc::io_error)}};
  buf_reader first(inner, std::span(memory));
  EXPECT_FALSE(first.fill(5));
  buf_reader second(std::move(first));
  EXPECT_EQ(static_cast<const void*>(second.buffered().data()), memory.data());
  EXPECT_EQ(read_text(second, 9), "abc");
  EXPECT_EQ(read_text(second, 9).error(), std::errc::io_error);
}

// Position, seek, skip. -----------------------------------------------------------------------------------------------

TEST(buf_reader, asking_for_the_position_reads_nothing_and_keeps_the_buffer) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.position().value(), 0U);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(in.position().value(), i);
    EXPECT_EQ(read_text(in, 1)->size(), 1U);
  }
  EXPECT_EQ(inner.reads, 2U);
  EXPECT_EQ(inner.seeks, 0U);
}

TEST(buf_reader, seeks_within_the_buffer_without_a_call) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 4), "0123");
  EXPECT_EQ(in.seek(1).value(), 1U);
  EXPECT_EQ(read_text(in, 2), "12");
  EXPECT_EQ(in.seek(-3, whence::current).value(), 0U);
  EXPECT_EQ(in.seek(0, whence::current).value(), 0U);
  EXPECT_EQ(in.seek(8).value(), 8U) << "to the end of the buffer";
  EXPECT_EQ(in.seek(0).value(), 0U) << "and back";
  EXPECT_EQ(in.seek(7, whence::current).value(), 7U);
  EXPECT_EQ(read_text(in, 1), "7");
  EXPECT_EQ(inner.seeks, 0U);
  EXPECT_EQ(inner.reads, 1U);
}

TEST(buf_reader, seeks_beyond_the_buffer_by_the_inner_reader) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 4);
  EXPECT_EQ(read_text(in, 1), "0");
  EXPECT_EQ(in.seek(9, whence::current).value(), 10U);
  EXPECT_EQ(inner.seeks, 1U);
  EXPECT_TRUE(in.buffered().empty());
  EXPECT_EQ(read_text(in, 1), "a");
  EXPECT_EQ(in.seek(-2, whence::end).value(), 14U);
  EXPECT_EQ(read_text(in, 9), "ef");
  EXPECT_EQ(in.seek(2).value(), 2U);
  EXPECT_EQ(read_text(in, 1), "2");
}

TEST(buf_reader, a_seek_that_fails_moves_nothing) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 3), "012");
  for (const whence from : {whence::begin, whence::current, whence::end}) {
    EXPECT_EQ(in.seek(-17, from).error(), std::errc::invalid_argument);
    EXPECT_EQ(in.seek(std::numeric_limits<std::intmax_t>::min(), from).error(), std::errc::invalid_argument);
    EXPECT_EQ(in.seek(std::numeric_limits<std::intmax_t>::max(), from).error(), std::errc::invalid_argument);
  }
  EXPECT_EQ(text(in.buffered()), "34567");
  EXPECT_EQ(in.position().value(), 3U);
}

TEST(buf_reader, nothing_from_before_a_bypassing_read_is_moved_back_into) {
  const auto data = pattern(64);
  for (const bool vectored : {false, true}) {
    const auto run = [&](auto inner) {
      buf_reader in(inner, 8);
      std::array<std::byte, 8> out;
      ASSERT_EQ(in.read_some(std::span(out).first(4)).value(), 4U);
      ASSERT_EQ(in.read_some(out).value(), vectored ? 8U : 4U);
      std::array<std::byte, 20> large;
      while (!in.buffered().empty()) ASSERT_TRUE(in.read_some(std::span(out).first(1)));
      const std::size_t at = in.position().value();
      ASSERT_EQ(in.read_some(large).value(), 20U);
      ASSERT_EQ(in.position().value(), at + 20);
      for (std::size_t back = 1; back <= at + 20; ++back) {
        ASSERT_EQ(in.seek(static_cast<std::intmax_t>(at + 20 - back)).value(), at + 20 - back);
        ASSERT_EQ(in.read_some(std::span(out).first(1)).value(), 1U);
        ASSERT_EQ(out[0], data[at + 20 - back]) << back;
        ASSERT_EQ(in.seek(static_cast<std::intmax_t>(at + 20)).value(), at + 20);
      }
    };
    if (vectored)
      run(vectored_seekable_reader{{.data = data}});
    else
      run(seekable_reader{.data = data});
  }
}

TEST(buf_reader, skips_what_is_buffered_first_and_the_rest_by_the_inner_reader) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 1), "0");
  EXPECT_EQ(in.skip(2).value(), 2U);
  EXPECT_EQ(in.skip(0).value(), 0U);
  EXPECT_EQ(in.skip(5).value(), 5U) << "to the end of the buffer";
  EXPECT_EQ(inner.skips, 0U);
  EXPECT_EQ(in.position().value(), 8U);
  EXPECT_EQ(read_text(in, 1), "8");
  EXPECT_EQ(in.seek(0).value(), 0U);
  EXPECT_EQ(in.skip(10).value(), 10U);
  EXPECT_EQ(inner.skips, 1U);
  EXPECT_EQ(inner.reads, 2U);
  EXPECT_EQ(read_text(in, 1), "a");
  EXPECT_EQ(in.skip(unbounded).value(), 5U);
  EXPECT_EQ(in.skip(unbounded).value(), 0U);
}

TEST(buf_reader, the_hint_includes_what_is_buffered) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 8);
  EXPECT_EQ(in.size_hint(), 16U);
  EXPECT_EQ(read_text(in, 3), "012");
  EXPECT_EQ(in.size_hint(), 13U);
}

// The capability protocol. --------------------------------------------------------------------------------------------

TEST(buf_reader, its_endpoint_tells_what_is_buffered) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 8);
  ASSERT_TRUE(in.kernel_endpoint());
  EXPECT_EQ(in.kernel_endpoint()->fd, 42);
  EXPECT_EQ(in.kernel_endpoint()->kind, fd_kind::regular_file);
  EXPECT_EQ(in.kernel_endpoint()->buffered, 0U);
  EXPECT_EQ(in.kernel_endpoint()->max_bytes, 16U);
  EXPECT_EQ(read_text(in, 3), "012");
  EXPECT_EQ(in.kernel_endpoint()->buffered, 5U);
  EXPECT_EQ(in.kernel_endpoint()->max_bytes, 13U) << "the buffered ones included";

  buf_reader outer(in, 2);
  EXPECT_EQ(read_text(outer, 1), "3");
  EXPECT_EQ(outer.kernel_endpoint()->buffered, 4U) << "one here and three there";
  EXPECT_EQ(outer.kernel_endpoint()->max_bytes, 12U);
}

TEST(buf_reader, an_unbounded_endpoint_stays_so) {
  support::kernel_stream inner{.data = pattern(64)};
  buf_reader in(inner, 8);
  EXPECT_EQ(read_text(in, 3)->size(), 3U);
  EXPECT_EQ(in.kernel_endpoint()->buffered, 5U);
  EXPECT_EQ(in.kernel_endpoint()->max_bytes, unbounded);
  inner.endpoint.reset();
  EXPECT_FALSE(in.kernel_endpoint());
}

TEST(buf_reader, tells_the_inner_reader_what_went_past_in_the_kernel) {
  seekable_reader inner{.data = as_bytes("0123456789abcdef")};
  buf_reader in(inner, 4);
  EXPECT_EQ(read_text(in, 3), "012");
  in.consume(1);
  ASSERT_EQ(in.kernel_endpoint()->buffered, 0U);
  inner.at += 5;
  in.kernel_advanced(5);
  EXPECT_EQ(inner.advanced, 5U);
  EXPECT_EQ(in.position().value(), 9U);
  EXPECT_EQ(in.seek(-4, whence::current).value(), 5U) << "not into what the buffer held before";
  EXPECT_EQ(read_text(in, 1), "5");
  in.kernel_advanced(0);
  EXPECT_EQ(text(in.buffered()), "678");
}

// A random walk against plain bytes and a position. -------------------------------------------------------------------

template <class Inner>
void walk(std::uint32_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::array<std::size_t, 5> chunks{1, 3, 7, 20, support::unlimited};
  constexpr std::array<std::size_t, 5> capacities{1, 2, 7, 16, 64};
  constexpr std::array<std::size_t, 4> failures{0, 0, 3, 5};

  const auto data = pattern(100 + below(400), seed);
  Inner inner;
  inner.data = data;
  inner.chunk = chunks[below(chunks.size())];
  inner.fail_every = failures[below(failures.size())];
  if (below(2) == 0) inner.error = std::make_error_code(std::errc::operation_would_block);
  const std::size_t capacity = capacities[below(capacities.size())];
  const std::size_t maximum = capacity * (1 + below(3));
  std::vector<std::byte> memory(capacity);
  const bool lent = below(3) == 0;
  const std::size_t most = lent ? capacity : maximum;
  buf_reader in =
      lent ? buf_reader(inner, std::span(memory)) : buf_reader(inner, {.initial = capacity, .maximum = maximum});
  std::size_t at = in.position().value();  // the model
  const std::size_t size = data.size();

  for (int step = 0; step < 300; ++step) {
    const std::size_t reads = inner.reads;
    const std::size_t held = in.buffered().size();
    switch (below(9)) {
      case 0:
      case 1: {
        std::vector<std::byte> out(below(2 * capacity + 2));
        const auto got = in.read_some(out);
        ASSERT_LE(inner.reads - reads, held == 0 ? 1U : 0U);
        if (!got) {
          ASSERT_EQ(got.error(), inner.error);
          ASSERT_EQ(held, 0U);
          break;
        }
        ASSERT_LE(*got, out.size());
        if (*got == 0) {
          ASSERT_TRUE(out.empty() || at == size);
        }
        ASSERT_TRUE(support::equal(std::span(out).first(*got), std::span(data).subspan(at, *got)));
        at += *got;
        break;
      }
      case 2: {
        const std::size_t n = below(maximum + 3);
        const auto seen = in.fill(n);
        if (seen) {
          ASSERT_GE(seen->size(), std::min(n, size - at));
          ASSERT_EQ(seen->data(), in.buffered().data());
          ASSERT_EQ(seen->size(), in.buffered().size());
          if (held >= n) {
            ASSERT_EQ(inner.reads, reads);
          }
        } else if (seen.error() == io_errc::buffer_too_small) {
          ASSERT_GT(n, most);
          ASSERT_EQ(inner.reads, reads);
        } else {
          ASSERT_EQ(seen.error(), inner.error);
        }
        break;
      }
      case 3: {
        const std::size_t n = below(held + 1);
        in.consume(n);
        at += n;
        break;
      }
      case 4: {
        const std::size_t n = below(capacity + 1);
        const auto seen = in.peek(n);
        if (seen) {
          ASSERT_EQ(seen->size(), std::min(n, size - at));
          ASSERT_TRUE(support::equal(*seen, std::span(data).subspan(at, seen->size())));
        } else {
          ASSERT_EQ(seen.error(), inner.error);
        }
        break;
      }
      case 5: {
        const std::size_t n = below(3 * capacity + 2);
        const auto skipped = in.skip(n);
        ASSERT_EQ(inner.reads, reads);
        if (skipped) {
          ASSERT_EQ(*skipped, std::min(n, size - at));
          at += *skipped;
        } else {
          ASSERT_EQ(skipped.error(), inner.error);
        }
        break;
      }
      case 6: {
        const std::size_t to = below(size + 1);
        const auto offset = static_cast<std::intmax_t>(to);
        const auto moved = [&] {
          switch (below(3)) {
            case 0: return in.seek(offset);
            case 1: return in.seek(offset - static_cast<std::intmax_t>(at), whence::current);
            default: return in.seek(offset - static_cast<std::intmax_t>(size), whence::end);
          }
        }();
        ASSERT_EQ(moved.value(), to);
        ASSERT_EQ(inner.reads, reads);
        at = to;
        break;
      }
      case 7: {
        const auto near = static_cast<std::intmax_t>(at) - 8 + static_cast<std::intmax_t>(below(17));
        const auto moved = in.seek(near);
        const bool valid = near >= 0 && near <= static_cast<std::intmax_t>(size);
        ASSERT_EQ(moved.has_value(), valid);
        if (moved) at = *moved;
        break;
      }
      default: {
        // What a kernel path does: first what is buffered, then the descriptor.
        const auto endpoint = in.kernel_endpoint();
        if (!endpoint) break;
        ASSERT_EQ(endpoint->buffered, held);
        ASSERT_EQ(endpoint->max_bytes, size - at);
        in.consume(held);
        at += held;
        const std::size_t n = below(size - at + 1) / 4;
        inner.at += n;
        in.kernel_advanced(n);
        at += n;
        break;
      }
    }
    ASSERT_EQ(in.position().value(), at) << "step " << step;
    const auto window = in.buffered();
    ASSERT_LE(at + window.size(), size);
    ASSERT_TRUE(support::equal(window, std::span(data).subspan(at, window.size()))) << "step " << step;
  }
}

TEST(buf_reader, a_random_walk_is_that_of_plain_bytes) {
  for (std::uint32_t seed = 1; seed <= 1000 && !testing::Test::HasFatalFailure(); ++seed) walk<seekable_reader>(seed);
}

TEST(buf_reader, a_random_walk_over_a_vectored_reader_is_that_of_plain_bytes) {
  for (std::uint32_t seed = 1; seed <= 1000 && !testing::Test::HasFatalFailure(); ++seed)
    walk<vectored_seekable_reader>(seed);
}

}  // namespace
