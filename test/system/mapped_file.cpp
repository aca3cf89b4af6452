// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/mapped_file.hpp>
#include <sluice/system/pipe.hpp>

#include "support/faults.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace sluice {
namespace {

using support::text;
using test::call_counter;
using test::fault;
using test::temporary_folder;

static_assert(in_memory_reader<mapped_file> && skippable<mapped_file> && seekable<mapped_file>);
static_assert(size_hinted<mapped_file> && !kernel_reader<mapped_file>);
static_assert(!std::is_copy_constructible_v<mapped_file> && std::is_nothrow_move_constructible_v<mapped_file>);

TEST(mapped_file, is_one_window) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  const call_counter calls;
  {
    mapped_file in = or_throw(mapped_file::open(folder / "a"));
    EXPECT_EQ(calls["map"], 1U);
    EXPECT_EQ(calls["close"], 1U) << "the mapping needs no descriptor";
    EXPECT_EQ(text(in.buffered()), "0123456789");
    EXPECT_EQ(in.skip(3), 3U);
    EXPECT_EQ(in.size_hint(), 7U);
    EXPECT_EQ(in.seek(-2, whence::end), 8U);
    EXPECT_EQ(text(support::drain(in).value()), "89");
    EXPECT_EQ(text(in.bytes()), "0123456789");
  }
  EXPECT_EQ(calls["munmap"], 1U);
  EXPECT_EQ(calls["madvise"], 0U);
}

TEST(mapped_file, begins_and_ends_at_any_offset) {
  const temporary_folder folder;
  const std::string all = text(support::pattern(3 * 4096 + 5));
  folder.write("a", all);
  file f = or_throw(file::open(folder / "a"));
  for (const std::size_t offset : {0U, 1U, 4095U, 4096U, 4097U, 12292U, 12293U, 50000U}) {
    for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{1}, std::uintmax_t{4096}, unbounded}) {
      mapped_file in = or_throw(mapped_file::map(f, offset, length));
      const auto expected = offset < all.size() ? all.substr(offset, static_cast<std::size_t>(length)) : "";
      EXPECT_EQ(text(in.bytes()), expected) << offset << ' ' << length;
    }
  }
  EXPECT_EQ(f.position(), 0U);
}

TEST(mapped_file, of_an_empty_file_is_empty) {
  const temporary_folder folder;
  folder.write("a", "");
  mapped_file in = or_throw(mapped_file::open(folder / "a", {.populate = true, .huge_pages = true}));
  EXPECT_TRUE(in.bytes().empty());
  EXPECT_EQ(text(support::drain(in).value()), "");
}

TEST(mapped_file, refuses_what_is_no_regular_file_or_lies) {
  EXPECT_EQ(mapped_file::open("/dev/null").error(), io_errc::unsupported);
  EXPECT_EQ(mapped_file::open("/").error(), io_errc::unsupported);
  EXPECT_EQ(mapped_file::open("/proc/self/status").error(), io_errc::unsupported);
  EXPECT_EQ(mapped_file::open("/nowhere").error(), std::errc::no_such_file_or_directory);
}

TEST(mapped_file, moves) {
  const temporary_folder folder;
  folder.write("a", "abc");
  folder.write("b", "defg");
  const call_counter calls;
  {
    mapped_file in = or_throw(mapped_file::open(folder / "a"));
    in.consume(1);
    mapped_file moved(std::move(in));
    EXPECT_EQ(text(moved.buffered()), "bc");
    EXPECT_TRUE(in.bytes().empty() && in.buffered().empty());
    moved = or_throw(mapped_file::open(folder / "b"));
    EXPECT_EQ(calls["munmap"], 1U);
    EXPECT_EQ(text(moved.buffered()), "defg");
  }
  EXPECT_EQ(calls["munmap"], 2U);
}

TEST(mapped_file, takes_advice_that_may_be_refused) {
  const temporary_folder folder;
  folder.write("a", "abc");
  const fault refused({.call = "madvise", .times = test::always, .error = EINVAL});
  auto in =
      mapped_file::open(folder / "a", {.populate = true, .access = access_advice::sequential, .huge_pages = true});
  ASSERT_TRUE(in);
  EXPECT_EQ(refused.hits(), 2U);
  EXPECT_EQ(text(in->bytes()), "abc");
}

TEST(mapped_file, reports_every_error) {
  const temporary_folder folder;
  folder.write("a", "abc");
  for (const std::string_view call : {"open", "fstat", "map"}) {
    const fault broken({.call = call, .error = ENOMEM});
    EXPECT_EQ(mapped_file::open(folder / "a").error(), std::errc::not_enough_memory) << call;
  }
}

}  // namespace
}  // namespace sluice
