// SPDX-License-Identifier: BSL-1.0
//
// Writes a RecordIO file and its index, then has four workers read a quarter of it each. A worker gets the path and a
// byte range, nothing else: it may be another process on another machine.
//
#include <sluice/codec/recordio.hpp>
#include <sluice/sluice.hpp>

#include <array>
#include <iostream>
#include <string>
#include <thread>

using namespace sluice;

constexpr std::uintmax_t record_count = 10'000;

void write_file(const std::string& path) {
  recordio_writer out{or_throw(file::create(path)), {.max_chunk_size = 4096}};
  for (std::uintmax_t n = 0; n != record_count; ++n) or_throw(out.write(as_bytes(std::to_string(n))));
  or_throw(out.close());
}

// The sum of the numbers in one range.
std::uintmax_t work(const std::string& path, byte_range part) {
  file data = or_throw(file::open(path));
  std::uintmax_t sum = 0;
  for (const std::span<const std::byte> record : file_range(data, part.offset, part.length) | records())
    sum += std::stoull(std::string(reinterpret_cast<const char*>(record.data()), record.size()));
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = argv[1];
  write_file(path);

  // Reads 20 bytes of each chunk; kept in a file, nobody needs to do so again.
  file data = or_throw(file::open(path));
  const auto index = or_throw(recordio_index::load(data));
  {
    file kept = or_throw(file::create(path + ".index"));
    or_throw(index.write(kept));
    or_throw(kept.close());
  }

  file kept = or_throw(file::open(path + ".index"));
  const auto known = or_throw(recordio_index::read(kept));
  if (!or_throw(known.fits(data))) return 1;
  std::array<std::uintmax_t, 4> sums{};
  const std::vector<byte_range> parts = known.ranges(sums.size());
  {
    std::array<std::jthread, 4> workers;
    for (std::size_t i = 0; i != workers.size(); ++i)
      workers[i] = std::jthread([&, i] { sums[i] = work(path, parts[i]); });
  }
  std::uintmax_t sum = 0;
  for (const std::uintmax_t part : sums) sum += part;
  std::cout << known.records() << " records in " << known.chunks().size() << " chunks, sum " << sum << '\n';

  recordio_range some{data, known, 5000, 3};
  while (const auto record = or_throw(some.next()))
    std::cout << std::string(reinterpret_cast<const char*>(record->data()), record->size()) << '\n';
  return sum == record_count * (record_count - 1) / 2 ? 0 : 1;
}
