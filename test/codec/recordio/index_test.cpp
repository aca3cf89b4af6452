// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/system/file_range.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "codec/recordio/recordio_samples.hpp"

#include <gtest/gtest.h>

using namespace sluice;
using namespace recordio_test;

namespace {

recordio_index index_of(const bytes& stored, const recordio_options& options = {}) {
  memory_file file{stored};
  return or_throw(recordio_index::load(file, options));
}

record_list range_of(const bytes& stored, const recordio_index& index, std::intmax_t start, std::intmax_t count) {
  recordio_range range{memory_file{stored}, index, start, count};
  const outcome read = read_records(range);
  EXPECT_FALSE(read.error) << read.error.message();
  EXPECT_EQ(read.records.size(), range.size());
  return read.records;
}

}  // namespace

TEST(recordio_index, is_that_of_the_manifest) {
  for (const std::string& name : good_samples()) {
    const sample s = load_sample(name);
    memory_file file{s.stored};
    const auto index = recordio_index::load(file);
    ASSERT_TRUE(index) << name;
    EXPECT_TRUE(std::ranges::equal(index->chunks(), s.chunks)) << name;
    EXPECT_EQ(index->records(), s.written.size()) << name;
    EXPECT_EQ(file.reads, s.chunks.size()) << name;
    EXPECT_EQ(file.bytes_read, s.chunks.size() * 20) << name;
    EXPECT_TRUE(index->fits(file).value());
  }
}

TEST(recordio_index, of_damaged_files_has_what_is_before) {
  const auto of = [](const char* name) {
    const sample s = load_sample(name);
    memory_file file{s.stored};
    return recordio_index::load(file);
  };
  const auto torn = of("rio-trunc-header-12");
  ASSERT_FALSE(torn);
  EXPECT_EQ(torn.error(), io_errc::truncated);
  EXPECT_EQ(torn.error().arrived.records(), 95u);
  const auto cut = of("rio-trunc-payload-none");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error(), io_errc::truncated);
  EXPECT_EQ(cut.error().arrived.records(), 95u);
  const auto bad = of("rio-bad-magic-chunk5");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error(), io_errc::invalid_data);
  EXPECT_EQ(bad.error().arrived.records(), 31u);
  // Payloads are not looked at.
  EXPECT_EQ(of("rio-corrupt-payload-gzip").value().records(), 100u);
  EXPECT_EQ(of("rio-unknown-compressor").value().records(), 100u);
}

TEST(recordio_index, resync_passes_over_damage) {
  const sample s = load_sample("rio-bad-magic-chunk5");
  const recordio_index index = index_of(s.stored, {.policy = recordio_policy::resync});
  EXPECT_EQ(index.records(), 93u);
  EXPECT_EQ(index.report().places,
            (std::vector<recordio_loss>{
                {.offset = 4787, .bytes = 1028, .records = 0, .error = make_error_code(io_errc::invalid_data)}}));
  const recordio_index cut =
      index_of(load_sample("rio-trunc-payload-none").stored, {.policy = recordio_policy::resync});
  EXPECT_EQ(cut.records(), 95u);
  EXPECT_TRUE(cut.report().truncated);
}

TEST(recordio_index, every_cut_tells_a_clean_end_from_a_torn_one) {
  const sample s = load_sample("rio-many-snappy");
  for (std::size_t cut = 0; cut <= s.stored.size(); ++cut) {
    memory_file file{std::span(s.stored).first(cut)};
    const auto index = recordio_index::load(file);
    const bool clean = cut == 0 || std::ranges::find(s.chunks, cut, &recordio_chunk::end) != s.chunks.end();
    ASSERT_EQ(index.has_value(), clean) << cut;
    if (!clean) {
      ASSERT_EQ(index.error(), io_errc::truncated) << cut;
    }
  }
}

TEST(recordio_index, locates_records) {
  const sample s = load_sample("rio-many-none");
  const recordio_index index = index_of(s.stored);
  std::uintmax_t record = 0;
  for (std::size_t chunk = 0; chunk != s.chunks.size(); ++chunk) {
    EXPECT_EQ(index.records_before(chunk), record);
    for (std::uint32_t i = 0; i != s.chunks[chunk].records; ++i)
      EXPECT_EQ(index.locate(record++), (record_place{.chunk = chunk, .record = i}));
  }
  EXPECT_EQ(index.locate(record), std::nullopt);
  EXPECT_EQ(recordio_index().locate(0), std::nullopt);
}

TEST(recordio_range, clamps_as_the_original_does) {
  const sample s = load_sample("rio-many-gzip");
  const recordio_index index = index_of(s.stored);
  const auto count = [&](std::intmax_t start, std::intmax_t n) { return range_of(s.stored, index, start, n).size(); };
  EXPECT_EQ(count(0, 0), 0u);
  EXPECT_EQ(count(99, 1), 1u);
  EXPECT_EQ(count(100, 1), 0u);
  EXPECT_EQ(count(150, 1), 0u);
  EXPECT_EQ(count(5, 1000), 95u);
  EXPECT_EQ(count(-7, 3), 3u);
  EXPECT_EQ(count(3, -1), 97u);
  EXPECT_EQ(count(5, std::numeric_limits<std::intmax_t>::max()), 95u);
  EXPECT_EQ(count(std::numeric_limits<std::intmax_t>::min(), std::numeric_limits<std::intmax_t>::min()), 100u);
}

