// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/buffered.hpp>
#include <sluice/compress/gzip.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "codec/recordio/recordio_samples.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

using namespace sluice;
using namespace recordio_test;

namespace {

bytes hex(std::string_view text) {
  bytes b;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    unsigned value = 0;
    std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    b.push_back(std::byte(value));
    i += 2;
  }
  return b;
}

bytes of(std::string_view text) {
  const auto b = as_bytes(text);
  return bytes(b.begin(), b.end());
}

std::vector<std::byte> record(std::string_view text) {
  const auto b = as_bytes(text);
  return {b.begin(), b.end()};
}

struct tfrecord {
  template <class R>
  static auto reader(R&& r) {
    return tfrecord_reader<R>(std::forward<R>(r));
  }
  static auto writer(bytes& b) { return tfrecord_writer{bytes_writer(b)}; }
};
struct dmlc {
  template <class R>
  static auto reader(R&& r) {
    return dmlc_reader<R>(std::forward<R>(r));
  }
  static auto writer(bytes& b) { return dmlc_writer{bytes_writer(b)}; }
};
struct mesos {
  template <class R>
  static auto reader(R&& r) {
    return mesos_reader<R>(std::forward<R>(r));
  }
  static auto writer(bytes& b) { return mesos_writer{bytes_writer(b)}; }
};
struct thrift_frame {
  template <class R>
  static auto reader(R&& r) {
    return thrift_frame_reader<R>(std::forward<R>(r));
  }
  static auto writer(bytes& b) { return thrift_frame_writer{bytes_writer(b)}; }
};
struct chunked {
  template <class R>
  static auto reader(R&& r) {
    return recordio_reader<R>(std::forward<R>(r));
  }
  static auto writer(bytes& b) { return recordio_writer{bytes_writer(b), {.max_chunk_size = 500}}; }
};

// Empty ones, one that is the magic number of dmlc, one with it in several places, and of every length around words.
record_list many_records() {
  record_list list{{}, record("Hello"), {}};
  const auto magic = hex("0a23d7ce");
  list.emplace_back(magic.begin(), magic.end());
  const auto several = hex("0a23d7ce 0a23d7ce 01020304 0a23d7ce 05 0a23d7ce 0607");
  list.emplace_back(several.begin(), several.end());
  for (std::size_t n = 1; n != 40; ++n) list.emplace_back(n, std::byte(n));
  return list;
}

template <class Format>
bytes stored_as(const record_list& list) {
  bytes stored;
  auto out = Format::writer(stored);
  for (const auto& one : list) or_throw(out.write(one));
  or_throw(out.close());
  EXPECT_EQ(out.records(), list.size());
  return stored;
}

template <class Format>
outcome read_as(std::span<const std::byte> stored) {
  auto in = Format::reader(span_reader(stored));
  return read_records(in);
}

template <class Format>
class record_format : public testing::Test {};
using formats = testing::Types<tfrecord, dmlc, mesos, thrift_frame, chunked>;
TYPED_TEST_SUITE(record_format, formats);

}  // namespace

TYPED_TEST(record_format, is_read_back_through_any_stream) {
  const record_list list = many_records();
  const bytes stored = stored_as<TypeParam>(list);
  const auto same = [&](auto reader) {
    auto in = TypeParam::reader(std::move(reader));
    const outcome read = read_records(in);
    EXPECT_FALSE(read.error) << read.error.message();
    EXPECT_EQ(read.records, list);
  };
  same(span_reader(stored));
  for (const std::size_t n : {1u, 2u, 3u, 5u, 100u}) same(span_reader(stored) | short_reads(n));
  for (const std::size_t n : {1u, 5u, 16u, 64u, 4096u}) same(span_reader(stored) | short_reads(9) | buffered(n));
}

TYPED_TEST(record_format, every_cut_is_a_clean_end_or_truncated) {
  const record_list list = many_records();
  // Where each record ends.
  std::vector<std::size_t> ends{0};
  for (std::size_t n = 1; n <= list.size(); ++n)
    ends.push_back(
        stored_as<TypeParam>(record_list(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n))).size());
  const bytes stored = stored_as<TypeParam>(list);
  if constexpr (!std::is_same_v<TypeParam, chunked>) {
    for (std::size_t cut = 0; cut != stored.size(); ++cut) {
      const bytes part(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(cut));
      const outcome read = read_as<TypeParam>(part);
      const auto whole = static_cast<std::size_t>(std::ranges::upper_bound(ends, cut) - ends.begin()) - 1;
      ASSERT_EQ(read.records.size(), whole) << cut;
      ASSERT_EQ(read.error, ends[whole] == cut ? std::error_code() : make_error_code(io_errc::truncated)) << cut;
    }
  } else {
    EXPECT_EQ(read_as<TypeParam>(std::span(stored).first(stored.size() - 1)).error, io_errc::truncated);
  }
}

