// SPDX-License-Identifier: BSL-1.0
//
// What a coder has made in one piece, given out in pieces that have room.
//
#ifndef SLUICE_SRC_COMPRESS_STAGED_OUTPUT_HPP
#define SLUICE_SRC_COMPRESS_STAGED_OUTPUT_HPP

#include <sluice/memory/bytes.hpp>

#include <algorithm>
#include <cstring>
#include <span>

namespace sluice::detail {

class staged_output {
 public:
  bool empty() const noexcept { return taken_ == size_; }

  void clear() noexcept { taken_ = size_ = 0; }

  /// Room for `n` bytes behind what is staged. Allocates where there was less before.
  std::span<std::byte> room(std::size_t n) {
    if (empty()) clear();
    if (memory_.size() - size_ < n) memory_.resize(size_ + n);
    return std::span(memory_).subspan(size_, n);
  }

  /// The first `n` bytes of the room were written.
  void put(std::size_t n) noexcept { size_ += n; }

  void append(std::span<const std::byte> b) {
    std::ranges::copy(b, room(b.size()).begin());
    put(b.size());
  }

  /// Moves into `out` as much as fits; how much.
  std::size_t take(std::span<std::byte> out) noexcept {
    const std::size_t n = std::min(out.size(), size_ - taken_);
    if (n != 0) std::memcpy(out.data(), memory_.data() + taken_, n);
    taken_ += n;
    return n;
  }

 private:
  bytes memory_;
  std::size_t taken_ = 0;
  std::size_t size_ = 0;
};

}  // namespace sluice::detail

#endif
