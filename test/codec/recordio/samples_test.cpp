// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/buffered.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "codec/recordio/recordio_samples.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace sluice;
using namespace recordio_test;

TEST(recordio_samples, there_are_good_and_bad_ones) {
  EXPECT_EQ(good_samples().size(), 10u);
  EXPECT_EQ(all_samples().size(), 23u);
}

TEST(recordio_samples, good_ones_give_what_was_written) {
  for (const std::string& name : good_samples()) {
    const sample s = load_sample(name);
    const outcome read = read_stored(s.stored);
    EXPECT_FALSE(read.error) << name << ": " << read.error.message();
    EXPECT_EQ(read.records.size(), s.written.size()) << name;
    EXPECT_TRUE(are_written(s, read.records)) << name;
  }
}

// As far as the original reader comes, and then the error that its message stands for.
TEST(recordio_samples, bad_ones_give_what_is_before_the_damage) {
  const std::map<std::string, io_errc> expected{
      {"rio-bad-magic-chunk5", io_errc::invalid_data},
      {"rio-corrupt-crc-gzip", io_errc::checksum_mismatch},
      {"rio-corrupt-crc-none", io_errc::checksum_mismatch},
      {"rio-corrupt-crc-snappy", io_errc::checksum_mismatch},
      {"rio-corrupt-payload-gzip", io_errc::checksum_mismatch},
      {"rio-corrupt-payload-none", io_errc::checksum_mismatch},
      {"rio-numrecords-too-big", io_errc::invalid_data},
      {"rio-numrecords-too-small", io_errc::invalid_data},
      {"rio-record-length-huge", io_errc::invalid_data},
      {"rio-trunc-header-12", io_errc::truncated},
      {"rio-trunc-payload-none", io_errc::truncated},
      {"rio-trunc-payload-snappy", io_errc::truncated},
      {"rio-unknown-compressor", io_errc::unsupported},
  };
  std::size_t bad = 0;
  const auto good = good_samples();
  for (const std::string& name : all_samples()) {
    if (std::ranges::find(good, name) != good.end()) continue;
    ++bad;
    ASSERT_TRUE(expected.contains(name)) << name;
    const io_errc error = expected.at(name);
    const sample s = load_sample(name);
    recordio_reader in{span_reader(s.stored)};
    const outcome read = read_records(in);
    EXPECT_EQ(read.error, error) << name << ": " << read.error.message();
    EXPECT_TRUE(are_written(s, read.records)) << name;
    // The index of the original has nothing of a file with a bad header: there is no answer to compare with.
    const std::size_t expected_records = name == "rio-bad-magic-chunk5" ? 31 : s.read_by_original;
    EXPECT_EQ(read.records.size(), expected_records) << name;
    EXPECT_EQ(in.next().error(), error) << name << " goes on";
  }
  EXPECT_EQ(bad, expected.size());
}

TEST(recordio_samples, chunks_are_those_of_the_manifest) {
  for (const std::string& name : good_samples()) {
    const sample s = load_sample(name);
    recordio_reader in{span_reader(s.stored)};
    std::vector<recordio_chunk> chunks;
    while (or_throw(in.next()))
      if (chunks.empty() || chunks.back() != in.chunk()) chunks.push_back(in.chunk());
    EXPECT_EQ(chunks, s.chunks) << name;
    EXPECT_EQ(in.report().chunks, s.chunks.size());
    EXPECT_EQ(in.report().records, s.written.size());
    EXPECT_TRUE(in.report().complete());
  }
}

TEST(recordio_samples, every_stream_gives_the_same) {
  for (const std::string& name : all_samples()) {
    const sample s = load_sample(name);
    const outcome expected = read_stored(s.stored);
    const auto same = [&](auto reader, const char* what) {
      recordio_reader in{std::move(reader)};
      const outcome read = read_records(in);
      EXPECT_EQ(read.records, expected.records) << name << ", " << what;
      EXPECT_EQ(read.error, expected.error) << name << ", " << what;
    };
    for (const std::size_t n : {1u, 2u, 3u, 7u, 19u, 20u, 21u, 1000u})
      same(span_reader(s.stored) | short_reads(n), "short reads");
    same(span_reader(s.stored) | grinding({3, 1, 7, 500}), "grinding");
    for (const std::size_t n : {1u, 16u, 64u, 700u, 65536u})
      same(span_reader(s.stored) | short_reads(100) | buffered(n), "a buffer");
    same(or_throw(file::open(SLUICE_TEST_DATA "/recordio/" + name + ".recordio")), "a file");
  }
}

