// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/buffered.hpp>
#include <sluice/adaptor/chain.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/repeat_reader.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "codec/recordio/recordio_samples.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

using namespace sluice;
using namespace recordio_test;

namespace {

struct salvage {
  record_list records;
  std::error_code error;
  recordio_report report;
};

salvage read_with(recordio_policy policy, std::span<const std::byte> stored) {
  recordio_reader in{span_reader(stored), {.policy = policy}};
  outcome read = read_records(in);
  return {.records = std::move(read.records), .error = read.error, .report = in.report()};
}

recordio_loss loss(std::uintmax_t offset, std::uintmax_t bytes, std::uintmax_t count, io_errc why) {
  return {.offset = offset, .bytes = bytes, .records = count, .error = why};
}

// A header of the standard layout by itself.
bytes header(std::uint32_t checksum, std::uint32_t compressor, std::uint32_t size, std::uint32_t count) {
  bytes b(20);
  store_le(std::span(b).subspan<0, 4>(), std::uint32_t{0x01020304});
  store_le(std::span(b).subspan<4, 4>(), checksum);
  store_le(std::span(b).subspan<8, 4>(), compressor);
  store_le(std::span(b).subspan<12, 4>(), size);
  store_le(std::span(b).subspan<16, 4>(), count);
  return b;
}

bytes chunk_of(std::uint32_t compressor, std::uint32_t count, std::span<const std::byte> payload) {
  bytes b = header(crc32_of(payload), compressor, static_cast<std::uint32_t>(payload.size()), count);
  b.insert(b.end(), payload.begin(), payload.end());
  return b;
}

bytes joined(std::initializer_list<std::span<const std::byte>> parts) {
  bytes all;
  for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST(recordio_damage, a_bad_chunk_is_skipped_and_told) {
  struct expectation {
    const char* name;
    std::size_t before;
    std::uintmax_t lost;
    io_errc error;
  };
  for (const auto& [name, before, lost, error] : {
           expectation{"rio-corrupt-crc-none", 18, 6, io_errc::checksum_mismatch},
           expectation{"rio-corrupt-payload-none", 18, 6, io_errc::checksum_mismatch},
           expectation{"rio-corrupt-crc-snappy", 18, 6, io_errc::checksum_mismatch},
           expectation{"rio-corrupt-crc-gzip", 18, 6, io_errc::checksum_mismatch},
           expectation{"rio-corrupt-payload-gzip", 18, 6, io_errc::checksum_mismatch},
           expectation{"rio-unknown-compressor", 13, 5, io_errc::unsupported},
           expectation{"rio-record-length-huge", 13, 5, io_errc::invalid_data},
           expectation{"rio-numrecords-too-big", 13, 6, io_errc::invalid_data},
           expectation{"rio-numrecords-too-small", 13, 4, io_errc::invalid_data},
       }) {
    const sample s = load_sample(name);
    const recordio_chunk& bad = s.chunks[before == 13 ? 2 : 3];
    const std::size_t behind = 100 - before - bad.records + (error == io_errc::invalid_data ? bad.records - lost : 0);
    for (const auto policy : {recordio_policy::skip_chunk, recordio_policy::resync}) {
      const salvage read = read_with(policy, s.stored);
      EXPECT_FALSE(read.error) << name;
      EXPECT_EQ(read.report.places, std::vector{loss(bad.offset, bad.size(), lost, error)}) << name;
      EXPECT_EQ(read.report.records_lost, lost) << name;
      EXPECT_EQ(read.report.bytes_lost, bad.size()) << name;
      EXPECT_EQ(read.report.chunks, 15u) << name;
      EXPECT_FALSE(read.report.complete());
      ASSERT_EQ(read.records.size(), read.report.records) << name;
      ASSERT_GE(read.records.size(), behind) << name;
      const std::size_t rest = read.records.size() - before;
      EXPECT_TRUE(
          are_written(s, record_list(read.records.begin(), read.records.begin() + static_cast<std::ptrdiff_t>(before))))
          << name;
      EXPECT_TRUE(are_written(
          s, record_list(read.records.begin() + static_cast<std::ptrdiff_t>(before), read.records.end()), 100 - rest))
          << name;
    }
  }
}

TEST(recordio_damage, a_bad_header_needs_resync) {
  const sample s = load_sample("rio-bad-magic-chunk5");
  EXPECT_EQ(read_with(recordio_policy::skip_chunk, s.stored).error, io_errc::invalid_data);
  const salvage read = read_with(recordio_policy::resync, s.stored);
  EXPECT_FALSE(read.error);
  EXPECT_EQ(read.records.size(), 93u);
  EXPECT_EQ(read.report.places, std::vector{loss(4787, 1028, 0, io_errc::invalid_data)});
  EXPECT_FALSE(read.report.truncated);
}

TEST(recordio_damage, a_torn_end_is_an_error_or_told) {
  for (const std::string name : {"rio-trunc-header-12", "rio-trunc-payload-none", "rio-trunc-payload-snappy"}) {
    const sample s = load_sample(name);
    const salvage strict = read_with(recordio_policy::skip_chunk, s.stored);
    EXPECT_EQ(strict.error, io_errc::truncated) << name;
    EXPECT_EQ(strict.records.size(), 95u) << name;
    const salvage read = read_with(recordio_policy::resync, s.stored);
    EXPECT_FALSE(read.error) << name;
    EXPECT_EQ(read.records.size(), 95u) << name;
    EXPECT_TRUE(read.report.truncated) << name;
    EXPECT_EQ(read.report.losses, 1u) << name;
  }
}

// Whatever byte of whatever kind of chunk is changed, resync loses that chunk and no other, and says so.
TEST(recordio_damage, resync_loses_one_chunk_for_one_byte) {
  for (const std::string name : {"rio-many-none", "rio-many-gzip"}) {
    const sample s = load_sample(name);
    for (std::size_t at = 0; at < s.stored.size(); at += at < 900 ? 1 : 13) {
      bytes bad = s.stored;
      bad[at] ^= std::byte{0x10};
      const auto chunk = std::ranges::find_if(s.chunks, [&](const recordio_chunk& c) { return at < c.end(); });
      recordio_reader in{span_reader(bad) | short_reads(4096), {.policy = recordio_policy::resync}};
      const outcome read = read_records(in);
      ASSERT_FALSE(read.error) << name << " at " << at;
      ASSERT_EQ(read.records.size(), 100 - chunk->records) << name << " at " << at;
      ASSERT_EQ(in.report().losses, 1u) << name << " at " << at;
      ASSERT_EQ(in.report().places[0].offset, chunk->offset) << name << " at " << at;
      ASSERT_EQ(in.report().bytes_lost, chunk->size()) << name << " at " << at;
    }
  }
}

TEST(recordio_damage, resync_finds_chunks_behind_rubbish_of_any_length_through_any_stream) {
  const bytes good = load_sample("rio-few-none").stored;
  for (const std::size_t n : {1u, 3u, 4u, 19u, 20u, 21u, 65535u, 65536u, 65537u, 200'000u}) {
    // Rubbish full of beginnings of the magic number.
    bytes rubbish(n);
    for (std::size_t i = 0; i != n; ++i) rubbish[i] = std::byte(4 - i % 3);
    const bytes stored = joined({good, rubbish, good});
    const auto check = [&](auto reader) {
      recordio_reader in{std::move(reader), {.policy = recordio_policy::resync}};
      const outcome read = read_records(in);
      ASSERT_FALSE(read.error) << n;
      ASSERT_EQ(read.records.size(), 6u) << n;
      ASSERT_EQ(in.report().places, std::vector{loss(52, n, 0, io_errc::invalid_data)}) << n;
    };
    check(span_reader(stored));
    check(span_reader(stored) | short_reads(10'000));
    check(span_reader(stored) | short_reads(100) | buffered(64));
    check(span_reader(stored) | buffered(300'000));
    memory_file file{stored};
    EXPECT_EQ(recordio_index::load(file, {.policy = recordio_policy::resync}).value().records(), 6u) << n;
  }
}

TEST(recordio_damage, a_record_that_is_a_file_is_not_taken_for_one) {
  const bytes inner = load_sample("rio-few-none").stored;
  bytes stored;
  {
    recordio_writer out{bytes_writer(stored), {.max_chunk_size = 100}};
    for (int i = 0; i != 3; ++i) or_throw(out.write(inner));
    or_throw(out.close());
  }
  stored[stored.size() / 3 + 30] ^= std::byte{1};
  const salvage read = read_with(recordio_policy::resync, stored);
  EXPECT_EQ(read.records.size(), 2u);
  for (const auto& record : read.records) EXPECT_TRUE(std::ranges::equal(record, inner));
}

// Headers made to be checked: searching costs no more for them than a constant for each byte.
TEST(recordio_damage, a_file_of_nothing_but_headers_is_searched_in_time) {
  bytes stored;
  const bytes one = header(1, 0, 1 << 22, 1);
  while (stored.size() < (std::size_t{4} << 20)) stored.insert(stored.end(), one.begin(), one.end());
  stored.back() = std::byte{1};
  stored[0] = std::byte{0};
  const salvage read = read_with(recordio_policy::resync, stored);
  EXPECT_FALSE(read.error);
  EXPECT_TRUE(read.records.empty());
  EXPECT_EQ(read.report.bytes_lost, stored.size());
  EXPECT_LE(read.report.places.size(), recordio_report::most_losses);
}

TEST(recordio_hostile, a_claim_takes_no_memory) {
  for (const std::uint32_t compressor : {0u, 1u, 2u})
    for (const std::uint32_t size : {100u, 100'000u, 1u << 28}) {
      const bytes stored = header(0, compressor, size, 0xffffffff);
      for (const auto policy : {recordio_policy::fail, recordio_policy::skip_chunk, recordio_policy::resync}) {
        const support::allocations before;
        recordio_reader in{span_reader(stored) | short_reads(7), {.policy = policy}};
        const next_record next = in.next();
        EXPECT_LE(before.bytes(), stored.size() + 65'536) << size;
        if (policy == recordio_policy::resync) {
          EXPECT_TRUE(next && !*next);
        } else {
          EXPECT_EQ(next.error(), io_errc::truncated);
        }
      }
    }
  const bytes beyond = header(0, 0, (1u << 28) + 1, 1);
  EXPECT_EQ(read_stored(beyond).error, io_errc::limit_exceeded);
}

TEST(recordio_hostile, malformed_samples_take_no_more_memory_than_has_arrived_and_64_kib) {
  for (const std::string& name : all_samples()) {
    // The state of a gzip decoder is larger than that, once.
    if (name.ends_with("gzip")) continue;
    const sample s = load_sample(name);
    const support::allocations before;
    recordio_reader in{span_reader(s.stored) | short_reads(1000)};
    while (const next_record next = in.next())
      if (!*next) break;
    EXPECT_LE(before.bytes(), s.stored.size() + 65'536) << name;
  }
}

TEST(recordio_hostile, buffers_are_used_again) {
  for (const std::string name : {"rio-many-none", "rio-many-snappy", "rio-many-gzip"}) {
    const sample s = load_sample(name);
    // Twice the file, so that the largest chunk has been there.
    const bytes twice = joined({s.stored, s.stored});
    recordio_reader in{span_reader(twice) | short_reads(100'000)};
    or_throw(in.skip(100));
    const support::allocations before;
    EXPECT_EQ(or_throw(in.skip(1000)), 100u);
    EXPECT_EQ(before.count(), 0u) << name;
  }
}

TEST(recordio_hostile, records_lie_inside_their_chunk) {
  const auto with_lengths = [](std::initializer_list<std::uint32_t> words) {
    bytes payload;
    for (const std::uint32_t word : words) {
      payload.resize(payload.size() + 4);
      store_le(std::span(payload).last<4>(), word);
    }
    return payload;
  };
  const auto error_of = [](const bytes& stored) { return read_stored(stored).error; };
  EXPECT_FALSE(error_of(chunk_of(0, 2, with_lengths({0, 0}))));
  EXPECT_EQ(error_of(chunk_of(0, 1, with_lengths({0, 0}))), io_errc::invalid_data);
  EXPECT_EQ(error_of(chunk_of(0, 3, with_lengths({0, 0}))), io_errc::invalid_data);
  EXPECT_EQ(error_of(chunk_of(0, 1, with_lengths({5, 0}))), io_errc::invalid_data);
  EXPECT_EQ(error_of(chunk_of(0, 1, with_lengths({0xffffffff, 0}))), io_errc::invalid_data);
  EXPECT_EQ(error_of(chunk_of(0, 0xffffffff, with_lengths({0}))), io_errc::invalid_data);
  const bytes two = with_lengths({0, 0});
  EXPECT_EQ(error_of(chunk_of(0, 1, std::span(two).first(7))), io_errc::invalid_data);
  EXPECT_FALSE(error_of(chunk_of(0, 0, {})));
  EXPECT_EQ(error_of(chunk_of(0, 1, {})), io_errc::invalid_data);
}

TEST(recordio_hostile, compressed_payloads_that_are_none) {
  const auto text = as_bytes(std::string_view("this is neither snappy nor gzip, whatever it says"));
  for (const std::uint32_t compressor : {1u, 2u}) {
    EXPECT_EQ(read_stored(chunk_of(compressor, 1, text)).error, io_errc::invalid_data);
    EXPECT_EQ(read_stored(chunk_of(compressor, 1, text.first(5))).error, io_errc::invalid_data);
    EXPECT_TRUE(read_stored(chunk_of(compressor, 1, {})).error);
  }
  // A sound checksum over a payload that ends early, at every place.
  for (const std::string name : {"rio-few-snappy", "rio-few-gzip", "rio-many-gzip"}) {
    const sample s = load_sample(name);
    const auto payload = std::span(s.stored).subspan(20, s.chunks[0].payload_size);
    for (std::size_t n = 0; n != payload.size(); ++n)
      ASSERT_TRUE(read_stored(chunk_of(s.chunks[0].compressor, s.chunks[0].records, payload.first(n))).error)
          << name << " " << n;
    // And one with something behind it.
    EXPECT_TRUE(read_stored(chunk_of(s.chunks[0].compressor, s.chunks[0].records, joined({payload, text}))).error);
  }
}

TEST(recordio_hostile, content_is_bounded) {
  const std::vector<std::byte> zeros(100'000);
  for (const auto compression : {recordio_compression::snappy, recordio_compression::gzip})
    for (const auto layout : {recordio_layout::standard, recordio_layout::elasticdl}) {
      bytes stored;
      recordio_writer out{bytes_writer(stored), {.compression = compression, .layout = layout}};
      or_throw(out.write(zeros));
      or_throw(out.close());
      EXPECT_FALSE(read_stored(stored, {.max_chunk_size = 100'004}).error);
      EXPECT_EQ(read_stored(stored, {.max_chunk_size = 100'003}).error, io_errc::limit_exceeded);
      EXPECT_EQ(read_stored(stored, {.max_chunk_size = 70'000}).error, io_errc::limit_exceeded);
      EXPECT_EQ(read_stored(stored, {.policy = recordio_policy::skip_chunk, .max_chunk_size = 100'003}).error,
                std::error_code());
    }
}
