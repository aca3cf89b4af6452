// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/endian.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sluice::test {
namespace {

enum class colour : std::uint16_t { teal = 0x0102 };

template <std::size_t N>
constexpr std::array<std::byte, N> raw(const int (&values)[N]) {
  std::array<std::byte, N> bytes{};
  for (std::size_t i = 0; i < N; ++i) bytes[i] = static_cast<std::byte>(values[i]);
  return bytes;
}

template <class T>
concept can_be_read = requires(span_reader r) { read_le<T>(r); };

static_assert(can_be_read<int> && can_be_read<std::byte> && can_be_read<colour> && can_be_read<double>);
static_assert(!can_be_read<bool> && !can_be_read<long double> && !can_be_read<int*>);

static_assert(load_le<std::uint32_t>(raw({1, 2, 3, 4})) == 0x04030201);
static_assert(load_be<std::uint32_t>(raw({1, 2, 3, 4})) == 0x01020304);
static_assert(load_be<std::int16_t>(raw({0xff, 0xfe})) == -2);
static_assert(load_le<colour>(raw({2, 1})) == colour::teal);
static_assert(load_be<double>(raw({0x3f, 0xf0, 0, 0, 0, 0, 0, 0})) == 1.0);

template <class T>
class endian : public testing::Test {};

using numbers = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                               std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(endian, numbers);

TYPED_TEST(endian, what_is_written_is_read_through_any_cut) {
  using limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value : {TypeParam{}, TypeParam{1}, limits::max(), limits::lowest(), limits::min()}) {
    bytes_writer out;
    ASSERT_TRUE(write_le(out, value));
    ASSERT_TRUE(write_be(out, value));
    const auto written = out.view();
    ASSERT_EQ(written.size(), 2 * sizeof(TypeParam));
    for (std::size_t i = 0; i < sizeof(TypeParam); ++i) EXPECT_EQ(written[i], written[written.size() - 1 - i]);
    for (std::size_t chunk = 1; chunk <= 9; ++chunk) {
      buf_reader in{span_reader(written) | short_reads(chunk), 16};
      EXPECT_EQ(read_le<TypeParam>(in), value);
      EXPECT_EQ(read_be<TypeParam>(in), value);
    }
  }
}

TYPED_TEST(endian, a_stream_that_ends_inside_tells_how_far_it_came) {
  const std::array<std::byte, sizeof(TypeParam)> zeros{};
  for (std::size_t there = 0; there < sizeof(TypeParam); ++there) {
    span_reader in{std::span(zeros).first(there)};
    const auto n = read_be<TypeParam>(in);
    ASSERT_FALSE(n);
    EXPECT_EQ(n.error(), io_errc::unexpected_eof);
    EXPECT_EQ(n.error().bytes, there);
  }
}

TEST(endian_of_floats, every_pattern_of_bits_survives) {
  const auto nan = std::bit_cast<double>(std::uint64_t{0x7ff4'0000'dead'beef});
  bytes_writer out;
  ASSERT_TRUE(write_be(out, nan));
  ASSERT_TRUE(write_be(out, -0.0));
  span_reader in(out.view());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(*read_be<double>(in)), 0x7ff4'0000'dead'beef);
  EXPECT_TRUE(std::signbit(*read_be<double>(in)));
}

}  // namespace
}  // namespace sluice::test
