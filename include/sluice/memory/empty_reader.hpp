// SPDX-License-Identifier: BSL-1.0
//
// A stream without bytes.
//
//   class empty_reader;
//
#ifndef SLUICE_MEMORY_EMPTY_READER_HPP
#define SLUICE_MEMORY_EMPTY_READER_HPP

#include <sluice/concepts.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sluice {

/// A reader that is at its end. As capable as a span_reader over nothing, without its members.
class empty_reader {
 public:
  static constexpr bool in_memory = true;

  result<std::size_t> read_some(std::span<std::byte>) noexcept { return std::size_t{0}; }
  constexpr std::span<const std::byte> buffered() const noexcept { return {}; }
  result<std::span<const std::byte>> fill(std::size_t) noexcept { return buffered(); }
  constexpr void consume([[maybe_unused]] std::size_t n) noexcept { assert(n == 0); }
  result<std::uintmax_t> skip(std::uintmax_t) noexcept { return std::uintmax_t{0}; }
  constexpr std::optional<std::uintmax_t> size_hint() const noexcept { return 0; }
};

}  // namespace sluice

#endif
