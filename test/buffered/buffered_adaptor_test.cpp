// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/buffered.hpp>
#include <sluice/literals.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::recording_writer;

using adaptor = decltype(sluice::buffered);

static_assert(std::invocable<adaptor, chunked_reader&> && std::invocable<adaptor, chunked_reader>);
static_assert(std::invocable<adaptor, chunked_reader&, std::size_t> && std::invocable<adaptor, std::size_t>);
static_assert(!std::invocable<adaptor, const chunked_reader&>);
static_assert(!std::invocable<adaptor, recording_writer&> && !std::invocable<adaptor, recording_writer&, std::size_t>);

template <class S>
concept pipes_into_buffered = requires(S&& s) { std::forward<S>(s) | sluice::buffered(16); };
static_assert(pipes_into_buffered<chunked_reader&> && pipes_into_buffered<chunked_reader>);
static_assert(!pipes_into_buffered<const chunked_reader&> && !pipes_into_buffered<recording_writer&>);
static_assert(!pipes_into_buffered<int> && !pipes_into_buffered<std::string>);

TEST(buffered, has_two_forms_that_mean_the_same) {
  chunked_reader inner{.data = as_bytes("abcdef")};
  auto called = buffered(inner, 16);
  auto piped = inner | buffered(16);
  static_assert(std::is_same_v<decltype(called), buf_reader<chunked_reader&>>);
  static_assert(std::is_same_v<decltype(piped), decltype(called)>);
  EXPECT_EQ(called.capacity(), 16U);
  EXPECT_EQ(piped.capacity(), 16U);
  EXPECT_EQ(&called.inner(), &inner);
  EXPECT_EQ(&piped.inner(), &inner);
}

TEST(buffered, has_a_default_capacity) {
  chunked_reader inner{.data = as_bytes("abcdef")};
  EXPECT_EQ(buffered(inner).capacity(), default_buffer_size);
  EXPECT_EQ((inner | buffered()).capacity(), default_buffer_size);
  EXPECT_EQ((inner | buffered(256_KiB)).capacity(), 256_KiB);
}

TEST(buffered, owns_an_rvalue) {
  auto called = buffered(chunked_reader{.data = as_bytes("abcdef")}, 16);
  auto piped = chunked_reader{.data = as_bytes("abcdef")} | buffered(16);
  static_assert(std::is_same_v<decltype(called), buf_reader<chunked_reader>>);
  static_assert(std::is_same_v<decltype(piped), decltype(called)>);
  EXPECT_EQ(support::drain(called).value(), support::to_bytes("abcdef"));
  EXPECT_EQ(support::drain(piped).value(), support::to_bytes("abcdef"));
}

TEST(buffered, of_a_buf_reader_is_another_one) {
  chunked_reader inner{.data = as_bytes("abcdef")};
  auto by_reference = buffered(inner, 4);
  static_assert(std::is_same_v<decltype(by_reference | buffered(16)), buf_reader<buf_reader<chunked_reader&>&>>);
  auto twice = inner | buffered(4) | buffered(16);
  static_assert(std::is_same_v<decltype(twice), buf_reader<buf_reader<chunked_reader&>>>);
  EXPECT_EQ(support::drain(twice).value(), support::to_bytes("abcdef"));
}

TEST(buffered, composes_before_there_is_a_stream) {
  chunked_reader inner{.data = as_bytes("abcdef")};
  const auto both = buffered(4) | buffered(16);
  auto in = inner | both;
  static_assert(std::is_same_v<decltype(in), buf_reader<buf_reader<chunked_reader&>>>);
  EXPECT_EQ(in.capacity(), 16U);
  EXPECT_EQ(in.inner().capacity(), 4U);
  auto again = inner | both;
  EXPECT_EQ(again.capacity(), 16U) << "a closure can be used again";
}

}  // namespace
