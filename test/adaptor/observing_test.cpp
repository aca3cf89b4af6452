// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/digest.hpp>
#include <sluice/adaptor/inspect.hpp>
#include <sluice/adaptor/progress.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/skip.hpp>
#include <sluice/system/file.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace sluice;
using namespace std::chrono_literals;
using support::chunked_reader;
using support::kernel_stream;
using support::recording_writer;
using support::window_reader;

struct ignore {
  void operator()(std::span<const std::byte>) const {}
};

static_assert(!kernel_reader<inspect_stream<kernel_stream, ignore>>);
static_assert(!skippable<inspect_stream<window_reader, ignore>> && !seekable<inspect_stream<span_reader, ignore>>);
static_assert(buffered_reader<inspect_stream<window_reader&, ignore>>);
static_assert(in_memory_reader<inspect_stream<span_reader, ignore>>);
static_assert(buffered_writer<inspect_stream<string_writer&, ignore>>);
static_assert(kernel_reader<progress_reader<kernel_stream>> && kernel_writer<progress_writer<kernel_stream&>>);
static_assert(skippable<progress_reader<window_reader>> && seekable<progress_reader<span_reader>>);

/// Keeps what it has seen: the most exact of all digests.
struct toy_hash {
  std::vector<std::byte> seen = {};
  void update(std::span<const std::byte> b) { seen.insert(seen.end(), b.begin(), b.end()); }
  const std::vector<std::byte>& value() const { return seen; }
};

TEST(digest, sees_what_is_skipped) {
  const auto data = support::pattern(64);
  for (std::size_t n = 0; n <= 70; ++n) {
    window_reader inner{.data = data, .chunk = 5};
    auto r = inner | digest(toy_hash{});
    ASSERT_EQ(sluice::skip(r, n).value(), std::min<std::size_t>(n, 64));
    EXPECT_EQ(r.value().size(), inner.consumed);
    support::drain(r).value();
    EXPECT_EQ(r.value(), data);
  }
}

TEST(digest, sees_what_is_committed_and_not_what_is_prepared) {
  const auto data = support::pattern(8);
  std::string target;
  string_writer inner{target};
  auto w = inner | digest(toy_hash{});
  const auto space = w.prepare(8).value();
  std::copy_n(data.begin(), 8, space.begin());
  EXPECT_TRUE(w.value().empty());
  w.commit(5);
  EXPECT_TRUE(std::ranges::equal(w.value(), std::span(data).first(5)));
  EXPECT_EQ(w.hash().seen.size(), 5U);
}

TEST(inspect, shows_pieces_in_order) {
  const auto data = support::pattern(10);
  std::vector<std::byte> seen;
  const auto keep = [&seen](std::span<const std::byte> b) { seen.insert(seen.end(), b.begin(), b.end()); };
  auto r = support::vectored_reader_fake{{.data = data, .chunk = 6}} | inspect(keep);
  std::array<std::byte, 8> b;
  const std::array in{mutable_buffer(std::span(b).first(3)), mutable_buffer(), mutable_buffer(std::span(b).last(5))};
  EXPECT_EQ(r.read_some(in).value(), 6U);
  EXPECT_EQ(r.read_some(in).value(), 4U);
  EXPECT_EQ(seen, data);

  seen.clear();
  auto w = null_writer() | inspect(keep);
  const std::array out{const_buffer(std::span(data).first(4)), const_buffer(std::span(data).subspan(4))};
  EXPECT_EQ(w.write_some(out).value(), 10U);
  EXPECT_EQ(seen, data);
}

TEST(progress, tells_each_passage_without_an_interval_and_the_end_once) {
  const auto data = support::pattern(50);
  for (std::size_t chunk = 1; chunk <= 50; ++chunk) {
    std::vector<progress_state> told;
    auto r = window_reader{.data = data, .chunk = chunk} |
             progress([&](const progress_state& s) { told.push_back(s); }, 0ms);
    EXPECT_EQ(support::drain(r, 8).value(), data);
    std::array<std::byte, 1> b;
    EXPECT_EQ(r.read_some(b).value(), 0U);
    ASSERT_GE(told.size(), 2U);
    for (std::size_t i = 1; i < told.size(); ++i) {
      EXPECT_GE(told[i].bytes, told[i - 1].bytes + (told[i].ended ? 0 : 1));
      EXPECT_EQ(told[i].total, 50U);
      EXPECT_EQ(told[i].ended, i + 1 == told.size());
    }
    EXPECT_EQ(told.back().bytes, 50U);
  }
}

TEST(progress, an_end_that_a_skip_finds_is_told) {
  bool ended = false;
  auto r = progress(span_reader("abc"), [&](const progress_state& now) { ended = now.ended; });
  EXPECT_EQ(skip(r, 10).value(), 3U);
  EXPECT_EQ(r.skip(1).value(), 0U);
  EXPECT_TRUE(ended);
}

TEST(progress, is_silent_within_the_interval_but_for_the_end) {
  const auto data = support::pattern(50);
  int calls = 0;
  auto r = progress(chunked_reader{data, 1}, [&](const progress_state& s) { calls += s.ended ? 1 : 1000; }, 1h);
  EXPECT_EQ(support::drain(r, 8).value(), data);
  EXPECT_EQ(calls, 1);
  {
    auto w = null_writer() | progress([&](const progress_state&) { ++calls; }, 1h);
    EXPECT_TRUE(w.write_some(data));
    EXPECT_EQ(w.state().bytes, 50U);
  }
  EXPECT_EQ(calls, 1);  // a destructor tells nothing
}

struct wrong_hint : chunked_reader {
  std::optional<std::uintmax_t> size_hint() { return 3; }
};

TEST(progress, forgets_a_total_that_was_too_small) {
  const auto data = support::pattern(5);
  wrong_hint inner{{.data = data, .chunk = 3}};
  std::vector<std::optional<std::uintmax_t>> totals;
  auto r = inner | progress([&](const progress_state& s) { totals.push_back(s.total); }, 0ms);
  support::drain(r).value();
  EXPECT_EQ(totals, (std::vector<std::optional<std::uintmax_t>>{3, std::nullopt, std::nullopt}));
}

TEST(progress, and_a_copy_inside_the_kernel) {
  const sluice::test::temporary_folder folder;
  const auto data = support::pattern(600'000);
  file made = or_throw(file::create(folder / "from"));
  span_reader bytes(data);
  ASSERT_TRUE(copy(bytes, made));
  progress_state last;
  auto from = file::open(folder / "from").value() | progress([&](const progress_state& s) { last = s; }, 0ms);
  auto to = file::create(folder / "to").value() | progress([](const progress_state&) {});
  copy_report report;
  ASSERT_TRUE(copy(from, to, {.report = &report}));
  EXPECT_EQ(last.bytes, data.size());
  EXPECT_TRUE(last.ended);
  EXPECT_EQ(to.state().bytes, data.size());
  EXPECT_GT(report[copy_path::copy_file_range].bytes + report[copy_path::clone].bytes, 300'000U);
  EXPECT_TRUE(to.close());
  EXPECT_TRUE(to.state().ended);
}

}  // namespace
