// SPDX-License-Identifier: BSL-1.0
//
// decompressed: agrees with itself on every input, and passes on as it is whatever is in no format.
//
#include <sluice/compress/detect.hpp>

#include "fuzz/codec_fuzz.hpp"

void fuzz_one(std::span<const std::byte> input) {
  const fuzz::outcome got = fuzz::fuzz_decoder(input, []<class R>(R&& r, const sluice::decompress_options& options) {
    return sluice::decompressed(std::forward<R>(r), options);
  });
  sluice::span_reader memory(input);
  if (sluice::detect(memory) != sluice::compression::none) return;
  fuzz_require(memory.remaining() == input.size(), "looking takes nothing");
  fuzz_require(!got.error && std::ranges::equal(got.content, input), "plain bytes are passed on");
}
