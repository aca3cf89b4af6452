// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/string_writer.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace {

using namespace sluice;

// The two writers differ in their container only.
template <class Writer>
struct of;
template <>
struct of<bytes_writer> {
  using container = bytes;
  static std::span<const std::byte> view(bytes_writer& w) { return w.view(); }
  static bytes make(std::string_view s) {
    const auto b = as_bytes(s);
    return bytes(b.begin(), b.end());
  }
};
template <>
struct of<string_writer> {
  using container = std::string;
  static std::span<const std::byte> view(string_writer& w) { return as_bytes(w.str()); }
  static std::string make(std::string_view s) { return std::string(s); }
};

template <class Container>
std::span<const std::byte> content(const Container& c) {
  return std::as_bytes(std::span(c.data(), c.size()));
}

template <class Writer>
class append_writer : public testing::Test {};
using writers = testing::Types<bytes_writer, string_writer>;
TYPED_TEST_SUITE(append_writer, writers);

static_assert(buffered_writer<bytes_writer> && vectored_writer<bytes_writer>);
static_assert(buffered_writer<string_writer> && vectored_writer<string_writer>);
static_assert(!reader<bytes_writer> && !kernel_writer<string_writer>);
static_assert(!std::is_copy_constructible_v<bytes_writer>);
static_assert(std::is_nothrow_move_constructible_v<bytes_writer>);
static_assert(!std::is_constructible_v<bytes_writer, const bytes&>);

TYPED_TEST(append_writer, keeps_everything_in_chunks_of_any_size) {
  const auto data = support::pattern(3000);
  for (std::size_t chunk = 1; chunk <= 3000; chunk = chunk * 3 / 2 + 1) {
    TypeParam w;
    for (std::size_t at = 0; at < data.size(); at += chunk) {
      const auto piece = std::span(data).subspan(at, std::min(chunk, data.size() - at));
      ASSERT_EQ(w.write_some(piece).value(), piece.size());
    }
    EXPECT_TRUE(support::equal(of<TypeParam>::view(w), data));
    EXPECT_TRUE(support::equal(content(w.take()), data));
    EXPECT_TRUE(of<TypeParam>::view(w).empty());
  }
}

TYPED_TEST(append_writer, a_borrowed_container_is_complete_after_every_write) {
  auto target = of<TypeParam>::make("begin ");
  TypeParam w{target};
  ASSERT_TRUE(w.write_some(as_bytes("middle")));
  EXPECT_EQ(support::text(content(target)), "begin middle");
  target.clear();
  ASSERT_TRUE(w.write_some(as_bytes("end")));
  EXPECT_EQ(support::text(content(target)), "end");
  EXPECT_EQ(support::text(content(w.take())), "end");
  EXPECT_TRUE(target.empty());
}

TYPED_TEST(append_writer, an_rvalue_is_owned_and_appended_to) {
  auto initial = of<TypeParam>::make(std::string(1000, 'i'));
  const auto* const memory = initial.data();
  TypeParam w{std::move(initial)};
  EXPECT_EQ(static_cast<const void*>(of<TypeParam>::view(w).data()), memory);
  ASSERT_TRUE(w.write_some(as_bytes("!")));
  EXPECT_EQ(support::text(of<TypeParam>::view(w)), std::string(1000, 'i') + '!');
}

TYPED_TEST(append_writer, writes_in_place) {
  TypeParam w;
  EXPECT_TRUE(w.prepare(0));
  for (std::size_t n = 1; n < 2000; n += 97) {
    const auto space = w.prepare(n).value();
    ASSERT_GE(space.size(), n);
    std::ranges::fill(space, std::byte{'x'});
    w.commit(n - 1);
    const auto again = w.prepare(1).value();
    again[0] = std::byte{'y'};
    w.commit(1);
  }
  std::string expected;
  for (std::size_t n = 1; n < 2000; n += 97) expected += std::string(n - 1, 'x') + 'y';
  EXPECT_EQ(support::text(of<TypeParam>::view(w)), expected);
}

