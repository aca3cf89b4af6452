// SPDX-License-Identifier: BSL-1.0
//
// Endless repetition.
//
//   class repeat_reader;     // repeat_reader r{std::byte{'-'}};  repeat_reader r{pattern};
//   class zero_reader;       // zero_reader{} | limit(1_MiB)
//
#ifndef SLUICE_MEMORY_REPEAT_READER_HPP
#define SLUICE_MEMORY_REPEAT_READER_HPP

#include <sluice/buffer.hpp>
#include <sluice/concepts.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace sluice {

/// Repeats one byte, or a pattern, and never ends: every read is full. Put a `limit` on it. Models
/// skippable.
class repeat_reader {
 public:
  /// Repeats `value`.
  constexpr explicit repeat_reader(std::byte value) noexcept : value_(value) {}

  /// Repeats `pattern`, which is not empty, and which somebody else owns and keeps alive.
  constexpr explicit repeat_reader(std::span<const std::byte> pattern) noexcept : pattern_(pattern) {
    assert(!pattern.empty());
  }
  /// The same, of text.
  explicit repeat_reader(std::string_view pattern) noexcept : repeat_reader(as_bytes(pattern)) {}

  /// Fills `b` with what comes next; returns its size. Never fails.
  result<std::size_t> read_some(std::span<std::byte> b) noexcept {
    if (b.empty()) return std::size_t{0};
    if (pattern_.empty())
      std::memset(b.data(), std::to_integer<int>(value_), b.size());
    else
      repeat(b);
    return b.size();
  }

  /// Moves on by `n` bytes; returns `n`.
  result<std::uintmax_t> skip(std::uintmax_t n) noexcept {
    advance(n);
    return n;
  }

 private:
  void repeat(std::span<std::byte> b) noexcept {
    // One period as it comes, from here to the end of the pattern and on from its beginning.
    const std::size_t period = pattern_.size();
    const std::size_t first = std::min(period - offset_, b.size());
    std::memcpy(b.data(), pattern_.data() + offset_, first);
    const std::size_t second = std::min(offset_, b.size() - first);
    if (second != 0) std::memcpy(b.data() + first, pattern_.data(), second);

    // Then copies of what is there already, twice as much each time; not more than stays in the
    // nearest cache.
    constexpr std::size_t near_enough = 16384;
    std::size_t block = first + second;
    for (std::size_t done = block; done < b.size();) {
      const std::size_t n = std::min(block, b.size() - done);
      std::memcpy(b.data() + done, b.data(), n);
      done += n;
      if (block <= near_enough && n == block) block = done;
    }
    advance(b.size());
  }

  void advance(std::uintmax_t n) noexcept {
    const std::size_t period = pattern_.size();
    if (period < 2) return;
    const auto step = static_cast<std::size_t>(n % period);
    offset_ = step < period - offset_ ? offset_ + step : offset_ - (period - step);
  }

  std::span<const std::byte> pattern_;  // empty: value_ is repeated
  std::size_t offset_ = 0;
  std::byte value_{};
};

/// Zeros without end, as /dev/zero gives them.
class zero_reader : public repeat_reader {
 public:
  constexpr zero_reader() noexcept : repeat_reader(std::byte{0}) {}
};

}  // namespace sluice

#endif
