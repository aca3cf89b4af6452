// SPDX-License-Identifier: BSL-1.0
//
// Zstandard: the reader agrees with itself on every input, and takes back what the writer made of it.
//
#include <sluice/compress/zstd.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/read.hpp>
#include <sluice/write.hpp>

#include "fuzz/codec_fuzz.hpp"

void fuzz_one(std::span<const std::byte> input) {
  fuzz::fuzz_decoder(input, []<class R>(R&& r, const sluice::decompress_options& options) {
    return sluice::unzstd(std::forward<R>(r), options);
  });

  sluice::bytes_writer packed;
  auto w = packed | sluice::zstd({.level = input.empty() ? 1 : 1 - std::to_integer<int>(input[0]) % 8});
  fuzz_require(sluice::write_all(w, input.first(input.size() / 2)) && w.flush() &&
                   sluice::write_all(w, input.subspan(input.size() / 2)) && w.close(),
               "memory can be written");
  const auto content = sluice::read_all(sluice::span_reader(packed.view()) | sluice::unzstd());
  fuzz_require(content && std::ranges::equal(*content, input), "what was compressed comes back");
}
