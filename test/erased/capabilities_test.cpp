// SPDX-License-Identifier: BSL-1.0
//
// What the four handles keep of the stream: seeking, and the place inside the handle for small ones.
//
#include <sluice/adaptor/limit.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/erased/any_writer.hpp>
#include <sluice/erased/reader_ref.hpp>
#include <sluice/erased/writer_ref.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/span_writer.hpp>

#include "support/allocations.hpp"
#include "support/seekable.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace {

using namespace sluice;
using support::pattern;
using support::seekable_reader;
using support::seekable_writer;

static_assert(seekable<any_reader> && seekable<any_writer> && seekable<reader_ref> && seekable<writer_ref>);

TEST(any_reader, seeks_to_every_place_from_every_place) {
  const auto data = pattern(40);
  seekable_reader inner{.data = data};
  any_reader buffered{inner, 8};
  any_reader memory{span_reader{data}};
  for (any_reader* r : {&buffered, &memory}) {
    for (std::size_t start = 0; start <= data.size(); ++start) {
      for (std::size_t to = 0; to < data.size(); ++to) {
        const auto step = static_cast<std::intmax_t>(to) - static_cast<std::intmax_t>(start);
        const auto from_end = static_cast<std::intmax_t>(to) - static_cast<std::intmax_t>(data.size());
        for (const auto& [offset, from] : {std::pair(static_cast<std::intmax_t>(to), whence::begin),
                                           std::pair(step, whence::current), std::pair(from_end, whence::end)}) {
          ASSERT_EQ(r->seek(static_cast<std::intmax_t>(start)).value(), start);
          std::array<std::byte, 3> some;
          const std::size_t read = r->read_some(some).value();
          ASSERT_EQ(r->position().value(), start + read);
          const std::intmax_t back = from == whence::current ? static_cast<std::intmax_t>(read) : 0;
          ASSERT_EQ(r->seek(offset - back, from).value(), to);
          ASSERT_EQ(r->position().value(), to);
          ASSERT_EQ(r->fill(1).value()[0], data[to]);
        }
      }
    }
  }
}

TEST(any_reader, a_seek_that_fails_moves_nothing) {
  const auto data = pattern(40);
  seekable_reader inner{.data = data};
  any_reader r{inner, 8};
  ASSERT_TRUE(r.fill(8));
  r.consume(3);
  EXPECT_EQ(r.seek(41).error(), std::errc::invalid_argument);
  EXPECT_EQ(r.position().value(), 3U);
  EXPECT_EQ(r.fill(1).value()[0], data[3]);
}

TEST(any_reader, tells_that_it_cannot_seek) {
  const auto data = pattern(40);
  any_reader r{support::chunked_reader{data}, 8};
  ASSERT_TRUE(r.fill(8));
  r.consume(3);
  EXPECT_EQ(r.seek(0).error(), io_errc::unsupported);
  EXPECT_EQ(r.position().error(), io_errc::unsupported);
  EXPECT_EQ(r.buffered().size(), 5U);
  any_reader none;
  EXPECT_EQ(none.seek(0).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(none.position().error(), std::errc::bad_file_descriptor);
}

TEST(any_writer, seeks_behind_what_was_written) {
  seekable_writer inner;
  any_writer w{buf_writer{inner, 16}};
  ASSERT_TRUE(w.write_some(as_bytes("hello")));
  ASSERT_TRUE(w.write_some(as_bytes(" you")));
  EXPECT_EQ(w.position().value(), 9U);
  EXPECT_EQ(w.seek(-3, whence::current).value(), 6U);
  ASSERT_TRUE(w.write_some(as_bytes("the")));
  EXPECT_EQ(w.seek(0).value(), 0U);
  ASSERT_TRUE(w.write_some(as_bytes("H")));
  ASSERT_TRUE(w.flush());
  EXPECT_EQ(support::text(inner.data), "Hello the");

  any_writer plain{inner};
  EXPECT_EQ(plain.seek(0, whence::end).value(), 9U);
  EXPECT_EQ(plain.position().value(), 9U);
}

TEST(any_writer, tells_that_it_cannot_seek) {
  support::recording_writer inner;
  any_writer w{buf_writer{inner, 16}};
  ASSERT_TRUE(w.write_some(as_bytes("hello")));
  EXPECT_EQ(w.seek(0).error(), io_errc::unsupported);
  EXPECT_EQ(w.position().error(), io_errc::unsupported);
  ASSERT_TRUE(w.flush());
  EXPECT_EQ(support::text(inner.data), "hello");
  any_writer none;
  EXPECT_EQ(none.seek(0).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(none.position().error(), std::errc::bad_file_descriptor);
}

TEST(reader_ref, seeks_where_the_reader_does) {
  const auto data = pattern(40);
  seekable_reader inner{.data = data};
  reader_ref r{inner};
  EXPECT_EQ(r.seek(7).value(), 7U);
  EXPECT_EQ(r.position().value(), 7U);
  support::chunked_reader plain{data};
  EXPECT_EQ(reader_ref(plain).seek(0).error(), io_errc::unsupported);
  EXPECT_EQ(reader_ref(plain).position().error(), io_errc::unsupported);
}

TEST(writer_ref, seeks_where_the_writer_does) {
  seekable_writer inner{.data = pattern(40)};
  writer_ref w{inner};
  EXPECT_EQ(w.seek(7).value(), 7U);
  EXPECT_EQ(w.position().value(), 7U);
  support::recording_writer plain;
  EXPECT_EQ(writer_ref(plain).seek(0).error(), io_errc::unsupported);
  EXPECT_EQ(writer_ref(plain).position().error(), io_errc::unsupported);
}

TEST(any_reader, small_streams_are_kept_inside) {
  const auto data = pattern(40);
  std::array<std::byte, 40> out;
  const support::allocations before;
  any_reader r{span_reader{data} | limit(30)};
  any_reader moved = std::move(r);
  r = any_reader{span_reader{data}};
  EXPECT_EQ(moved.read_some(out).value(), 30U);
  EXPECT_EQ(r.skip(5).value(), 5U);
  EXPECT_EQ(r.size_hint(), 35U);
  EXPECT_EQ(r.seek(-1, whence::end).value(), 39U);
  EXPECT_EQ(r.read_some(out).value(), 1U);
  EXPECT_EQ(before.count(), 0U);
}

TEST(any_writer, small_streams_are_kept_inside) {
  std::array<std::byte, 40> room;
  support::kernel_stream kernel;
  const support::allocations before;
  any_writer w{span_writer{room}};
  any_writer moved = std::move(w);
  EXPECT_EQ(moved.write_some(as_bytes("hello")).value(), 5U);
  w = any_writer{kernel};
  EXPECT_EQ(w.kernel_endpoint()->fd, 42);
  EXPECT_EQ(before.count(), 0U);
  EXPECT_EQ(room[4], std::byte{'o'});
}

}  // namespace
