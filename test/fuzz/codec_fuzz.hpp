// SPDX-License-Identifier: BSL-1.0
//
// What is required of every decompressing reader, whatever it is given.
//
//   fuzz_decoder(input, [](auto&& r, const auto& options) { return unzstd(r, options); });
//
#ifndef SLUICE_TEST_FUZZ_CODEC_FUZZ_HPP
#define SLUICE_TEST_FUZZ_CODEC_FUZZ_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/compress/decompress_options.hpp>
#include <sluice/memory/span_reader.hpp>

#include "fuzz/fuzz.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace fuzz {

inline constexpr std::size_t largest_content = std::size_t{1} << 18;

struct outcome {
  std::vector<std::byte> content = {};
  std::error_code error = {};
};

/// Where it fails, a decoder may have more or less to give of a broken block, depending on the pieces that it came in.
inline bool agree(const outcome& a, const outcome& b) {
  const std::size_t common = a.error ? std::min(a.content.size(), b.content.size()) : a.content.size();
  return a.error == b.error && (a.error || b.content.size() == common) &&
         std::ranges::equal(std::span(a.content).first(common), std::span(b.content).first(common));
}

/// All that a reader delivers, in requests of `request` bytes. What it says at the end it says again.
template <class R>
outcome drain(R&& r, std::size_t request) {
  outcome got;
  std::vector<std::byte> room(request);
  for (;;) {
    const auto n = sluice::read_some(r, std::span(room));
    if (!n || *n == 0) {
      if (!n) got.error = n.error();
      const auto again = sluice::read_some(r, std::span(room));
      fuzz_require(again.has_value() == n.has_value() && again.value_or(0) == 0, "the end stays the end");
      fuzz_require(again || again.error() == got.error, "an error stays");
      return got;
    }
    got.content.insert(got.content.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*n));
    fuzz_require(got.content.size() <= largest_content, "the bound on the content is kept");
  }
}

/// At most `most` bytes a call.
struct piecewise_reader {
  std::span<const std::byte> data;
  std::size_t most;

  sluice::result<std::size_t> read_some(std::span<std::byte> b) {
    const std::size_t n = std::min({b.size(), most, data.size()});
    std::ranges::copy(data.first(n), b.begin());
    data = data.subspan(n);
    return n;
  }
};

/// The same comes out of memory, of small pieces and of a small buffer; what stays behind the last member is a suffix
/// of the input, wherever it came from.
template <class Decompress>
outcome fuzz_decoder(std::span<const std::byte> input, Decompress decompress) {
  using sluice::trailing;
  const sluice::decompress_options options{.max_size = largest_content};
  const outcome whole = drain(decompress(sluice::span_reader(input), options), 4096);
  fuzz_require(agree(drain(decompress(sluice::span_reader(input), options), 61), whole), "requests of any size");
  fuzz_require(agree(drain(decompress(piecewise_reader{input, 5}, options), 4096), whole), "pieces of any size");

  const sluice::decompress_options leaving{.max_size = largest_content, .trailing = trailing::leave};
  sluice::span_reader memory(input);
  sluice::buf_reader small(piecewise_reader{input, 7}, 16);
  const outcome left = drain(decompress(memory, leaving), 4096);
  fuzz_require(agree(drain(decompress(small, leaving), 100), left), "a small buffer");
  if (!left.error) {
    const outcome rest = drain(small, 4096);
    fuzz_require(std::ranges::equal(rest.content, input.last(memory.remaining())), "the rest is left as it was");
  }
  return whole;
}

}  // namespace fuzz

#endif
