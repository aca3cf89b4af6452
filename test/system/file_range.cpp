// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/file_range.hpp>
#include <sluice/system/pipe.hpp>

#include "support/faults.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace sluice {
namespace {

using test::fault;
using test::temporary_folder;

static_assert(reader<file_range> && vectored_reader<file_range> && skippable<file_range> && seekable<file_range>);
static_assert(size_hinted<file_range> && kernel_reader<file_range> && !writer<file_range>);

result<std::string> rest_of(file_range& part) {
  const auto bytes = support::drain(part);
  if (!bytes) return fail(bytes.error());
  return support::text(*bytes);
}

TEST(file_range, delivers_the_section_whatever_the_sizes) {
  const temporary_folder folder;
  const std::string all = support::text(support::pattern(200));
  folder.write("a", all);
  file f = or_throw(file::open(folder / "a"));
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    for (const std::size_t offset : {0U, 1U, 150U, 199U, 200U, 250U}) {
      file_range part(f, offset, 70);
      const std::string expected = offset < all.size() ? all.substr(offset, 70) : "";
      EXPECT_EQ(support::text(support::drain(part, chunk).value()), expected);
      EXPECT_EQ(part.position(), expected.size());
    }
  }
  EXPECT_EQ(f.position(), 0U) << "the descriptor's own offset stays";
}

TEST(file_range, reads_several_pieces_up_to_its_end) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a"));
  file_range part(f, 2, 6);
  std::array<std::byte, 4> a{};
  std::array<std::byte, 4> b{};
  const std::array pieces{mutable_buffer(a), mutable_buffer(), mutable_buffer(b)};
  EXPECT_EQ(part.read_some(pieces), 6U);
  EXPECT_EQ(support::text(a), "2345");
  EXPECT_EQ(support::text(std::span(b).first(2)), "67");
  EXPECT_EQ(b[2], std::byte{});
  EXPECT_EQ(part.read_some(pieces), 0U);
}

TEST(file_range, a_skip_past_the_end_is_no_success) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a"));
  file_range inside(f, 2, 5);
  EXPECT_EQ(inside.skip(3), 3U);
  EXPECT_EQ(inside.skip(9), 2U);
  EXPECT_EQ(inside.skip(1), 0U);
  file_range beyond(f, 8);
  EXPECT_EQ(beyond.size_hint(), 2U);
  EXPECT_EQ(beyond.skip(unbounded), 2U);
  EXPECT_EQ(beyond.skip(1), 0U);
  EXPECT_EQ(beyond.size_hint(), 0U);
  file_range behind(f, 12);
  EXPECT_EQ(behind.skip(1), 0U);
}

TEST(file_range, seeks_within_the_section) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a"));
  file_range part(f, 2, 5);
  EXPECT_EQ(part.seek(-1, whence::end), 4U);
  EXPECT_EQ(rest_of(part), "6");
  EXPECT_EQ(part.seek(-3, whence::current), 2U);
  EXPECT_EQ(rest_of(part), "456");
  EXPECT_EQ(part.seek(6).error(), std::errc::invalid_argument);
  EXPECT_EQ(part.seek(-1).error(), std::errc::invalid_argument);
  EXPECT_EQ(part.position(), 5U);
  file_range open_end(f, 7);
  EXPECT_EQ(open_end.seek(0, whence::end), 3U);
  file_range largest(f, unbounded, unbounded);
  EXPECT_EQ(rest_of(largest), "");
}

TEST(file_range, seeks_from_the_end_of_the_file_where_that_comes_first) {
  const temporary_folder folder;
  folder.write("empty", "");
  file empty = or_throw(file::open(folder / "empty"));
  EXPECT_EQ(file_range(empty, 0).seek(0, whence::end).value(), 0U);
  folder.write("ten", "0123456789");
  file ten = or_throw(file::open(folder / "ten"));
  EXPECT_EQ(file_range(ten, 4).seek(-1, whence::end).value(), 5U);
  EXPECT_EQ(file_range(-1, 0).seek(0, whence::end).error(), std::errc::bad_file_descriptor);
}

TEST(file_range, a_pipe_has_no_sections) {
  auto ends = or_throw(make_pipe());
  file_range part(ends.reader.fd(), 0, 5);
  std::array<std::byte, 4> b;
  EXPECT_EQ(part.read_some(b).error(), std::errc::invalid_seek);
  EXPECT_EQ(part.skip(1).error(), io_errc::unsupported);
  EXPECT_EQ(part.size_hint(), std::nullopt);
}

TEST(file_range, an_error_moves_nothing_and_eintr_is_retried) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a"));
  file_range part(f, 2, 5);
  {
    const fault broken({.call = "pread", .error = EIO});
    EXPECT_EQ(rest_of(part).error(), std::errc::io_error);
  }
  const fault interrupted({.call = "pread", .error = EINTR});
  EXPECT_EQ(rest_of(part), "23456");
}

TEST(file_range, several_read_one_file_at_once) {
  const temporary_folder folder;
  const std::string all = support::text(support::pattern(40000));
  folder.write("a", all);
  file f = or_throw(file::open(folder / "a"));
  const int fd = f.fd();
  std::array<std::string, 4> parts;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i != parts.size(); ++i)
      threads.emplace_back([&, i] {
        file_range part(fd, i * 10000, 10000);
        parts[i] = support::text(support::drain(part, 37).value());
      });
  }
  EXPECT_EQ(parts[0] + parts[1] + parts[2] + parts[3], all);
}

}  // namespace
}  // namespace sluice
