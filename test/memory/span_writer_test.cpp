// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/span_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sluice;

static_assert(buffered_writer<span_writer> && buffered_writer<span_writer&>);
static_assert(!reader<span_writer> && !vectored_writer<span_writer>);

TEST(span_writer, takes_what_fits_in_chunks_of_any_size) {
  const auto data = support::pattern(100);
  for (std::size_t room = 0; room <= 110; room += 10) {
    for (std::size_t chunk = 1; chunk <= 101; chunk += 7) {
      std::vector<std::byte> memory(room);
      span_writer w(memory);
      std::span<const std::byte> rest = data;
      while (!rest.empty()) {
        const auto n = w.write_some(rest.first(std::min(chunk, rest.size())));
        if (!n) {
          EXPECT_EQ(n.error(), std::errc::no_space_on_device);
          break;
        }
        EXPECT_GT(*n, 0U);
        rest = rest.subspan(*n);
      }
      const std::size_t expected = std::min(room, data.size());
      EXPECT_EQ(w.remaining(), room - expected);
      EXPECT_TRUE(support::equal(w.written(), std::span(data).first(expected)));
    }
  }
}

TEST(span_writer, nothing_fits_into_a_full_span_but_nothing) {
  span_writer w;
  EXPECT_EQ(w.write_some({}).value(), 0U);
  const std::array<std::byte, 1> one{};
  EXPECT_EQ(w.write_some(one).error(), std::errc::no_space_on_device);
}

TEST(span_writer, prepares_all_that_is_left) {
  std::array<std::byte, 10> room;
  span_writer w(room);
  EXPECT_EQ(w.prepare(0)->size(), 10U);
  const auto space = w.prepare(10).value();
  EXPECT_EQ(space.data(), room.data());
  space[0] = std::byte{'x'};
  w.commit(1);
  EXPECT_EQ(support::text(w.written()), "x");
  EXPECT_EQ(w.prepare(9)->data(), room.data() + 1);
  EXPECT_EQ(w.prepare(10).error(), io_errc::buffer_too_small);
  EXPECT_TRUE(w.flush());
}

}  // namespace
