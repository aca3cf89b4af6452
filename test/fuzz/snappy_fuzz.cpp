// SPDX-License-Identifier: BSL-1.0
//
// Snappy: the reader of frames agrees with itself on every input, and takes back what the writer made of it; a raw
// block gives what it claims, or nothing.
//
#include <sluice/compress/snappy.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/read.hpp>
#include <sluice/write.hpp>

#include "fuzz/codec_fuzz.hpp"

void fuzz_one(std::span<const std::byte> input) {
  fuzz::fuzz_decoder(input, []<class R>(R&& r, const sluice::decompress_options& options) {
    return sluice::unsnappy(std::forward<R>(r), options);
  });

  const auto block = sluice::snappy_uncompress(input, fuzz::largest_content);
  fuzz_require(!block || block->size() <= fuzz::largest_content, "the bound on a block is kept");
  const auto back = sluice::snappy_uncompress(sluice::snappy_compress(input), input.size());
  fuzz_require(back && std::ranges::equal(*back, input), "what was compressed comes back");

  sluice::bytes_writer packed;
  auto w = packed | sluice::snappy();
  fuzz_require(sluice::write_all(w, input.first(input.size() / 2)) && w.flush() &&
                   sluice::write_all(w, input.subspan(input.size() / 2)) && w.close(),
               "memory can be written");
  const auto content = sluice::read_all(sluice::span_reader(packed.view()) | sluice::unsnappy());
  fuzz_require(content && std::ranges::equal(*content, input), "what was framed comes back");
}
