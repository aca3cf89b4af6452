// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/null_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sluice;

static_assert(vectored_writer<null_writer> && !buffered_writer<null_writer>);
static_assert(!kernel_writer<null_writer> && !reader<null_writer>);

TEST(null_writer, accepts_everything) {
  null_writer w;
  const auto data = support::pattern(1000);
  for (std::size_t n = 0; n <= data.size(); ++n) EXPECT_EQ(w.write_some(std::span(data).first(n)).value(), n);
}

TEST(null_writer, accepts_pieces) {
  null_writer w;
  const auto data = support::pattern(10);
  const std::array pieces{const_buffer(std::span(data)), const_buffer(), const_buffer(std::span(data).first(3))};
  EXPECT_EQ(write_some(w, std::span<const const_buffer>(pieces)).value(), 13U);
}

}  // namespace
