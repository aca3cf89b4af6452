// SPDX-License-Identifier: BSL-1.0
#include "support/streams.hpp"

#include <sluice/sluice.hpp>
#include <sluice/testing/expecting_writer.hpp>
#include <sluice/testing/faulty_stream.hpp>
#include <sluice/testing/recording_stream.hpp>
#include <sluice/testing/sample_bytes.hpp>
#include <sluice/testing/scripted_reader.hpp>

#include <gtest/gtest.h>

using namespace sluice;
using support::text;

namespace {

constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz";

// The sizes of what each call delivers; -1 for a failure, and nothing after the first 100 calls.
template <class R>
std::vector<int> sizes_of(R& r, std::size_t request = 100) {
  std::vector<std::byte> memory(request);
  std::vector<int> sizes;
  for (int i = 0; i < 100; ++i) {
    const auto n = r.read_some(std::span(memory));
    if (n && *n == 0) break;
    sizes.push_back(n ? static_cast<int>(*n) : -1);
  }
  return sizes;
}

std::vector<int> sizes_with(faults what) {
  auto in = span_reader(alphabet) | std::move(what);
  return sizes_of(in);
}

}  // namespace

TEST(faulty_stream, moves_so_many_bytes_a_call) {
  EXPECT_EQ(sizes_with({}), (std::vector{26}));
  EXPECT_EQ(sizes_with(short_reads(10)), (std::vector{10, 10, 6}));
  EXPECT_EQ(sizes_with(short_reads(1)), std::vector(26, 1));
  EXPECT_EQ(sizes_with(grinding({9, 0, 5})), (std::vector{9, 1, 5, 9, 1, 1}));
  EXPECT_EQ(sizes_with({.splits = {3, 20}}), (std::vector{3, 17, 6}));
  EXPECT_EQ(sizes_with({.most = 7, .chunks = {9, 2}}), (std::vector{7, 2, 7, 2, 7, 1}));
}

TEST(faulty_stream, a_seed_makes_the_same_sizes_each_time) {
  const auto once = sizes_with({.most = 5, .seed = 3});
  EXPECT_EQ(once, sizes_with({.most = 5, .seed = 3}));
  EXPECT_NE(once, sizes_with({.most = 5, .seed = 4}));
  EXPECT_GT(once.size(), 5U);
  for (const int n : once) EXPECT_LE(n, 5);
}

TEST(faulty_stream, fails_where_it_is_told_and_goes_on) {
  EXPECT_EQ(sizes_with({.most = 10, .fail_at = 2}), (std::vector{10, -1, 10, 6}));
  EXPECT_EQ(sizes_with({.most = 10, .fail_at = 2, .failures = 3}), (std::vector{10, -1, -1, -1, 10, 6}));
  EXPECT_EQ(sizes_with({.fail_at_byte = 4}), (std::vector{4, -1, 22}));
  EXPECT_EQ(sizes_with({.fail_at_byte = 26}), (std::vector{26, -1}));
  EXPECT_EQ(sizes_with({.most = 13, .fail_at = 1, .failures = 2, .every = 1}),
            (std::vector{-1, -1, 13, -1, -1, 13, -1, -1}));
  const auto for_good = sizes_with(failing(2, std::make_error_code(std::errc::io_error), forever));
  EXPECT_EQ(for_good.size(), 100U);
  EXPECT_EQ(for_good.front(), 26);
  EXPECT_EQ(for_good.back(), -1);
}

TEST(faulty_stream, fails_with_the_error_it_is_told) {
  std::byte b[1];
  auto waits = span_reader(alphabet) | interrupted(1);
  EXPECT_EQ(waits.read_some(b).error(), std::errc::operation_would_block);
  EXPECT_EQ(waits.read_some(b), 1U);
  auto interrupts = span_reader(alphabet) | interrupted(1, std::make_error_code(std::errc::interrupted));
  EXPECT_EQ(interrupts.read_some(b).error(), std::errc::interrupted);
  EXPECT_EQ(interrupts.plan().failed(), 1U);
}

TEST(faulty_stream, an_empty_request_is_no_call) {
  auto in = span_reader(alphabet) | failing(1);
  EXPECT_EQ(in.read_some(std::span<std::byte>()), 0U);
  EXPECT_EQ(in.plan().calls(), 0U);
}

TEST(faulty_stream, may_lie) {
  std::byte b[8];
  auto claims = span_reader(alphabet) | over_counting(3);
  EXPECT_EQ(claims.read_some(b), 11U);
  EXPECT_EQ(sluice::read_some(claims, b).error(), io_errc::bad_count);

  auto loses = span_reader(alphabet) | faults{.fail_at = 1, .untold = 2};
  EXPECT_FALSE(loses.read_some(b));
  EXPECT_EQ(loses.read_some(b), 8U);
  EXPECT_EQ(text(b), "cdefghij");
}

