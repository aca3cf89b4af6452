// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/limit.hpp>
#include <sluice/concepts.hpp>
#include <sluice/memory/empty_reader.hpp>
#include <sluice/memory/repeat_reader.hpp>
#include <sluice/memory/span_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

namespace {

using sluice::in_memory_reader;

struct says_no : support::window_reader {
  static constexpr bool in_memory = false;
};
struct says_yes : support::window_reader {
  [[maybe_unused]] static constexpr bool in_memory = true;
};
struct says_yes_without_a_window : support::chunked_reader {
  [[maybe_unused]] static constexpr bool in_memory = true;
};

static_assert(in_memory_reader<sluice::span_reader>);
static_assert(in_memory_reader<sluice::span_reader&>);
static_assert(in_memory_reader<sluice::empty_reader>);
static_assert(in_memory_reader<says_yes>);
static_assert(!in_memory_reader<says_no>);
static_assert(!in_memory_reader<says_yes_without_a_window>);
static_assert(!in_memory_reader<support::window_reader>);
static_assert(!in_memory_reader<sluice::repeat_reader>);
static_assert(!in_memory_reader<int>);

static_assert(in_memory_reader<sluice::limit_reader<sluice::span_reader&>>);
static_assert(!in_memory_reader<sluice::limit_reader<says_no>>);
static_assert(!in_memory_reader<sluice::limit_reader<support::chunked_reader>>);

TEST(in_memory, the_window_is_the_whole_rest) {
  sluice::span_reader r{"rest"};
  EXPECT_EQ(support::text(sluice::window(r)), "rest");
  EXPECT_EQ(support::text(sluice::fill(r, 100).value()), "rest");
}

}  // namespace
