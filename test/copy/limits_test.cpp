// SPDX-License-Identifier: BSL-1.0
//
// Bounds: exactly so many bytes, and not one more taken.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 200'000;

enum class place { file, pipe, socket };

class copy_limits : public testing::TestWithParam<std::tuple<place, place, std::size_t>> {
 protected:
  void SetUp() override {
    const place source = std::get<0>(GetParam());
    if (source == place::file) {
      in.reader = file_with(folder / "from", text);
    } else {
      in = source == place::pipe ? make_pipe_ends(1 << 20) : make_socket_pair();
      write_text(in.writer.get(), text);
      in.writer.reset();
    }
    const place target = std::get<1>(GetParam());
    if (target == place::file)
      out.writer = new_file(folder / "to");
    else
      out = target == place::pipe ? make_pipe_ends(1 << 20) : make_socket_pair();
  }

  std::string arrived() {
    if (std::get<1>(GetParam()) == place::file) return content_of(folder / "to");
    out.writer.reset();
    return everything(out.reader.get());
  }

  temporary_folder folder;
  std::string text = some_text(size);
  two_ends in;
  two_ends out;
};

TEST_P(copy_limits, copy_n_takes_no_more) {
  const std::size_t n = std::get<2>(GetParam());
  EXPECT_EQ(show(copy_n(fd_ref(in.reader.get()), fd_ref(out.writer.get()), n)), std::to_string(n));
  EXPECT_TRUE(everything(in.reader.get()) == text.substr(n));
  EXPECT_TRUE(arrived() == text.substr(0, n));
}

TEST_P(copy_limits, so_does_a_limit) {
  const std::size_t n = std::get<2>(GetParam());
  limit_reader part(fd_ref(in.reader.get()), n);
  EXPECT_EQ(show(copy(part, fd_ref(out.writer.get()))), std::to_string(n));
  EXPECT_TRUE(part.limit_reached());
  EXPECT_TRUE(everything(in.reader.get()) == text.substr(n));
  EXPECT_TRUE(arrived() == text.substr(0, n));
}

TEST_P(copy_limits, through_a_buffer_the_rest_stays_readable) {
  const std::size_t n = std::get<2>(GetParam());
  fd_ref from(in.reader.get());
  buf_reader buffered_in(from, 8192);
  EXPECT_EQ(show(copy_n(buffered_in, fd_ref(out.writer.get()), n)), std::to_string(n));
  const auto held = buffered_in.buffered();
  EXPECT_TRUE(support::text(held) + everything(in.reader.get()) == text.substr(n));
  EXPECT_TRUE(arrived() == text.substr(0, n));
}

TEST_P(copy_limits, several_in_a_row) {
  const std::size_t n = std::get<2>(GetParam()) / 3;
  fd_ref from(in.reader.get());
  fd_ref to(out.writer.get());
  for (int i = 0; i != 3; ++i) EXPECT_EQ(show(copy_n(from, to, n)), std::to_string(n));
  EXPECT_TRUE(everything(in.reader.get()) == text.substr(3 * n));
  EXPECT_TRUE(arrived() == text.substr(0, 3 * n));
}

TEST_P(copy_limits, a_short_source_is_an_error_with_a_count) {
  const auto copied = copy_n(fd_ref(in.reader.get()), fd_ref(out.writer.get()), size + std::get<2>(GetParam()) + 1);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::unexpected_eof);
  EXPECT_EQ(copied.error().side, copy_side::reader);
  EXPECT_EQ(copied.error().bytes, size);
  EXPECT_TRUE(copied.error().unwritten.empty());
  EXPECT_TRUE(arrived() == text);
}

INSTANTIATE_TEST_SUITE_P(all, copy_limits,
                         testing::Combine(testing::Values(place::file, place::pipe, place::socket),
                                          testing::Values(place::file, place::pipe, place::socket),
                                          testing::Values(1U, 4096U, 70'001U, 199'999U, 200'000U)));

TEST(copy_limits_of, nothing_touches_nothing) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", "abc");
  fd_ref in(from.get());
  fd_ref out(-1);
  const call_counter calls;
  EXPECT_EQ(show(copy_n(in, out, 0)), "0");
  EXPECT_EQ(calls.total(), 0U);
}

TEST(copy_limits_of, an_empty_source) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", "");
  const handle to = new_file(folder / "to");
  const auto copied = copy_n(fd_ref(from.get()), fd_ref(to.get()), 1);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::unexpected_eof);
  EXPECT_EQ(copied.error().bytes, 0U);
}

// A pipe that holds what is wanted, and whose writer has nothing more to say, does not make the copy wait.
TEST(copy_limits_of, does_not_wait_for_more_than_it_wants) {
  for (const bool is_socket : {false, true}) {
    two_ends in = is_socket ? make_socket_pair() : make_pipe_ends();
    write_text(in.writer.get(), "abcdef");
    bytes_writer to;
    EXPECT_EQ(show(copy_n(fd_ref(in.reader.get()), to, 6)), "6");
    EXPECT_EQ(show(copy(limit(fd_ref(in.reader.get()), 0), to)), "0");
  }
}

class copy_huge : public testing::TestWithParam<std::uintmax_t> {};

// Sparse on both sides, so that it takes no time: one call moves less than 2 GiB.
TEST_P(copy_huge, a_sparse_file) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", "begin", O_RDWR);
  const auto length = static_cast<off_t>(GetParam());
  if (::ftruncate(from.get(), length) != 0) GTEST_SKIP() << "no room for a large sparse file";
  ASSERT_EQ(::pwrite(from.get(), "end", 3, length - 3), 3);
  const handle to = new_file(folder / "to");
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()))), std::to_string(length));
  struct stat status;
  ASSERT_EQ(::fstat(to.get(), &status), 0);
  EXPECT_EQ(status.st_size, length);
  EXPECT_LT(status.st_blocks, 1000);
  const handle seen(::open((folder / "to").c_str(), O_RDONLY | O_CLOEXEC));
  char text[5];
  ASSERT_EQ(::pread(seen.get(), text, 5, 0), 5);
  EXPECT_EQ(std::string_view(text, 5), "begin");
  ASSERT_EQ(::pread(seen.get(), text, 5, length - 3), 3);
  EXPECT_EQ(std::string_view(text, 3), "end");
}

INSTANTIATE_TEST_SUITE_P(sizes, copy_huge, testing::Values((1ULL << 31) + 12'345, (1ULL << 32) + 12'345, 1ULL << 40));

// A call that moves more than an int can say; nothing is really moved here.
ssize_t pretend(int, off64_t*, int to, off64_t*, std::size_t n, unsigned) {
  ::lseek(to, static_cast<off_t>(n), SEEK_CUR);
  return static_cast<ssize_t>(n);
}

TEST(copy_limits_of, no_call_is_asked_for_more_than_it_can_count) {
  const temporary_folder folder;
  const handle from = new_file(folder / "from", O_RDWR);
  ASSERT_EQ(::ftruncate(from.get(), off_t{5} << 30), 0);
  const handle to = new_file(folder / "to");
  const replaced_call moves(&call_table::copy_file_range, &pretend);
  copy_report report;
  const auto copied = copy_n(fd_ref(from.get()), fd_ref(to.get()), std::uintmax_t{5} << 30,
                             {.sparse = sparse_policy::never, .report = &report});
  EXPECT_EQ(show(copied), std::to_string(std::uintmax_t{5} << 30));
  EXPECT_GE(report[copy_path::copy_file_range].calls, 5U);
}

}  // namespace
}  // namespace sluice
