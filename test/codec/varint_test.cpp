// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/varint.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>

namespace sluice::test {
namespace {

template <class... Values>
std::vector<std::byte> raw(Values... values) {
  return {static_cast<std::byte>(values)...};
}

// ---------------------------------------------------------------------------------------------------------------------
// The three encodings, so that a test can be of each.

struct plain {
  static constexpr std::size_t size(auto value) { return varint_size(value); }
  static constexpr std::size_t store(std::span<std::byte> to, auto value) { return store_varint(to, value); }
  template <class T>
  static constexpr result<loaded_varint<T>> load(std::span<const std::byte> from, varint_options options = {}) {
    return load_varint<T>(from, options);
  }
  template <class T>
  static std::expected<T, transfer_error> read(auto& r, varint_options options = {}) {
    return read_varint<T>(r, options);
  }
  static std::expected<void, transfer_error> write(auto& w, auto value) { return write_varint(w, value); }
};

struct zigzag {
  static constexpr std::size_t size(auto value) { return zigzag_size(value); }
  static constexpr std::size_t store(std::span<std::byte> to, auto value) { return store_zigzag(to, value); }
  template <class T>
  static constexpr result<loaded_varint<T>> load(std::span<const std::byte> from, varint_options options = {}) {
    return load_zigzag<T>(from, options);
  }
  template <class T>
  static std::expected<T, transfer_error> read(auto& r, varint_options options = {}) {
    return read_zigzag<T>(r, options);
  }
  static std::expected<void, transfer_error> write(auto& w, auto value) { return write_zigzag(w, value); }
};

struct sleb128 {
  static constexpr std::size_t size(auto value) { return sleb128_size(value); }
  static constexpr std::size_t store(std::span<std::byte> to, auto value) { return store_sleb128(to, value); }
  template <class T>
  static constexpr result<loaded_varint<T>> load(std::span<const std::byte> from, varint_options options = {}) {
    return load_sleb128<T>(from, options);
  }
  template <class T>
  static std::expected<T, transfer_error> read(auto& r, varint_options options = {}) {
    return read_sleb128<T>(r, options);
  }
  static std::expected<void, transfer_error> write(auto& w, auto value) { return write_sleb128(w, value); }
};

template <class Encoding, class T>
struct numbers_of {
  using encoding = Encoding;
  using type = T;
};

/// All powers of two with their neighbours, so both sides of each change of size, and numbers of every width.
template <class T>
std::vector<T> interesting_numbers() {
  using U = std::make_unsigned_t<T>;
  std::vector<T> numbers{T{0}, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  std::mt19937_64 random(7);
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
    const U power = U{1} << bit;
    for (const U n : {power, U(power - 1), U(power + 1), U(random() & (2 * power - 1))}) {
      numbers.push_back(static_cast<T>(n));
      numbers.push_back(static_cast<T>(0 - n));
    }
  }
  return numbers;
}

// What an encoder without any wit makes of it: bit for bit, from the definition.
template <class T>
std::vector<std::byte> by_definition(T value, bool two_complement) {
  std::vector<std::byte> bytes;
  for (;;) {
    const auto seven = static_cast<unsigned>(value & 0x7f);
    value = static_cast<T>(value >> 7);
    const bool done = two_complement ? value == ((seven & 0x40) != 0 ? static_cast<T>(-1) : T{0}) : value == 0;
    bytes.push_back(static_cast<std::byte>(done ? seven : seven | 0x80));
    if (done) return bytes;
  }
}

template <class Encoding, class T>
std::vector<std::byte> expected_bytes(T value) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::same_as<Encoding, zigzag>) {
    const U doubled = static_cast<U>(static_cast<U>(value) << 1);
    return by_definition<U>(value < 0 ? ~doubled : doubled, false);
  } else {
    return by_definition<T>(value, std::same_as<Encoding, sleb128>);
  }
}

template <class Encoding, class T>
std::vector<std::byte> stored(T value) {
  std::vector<std::byte> bytes(Encoding::size(value));
  EXPECT_EQ(Encoding::store(bytes, value), bytes.size());
  return bytes;
}

template <class Numbers>
class varint : public testing::Test {
 protected:
  using encoding = typename Numbers::encoding;
  using type = typename Numbers::type;
};

using all_numbers = testing::Types<numbers_of<plain, std::uint32_t>, numbers_of<plain, std::uint64_t>,
                                   numbers_of<zigzag, std::int32_t>, numbers_of<zigzag, std::int64_t>,
                                   numbers_of<sleb128, std::int32_t>, numbers_of<sleb128, std::int64_t>>;
TYPED_TEST_SUITE(varint, all_numbers);

