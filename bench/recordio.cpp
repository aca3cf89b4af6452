// SPDX-License-Identifier: BSL-1.0
//
// RecordIO in the page cache: 100 and 150 of 200 records of 2 MiB by their numbers, and all of a million small ones.
// How near does the library come to a loop by hand? That reads each chunk by one pread into memory it uses again, sums
// it by ISA-L, decompresses it by the library of the format straight into other memory, and walks along the lengths.
//
#include <sluice/codec/recordio.hpp>
#include <sluice/digest/crc32.hpp>
#include <sluice/system/file.hpp>

#include "support/files.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <snappy.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <isa-l/igzip_lib.h>

namespace {

using namespace sluice;

constexpr std::size_t large_record = std::size_t{2} << 20;
constexpr std::intmax_t large_records = 200;
constexpr std::size_t small_record = 64;
constexpr std::intmax_t small_records = 1'000'000;

/// A file of records whose content shrinks to about a half.
class record_file {
 public:
  record_file(const char* name, recordio_compression compression, std::size_t size, std::intmax_t count,
              std::size_t chunk_size)
      : file_("records-" + std::string(name) + "-" + std::to_string(size),
              [&](const std::filesystem::path& path) { make(path, compression, size, count, chunk_size); }) {
    file data = or_throw(file::open(path()));
    index_ = or_throw(recordio_index::load(data));
  }

  const std::filesystem::path& path() const { return file_.path(); }
  const recordio_index& index() const { return index_; }

 private:
  static void make(const std::filesystem::path& path, recordio_compression compression, std::size_t size,
                   std::intmax_t count, std::size_t chunk_size) {
    std::mt19937 random(1);
    std::vector<std::byte> text(size + 256 * 64);
    for (std::size_t i = 0; i < text.size(); i += 16) {
      const auto word = random();
      for (std::size_t j = 0; j != 16; ++j) text[i + j] = std::byte(j < 8 ? word >> (8 * (j % 4)) : 0x20);
    }
    recordio_writer out{or_throw(file::create(path)),
                        {.compression = compression, .max_chunk_size = chunk_size, .gzip_level = 1}};
    for (std::intmax_t i = 0; i != count; ++i)
      or_throw(out.write(std::span(text).subspan(static_cast<std::size_t>(i % 256) * 64, size)));
    or_throw(out.close());
  }

