// SPDX-License-Identifier: BSL-1.0
//
// RecordIO under every policy, its index, and the dialects.
//
#include <sluice/codec/recordio.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/span_reader.hpp>

#include "fuzz/fuzz.hpp"

#include <algorithm>

namespace {

constexpr std::size_t most_content = std::size_t{1} << 20;

// A reader without a window, so that the other way of looking at the bytes is taken.
struct plain_reader {
  sluice::span_reader from;

  sluice::result<std::size_t> read_some(std::span<std::byte> b) {
    return from.read_some(b.first(std::min<std::size_t>(b.size(), 100)));
  }
};

struct memory_file {
  std::span<const std::byte> data;

  sluice::result<std::size_t> read_at(std::uintmax_t offset, std::span<std::byte> b) {
    const std::size_t at = std::min<std::uintmax_t>(offset, data.size());
    const std::size_t n = std::min(b.size(), data.size() - at);
    std::ranges::copy(data.subspan(at, n), b.begin());
    return n;
  }
  sluice::result<std::uintmax_t> size() { return data.size(); }
};

struct tally {
  std::uintmax_t records = 0;
  std::uintmax_t sum = 0;
  std::error_code error;

  bool operator==(const tally&) const = default;
};

template <class R>
tally read_all_of(R&& from) {
  tally t;
  for (;;) {
    const sluice::next_record next = from.next();
    if (!next) {
      t.error = next.error();
      fuzz_require(from.next().error() == t.error, "an error is told again");
      return t;
    }
    if (!*next) return t;
    ++t.records;
    for (const std::byte b : **next) t.sum = t.sum * 31 + std::to_integer<unsigned>(b);
  }
}

void read_chunks(std::span<const std::byte> input) {
  using enum sluice::recordio_policy;
  for (const auto policy : {fail, skip_chunk, resync}) {
    const sluice::recordio_options options{.policy = policy, .max_chunk_size = most_content};
    sluice::recordio_reader in_place{sluice::span_reader(input), options};
    sluice::recordio_reader copied{plain_reader{sluice::span_reader(input)}, options};
    const tally t = read_all_of(in_place);
    fuzz_require(read_all_of(copied) == t, "every stream gives the same");
    fuzz_require(in_place.report().records == t.records, "the report counts what was delivered");
    fuzz_require(in_place.report().bytes_lost <= input.size(), "no more is lost than there was");
    if (policy == resync) fuzz_require(!t.error, "resync has no errors");
  }
}

void read_index(std::span<const std::byte> input) {
  memory_file file{input};
  const auto index =
      sluice::recordio_index::load(file, {.policy = sluice::recordio_policy::resync, .max_chunk_size = most_content});
  fuzz_require(index.has_value(), "resync has no errors");
  std::uintmax_t end = index->chunks().empty() ? 0 : index->chunks().front().offset;
  for (const sluice::byte_range& part : index->ranges(3)) {
    fuzz_require(part.offset == end, "ranges have no gaps");
    end += part.length;
  }
  fuzz_require(end <= input.size(), "ranges lie in the file");
  read_all_of(sluice::recordio_range{
      file, *index, 0, -1, {.policy = sluice::recordio_policy::skip_chunk, .max_chunk_size = most_content}});
  (void)sluice::recordio_index::read(sluice::span_reader(input));
}

template <class In, class Plain>
void read_frames(In in_place, Plain copied) {
  fuzz_require(read_all_of(in_place) == read_all_of(copied), "every stream gives the same");
}

}  // namespace

void fuzz_one(std::span<const std::byte> input) {
  // The manifests lie beside the samples.
  if (!input.empty() && input.front() == std::byte{'{'}) return;
  const sluice::span_reader from(input);
  read_chunks(input);
  read_index(input);
  const sluice::record_options options{.max_record_size = most_content};
  read_frames(sluice::tfrecord_reader{sluice::span_reader(from), options},
              sluice::tfrecord_reader{plain_reader{from}, options});
  read_frames(sluice::mesos_reader{sluice::span_reader(from), options},
              sluice::mesos_reader{plain_reader{from}, options});
  read_frames(sluice::thrift_frame_reader{sluice::span_reader(from), options},
              sluice::thrift_frame_reader{plain_reader{from}, options});
  for (const auto policy : {sluice::recordio_policy::fail, sluice::recordio_policy::resync}) {
    const sluice::dmlc_options dmlc{.policy = policy, .max_record_size = most_content};
    read_frames(sluice::dmlc_reader{sluice::span_reader(from), dmlc}, sluice::dmlc_reader{plain_reader{from}, dmlc});
  }
}
