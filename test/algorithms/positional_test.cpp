// SPDX-License-Identifier: BSL-1.0
#include <sluice/positional.hpp>
#include <sluice/system/atomic_file.hpp>

#include "support/faults.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace sluice;
using support::pattern;
using test::fault;
using test::temporary_folder;

static_assert(positional_reader<file> && positional_writer<file&> && positional_writer<atomic_file>);
static_assert(!positional_reader<fd_ref> && !positional_writer<const file>);

/// Answers with a count of its own, whatever it is asked for.
struct liar {
  std::size_t count;
  int calls = 0;

  result<std::size_t> read_at(std::uintmax_t, std::span<std::byte>) { return ++calls, count; }
  result<std::size_t> write_at(std::uintmax_t, std::span<const std::byte>) { return ++calls, count; }
};

TEST(positional, goes_on_after_short_requests_at_the_right_place) {
  const temporary_folder folder;
  const auto data = pattern(64);
  for (std::size_t size = 0; size <= data.size(); ++size) {
    for (const std::size_t chunk : {1U, 3U, 64U}) {
      file f = or_throw(file::open(folder / "a", {.read = true, .write = true, .truncate = true, .create = true}));
      const fault short_writes({.call = "pwrite", .times = test::always, .shorten = chunk});
      const fault short_reads({.call = "pread", .times = test::always, .shorten = chunk});
      const auto part = std::span(data).first(size);
      ASSERT_TRUE(write_all_at(f, 5, part));
      std::vector<std::byte> back(size);
      ASSERT_TRUE(read_exactly_at(f, 5, back));
      EXPECT_TRUE(std::ranges::equal(back, part));
      EXPECT_EQ(short_reads.calls(), (size + chunk - 1) / chunk);
      EXPECT_EQ(f.position(), 0U);
    }
  }
}

TEST(positional, an_error_tells_what_has_moved) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a", {.read = true, .write = true}));
  std::vector<std::byte> out(8);
  const auto early = read_exactly_at(f, 4, out);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error(), io_errc::unexpected_eof);
  EXPECT_EQ(early.error().bytes, 6U);
  EXPECT_EQ(support::text(std::span(out).first(6)), "456789");

  const fault short_write({.call = "pwrite", .shorten = 3});
  const fault broken({.call = "pwrite", .at = 2, .error = ENOSPC});
  const auto full = write_all_at(f, 0, std::as_bytes(std::span("abcdefgh", 8)));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error(), std::errc::no_space_on_device);
  EXPECT_EQ(full.error().bytes, 3U);
  EXPECT_EQ(folder.read("a"), "abc3456789");
}

TEST(positional, believes_no_count_but_a_possible_one) {
  std::vector<std::byte> b(4);
  liar too_much{5};
  EXPECT_EQ(read_exactly_at(too_much, 0, b).error(), io_errc::bad_count);
  EXPECT_EQ(write_all_at(too_much, 0, b).error(), io_errc::bad_count);
  liar nothing{0};
  EXPECT_EQ(read_exactly_at(nothing, 0, b).error(), io_errc::unexpected_eof);
  EXPECT_EQ(write_all_at(nothing, 0, b).error(), io_errc::write_zero);
  EXPECT_EQ(nothing.calls, 2);
  EXPECT_TRUE(read_exactly_at(nothing, 0, std::span<std::byte>()));
  EXPECT_TRUE(write_all_at(nothing, 0, std::span<const std::byte>()));
  EXPECT_EQ(nothing.calls, 2) << "nothing of nothing asks nobody";
}

}  // namespace