TYPED_TEST(record_format, failures_of_the_streams_are_overcome) {
  const record_list list = many_records();
  const bytes stored = stored_as<TypeParam>(list);
  for (std::size_t k = 1; k < 100; ++k) {
    auto in = TypeParam::reader(span_reader(stored) | short_reads(11) | failing(k));
    record_list read;
    std::size_t failures = 0;
    for (;;) {
      const next_record next = in.next();
      if (!next) {
        ASSERT_EQ(next.error(), std::errc::io_error);
        ASSERT_EQ(++failures, 1u);
        continue;
      }
      if (!*next) break;
      read.emplace_back((*next)->begin(), (*next)->end());
    }
    ASSERT_EQ(read, list) << k;
  }
}

TYPED_TEST(record_format, becomes_any_other) {
  const record_list list = many_records();
  const bytes stored = stored_as<TypeParam>(list);
  const auto to = [&]<class Other>(Other) {
    auto in = TypeParam::reader(span_reader(stored));
    bytes other;
    auto out = Other::writer(other);
    EXPECT_EQ(copy_records(in, out).value(), list.size());
    or_throw(out.close());
    EXPECT_EQ(read_as<Other>(other).records, list);
  };
  to(tfrecord());
  to(dmlc());
  to(mesos());
  to(thrift_frame());
  to(chunked());
  auto in = TypeParam::reader(span_reader(stored));
  bytes some;
  auto out = TypeParam::writer(some);
  EXPECT_EQ(copy_records(in, out, 3).value(), 3u);
  or_throw(out.flush());
  EXPECT_EQ(read_as<TypeParam>(some).records.size(), 3u);
}

