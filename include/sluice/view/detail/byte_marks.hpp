// SPDX-License-Identifier: BSL-1.0
//
// Where a byte occurs, 512 bytes at a time, as bit masks of 64.
//
//   class byte_marks;                                    // one place after the other
//   std::span<const byte_marker> byte_markers() noexcept;     // every way that this machine has to mark them
//
#ifndef SLUICE_VIEW_DETAIL_BYTE_MARKS_HPP
#define SLUICE_VIEW_DETAIL_BYTE_MARKS_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::detail {

/// Bit i of word b stands for the byte at 64 * b + i.
using mark_words = std::array<std::uint64_t, 8>;

inline constexpr std::size_t marked_size = mark_words().size() * 64;  // bytes

class byte_marks {
 public:
  /// Whether a place is left.
  bool any() noexcept {
    while (word_ == 0) {
      if (block_ == last_) return false;
      block_ += 64;
      word_ = words_[next_++];
    }
    return true;
  }

  /// The next place, where there is `any`.
  const std::byte* first() const noexcept { return block_ + std::countr_zero(word_); }
  void drop_first() noexcept { word_ &= word_ - 1; }

  /// Looks for the byte in the beginning of [from, end), where no place is left. Returns up to where it has looked.
  const std::byte* look(const std::byte* from, const std::byte* end, std::byte wanted) noexcept;

 private:
  std::uint64_t word_ = 0;            // of the block, the places behind us removed
  const std::byte* block_ = nullptr;  // 64 bytes, the last may be shorter
  const std::byte* last_ = nullptr;
  std::size_t next_ = 0;
  mark_words words_{};
};

/// One way to mark a byte in the first `marked_size` bytes of [from, end), or all of it. Reads nothing outside. They
/// differ in speed only.
struct byte_marker {
  const char* name;
  void (*mark)(const std::byte* from, const std::byte* end, std::byte wanted, mark_words& words) noexcept;
};

/// What this machine can run, the fastest last.
std::span<const byte_marker> byte_markers() noexcept;

}  // namespace sluice::detail

#endif