TYPED_TEST(append_writer, what_is_prepared_and_not_committed_does_not_count) {
  auto target = of<TypeParam>::make("abc");
  TypeParam w{target};
  std::ranges::fill(w.prepare(100).value(), std::byte{'x'});
  EXPECT_EQ(target.size(), 3U);
  EXPECT_TRUE(w.flush());
  EXPECT_EQ(support::text(content(target)), "abc");
  if constexpr (std::same_as<TypeParam, string_writer>) {
    EXPECT_EQ(target.c_str()[3], '\0');
  }
  std::ranges::fill(w.prepare(100).value(), std::byte{'x'});
  EXPECT_EQ(support::text(content(w.take())), "abc");
}

TYPED_TEST(append_writer, a_prepare_beyond_every_size_is_refused) {
  TypeParam w;
  ASSERT_TRUE(w.write_some(as_bytes("abc")));
  EXPECT_EQ(w.prepare(SIZE_MAX).error(), io_errc::buffer_too_small);
  EXPECT_EQ(support::text(of<TypeParam>::view(w)), "abc");
}

TYPED_TEST(append_writer, joins_pieces_and_skips_empty_ones) {
  TypeParam w;
  const std::array pieces{const_buffer(as_bytes("one ")), const_buffer(), const_buffer(as_bytes("two"))};
  EXPECT_EQ(w.write_some(pieces).value(), 7U);
  EXPECT_EQ(w.write_some(std::span<const const_buffer>()).value(), 0U);
  EXPECT_EQ(w.write_some(std::span<const std::byte>()).value(), 0U);
  EXPECT_EQ(support::text(of<TypeParam>::view(w)), "one two");
}

TYPED_TEST(append_writer, can_be_given_its_own_content) {
  TypeParam w;
  std::string expected = "seed";
  ASSERT_TRUE(w.write_some(as_bytes(expected)));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(w.write_some(of<TypeParam>::view(w)));
    expected += expected;
    const auto all = of<TypeParam>::view(w);
    const std::array pieces{const_buffer(all.first(2)), const_buffer(all)};
    ASSERT_TRUE(w.write_some(pieces));
    expected += expected.substr(0, 2) + expected;
    ASSERT_EQ(support::text(of<TypeParam>::view(w)), expected);
  }
}

TYPED_TEST(append_writer, grows_geometrically) {
  auto target = of<TypeParam>::make("");
  TypeParam w{target};
  std::size_t growths = 0;
  for (int i = 0; i < 1000000; ++i) {
    const auto* const before = target.data();
    ASSERT_TRUE(w.write_some(as_bytes("x")));
    growths += target.data() != before;
  }
  EXPECT_LT(growths, 30U);
}

TYPED_TEST(append_writer, moves_with_its_content) {
  TypeParam w;
  ASSERT_TRUE(w.write_some(as_bytes("short")));
  TypeParam moved = std::move(w);
  ASSERT_TRUE(moved.write_some(as_bytes("er")));
  EXPECT_EQ(support::text(of<TypeParam>::view(moved)), "shorter");
}

TYPED_TEST(append_writer, agrees_with_a_plain_string_after_any_mix) {
  std::mt19937 random(7);
  const auto data = support::pattern(700);
  for (int round = 0; round < 200; ++round) {
    TypeParam w;
    std::string expected;
    for (int op = 0; op < 40; ++op) {
      const std::size_t n = random() % data.size();
      const auto piece = std::span(data).first(n);
      if (random() % 2 == 0) {
        ASSERT_EQ(w.write_some(piece).value(), n);
      } else {
        const auto space = w.prepare(n).value();
        std::ranges::copy(piece, space.begin());
        w.commit(n);
      }
      expected += support::text(piece);
      if (random() % 8 == 0) {
        ASSERT_EQ(support::text(of<TypeParam>::view(w)), expected);
      }
      if (random() % 16 == 0) {
        ASSERT_EQ(support::text(content(w.take())), expected);
        expected.clear();
      }
    }
    ASSERT_EQ(support::text(of<TypeParam>::view(w)), expected);
  }
}

}  // namespace
