// SPDX-License-Identifier: BSL-1.0
//
// Compressed samples, and what a reader makes of them.
//
#ifndef SLUICE_TEST_COMPRESS_PACKED_HPP
#define SLUICE_TEST_COMPRESS_PACKED_HPP

#include <sluice/compress/gzip.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/write.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <random>

namespace packed {

using namespace sluice;
using support::equal;
using sizes = std::vector<std::size_t>;
using blob = std::vector<std::byte>;

inline constexpr std::array engines{inflate_engine::zlib, inflate_engine::isal};

/// Words of a small vocabulary: compresses as text does, with matches of all distances.
inline blob words(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  blob all;
  while (all.size() < n) {
    std::mt19937 word(static_cast<unsigned>(random() % 300));
    for (unsigned letters = 2 + word() % 8; letters != 0; --letters) all.push_back(std::byte('a' + word() % 26));
    all.push_back(std::byte{' '});
    // Something that cannot be foreseen keeps the codes long.
    if (random() % 4 == 0) all.push_back(std::byte(random() % 256));
  }
  all.resize(n);
  return all;
}

/// What `format` makes of `content`; `gzip`, `zlib` or `deflate_raw`.
template <class Format>
blob pack(const Format& format, std::span<const std::byte> content, const deflate_options& options = {}) {
  bytes_writer to;
  auto out = format(to, options);
  EXPECT_TRUE(write_all(out, content));
  EXPECT_TRUE(out.close());
  return {to.view().begin(), to.view().end()};
}

inline blob joined(std::initializer_list<std::span<const std::byte>> parts) {
  blob all;
  for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// All that a reader delivers, and how it ends.
struct outcome {
  blob content;
  std::error_code error;

  bool operator==(const outcome&) const = default;
};

template <class R>
outcome drained(R&& r, std::size_t request = 4096) {
  outcome all;
  blob room(request);
  for (;;) {
    const result<std::size_t> n = sluice::read_some(r, std::span(room));
    if (!n) all.error = n.error();
    if (!n || *n == 0) return all;
    all.content.insert(all.content.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*n));
  }
}

inline bool starts_with(std::span<const std::byte> all, std::span<const std::byte> start) {
  return start.size() <= all.size() && equal(all.first(start.size()), start);
}

}  // namespace packed

#endif