TYPED_TEST(varint, bytes_are_those_of_the_definition) {
  using encoding = typename TestFixture::encoding;
  using type = typename TestFixture::type;
  for (const type value : interesting_numbers<type>()) {
    const auto bytes = expected_bytes<encoding>(value);
    EXPECT_EQ(stored<encoding>(value), bytes) << value;
    EXPECT_LE(bytes.size(), max_varint_size<type>);
    EXPECT_EQ(encoding::template load<type>(bytes), (loaded_varint<type>{value, bytes.size()})) << value;
    EXPECT_EQ(encoding::template load<type>(bytes, {.canonical = true}), (loaded_varint<type>{value, bytes.size()}));
    auto more = bytes;
    more.resize(bytes.size() + 20, std::byte{0xff});
    EXPECT_EQ(encoding::template load<type>(more), (loaded_varint<type>{value, bytes.size()})) << value;
  }
}

TYPED_TEST(varint, writers_of_all_kinds_get_those_bytes) {
  using encoding = typename TestFixture::encoding;
  using type = typename TestFixture::type;
  const auto numbers = interesting_numbers<type>();
  std::vector<std::byte> expected;
  bytes_writer into_memory;
  support::recording_writer plain_writer{.chunk = 3};
  support::recording_writer behind_buffers;
  {
    buf_writer small{behind_buffers, 4};  // less than the room that is asked for
    support::recording_writer other;
    buf_writer usual{other, 64};
    for (const type value : numbers) {
      const auto bytes = expected_bytes<encoding>(value);
      expected.insert(expected.end(), bytes.begin(), bytes.end());
      ASSERT_TRUE(encoding::write(into_memory, value));
      ASSERT_TRUE(encoding::write(plain_writer, value));
      ASSERT_TRUE(encoding::write(small, value));
      ASSERT_TRUE(encoding::write(usual, value));
    }
    ASSERT_TRUE(usual.flush());
    ASSERT_TRUE(small.flush());
    EXPECT_EQ(other.data, expected);
  }
  EXPECT_TRUE(support::equal(into_memory.view(), expected));
  EXPECT_EQ(plain_writer.data, expected);
  EXPECT_EQ(behind_buffers.data, expected);
}

TYPED_TEST(varint, what_is_written_is_read_through_any_cut) {
  using encoding = typename TestFixture::encoding;
  using type = typename TestFixture::type;
  const auto numbers = interesting_numbers<type>();
  bytes_writer written;
  for (const type value : numbers) ASSERT_TRUE(encoding::write(written, value));
  const auto read_all_of = [&](auto&& in) {
    for (const type value : numbers) ASSERT_EQ(encoding::template read<type>(in), value);
    const auto end = encoding::template read<type>(in);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error(), io_errc::unexpected_eof);
    EXPECT_EQ(end.error().bytes, 0U);
  };
  read_all_of(span_reader(written.view()));
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    read_all_of(span_reader(written.view()) | short_reads(chunk));
    for (const std::size_t capacity : {1U, 3U, 9U, 10U, 11U, 64U})
      read_all_of(buf_reader(span_reader(written.view()) | short_reads(chunk), capacity));
  }
}

TYPED_TEST(varint, a_stream_that_ends_inside_is_truncated) {
  using encoding = typename TestFixture::encoding;
  using type = typename TestFixture::type;
  for (const type value : interesting_numbers<type>()) {
    const auto bytes = stored<encoding>(value);
    for (std::size_t there = 1; there < bytes.size(); ++there) {
      const auto cut = std::span(bytes).first(there);
      EXPECT_EQ(encoding::template load<type>(cut), fail(io_errc::truncated));

      support::chunked_reader unbuffered{cut};
      const auto torn = encoding::template read<type>(unbuffered);
      ASSERT_FALSE(torn);
      EXPECT_EQ(torn.error(), io_errc::truncated);
      EXPECT_EQ(torn.error().bytes, there);

      buf_reader buffered{span_reader(cut), 16};
      const auto kept = encoding::template read<type>(buffered);
      ASSERT_FALSE(kept);
      EXPECT_EQ(kept.error(), io_errc::truncated);
      EXPECT_EQ(kept.error().bytes, 0U);
      EXPECT_EQ(buffered.buffered().size(), there);
    }
    EXPECT_EQ(encoding::template load<type>({}), fail(io_errc::unexpected_eof));
  }
}