TYPED_TEST(record_format, rubbish_takes_no_memory) {
  std::uint32_t state = 1;
  for (int round = 0; round != 2000; ++round) {
    bytes rubbish(1 + static_cast<std::size_t>(round) % 64);
    for (std::byte& b : rubbish) b = std::byte((state = state * 1664525 + 1013904223) >> 24);
    const support::allocations before;
    auto in = TypeParam::reader(span_reader(rubbish) | short_reads(13));
    while (const next_record next = in.next())
      if (!*next) break;
    ASSERT_LE(before.bytes(), 65'536u);
  }
}

TEST(tfrecord, has_these_bytes) {
  // The length 5 and the content "Hello", each with its masked CRC-32C.
  const bytes stored = stored_as<tfrecord>({record("Hello")});
  ASSERT_EQ(stored.size(), 8u + 4 + 5 + 4);
  EXPECT_EQ(bytes(stored.begin(), stored.begin() + 8), hex("0500000000000000"));
  EXPECT_EQ(bytes(stored.begin() + 12, stored.begin() + 17), of("Hello"));
  const auto masked = [](std::span<const std::byte> b) {
    const std::uint32_t sum = crc32c_of(b);
    return ((sum >> 15) | (sum << 17)) + 0xa282ead8;
  };
  EXPECT_EQ(load_le<std::uint32_t>(std::span(stored).subspan<8, 4>()), masked(std::span(stored).first(8)));
  EXPECT_EQ(load_le<std::uint32_t>(std::span(stored).subspan<17, 4>()), masked(std::span(stored).subspan(12, 5)));
  // Every byte is covered.
  for (std::size_t at = 0; at != stored.size(); ++at) {
    bytes bad = stored;
    bad[at] ^= std::byte{4};
    EXPECT_EQ(read_as<tfrecord>(bad).error, io_errc::checksum_mismatch) << at;
  }
}

TEST(tfrecord, may_be_compressed_as_a_whole) {
  const record_list list = many_records();
  bytes packed;
  {
    tfrecord_writer out{bytes_writer(packed) | gzip()};
    for (const auto& one : list) or_throw(out.write(one));
    or_throw(out.close());
  }
  tfrecord_reader in{span_reader(packed) | gunzip() | buffered(1000)};
  EXPECT_EQ(read_records(in).records, list);
}

TEST(tfrecord, lengths_are_bounded) {
  const bytes stored = stored_as<tfrecord>({record("Hello")});
  tfrecord_reader four{span_reader(stored), {.max_record_size = 4}};
  EXPECT_EQ(four.next().error(), io_errc::limit_exceeded);
  tfrecord_reader five{span_reader(stored), {.max_record_size = 5}};
  EXPECT_TRUE(five.next());
}

TEST(mesos, has_these_bytes) {
  EXPECT_EQ(stored_as<mesos>({record("Hello"), {}, record("0123456789")}), of("5\nHello0\n10\n0123456789"));
  for (const char* const bad :
       {"\n", "x", "5x", "-1\n", "+1\n", " 1\n", "1 \n", "18446744073709551616\n", "000000000000000000001\n"})
    EXPECT_EQ(read_as<mesos>(of(bad)).error, io_errc::invalid_data) << bad;
  EXPECT_EQ(read_as<mesos>(of("18446744073709551615\n")).error, io_errc::limit_exceeded);
  EXPECT_EQ(read_as<mesos>(of("005\nHello")).records, record_list{record("Hello")});
}

TEST(thrift_frame, has_these_bytes) {
  EXPECT_EQ(stored_as<thrift_frame>({record("Hello"), {}}), hex("00000005 48656c6c6f 00000000"));
  EXPECT_EQ(read_as<thrift_frame>(hex("ffffffff")).error, io_errc::invalid_data);
  EXPECT_EQ(read_as<thrift_frame>(hex("80000000")).error, io_errc::invalid_data);
  EXPECT_EQ(read_as<thrift_frame>(hex("7fffffff")).error, io_errc::limit_exceeded);
}

TEST(dmlc, has_these_bytes) {
  EXPECT_EQ(stored_as<dmlc>({record("Hello")}), hex("0a23d7ce 05000000 48656c6c6f 000000"));
  EXPECT_EQ(stored_as<dmlc>({{}}), hex("0a23d7ce 00000000"));
  const auto split = hex("01020304 0a23d7ce 0506");
  EXPECT_EQ(stored_as<dmlc>({{split.begin(), split.end()}}),
            hex("0a23d7ce 04000020 01020304  0a23d7ce 02000060 0506 0000"));
  const auto twice = hex("0a23d7ce 0a23d7ce");
  EXPECT_EQ(stored_as<dmlc>({{twice.begin(), twice.end()}}),
            hex("0a23d7ce 00000020  0a23d7ce 00000040  0a23d7ce 00000060"));
  // Not at a multiple of four.
  const auto shifted = hex("ff 0a23d7ce");
  EXPECT_EQ(stored_as<dmlc>({{shifted.begin(), shifted.end()}}), hex("0a23d7ce 05000000 ff0a23d7ce 000000"));
}

TEST(dmlc, parts_follow_one_another) {
  for (const char* const bad : {
           "0a23d7ce 00000040",                    // a middle part first
           "0a23d7ce 00000060",                    // a last part first
           "0a23d7ce 00000020 0a23d7ce 00000000",  // a whole record among parts
           "0a23d7ce 00000020 0a23d7ce 00000020",  // two beginnings
           "0a23d7cf 00000000",                    // another magic number
       })
    EXPECT_EQ(read_as<dmlc>(hex(bad)).error, io_errc::invalid_data) << bad;
  EXPECT_EQ(read_as<dmlc>(hex("0a23d7ce 00000020")).error, io_errc::truncated);
  const bytes joined = hex("0a23d7ce 00000020 0a23d7ce 00000060");
  dmlc_reader bounded{span_reader(joined), {.max_record_size = 3}};
  EXPECT_EQ(bounded.next().error(), io_errc::limit_exceeded);
}

TEST(dmlc, resync_goes_on_at_the_next_record) {
  const record_list list = many_records();
  const bytes stored = stored_as<dmlc>(list);
  std::vector<std::size_t> ends;
  for (std::size_t n = 1; n <= list.size(); ++n)
    ends.push_back(stored_as<dmlc>(record_list(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n))).size());
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    bytes bad = stored;
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    bad[begin] ^= std::byte{1};
    const auto check = [&](auto reader) {
      dmlc_reader in{std::move(reader), {.policy = recordio_policy::resync}};
      const outcome read = read_records(in);
      ASSERT_FALSE(read.error) << i;
      record_list expected = list;
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
      ASSERT_EQ(read.records, expected) << i;
      ASSERT_EQ(in.report().losses, 1u);
      ASSERT_EQ(in.report().places[0].offset, begin);
      ASSERT_EQ(in.report().bytes_lost, ends[i] - begin) << i;
    };
    check(span_reader(bad));
    check(span_reader(bad) | short_reads(5));
    check(span_reader(bad) | short_reads(7) | buffered(16));
  }
  dmlc_reader torn{span_reader(std::span(stored).first(stored.size() - 1)), {.policy = recordio_policy::resync}};
  EXPECT_EQ(read_records(torn).records.size(), list.size() - 1);
  EXPECT_TRUE(torn.report().truncated);
}

TEST(record_writers, tell_whether_a_record_may_be_written_again) {
  bytes stored;
  tfrecord_writer out{bytes_writer(stored) | partial_writes(4) | failing(1)};
  EXPECT_EQ(out.write(record("Hello")).error(), std::errc::io_error);
  EXPECT_TRUE(out.write(record("Hello")));
  EXPECT_EQ(read_as<tfrecord>(stored).records, record_list{record("Hello")});
  bytes torn;
  tfrecord_writer broken{bytes_writer(torn) | partial_writes(4) | failing(2)};
  EXPECT_EQ(broken.write(record("Hello")).error(), std::errc::io_error);
  EXPECT_EQ(broken.write(record("Hello")).error(), std::errc::io_error);
  EXPECT_EQ(torn.size(), 4u);
}

TEST(records_view, is_of_any_format) {
  const bytes stored = stored_as<mesos>(many_records());
  mesos_reader in{span_reader(stored)};
  record_list read;
  for (const auto one : sluice::records(in)) read.emplace_back(one.begin(), one.end());
  EXPECT_EQ(read, many_records());
}