TEST(recordio_range, delivers_every_range) {
  for (const std::string name : {"rio-many-none", "rio-many-snappy"}) {
    const sample s = load_sample(name);
    const recordio_index index = index_of(s.stored);
    for (std::intmax_t start = 0; start <= 100; start += 3)
      for (std::intmax_t n = 0; start + n <= 100; n += 7) {
        const record_list list = range_of(s.stored, index, start, n);
        ASSERT_EQ(list.size(), static_cast<std::size_t>(n));
        ASSERT_TRUE(are_written(s, list, static_cast<std::size_t>(start)));
      }
  }
}

TEST(recordio_range, reads_only_the_chunks_it_wants) {
  const sample s = load_sample("rio-many-none");
  const recordio_index index = index_of(s.stored);
  memory_file file{s.stored};
  recordio_range range{file, index, 14, 7};
  EXPECT_EQ(read_records(range).records.size(), 7u);
  EXPECT_EQ(file.reads, 2u);
  EXPECT_EQ(file.bytes_read, s.chunks[2].size() + s.chunks[3].size());
}

TEST(recordio_range, bad_chunks_end_it_or_are_left_out) {
  const sample s = load_sample("rio-corrupt-payload-none");
  const recordio_index index = index_of(s.stored);
  memory_file file{s.stored};
  recordio_range strict{file, index, 10, 50};
  const outcome stopped = read_records(strict);
  EXPECT_EQ(stopped.error, io_errc::checksum_mismatch);
  EXPECT_EQ(stopped.records.size(), 8u);
  EXPECT_EQ(strict.next().error(), io_errc::checksum_mismatch);
  recordio_range lenient{file, index, 20, 50, {.policy = recordio_policy::skip_chunk}};
  const outcome read = read_records(lenient);
  EXPECT_FALSE(read.error);
  EXPECT_TRUE(are_written(s, read.records, 24));
  EXPECT_EQ(read.records.size(), 46u);
  EXPECT_EQ(lenient.report().records_lost, 4u);
  EXPECT_EQ(lenient.report().records, 46u);
}

TEST(recordio_range, notices_that_the_file_is_another_one) {
  const recordio_index index = index_of(load_sample("rio-many-none").stored);
  const bytes other = load_sample("rio-many-snappy").stored;
  recordio_range range{memory_file{other}, index, 10, 5};
  EXPECT_EQ(range.next().error(), io_errc::invalid_data);
  const bytes shorter(1000);
  recordio_range beyond{memory_file{shorter}, index, 95, 5};
  EXPECT_EQ(beyond.next().error(), io_errc::truncated);
}

// As separate processes do: each opens the file and reads its part, knowing nothing but the range.
TEST(recordio_ranges, cover_the_file_without_overlap_or_gap) {
  for (const std::string name :
       {"rio-many-none", "rio-many-snappy", "rio-many-gzip", "rio-few-none", "rio-zero-bytes"}) {
    const sample s = load_sample(name);
    const std::string path = SLUICE_TEST_DATA "/recordio/" + name + ".recordio";
    auto indexed = or_throw(file::open(path));
    const recordio_index index = or_throw(recordio_index::load(indexed));
    for (std::size_t n = 1; n <= 20; ++n) {
      const std::vector<byte_range> parts = index.ranges(n);
      ASSERT_EQ(parts.size(), n);
      std::uintmax_t end = 0;
      record_list all;
      for (const byte_range& part : parts) {
        EXPECT_EQ(part.offset, end);
        end += part.length;
        auto own = or_throw(file::open(path));
        recordio_reader in{file_range(own, part.offset, part.length)};
        const outcome read = read_records(in);
        EXPECT_FALSE(read.error);
        EXPECT_LE(part.length, s.stored.size() / n + 1100) << "of about equal size";
        all.insert(all.end(), read.records.begin(), read.records.end());
      }
      EXPECT_EQ(end, s.stored.size());
      EXPECT_EQ(all.size(), s.written.size());
      EXPECT_TRUE(are_written(s, all));
    }
  }
  EXPECT_TRUE(recordio_index().ranges(0).empty());
}

TEST(recordio_index_file, is_read_back) {
  for (const std::string& name : good_samples()) {
    const recordio_index index = index_of(load_sample(name).stored);
    bytes stored;
    or_throw(index.write(bytes_writer(stored)));
    EXPECT_EQ(stored.size(), 36 + 28 * index.chunks().size());
    const auto again = recordio_index::read(span_reader(stored) | short_reads(11));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_TRUE(std::ranges::equal(again->chunks(), index.chunks()));
    EXPECT_EQ(again->records(), index.records());
    EXPECT_EQ(again->file_size(), index.file_size());
    EXPECT_EQ(again->ranges(5), index.ranges(5));
  }
}

TEST(recordio_index_file, damage_is_seen) {
  bytes stored;
  or_throw(index_of(load_sample("rio-many-none").stored).write(bytes_writer(stored)));
  for (std::size_t cut = 0; cut != stored.size(); ++cut)
    EXPECT_EQ(recordio_index::read(span_reader(std::span(stored).first(cut))).error(), io_errc::truncated) << cut;
  for (std::size_t at = 0; at != stored.size(); ++at) {
    bytes bad = stored;
    bad[at] ^= std::byte{0x40};
    EXPECT_FALSE(recordio_index::read(span_reader(bad))) << at;
  }
  bytes later = stored;
  later[7] = std::byte{2};
  EXPECT_EQ(recordio_index::read(span_reader(later)).error(), io_errc::unsupported);
}
