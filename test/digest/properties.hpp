// SPDX-License-Identifier: BSL-1.0
//
// What holds for every digest:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(crc32, any_digest, sluice::crc32);
//
#ifndef SLUICE_TEST_DIGEST_PROPERTIES_HPP
#define SLUICE_TEST_DIGEST_PROPERTIES_HPP

#include <sluice/digest/hex.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

namespace sluice::test {

/// The same arbitrary bytes in every run.
inline std::vector<std::byte> arbitrary_bytes(std::size_t n) {
  std::mt19937 engine(7);
  std::vector<std::byte> bytes(n);
  for (std::byte& b : bytes) b = static_cast<std::byte>(engine());
  return bytes;
}

template <class D>
auto digest_of(std::span<const std::byte> b) {
  D digest;
  digest.update(b);
  return digest.value();
}

template <class D>
class any_digest : public ::testing::Test {
  static_assert(std::is_nothrow_default_constructible_v<D> && std::is_trivially_copyable_v<D>);
  static_assert(noexcept(std::declval<D&>().update({})) && noexcept(std::declval<const D&>().value()));
};
TYPED_TEST_SUITE_P(any_digest);

TYPED_TEST_P(any_digest, is_that_of_the_whole_at_every_split_point) {
  const std::vector<std::byte> text = arbitrary_bytes(200);
  const std::span whole(text);
  const auto expected = digest_of<TypeParam>(whole);
  for (std::size_t k = 0; k <= text.size(); ++k) {
    TypeParam digest;
    digest.update(whole.first(k));
    digest.update({});
    digest.update(whole.subspan(k));
    ASSERT_EQ(digest.value(), expected) << k;
  }
}

TYPED_TEST_P(any_digest, is_that_of_the_whole_in_pieces_of_every_size) {
  const std::vector<std::byte> text = arbitrary_bytes(5003);
  const auto expected = digest_of<TypeParam>(text);
  for (std::size_t piece = 1; piece <= 300; ++piece) {
    TypeParam digest;
    for (std::span<const std::byte> left = text; !left.empty(); left = left.subspan(std::min(piece, left.size())))
      digest.update(left.first(std::min(piece, left.size())));
    ASSERT_EQ(digest.value(), expected) << piece;
  }
}

TYPED_TEST_P(any_digest, does_not_depend_on_where_the_bytes_lie) {
  const std::vector<std::byte> text = arbitrary_bytes(1000);
  const auto expected = digest_of<TypeParam>(text);
  for (std::size_t shift = 0; shift != 64; ++shift) {
    std::vector<std::byte> moved(shift);
    moved.insert(moved.end(), text.begin(), text.end());
    ASSERT_EQ(digest_of<TypeParam>(std::span(moved).subspan(shift)), expected) << shift;
  }
}

TYPED_TEST_P(any_digest, value_leaves_a_running_state_alone) {
  const std::vector<std::byte> text = arbitrary_bytes(600);
  TypeParam digest;
  for (std::size_t k = 0; k != text.size(); ++k) {
    const auto value = digest.value();
    ASSERT_EQ(digest.value(), value) << k;
    ASSERT_EQ(value, digest_of<TypeParam>(std::span(text).first(k))) << k;
    digest.update(std::span(text).subspan(k, 1));
  }
}

TYPED_TEST_P(any_digest, copies_go_their_own_ways) {
  const std::vector<std::byte> text = arbitrary_bytes(700);
  const std::span whole(text);
  for (const std::size_t k : {0U, 1U, 63U, 64U, 255U, 256U, 257U, 699U}) {
    TypeParam first;
    first.update(whole.first(k));
    std::vector<TypeParam> copies(3, first);
    copies[0].update(whole.subspan(k));
    copies[1].update(whole.first(1));
    first.reset();
    EXPECT_EQ(copies[0].value(), digest_of<TypeParam>(whole)) << k;
    EXPECT_NE(copies[1].value(), copies[0].value()) << k;
    EXPECT_EQ(copies[2].value(), digest_of<TypeParam>(whole.first(k))) << k;
    copies[1] = copies[2];
    copies[1].update(whole.subspan(k));
    EXPECT_EQ(copies[1].value(), copies[0].value()) << k;
  }
}

TYPED_TEST_P(any_digest, begins_anew_after_reset) {
  const std::vector<std::byte> text = arbitrary_bytes(1000);
  TypeParam digest;
  digest.update(text);
  digest.reset();
  EXPECT_EQ(digest.value(), TypeParam().value());
  digest.update(std::span(text).first(300));
  EXPECT_EQ(digest.value(), digest_of<TypeParam>(std::span(text).first(300)));
}

TYPED_TEST_P(any_digest, changes_with_every_bit) {
  std::vector<std::byte> text = arbitrary_bytes(200);
  const auto expected = digest_of<TypeParam>(text);
  for (std::size_t bit = 0; bit != 8 * text.size(); ++bit) {
    text[bit / 8] ^= std::byte{1} << (bit % 8);
    ASSERT_NE(digest_of<TypeParam>(text), expected) << bit;
    text[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

REGISTER_TYPED_TEST_SUITE_P(any_digest, is_that_of_the_whole_at_every_split_point,
                            is_that_of_the_whole_in_pieces_of_every_size, does_not_depend_on_where_the_bytes_lie,
                            value_leaves_a_running_state_alone, copies_go_their_own_ways, begins_anew_after_reset,
                            changes_with_every_bit);

}  // namespace sluice::test

#endif