TYPED_TEST(varint, longer_forms_are_taken_up_to_the_longest_and_refused_where_canonical) {
  using encoding = typename TestFixture::encoding;
  using type = typename TestFixture::type;
  for (const type value : interesting_numbers<type>()) {
    auto bytes = stored<encoding>(value);
    const bool ones = std::same_as<encoding, sleb128> && (bytes.back() & std::byte{0x40}) != std::byte{0};
    while (bytes.size() < max_varint_size<type>) {
      bytes.back() |= std::byte{0x80};
      bytes.push_back(ones ? std::byte{0x7f} : std::byte{0});
      const std::size_t size = bytes.size();
      EXPECT_EQ(encoding::template load<type>(bytes), (loaded_varint<type>{value, size}));
      EXPECT_EQ(encoding::template load<type>(bytes, {.canonical = true}), fail(io_errc::invalid_data));
      for (const std::size_t padding : {0U, 10U}) {  // with the rest of a stream in the window, and without
        auto padded = bytes;
        padded.resize(size + padding);
        span_reader in(padded);
        const auto refused = encoding::template read<type>(in, {.canonical = true});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error(), io_errc::invalid_data);
        EXPECT_EQ(in.remaining(), padded.size());
        EXPECT_EQ(encoding::template read<type>(in), value);
        EXPECT_EQ(in.remaining(), padding);
      }
    }
    bytes.back() |= std::byte{0x80};
    bytes.push_back(ones ? std::byte{0x7f} : std::byte{0});
    EXPECT_EQ(encoding::template load<type>(bytes), fail(io_errc::invalid_data));
    support::chunked_reader in{bytes};
    const auto too_long = encoding::template read<type>(in);
    ASSERT_FALSE(too_long);
    EXPECT_EQ(too_long.error(), io_errc::invalid_data);
    EXPECT_EQ(too_long.error().bytes, max_varint_size<type>);
    EXPECT_EQ(in.data.size(), 1U);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Values that do not fit

template <class Encoding, class T>
void expect_refused(const std::vector<std::byte>& bytes) {
  EXPECT_EQ(Encoding::template load<T>(bytes), fail(io_errc::invalid_data));
  auto padded = bytes;
  padded.resize(20);
  span_reader in(padded);
  const auto n = Encoding::template read<T>(in);
  ASSERT_FALSE(n);
  EXPECT_EQ(n.error(), io_errc::invalid_data);
  support::chunked_reader unbuffered{padded};
  const auto m = Encoding::template read<T>(unbuffered);
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error(), io_errc::invalid_data);
  EXPECT_EQ(m.error().bytes, bytes.size());
}

