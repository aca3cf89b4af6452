// SPDX-License-Identifier: BSL-1.0
//
// gzip, zlib and deflate for the sweeps, by either engine.
//
//   by_both_engines<gzip_codec>([](const auto& codec) { ... });
//
#ifndef SLUICE_TEST_COMPRESS_GZIP_CODECS_HPP
#define SLUICE_TEST_COMPRESS_GZIP_CODECS_HPP

#include <sluice/compress/gzip.hpp>

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace support {

template <const auto& Inflate, const auto& Deflate, bool Checked, bool Members>
struct deflate_codec {
  static constexpr bool detects_corruption = Checked;
  static constexpr bool has_members = Members;

  sluice::inflate_engine engine = sluice::inflate_engine::automatic;

  template <sluice::reader R>
  auto decompress(R&& r, sluice::decompress_options options = {}) const {
    options.engine = engine;
    return Inflate(std::forward<R>(r), options);
  }
  template <sluice::writer W>
  auto compress(W&& w, int level) const {
    return Deflate(std::forward<W>(w), {.level = level, .buffer_size = 512});
  }
  std::vector<int> levels() const { return {6, 0, 1, 9, sluice::deflate_options::fast}; }
};

using gzip_codec = deflate_codec<sluice::gunzip, sluice::gzip, true, true>;
using zlib_codec = deflate_codec<sluice::unzlib, sluice::zlib, true, false>;
using raw_codec = deflate_codec<sluice::inflate_raw, sluice::deflate_raw, false, false>;

template <class Codec, class Sweep>
void by_both_engines(Sweep sweep) {
  for (const auto engine : {sluice::inflate_engine::isal, sluice::inflate_engine::zlib}) {
    SCOPED_TRACE(engine == sluice::inflate_engine::isal ? "ISA-L" : "zlib");
    sweep(Codec{engine});
  }
}

}  // namespace support

#endif