  bench::kept_file file_;
  recordio_index index_;
};

struct total {
  std::uintmax_t records = 0;
  std::uintmax_t bytes = 0;
  void add(std::span<const std::byte> record) {
    ++records;
    bytes += record.size();
    benchmark::DoNotOptimize(record.data());
  }
};

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::size_t unsnappy(const std::byte* in, std::size_t size, std::byte* out) {
  std::size_t done = 0;
  for (const std::byte* const end = in + size; in != end;) {
    const auto head = load<std::uint32_t>(in);
    const std::size_t length = head >> 8;
    if ((head & 0xff) <= 1) {
      const char* const data = reinterpret_cast<const char*>(in + 8);
      std::size_t n = length - 4;
      if ((head & 0xff) == 0) {
        ::snappy::GetUncompressedLength(data, length - 4, &n);
        ::snappy::RawUncompress(data, length - 4, reinterpret_cast<char*>(out + done));
      } else {
        std::memcpy(out + done, data, n);
      }
      const std::uint32_t sum = crc32c_of({out + done, n});
      if (load<std::uint32_t>(in + 4) != ((sum >> 15 | sum << 17) + 0xa282ead8)) std::abort();
      done += n;
    }
    in += 4 + length;
  }
  return done;
}

std::size_t gunzip(std::byte* in, std::size_t size, std::byte* out, std::size_t room) {
  static ::inflate_state state;
  ::isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  state.next_in = reinterpret_cast<std::uint8_t*>(in);
  state.avail_in = static_cast<std::uint32_t>(size);
  state.next_out = reinterpret_cast<std::uint8_t*>(out);
  state.avail_out = static_cast<std::uint32_t>(room);
  if (::isal_inflate(&state) != ISAL_DECOMP_OK) std::abort();
  return room - state.avail_out;
}

total by_hand(const record_file& data, std::intmax_t start, std::intmax_t count) {
  constexpr std::size_t header_size = recordio_chunk::header_size;
  total t;
  file source = or_throw(file::open(data.path()));
  std::size_t largest = 0;
  for (const recordio_chunk& chunk : data.index().chunks()) largest = std::max<std::size_t>(largest, chunk.size());
  const std::size_t room = std::size_t{36} << 20;
  const bool compressed = data.index().chunks()[0].compressor != 0;
  bytes stored(largest);
  bytes content(compressed ? room : 0);
  const auto first = *data.index().locate(static_cast<std::uintmax_t>(start));
  std::uint32_t skipped = first.record;
  for (std::size_t i = first.chunk; count != 0; ++i) {
    const recordio_chunk& chunk = data.index().chunks()[i];
    if (::pread(source.fd(), stored.data(), chunk.size(), static_cast<off_t>(chunk.offset)) !=
        static_cast<ssize_t>(chunk.size()))
      std::abort();
    std::byte* const payload = stored.data() + header_size;
    if (crc32_of({payload, chunk.payload_size}) != chunk.checksum) std::abort();
    const std::byte* at = payload;
    std::size_t size = chunk.payload_size;
    if (compressed) {
      at = content.data();
      size =
          chunk.compressor == 1 ? unsnappy(payload, size, content.data()) : gunzip(payload, size, content.data(), room);
    }
    for (const std::byte* const end = at + size; at != end && count != 0;) {
      const auto length = load<std::uint32_t>(at);
      if (static_cast<std::size_t>(end - at) - 4 < length) std::abort();
      if (skipped != 0) {
        --skipped;
      } else {
        t.add({at + 4, length});
        --count;
      }
      at += 4 + length;
    }
  }
  return t;
}

total by_range(const record_file& data, std::intmax_t start, std::intmax_t count) {
  total t;
  recordio_range range{or_throw(file::open(data.path())), data.index(), start, count};
  for (const auto record : records(range)) t.add(record);
  return t;
}

total by_reader(const record_file& data, std::intmax_t, std::intmax_t) {
  total t;
  recordio_reader in{or_throw(file::open(data.path()))};
  while (const auto record = or_throw(in.next())) t.add(*record);
  return t;
}

total by_records(const record_file& data, std::intmax_t, std::intmax_t) {
  total t;
  for (const auto record : or_throw(file::open(data.path())) | records()) t.add(record);
  return t;
}

struct kind {
  const char* name;
  recordio_compression compression;
};
constexpr kind kinds[] = {{"none", recordio_compression::none},
                          {"snappy", recordio_compression::snappy},
                          {"gzip", recordio_compression::gzip}};

void add(const std::string& name, std::size_t size, std::intmax_t count, std::size_t chunk_size, kind stored,
         std::intmax_t start, std::intmax_t wanted, total (*read)(const record_file&, std::intmax_t, std::intmax_t)) {
  bench::add_row("recordio/" + std::string(stored.name) + "/" + name, [=](benchmark::State& state) {
    const record_file data(stored.name, stored.compression, size, count, chunk_size);
    total t;
    for (auto _ : state) benchmark::DoNotOptimize(t = read(data, start, wanted));
    if (t.records != static_cast<std::uintmax_t>(wanted)) state.SkipWithError("not all records arrived");
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(t.bytes));
  });
}

const bool added = [] {
  for (const kind stored : kinds) {
    for (const std::intmax_t wanted : {100, 150}) {
      const std::string what = std::to_string(wanted) + "_of_200_x_2MiB/";
      const auto large = [&](const char* how, auto read) {
        add(what + how, large_record, large_records, std::size_t{32} << 20, stored, 25, wanted, read);
      };
      large("by_hand", by_hand);
      large("recordio_range", by_range);
    }
    const auto small = [&](const char* how, auto read) {
      add(std::string("1000000_x_64/") + how, small_record, small_records, std::size_t{1} << 20, stored, 0,
          small_records, read);
    };
    small("by_hand", by_hand);
    small("recordio_range", by_range);
    small("recordio_reader", by_reader);
    small("records", by_records);
  }
  return true;
}();

}  // namespace
