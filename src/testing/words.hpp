// SPDX-License-Identifier: BSL-1.0
//
// What a report says of bytes and calls.
//
#ifndef SLUICE_SRC_TESTING_WORDS_HPP
#define SLUICE_SRC_TESTING_WORDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::detail {

inline std::string number(std::uintmax_t n) { return std::to_string(n); }

/// The sizes that a piece of memory is cut into: "3+0+5".
inline std::string joined(std::span<const std::size_t> sizes) {
  std::string text;
  for (const std::size_t n : sizes) {
    if (!text.empty()) text += '+';
    text += number(n);
  }
  return text;
}

/// "seek(7, begin) at byte 21"
inline std::string call(std::string_view name, std::string_view arguments, std::uintmax_t at) {
  return std::string(name) + "(" + std::string(arguments) + ") at byte " + number(at);
}

/// A call that was made: "read_some(7) at byte 21". It becomes text only where there is something to report.
struct made_call {
  std::string_view name;
  std::span<const std::size_t> arguments;
  std::size_t at;

  std::string text() const { return call(name, joined(arguments), at); }
};

inline std::string hex(std::byte b) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = std::to_integer<unsigned>(b);
  return std::string("0x") + digits[value >> 4] + digits[value & 15];
}

/// Where and how `got` is not what `expected` starts with, as what was expected and what was found; `at` is the number
/// of the first byte.
inline std::optional<std::pair<std::string, std::string>> difference(std::span<const std::byte> got,
                                                                     std::span<const std::byte> expected,
                                                                     std::uintmax_t at) {
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(got, expected).in1 - got.begin());
  if (same == got.size()) return std::nullopt;
  if (same == expected.size())
    return std::pair("the end after byte " + number(at + same), number(got.size() - same) + " bytes more");
  return std::pair("byte " + number(at + same) + " is " + hex(expected[same]), hex(got[same]));
}

/// The same numbers everywhere.
class dice {
 public:
  explicit dice(std::uint32_t seed) noexcept : state_(seed * 2654435761U + 1) {}

  /// From 0 to `limit - 1`.
  std::size_t below(std::size_t limit) noexcept {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 8) % limit;
  }

 private:
  std::uint32_t state_;
};

}  // namespace sluice::detail

#endif
