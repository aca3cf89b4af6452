// SPDX-License-Identifier: BSL-1.0
#include <sluice/erased/reader_ref.hpp>
#include <sluice/memory/null_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sluice;

static_assert(vectored_reader<reader_ref> && skippable<reader_ref> && size_hinted<reader_ref>);
static_assert(kernel_reader<reader_ref> && !buffered_reader<reader_ref>);
static_assert(std::is_trivially_copyable_v<reader_ref> && sizeof(reader_ref) == 2 * sizeof(void*));
static_assert(std::is_convertible_v<support::chunked_reader&, reader_ref>);
static_assert(!std::is_constructible_v<reader_ref, support::chunked_reader>);
static_assert(!std::is_constructible_v<reader_ref, null_writer&>);

std::string read_all_of(reader_ref r) { return support::text(support::drain(r, 3).value()); }

TEST(reader_ref, reads_from_what_it_refers_to) {
  const auto data = support::to_bytes("hello world");
  support::chunked_reader inner{data, 2};
  EXPECT_EQ(read_all_of(inner), "hello world");
  EXPECT_TRUE(inner.data.empty());
}

TEST(reader_ref, keeps_every_capability) {
  support::kernel_stream kernel;
  reader_ref r{kernel};
  EXPECT_EQ(r.kernel_endpoint()->fd, 42);
  r.kernel_advanced(5);
  EXPECT_EQ(kernel.advanced, 5U);
  EXPECT_FALSE(r.size_hint());
  EXPECT_EQ(r.skip(1).error(), io_errc::unsupported);

  const auto data = support::pattern(100);
  support::window_reader buffered{.data = data};
  reader_ref b{buffered};
  EXPECT_EQ(b.size_hint(), 100U);
  EXPECT_EQ(b.skip(10).value(), 10U);
  EXPECT_FALSE(b.kernel_endpoint());
}

TEST(reader_ref, reads_pieces) {
  const auto data = support::pattern(100);
  std::array<std::byte, 8> memory;
  const std::array pieces{mutable_buffer(), mutable_buffer(std::span(memory).first(3)),
                          mutable_buffer(std::span(memory).last(5))};
  support::vectored_reader_fake vectored{{data}};
  EXPECT_EQ(reader_ref(vectored).read_some(pieces).value(), 8U);
  support::chunked_reader plain{data};
  EXPECT_EQ(reader_ref(plain).read_some(pieces).value(), 3U);
  EXPECT_EQ(reader_ref(plain).read_some(std::span(pieces).first(1)).value(), 0U);
}

}  // namespace
