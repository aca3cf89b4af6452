// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/counted.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/span_writer.hpp>
#include <sluice/memory/string_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::kernel_stream;
using support::recording_writer;
using support::window_reader;

struct closing_writer : recording_writer {
  int flushed = 0;
  int closed = 0;
  result<void> flush() {
    ++flushed;
    return {};
  }
  result<void> close() {
    ++closed;
    return {};
  }
};

template <class S>
concept can_close = requires(S& s) { s.close(); };
template <class S>
concept can_flush = requires(S& s) { s.flush(); };

static_assert(reader<counted_reader<chunked_reader>> && !writer<counted_reader<chunked_reader>>);
static_assert(writer<counted_writer<recording_writer>>);
static_assert(!reader<counted_writer<recording_writer>>);
static_assert(reader<counted_stream<kernel_stream>> && writer<counted_stream<kernel_stream>>);
static_assert(kernel_reader<counted_stream<kernel_stream>>);
static_assert(kernel_writer<counted_stream<kernel_stream>>);
static_assert(!kernel_reader<counted_stream<chunked_reader>>);
static_assert(buffered_reader<counted_reader<window_reader&>>);
static_assert(!buffered_reader<counted_reader<chunked_reader>>);
static_assert(buffered_writer<counted_writer<string_writer&>>);
static_assert(!buffered_writer<counted_writer<null_writer>>);
static_assert(vectored_writer<counted_writer<null_writer>>);
static_assert(!vectored_writer<counted_writer<recording_writer>>);
static_assert(vectored_reader<counted_reader<support::vectored_reader_fake>>);
static_assert(!vectored_reader<counted_reader<chunked_reader>>);
static_assert(skippable<counted_reader<window_reader>>);
static_assert(!skippable<counted_reader<chunked_reader>>);
static_assert(size_hinted<counted_reader<window_reader>>);
static_assert(!size_hinted<counted_reader<chunked_reader>>);
static_assert(seekable<counted_reader<span_reader>> && !seekable<counted_reader<chunked_reader>>);
static_assert(in_memory_reader<counted_reader<span_reader>>);
static_assert(!in_memory_reader<counted_reader<window_reader>>);
static_assert(can_close<counted_writer<closing_writer>>);
static_assert(!can_close<counted_writer<recording_writer>>);
static_assert(can_flush<counted_writer<closing_writer>>);
static_assert(!can_flush<counted_writer<recording_writer>>);

TEST(counted, counts_what_was_accepted) {
  auto w = recording_writer{.chunk = 3} | counted();
  const auto data = support::pattern(10);
  EXPECT_EQ(w.write_some(data).value(), 3U);
  EXPECT_EQ(w.write_some({}).value(), 0U);
  EXPECT_EQ(w.count(), 3U);
}

TEST(counted, counts_no_error_and_no_impossible_count) {
  std::array<std::byte, 4> b{};
  auto failing = chunked_reader{.fail_at = 1} | counted();
  EXPECT_EQ(failing.read_some(b).error(), std::errc::io_error);
  EXPECT_EQ(failing.count(), 0U);
  auto lying = support::over_counting_reader{} | counted();
  EXPECT_EQ(lying.read_some(b).error(), io_errc::bad_count);
  EXPECT_EQ(lying.skip(4).error(), io_errc::bad_count);
  EXPECT_EQ(lying.count(), 0U);
  auto lying_writer = support::over_counting_writer{} | counted();
  EXPECT_EQ(lying_writer.write_some(b).error(), io_errc::bad_count);
  EXPECT_EQ(lying_writer.count(), 0U);
}

TEST(counted, buffered_bytes_count_when_they_are_consumed) {
  const auto data = support::pattern(40);
  window_reader inner{.data = data};
  auto r = counted(inner);
  EXPECT_EQ(r.fill(10)->size(), 16U);
  EXPECT_EQ(r.count(), 0U);
  r.consume(4);
  EXPECT_EQ(r.count(), 4U);
  EXPECT_EQ(r.buffered().size(), 12U);
  EXPECT_EQ(r.capacity(), 16U);
  EXPECT_EQ(r.size_hint(), 36U);
  EXPECT_EQ(r.skip(100).value(), 36U);
  EXPECT_EQ(r.count(), 40U);
}

TEST(counted, prepared_bytes_count_when_they_are_committed) {
  std::string target;
  string_writer inner{target};
  auto w = inner | counted();
  const auto space = w.prepare(5).value();
  space[0] = space[1] = std::byte{'x'};
  EXPECT_EQ(w.count(), 0U);
  w.commit(2);
  EXPECT_EQ(w.count(), 2U);
  EXPECT_EQ(target, "xx");
  EXPECT_TRUE(w.flush());
}

TEST(counted, counts_pieces) {
  auto w = null_writer{} | counted();
  const auto data = support::pattern(10);
  const std::array out{const_buffer(std::span(data)), const_buffer(), const_buffer(std::span(data))};
  EXPECT_EQ(w.write_some(out).value(), 20U);
  EXPECT_EQ(w.count(), 20U);

  auto r = support::vectored_reader_fake{{.data = data}} | counted();
  std::array<std::byte, 8> b;
  const std::array in{mutable_buffer(std::span(b).first(3)), mutable_buffer(std::span(b).last(5))};
  EXPECT_EQ(r.read_some(in).value(), 8U);
  EXPECT_EQ(r.count(), 8U);
}

TEST(counted, counts_what_passes_inside_the_kernel) {
  kernel_stream inner;
  auto s = inner | counted();
  EXPECT_EQ(s.kernel_endpoint()->fd, 42);
  s.kernel_advanced(1000);
  EXPECT_EQ(s.count(), 1000U);
  EXPECT_EQ(inner.advanced, 1000U);
}

TEST(counted, one_total_for_a_stream_that_is_both) {
  kernel_stream inner;
  auto s = inner | counted();
  ASSERT_TRUE(s.write_some(as_bytes("hello")));
  std::array<std::byte, 3> b;
  ASSERT_TRUE(s.read_some(b));
  EXPECT_EQ(s.count(), 8U);
}

TEST(counted, seeking_counts_nothing) {
  auto r = span_reader{"0123456789"} | counted();
  EXPECT_EQ(r.seek(7).value(), 7U);
  EXPECT_EQ(r.position().value(), 7U);
  EXPECT_EQ(r.count(), 0U);
}

TEST(counted, flushes_and_closes) {
  closing_writer inner;
  auto w = counted(inner);
  EXPECT_TRUE(w.flush());
  EXPECT_TRUE(w.close());
  EXPECT_EQ(inner.flushed, 1);
  EXPECT_EQ(inner.closed, 1);
}

TEST(counted, refers_to_an_lvalue_and_owns_an_rvalue) {
  chunked_reader r;
  counted_reader by_reference(r);
  static_assert(std::same_as<decltype(by_reference), counted_stream<chunked_reader&>>);
  EXPECT_EQ(&by_reference.inner(), &r);
  EXPECT_EQ(&std::move(by_reference).into_inner(), &r);
  counted_reader by_value(std::move(r));
  static_assert(std::same_as<decltype(by_value), counted_stream<chunked_reader>>);
  recording_writer w;
  counted_writer writer_by_reference(w);
  static_assert(std::same_as<decltype(writer_by_reference), counted_stream<recording_writer&>>);
  EXPECT_EQ(&(w | counted()).inner(), &w);
}

}  // namespace
