// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/gzip.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "codec/recordio/recordio_samples.hpp"

#include <gtest/gtest.h>

using namespace sluice;
using namespace recordio_test;

namespace {

bytes written(const record_list& list, const recordio_writer_options& options) {
  bytes stored;
  recordio_writer out{bytes_writer(stored), options};
  for (const auto& record : list) or_throw(out.write(record));
  or_throw(out.close());
  return stored;
}

std::size_t max_chunk_size_of(const std::string& name) { return name.starts_with("rio-many") ? 1000 : 0; }

}  // namespace

TEST(recordio_writer, samples_are_written_back_byte_for_byte) {
  for (const std::string name :
       {"rio-few-none", "rio-many-none", "rio-empty-none", "rio-zero-bytes", "rio-few-snappy", "rio-empty-snappy"}) {
    const sample s = load_sample(name);
    recordio_writer_options options{.max_chunk_size = max_chunk_size_of(name), .frames = snappy_frames::each_record};
    if (name.ends_with("snappy")) options.compression = recordio_compression::snappy;
    EXPECT_EQ(written(read_stored(s.stored).records, options), s.stored) << name;
  }
}

TEST(recordio_writer, compressed_samples_are_written_back_with_the_same_chunks) {
  for (const std::string name : {"rio-many-snappy", "rio-few-gzip", "rio-many-gzip", "rio-empty-gzip"}) {
    const sample s = load_sample(name);
    const record_list list = read_stored(s.stored).records;
    const auto compression = name.ends_with("gzip") ? recordio_compression::gzip : recordio_compression::snappy;
    const bytes again = written(list, {.compression = compression, .max_chunk_size = max_chunk_size_of(name)});
    EXPECT_EQ(read_stored(again).records, list) << name;
    memory_file file{again};
    const auto index = recordio_index::load(file);
    ASSERT_TRUE(index);
    ASSERT_EQ(index->chunks().size(), s.chunks.size()) << name;
    for (std::size_t i = 0; i != s.chunks.size(); ++i) {
      EXPECT_EQ(index->chunks()[i].records, s.chunks[i].records) << name;
      EXPECT_EQ(index->chunks()[i].compressor, s.chunks[i].compressor) << name;
    }
  }
}

TEST(recordio_writer, every_way_of_storing_is_read_back) {
  const record_list list = read_stored(load_sample("rio-many-none").stored).records;
  for (const auto compression : {recordio_compression::none, recordio_compression::snappy, recordio_compression::gzip})
    for (const auto layout : {recordio_layout::standard, recordio_layout::elasticdl})
      for (const auto frames : {snappy_frames::full, snappy_frames::each_record})
        for (const std::size_t size : {301u, 302u, 1000u, 5000u, 0u}) {
          const bytes stored =
              written(list, {.compression = compression, .max_chunk_size = size, .layout = layout, .frames = frames});
          const outcome read = read_stored(stored);
          EXPECT_FALSE(read.error) << read.error.message();
          EXPECT_EQ(read.records, list);
          recordio_reader in{span_reader(stored)};
          or_throw(in.next());
          EXPECT_EQ(in.chunk().layout, layout);
          EXPECT_EQ(in.chunk().compression(), compression);
        }
}

TEST(recordio_writer, large_records_and_frames_across_them_are_read_back) {
  record_list list;
  for (std::size_t i = 0; i != 5; ++i) list.emplace_back(150'000 * i, std::byte(i));
  for (const auto frames : {snappy_frames::full, snappy_frames::each_record})
    for (const auto compression : {recordio_compression::snappy, recordio_compression::gzip})
      EXPECT_EQ(read_stored(written(list, {.compression = compression, .frames = frames})).records, list);
}

// Older versions of elasticdl took zlib's checksum.
TEST(recordio_writer, elasticdl_is_recognised_with_either_checksum) {
  const record_list list = read_stored(load_sample("rio-few-none").stored).records;
  bytes stored = written(list, {.layout = recordio_layout::elasticdl});
  EXPECT_EQ(read_stored(stored).records, list);
  store_le(std::span(stored).subspan<8, 4>(), crc32_of(std::span(stored).subspan(20)));
  EXPECT_EQ(read_stored(stored).records, list);
  stored[8] ^= std::byte{1};
  EXPECT_EQ(read_stored(stored).error, io_errc::checksum_mismatch);
}

TEST(recordio_writer, a_record_as_large_as_a_chunk_is_refused) {
  bytes stored;
  recordio_writer out{bytes_writer(stored), {.max_chunk_size = 10}};
  const std::vector<std::byte> data(11);
  EXPECT_EQ(out.write(data).error(), io_errc::limit_exceeded);
  EXPECT_EQ(out.write(std::span(data).first(10)).error(), io_errc::limit_exceeded);
  EXPECT_TRUE(out.write(std::span(data).first(9)));
  EXPECT_TRUE(out.write(std::span(data).first(1)));
  EXPECT_TRUE(stored.empty());
  EXPECT_TRUE(out.write(std::span(data).first(1)));
  EXPECT_EQ(stored.size(), 20u + 2 * 4 + 10);
  EXPECT_EQ(out.records(), 3u);
  EXPECT_TRUE(out.close());
  EXPECT_EQ(read_stored(stored).records.size(), 3u);
}

TEST(recordio_writer, chunks_of_empty_records_end) {
  bytes stored;
  recordio_writer out{bytes_writer(stored), {.max_chunk_size = 1}};
  for (int i = 0; i != 300'000; ++i) or_throw(out.write({}));
  EXPECT_FALSE(stored.empty());
  or_throw(out.close());
  EXPECT_EQ(read_stored(stored).records.size(), 300'000u);
}

TEST(recordio_writer, destructor_and_moves_write_each_chunk_once) {
  const record_list list = read_stored(load_sample("rio-few-none").stored).records;
  bytes stored;
  {
    recordio_writer first{bytes_writer(stored)};
    or_throw(first.write(list[0]));
    recordio_writer second = std::move(first);
    or_throw(second.write(list[1]));
    bytes other;
    recordio_writer third{bytes_writer(other)};
    or_throw(third.write(list[2]));
    third = std::move(second);
    EXPECT_EQ(read_stored(other).records, record_list{list[2]});
    EXPECT_TRUE(stored.empty());
  }
  EXPECT_EQ(read_stored(stored).records, (record_list{list[0], list[1]}));
}

TEST(recordio_writer, a_failure_loses_nothing) {
  const record_list list = read_stored(load_sample("rio-many-none").stored).records;
  for (const auto compression :
       {recordio_compression::none, recordio_compression::snappy, recordio_compression::gzip}) {
    const bytes expected = written(list, {.compression = compression, .max_chunk_size = 1000});
    for (std::size_t k = 1; k != 60; ++k) {
      bytes stored;
      recordio_writer out{bytes_writer(stored) | partial_writes(333) | failing(k),
                          {.compression = compression, .max_chunk_size = 1000}};
      for (const auto& record : list)
        if (!out.write(record)) or_throw(out.write(record));
      if (!out.close()) or_throw(out.close());
      ASSERT_EQ(stored, expected) << "call " << k;
    }
  }
}
