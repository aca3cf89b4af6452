// SPDX-License-Identifier: BSL-1.0
#include "deflate_coders.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::detail {

std::size_t deflate_encoder::take_staged(std::span<std::byte> out) noexcept {
  const std::size_t n = std::min(out.size(), staged_end_ - staged_begin_);
  std::memcpy(out.data(), staged_.data() + staged_begin_, n);
  staged_begin_ += n;
  return n;
}

encoded deflate_encoder::encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) {
  encoded step;
  if (staged_begin_ == staged_end_) {
    if (out.size() >= least_room) return run(in, out, mode);
    step = run(in, staged_, mode);
    staged_begin_ = 0;
    staged_end_ = std::exchange(step.produced, 0);
    staged_done_ = std::exchange(step.done, false);
    staged_mode_ = mode;
  }
  step.produced = take_staged(out);
  // Done is what was asked for then, not what is asked for now.
  if (staged_begin_ == staged_end_ && mode == staged_mode_) step.done = std::exchange(staged_done_, false);
  return step;
}

std::unique_ptr<decoder> make_inflate_decoder(deflate_format format, inflate_engine engine) {
  if (engine != inflate_engine::zlib) {
    if (auto isal = make_isal_decoder(format)) return isal;
  }
  return make_zlib_decoder(format);
}

std::unique_ptr<encoder> make_deflate_encoder(deflate_format format, int level) {
  if (level < 0) {
    if (auto isal = make_isal_encoder(format)) return isal;
    level = 1;
  }
  return make_zlib_encoder(format, std::min(level, 9));
}

}  // namespace sluice::detail
