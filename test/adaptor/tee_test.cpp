// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/tee.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::recording_writer;
using support::window_reader;

static_assert(reader<tee_reader<chunked_reader, recording_writer&>>);
static_assert(!buffered_reader<tee_reader<window_reader, recording_writer>>);
static_assert(!kernel_reader<tee_reader<support::kernel_stream, support::kernel_stream>>);
static_assert(!skippable<tee_reader<window_reader, recording_writer>>);
static_assert(size_hinted<tee_reader<window_reader, recording_writer>>);

TEST(tee, a_writer_that_takes_nothing_is_an_error_of_the_writer) {
  const auto data = support::pattern(10);
  auto r = tee(span_reader(data), recording_writer{.chunk = 0});
  std::array<std::byte, 4> b;
  EXPECT_EQ(r.read_some(b).error(), io_errc::write_zero);
  EXPECT_EQ(r.failed_side(), copy_side::writer);
  EXPECT_EQ(r.size_hint(), 10U);
  EXPECT_EQ(r.kept().size(), 4U);
}

TEST(tee, keeps_what_a_writer_that_throws_had_not_taken) {
  struct throwing_once {
    std::string taken;
    bool thrown = false;
    result<std::size_t> write_some(std::span<const std::byte> b) {
      if (!std::exchange(thrown, true)) throw std::bad_alloc();
      taken += support::text(b);
      return b.size();
    }
  };
  throwing_once w;
  auto r = tee(span_reader("abcdef"), w);
  std::array<std::byte, 4> b;
  EXPECT_THROW(static_cast<void>(r.read_some(b)), std::bad_alloc);
  EXPECT_EQ(support::text(support::drain(r, 4).value()), "abcdef");
  EXPECT_EQ(w.taken, "abcdef");
}

TEST(tee, a_request_for_nothing_touches_neither) {
  chunked_reader r;
  recording_writer w;
  auto both = tee(r, w);
  EXPECT_EQ(both.read_some({}).value(), 0U);
  EXPECT_EQ(r.calls + w.calls, 0U);
}

TEST(tee, copies_to_both_and_goes_on_after_a_failure) {
  const auto data = support::pattern(600'000);
  recording_writer w{.chunk = 70'000, .fail_at = 3};
  auto r = tee(span_reader(data), w);
  std::string got;
  string_writer to{got};
  const auto first = copy(r, to);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().side, copy_side::reader);
  EXPECT_EQ(r.failed_side(), copy_side::writer);
  ASSERT_TRUE(copy(r, to));
  EXPECT_EQ(got, support::text(data));
  EXPECT_EQ(w.data, data);
}

struct owning_writer : recording_writer {
  std::unique_ptr<int> unique = std::make_unique<int>(1);
};

TEST(tee, owns_an_rvalue_and_refers_to_an_lvalue) {
  recording_writer w;
  auto to_lvalue = tee(w);
  auto one = chunked_reader{} | to_lvalue;  // such a closure may be used again
  auto two = chunked_reader{} | to_lvalue;
  EXPECT_EQ(&one.target(), &w);
  EXPECT_EQ(&two.target(), &w);
  auto owner = chunked_reader{} | tee(owning_writer{});
  static_assert(std::same_as<decltype(owner), tee_reader<chunked_reader, owning_writer>>);
  EXPECT_EQ(*owner.target().unique, 1);
  tee_reader guided(std::move(owner), w);
  static_assert(
      std::same_as<decltype(guided), tee_reader<tee_reader<chunked_reader, owning_writer>, recording_writer&>>);
}

}  // namespace
