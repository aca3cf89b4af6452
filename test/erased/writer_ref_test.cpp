// SPDX-License-Identifier: BSL-1.0
#include <sluice/erased/writer_ref.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sluice;

static_assert(vectored_writer<writer_ref> && kernel_writer<writer_ref>);
static_assert(!buffered_writer<writer_ref>);
static_assert(std::is_trivially_copyable_v<writer_ref> && sizeof(writer_ref) == 2 * sizeof(void*));
static_assert(std::is_convertible_v<support::recording_writer&, writer_ref>);
static_assert(!std::is_constructible_v<writer_ref, support::recording_writer>);
static_assert(!std::is_constructible_v<writer_ref, span_reader&>);

void greet(writer_ref w) { ASSERT_TRUE(w.write_some(as_bytes("hello"))); }

TEST(writer_ref, writes_to_what_it_refers_to) {
  std::string target;
  string_writer inner{target};
  greet(inner);
  EXPECT_EQ(target, "hello");
  EXPECT_TRUE(writer_ref(inner).flush());
}

TEST(writer_ref, keeps_the_kernel_endpoint) {
  support::kernel_stream kernel;
  writer_ref w{kernel};
  EXPECT_EQ(w.kernel_endpoint()->fd, 42);
  w.kernel_advanced(5);
  EXPECT_EQ(kernel.advanced, 5U);
  support::recording_writer plain;
  EXPECT_FALSE(writer_ref(plain).kernel_endpoint());
}

TEST(writer_ref, writes_pieces) {
  const std::array pieces{const_buffer(), const_buffer(as_bytes("one")), const_buffer(as_bytes("two"))};
  support::vectored_recording_writer vectored;
  EXPECT_EQ(writer_ref(vectored).write_some(pieces).value(), 6U);
  support::recording_writer plain;
  EXPECT_EQ(writer_ref(plain).write_some(pieces).value(), 3U);
  EXPECT_EQ(writer_ref(plain).write_some(std::span(pieces).first(1)).value(), 0U);
}

}  // namespace
