// SPDX-License-Identifier: BSL-1.0
//
// A stream's own copy_to or copy_from.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

// Hands over `own` bytes itself, and leaves the rest to copy.
struct generous_reader : support::chunked_reader {
  std::size_t own = 0;
  std::error_code broken = {};
  std::size_t offers = 0;

  template <writer W>
  std::expected<copy_handled, copy_error> copy_to(W& to, std::uintmax_t max) {
    ++offers;
    const auto n = static_cast<std::size_t>(std::min<std::uintmax_t>({own, data.size(), max}));
    if (!write_all(to, data.first(n))) return std::unexpected(copy_error{broken, 0, copy_side::writer, {}});
    data = data.subspan(n);
    if (broken) return std::unexpected(copy_error{broken, n, copy_side::reader, {}});
    return copy_handled{.bytes = n, .done = data.empty() || n == max};
  }
};

struct greedy_writer : support::recording_writer {
  std::size_t own = 0;
  std::size_t offers = 0;

  template <reader R>
  std::expected<copy_handled, copy_error> copy_from(R& from, std::uintmax_t max) {
    ++offers;
    std::vector<std::byte> memory(static_cast<std::size_t>(std::min<std::uintmax_t>(own, max)));
    const auto n = sluice::read(from, std::span(memory));
    data.insert(data.end(), memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(n.value_or(0)));
    return copy_handled{.bytes = n.value_or(0), .done = n.value_or(0) < memory.size()};
  }
};

static_assert(copies_to<generous_reader, support::recording_writer>);
static_assert(copies_from<greedy_writer, support::chunked_reader>);

TEST(copy_handoff, the_reader_may_do_it_all_or_a_part) {
  const auto data = support::pattern(10'000);
  for (const std::size_t own : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{10'000}}) {
    generous_reader from{{data}, own};
    support::recording_writer to;
    copy_report report;
    EXPECT_EQ(show(copy(from, to, {.report = &report})), "10000");
    EXPECT_EQ(from.offers, 1U);
    EXPECT_EQ(report[copy_path::handoff].bytes, own);
    EXPECT_EQ(sum_of(report), data.size());
    EXPECT_TRUE(support::equal(to.data, data));
  }
}

TEST(copy_handoff, the_writer_may_do_it_all_or_a_part) {
  const auto data = support::pattern(10'000);
  for (const std::size_t own : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{20'000}}) {
    support::chunked_reader from{data};
    greedy_writer to{{}, own};
    copy_report report;
    EXPECT_EQ(show(copy(from, to, {.report = &report})), "10000");
    EXPECT_EQ(to.offers, 1U);
    EXPECT_EQ(report[copy_path::handoff].bytes, std::min<std::size_t>(own, 10'000));
    EXPECT_TRUE(support::equal(to.data, data));
  }
}

TEST(copy_handoff, the_bound_is_passed_on) {
  const auto data = support::pattern(10'000);
  for (const std::uintmax_t n : {100U, 5000U}) {
    generous_reader from{{data}, 1000};
    support::recording_writer to;
    EXPECT_EQ(show(copy_n(from, to, n)), std::to_string(n));
    EXPECT_EQ(to.data.size(), n);
    EXPECT_EQ(from.data.size(), data.size() - n);
  }
}

TEST(copy_handoff, a_failure_keeps_its_count) {
  const auto data = support::pattern(10'000);
  generous_reader from{{data}, 1000, std::make_error_code(std::errc::io_error)};
  support::recording_writer to;
  const auto copied = copy(from, to);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, std::errc::io_error);
  EXPECT_EQ(copied.error().bytes, 1000U);
  EXPECT_EQ(copied.error().side, copy_side::reader);
}

TEST(copy_handoff, a_copy_that_was_handed_over_ends_like_any_other) {
  const auto data = support::pattern(5000);
  generous_reader from{{data}, 5000};
  support::recording_writer to;
  buf_writer out(to, 16384);
  std::vector<std::uintmax_t> heard;
  const copy_options options{.flush = flush_policy::at_end,
                             .on_progress = [&](std::uintmax_t n) { heard.push_back(n); }};
  EXPECT_EQ(show(copy(from, out, options)), "5000");
  EXPECT_TRUE(out.pending().empty());
  EXPECT_TRUE(support::equal(to.data, data));
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.back(), 5000U);
}

TEST(copy_handoff, a_copier_offers_once) {
  const auto data = support::pattern(5000);
  generous_reader from{{data}, 100};
  support::recording_writer to;
  to.fail_at = 2;
  copier relay(from, to);
  ASSERT_FALSE(relay.run());
  const auto again = relay.run();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->done);
  EXPECT_EQ(again->bytes, 5000U);
  EXPECT_EQ(from.offers, 1U);
  EXPECT_TRUE(support::equal(to.data, data));
}

}  // namespace
}  // namespace sluice
