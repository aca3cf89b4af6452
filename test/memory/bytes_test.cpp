// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/bytes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace {

using sluice::bytes;

static_assert(std::is_nothrow_move_constructible_v<bytes>);
static_assert(std::is_convertible_v<const bytes&, std::span<const std::byte>>);

TEST(bytes, resizing_keeps_what_the_memory_holds) {
  bytes b;
  b.reserve(64);
  std::memset(b.data(), 0x5a, 64);
  b.resize(64);
  EXPECT_EQ(std::ranges::count(b, std::byte{0x5a}), 64);
}

TEST(bytes, growing_keeps_the_content) {
  bytes b;
  for (int i = 0; i < 1000; ++i) b.push_back(static_cast<std::byte>(i % 251));
  b.resize(100000);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(b[i], static_cast<std::byte>(i % 251));
}

TEST(bytes, a_stated_value_fills) {
  const bytes b(33, std::byte{7});
  EXPECT_EQ(std::ranges::count(b, std::byte{7}), 33);
  bytes c;
  c.resize(20, std::byte{9});
  EXPECT_EQ(std::ranges::count(c, std::byte{9}), 20);
}

TEST(bytes, copies_and_compares_like_any_vector) {
  bytes b{std::byte{1}, std::byte{2}};
  bytes c = b;
  EXPECT_EQ(b, c);
  c.insert(c.begin(), std::byte{0});
  EXPECT_NE(b, c);
  b.swap(c);
  EXPECT_EQ(b.size(), 3U);
}

}  // namespace