TEST(faulty_stream, writes_in_part_and_not_at_all) {
  bytes_writer target;
  auto out = faulty(target, {.most = 3, .fail_at = 3, .error = {}});
  EXPECT_EQ(out.write_some(as_bytes("abcdef")), 3U);
  EXPECT_EQ(out.write_some(as_bytes("def")), 3U);
  EXPECT_EQ(out.write_some(as_bytes("g")), 0U);
  EXPECT_EQ(out.write_some(as_bytes("g")), 1U);
  EXPECT_EQ(text(target.view()), "abcdefg");

  auto nothing = bytes_writer() | accepting_nothing();
  EXPECT_EQ(write_all(nothing, "a").error(), io_errc::write_zero);
}

TEST(faulty_stream, cuts_vectored_calls_too) {
  bytes_writer target;
  auto out = target | partial_writes(4);
  const const_buffer pieces[] = {as_bytes("abc"), {}, as_bytes("def")};
  EXPECT_EQ(out.write_some(pieces), 4U);
  EXPECT_EQ(text(target.view()), "abcd");
}

TEST(faulty_stream, hides_what_would_lead_past_the_faults) {
  using memory = faulty_reader<span_reader>;
  static_assert(reader<memory> && !buffered_reader<memory> && !skippable<memory> && !size_hinted<memory>);
  using on_disk = faulty_stream<file>;
  static_assert(vectored_reader<on_disk> && vectored_writer<on_disk> && !kernel_reader<on_disk> && !seekable<on_disk>);
  using buffer = faulty_writer<buf_writer<file>>;
  static_assert(!buffered_writer<buffer> && requires(buffer w) { w.flush(); });
}

TEST(faulty_stream, calls_back_between_calls) {
  int turns = 0;
  auto in = span_reader("abc") | faults{.most = 1, .between = [&] { ++turns; }};
  EXPECT_EQ(sizes_of(in), (std::vector{1, 1, 1}));
  EXPECT_EQ(turns, 3);  // one before the call that finds the end
}

TEST(recording_stream, keeps_every_call_and_what_was_written) {
  recording_writer<> out;
  ASSERT_TRUE(write_all(out, "hello"));
  const const_buffer pieces[] = {as_bytes(" "), as_bytes("world")};
  ASSERT_TRUE(out.write_some(pieces));
  ASSERT_TRUE(out.flush());
  ASSERT_EQ(out.calls().size(), 3U);
  EXPECT_EQ(out.calls()[0].size, 5U);
  EXPECT_EQ(out.calls()[1].size, 6U);
  EXPECT_EQ(out.calls()[1].pieces, 2U);
  EXPECT_EQ(out.calls()[2].what, recorded_call::operation::flush);
  EXPECT_EQ(text(out.inner().view()), "hello world");
}

TEST(recording_stream, keeps_the_answers) {
  auto in = span_reader("abc") | failing(2) | recording();
  EXPECT_EQ(sizes_of(in, 2), (std::vector{2, -1, 1}));
  ASSERT_EQ(in.calls().size(), 4U);
  EXPECT_EQ(in.calls()[0].answer, 2U);
  EXPECT_EQ(in.calls()[1].answer.error(), std::errc::io_error);
  EXPECT_EQ(in.calls()[3].answer, 0U);
}

TEST(expecting_writer, stops_at_the_first_wrong_byte) {
  const auto expected = as_bytes("abcdef");
  expecting_writer right(expected);
  EXPECT_TRUE(write_all(right, "abc"));
  EXPECT_FALSE(right.complete());
  EXPECT_TRUE(write_all(right, "def"));
  EXPECT_TRUE(right.complete());
  EXPECT_EQ(right.write_some(as_bytes("g")).error(), io_errc::invalid_data);
  EXPECT_FALSE(right.complete());

  expecting_writer wrong(expected);
  EXPECT_EQ(wrong.write_some(as_bytes("abXd")), 2U);
  EXPECT_EQ(wrong.write_some(as_bytes("Xd")).error(), io_errc::invalid_data);
  EXPECT_EQ(wrong.position(), 2U);
}

TEST(scripted_reader, answers_step_by_step) {
  using step = scripted_reader::step;
  scripted_reader in{{step::data("abc"), step::would_block(), step::data("d"), step::fail(std::errc::io_error)}};
  EXPECT_EQ(sizes_of(in, 2), (std::vector{2, 1, -1, 1, -1}));
  EXPECT_EQ(in.calls, 6U);
}