TEST(varint_overflow, of_the_last_byte_only_bits_of_the_type_are_taken) {
  for (int last = 0; last < 0x80; ++last) {
    const auto of_64 = raw(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, last);
    if (last > 1) expect_refused<plain, std::uint64_t>(of_64);
    if (last > 1) expect_refused<zigzag, std::int64_t>(of_64);
    if (last != 0 && last != 0x7f) expect_refused<sleb128, std::int64_t>(of_64);
    const auto of_32 = raw(0xff, 0xff, 0xff, 0xff, last);
    if (last > 0x0f) expect_refused<plain, std::uint32_t>(of_32);
    if (last > 0x0f) expect_refused<zigzag, std::int32_t>(of_32);
    if (last > 0x07 && last < 0x78) expect_refused<sleb128, std::int32_t>(of_32);
  }
  EXPECT_EQ(load_varint<std::uint64_t>(raw(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)),
            (loaded_varint<std::uint64_t>{std::numeric_limits<std::uint64_t>::max(), 10}));
  EXPECT_EQ(load_sleb128<std::int32_t>(raw(0x80, 0x80, 0x80, 0x80, 0x78)),
            (loaded_varint<std::int32_t>{std::numeric_limits<std::int32_t>::min(), 5}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Examples of the specifications

static_assert(load_varint<std::uint64_t>(std::array{std::byte{0xac}, std::byte{0x02}})->value == 300);
static_assert(varint_size(0U) == 1 && varint_size(127U) == 1 && varint_size(128U) == 2 && varint_size(~0ULL) == 10);
static_assert(zigzag_encode(0) == 0U && zigzag_encode(-1) == 1U && zigzag_encode(1) == 2U);
static_assert(zigzag_encode(std::numeric_limits<std::int64_t>::min()) == std::numeric_limits<std::uint64_t>::max());
static_assert(zigzag_decode(std::uint32_t{4294967295U}) == std::numeric_limits<std::int32_t>::min());
static_assert(sleb128_size(63) == 1 && sleb128_size(64) == 2 && sleb128_size(-64) == 1 && sleb128_size(-65) == 2);
static_assert(max_varint_size<std::int32_t> == 5 && max_varint_size<std::uint64_t> == 10);

template <class T>
concept can_be_read = requires(span_reader r) { read_varint<T>(r); };
static_assert(can_be_read<unsigned> && can_be_read<unsigned long> && can_be_read<unsigned long long>);
static_assert(!can_be_read<int> && !can_be_read<std::uint16_t> && !can_be_read<bool> && !can_be_read<char32_t>);

TEST(varint_examples, of_dwarf_are_read) {
  EXPECT_EQ(load_sleb128<std::int64_t>(raw(0x7e)), (loaded_varint<std::int64_t>{-2, 1}));
  EXPECT_EQ(load_sleb128<std::int64_t>(raw(0xff, 0x00)), (loaded_varint<std::int64_t>{127, 2}));
  EXPECT_EQ(load_sleb128<std::int64_t>(raw(0x81, 0x7f)), (loaded_varint<std::int64_t>{-127, 2}));
  EXPECT_EQ(load_sleb128<std::int64_t>(raw(0xc0, 0xbb, 0x78)), (loaded_varint<std::int64_t>{-123456, 3}));
  EXPECT_EQ(load_varint<std::uint64_t>(raw(0xe5, 0x8e, 0x26)), (loaded_varint<std::uint64_t>{624485, 3}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Streams

TEST(varint_reading, takes_nothing_behind_the_number) {
  const auto bytes = raw(0x80, 0x80, 0x01, 0x55);
  support::chunked_reader in{bytes};
  EXPECT_EQ(read_varint<std::uint64_t>(in), 16384U);
  EXPECT_EQ(in.data.size(), 1U);
  EXPECT_EQ(in.requests, (std::vector<std::size_t>{1, 1, 1}));
}

TEST(varint_reading, asks_a_buffered_reader_for_no_more_than_is_needed) {
  // A peer that has sent two numbers and waits for an answer.
  const auto bytes = raw(0x80, 0x01, 0x07);
  support::window_reader in{.data = bytes, .chunk = 1};
  EXPECT_EQ(read_varint<std::uint32_t>(in), 128U);
  EXPECT_EQ(in.reads, 2U);
  EXPECT_EQ(read_varint<std::uint32_t>(in), 7U);
  EXPECT_EQ(in.reads, 3U);
}

TEST(varint_reading, a_failing_call_tells_what_has_left_the_stream) {
  const auto bytes = raw(0x80, 0x80, 0x80, 0x01);
  for (std::size_t k = 1; k <= 4; ++k) {
    support::chunked_reader unbuffered{.data = bytes, .fail_at = k};
    const auto n = read_varint<std::uint64_t>(unbuffered);
    ASSERT_FALSE(n);
    EXPECT_EQ(n.error(), std::errc::io_error);
    EXPECT_EQ(n.error().bytes, k - 1);

    buf_reader buffered{support::chunked_reader{.data = bytes, .chunk = 1, .fail_at = k}};
    const auto m = read_varint<std::uint64_t>(buffered);
    ASSERT_FALSE(m);
    EXPECT_EQ(m.error(), std::errc::io_error);
    EXPECT_EQ(m.error().bytes, 0U);
    EXPECT_EQ(buffered.buffered().size(), k - 1);
  }
}

TEST(varint_reading, goes_on_after_a_call_that_would_have_blocked) {
  const auto bytes = raw(0x80, 0x80, 0x01, 0x05);
  buf_reader in{span_reader(bytes) | short_reads(1) | interrupted(1)};
  std::vector<std::uint32_t> numbers;
  for (int tries = 0; tries < 20; ++tries) {
    const auto n = read_varint<std::uint32_t>(in);
    if (n) numbers.push_back(*n);
  }
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{16384, 5}));
}

TEST(varint_reading, a_stream_that_over_counts_is_found_out) {
  EXPECT_EQ(read_varint<std::uint32_t>(support::over_counting_reader()), fail(io_errc::bad_count, 0));
}

TEST(varint_reading, an_error_that_looks_like_the_end_is_none) {
  support::chunked_reader in{.fail_at = 1, .error = io_errc::truncated};
  const auto n = read_varint<std::uint32_t>(in);
  ASSERT_FALSE(n);
  EXPECT_EQ(n.error(), io_errc::truncated);
  EXPECT_EQ(n.error().bytes, 0U);
}

TEST(varint_writing, an_error_of_the_writer_is_told) {
  support::recording_writer full{.fail_at = 1};
  EXPECT_EQ(write_varint(full, 300U).error(), std::errc::no_space_on_device);
  std::array<std::byte, 3> room;
  span_writer out(room);
  EXPECT_TRUE(write_varint(out, 300U));
  const auto rest = write_varint(out, 300U);
  ASSERT_FALSE(rest);
  EXPECT_EQ(rest.error(), std::errc::no_space_on_device);
  EXPECT_EQ(rest.error().bytes, 1U);

  support::recording_writer broken{.fail_at = 1};
  buf_writer behind{broken, 16};
  ASSERT_TRUE(write_all(behind, raw(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
  EXPECT_EQ(write_varint(behind, 300U).error(), std::errc::no_space_on_device);
  ASSERT_TRUE(behind.flush());
  EXPECT_EQ(broken.data.size(), 10U);
}

}  // namespace
}  // namespace sluice::test
