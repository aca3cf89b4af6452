// SPDX-License-Identifier: BSL-1.0
//
// gzip, zlib and deflate: either engine gives the same whatever the chunks and requests, and where zlib is content, so
// is ISA-L, with the same bytes in and out. Which good bytes come before an error may differ at the end of them, and
// ISA-L lets pass codes that zlib calls incomplete.
//
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/compress/gzip.hpp>
#include <sluice/memory/span_reader.hpp>

#include "fuzz/fuzz.hpp"

#include <algorithm>
#include <vector>

namespace {

using namespace sluice;

constexpr std::size_t most_content = 200'000;

struct outcome {
  std::vector<std::byte> content = {};
  std::error_code error = {};
  std::size_t left = 0;

  bool operator==(const outcome&) const = default;
};

struct chunked {
  std::span<const std::byte> data;
  std::size_t chunk;

  result<std::size_t> read_some(std::span<std::byte> b) {
    const std::size_t n = std::min({b.size(), chunk, data.size()});
    std::copy_n(data.begin(), n, b.begin());
    data = data.subspan(n);
    return n;
  }
};

template <class R>
void read_to_end(R&& r, std::size_t request, outcome& got) {
  std::vector<std::byte> room(request);
  for (;;) {
    const auto n = r.read_some(room);
    if (!n) got.error = n.error();
    if (!n || *n == 0) return;
    got.content.insert(got.content.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*n));
  }
}

template <class Inflate>
outcome from_memory(const Inflate& inflate, std::span<const std::byte> input, inflate_engine engine) {
  outcome got;
  span_reader source(input);
  read_to_end(inflate(source, {.max_size = most_content, .trailing = trailing::leave, .engine = engine}), 32768, got);
  got.left = source.remaining();
  return got;
}

template <class Inflate>
outcome in_chunks(const Inflate& inflate, std::span<const std::byte> input, inflate_engine engine, std::size_t chunk,
                  std::size_t request) {
  outcome got;
  buf_reader source(chunked{input, chunk}, 64);
  read_to_end(inflate(source, {.max_size = most_content, .trailing = trailing::leave, .engine = engine}), request, got);
  got.left = source.buffered().size() + source.inner().data.size();
  return got;
}

bool one_starts_the_other(const outcome& a, const outcome& b) {
  const std::size_t n = std::min(a.content.size(), b.content.size());
  return std::equal(a.content.begin(), a.content.begin() + static_cast<std::ptrdiff_t>(n), b.content.begin());
}

// The same up to an error, and then all the same.
bool agree(const outcome& a, const outcome& b) {
  return a.error ? a.error == b.error && one_starts_the_other(a, b) : a == b;
}

template <class Inflate>
void fuzz_format(const Inflate& inflate, std::span<const std::byte> input, std::size_t variety) {
  const std::size_t chunk = 1 + variety % 61;
  const std::size_t request = 1 + variety % 127;
  const outcome by_zlib = from_memory(inflate, input, inflate_engine::zlib);
  const outcome by_isal = from_memory(inflate, input, inflate_engine::isal);
  fuzz_require(agree(by_zlib, in_chunks(inflate, input, inflate_engine::zlib, chunk, request)), "zlib, in chunks");
  fuzz_require(agree(by_isal, in_chunks(inflate, input, inflate_engine::isal, chunk, request)), "ISA-L, in chunks");
  fuzz_require(one_starts_the_other(by_zlib, by_isal), "the engines decode the same bytes");
  if (!by_zlib.error) fuzz_require(by_zlib == by_isal, "what zlib takes ISA-L takes");
}

}  // namespace

void fuzz_one(std::span<const std::byte> input) {
  std::size_t variety = input.size();
  for (const std::byte b : input) variety = variety * 31 + std::to_integer<std::size_t>(b);
  fuzz_format(gunzip, input, variety);
  fuzz_format(unzlib, input, variety);
  fuzz_format(inflate_raw, input, variety);
}