TEST(recordio_samples, every_cut_is_a_clean_end_or_truncated) {
  for (const std::string& name : good_samples()) {
    const sample s = load_sample(name);
    for (std::size_t cut = 0; cut < s.stored.size(); ++cut) {
      // To the byte on the heap, so that a sanitizer sees a read behind the end.
      const bytes part(s.stored.begin(), s.stored.begin() + static_cast<std::ptrdiff_t>(cut));
      std::size_t whole_records = 0;
      bool at_boundary = cut == 0;
      for (const recordio_chunk& chunk : s.chunks) {
        if (chunk.end() <= cut) whole_records += chunk.records;
        at_boundary |= chunk.end() == cut;
      }
      const support::allocations before;
      recordio_reader in{span_reader(part)};
      std::size_t n = 0;
      next_record next = in.next();
      for (; next && *next; next = in.next()) ++n;
      ASSERT_EQ(n, whole_records) << name << " cut at " << cut;
      if (at_boundary) {
        ASSERT_TRUE(next) << name << " cut at " << cut;
      } else {
        ASSERT_FALSE(next) << name << " cut at " << cut;
        ASSERT_EQ(next.error(), io_errc::truncated) << name << " cut at " << cut;
      }
      if (name.ends_with("none")) {
        ASSERT_EQ(before.count(), 0u) << name << " cut at " << cut;
      }
    }
  }
}

TEST(recordio_samples, every_failure_of_the_stream_is_passed_on_and_can_be_overcome) {
  for (const std::string name : {"rio-many-none", "rio-many-snappy", "rio-many-gzip"}) {
    const sample s = load_sample(name);
    for (std::size_t k = 1; k < 40; ++k) {
      recordio_reader in{span_reader(s.stored) | short_reads(777) | failing(k)};
      record_list list;
      std::size_t failures = 0;
      for (;;) {
        const next_record next = in.next();
        if (!next) {
          ASSERT_EQ(next.error(), std::errc::io_error);
          ASSERT_LT(++failures, 2u);
          continue;
        }
        if (!*next) break;
        list.emplace_back((*next)->begin(), (*next)->end());
      }
      EXPECT_TRUE(are_written(s, list)) << name << ", call " << k;
      EXPECT_EQ(list.size(), 100u) << name << ", call " << k;
    }
  }
}

// Header and payload, and one read that finds the end.
TEST(recordio_samples, reads_are_exact) {
  struct counting_reader {
    span_reader from;
    std::vector<std::size_t> asked = {};
    result<std::size_t> read_some(std::span<std::byte> b) {
      asked.push_back(b.size());
      return from.read_some(b);
    }
  };
  const sample s = load_sample("rio-many-none");
  counting_reader from{span_reader(s.stored)};
  recordio_reader in{from};
  EXPECT_EQ(read_records(in).records.size(), 100u);
  std::vector<std::size_t> expected;
  for (const recordio_chunk& chunk : s.chunks) expected.insert(expected.end(), {20, chunk.payload_size});
  expected.push_back(20);
  EXPECT_EQ(from.asked, expected);
}

TEST(recordio_samples, uncompressed_records_are_views) {
  const sample s = load_sample("rio-few-none");
  recordio_reader in{span_reader(s.stored)};
  EXPECT_EQ((*or_throw(in.next())).data(), s.stored.data() + 24);
  auto from = span_reader(s.stored) | buffered(4096);
  recordio_reader through_buffer{from};
  const auto seen = or_throw(sluice::fill(from, 52));
  EXPECT_EQ((*or_throw(through_buffer.next())).data(), seen.data() + 24);
}

TEST(recordio_samples, skipping_counts_records) {
  for (const std::string name : {"rio-many-none", "rio-many-gzip"}) {
    const sample s = load_sample(name);
    for (std::size_t n = 0; n <= 101; ++n) {
      recordio_reader in{span_reader(s.stored)};
      EXPECT_EQ(or_throw(in.skip(n)), std::min<std::size_t>(n, 100));
      EXPECT_TRUE(are_written(s, read_records(in).records, std::min<std::size_t>(n, 100)));
    }
  }
}

TEST(recordio_view, delivers_the_records) {
  const sample s = load_sample("rio-many-snappy");
  record_list list;
  for (const std::span<const std::byte> record : span_reader(s.stored) | sluice::records())
    list.emplace_back(record.begin(), record.end());
  EXPECT_TRUE(are_written(s, list));
  EXPECT_EQ(list.size(), 100u);
  span_reader from(s.stored);
  auto view = sluice::records(from);
  static_assert(std::ranges::input_range<decltype(view)>);
  static_assert(std::ranges::view<decltype(view)>);
  EXPECT_EQ(std::ranges::distance(view), 100);
}

TEST(recordio_view, throws_or_tells) {
  const sample s = load_sample("rio-corrupt-crc-none");
  const auto count = [](auto&& view) {
    std::size_t n = 0;
    for ([[maybe_unused]] const auto record : view) ++n;
    return n;
  };
  EXPECT_THROW(count(span_reader(s.stored) | sluice::records()), std::system_error);
  std::error_code ec;
  EXPECT_EQ(count(span_reader(s.stored) | sluice::records(ec)), 18u);
  EXPECT_EQ(ec, io_errc::checksum_mismatch);
  EXPECT_EQ(count(span_reader(s.stored) | sluice::records({.policy = recordio_policy::skip_chunk}, ec)), 94u);
  EXPECT_FALSE(ec);
  recordio_reader in{span_reader(s.stored)};
  EXPECT_EQ(count(sluice::records(in, ec)), 18u);
  EXPECT_EQ(ec, io_errc::checksum_mismatch);
}
