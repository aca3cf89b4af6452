// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/empty_reader.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;

static_assert(buffered_reader<empty_reader> && skippable<empty_reader>);
static_assert(size_hinted<empty_reader> && !seekable<empty_reader>);

TEST(empty_reader, has_nothing) {
  empty_reader r;
  EXPECT_TRUE(support::drain(r).value().empty());
  EXPECT_TRUE(r.buffered().empty());
  EXPECT_TRUE(r.fill(10).value().empty());
  EXPECT_EQ(r.skip(10).value(), 0U);
  EXPECT_EQ(r.size_hint(), 0U);
}

}  // namespace
