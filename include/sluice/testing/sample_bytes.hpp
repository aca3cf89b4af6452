// SPDX-License-Identifier: BSL-1.0
//
// Bytes to test with.
//
//   std::vector<std::byte> sample_bytes(std::size_t n, std::uint32_t seed = 1);
//
#ifndef SLUICE_TESTING_SAMPLE_BYTES_HPP
#define SLUICE_TESTING_SAMPLE_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// `n` bytes in which no short run repeats at a power of two, so that a gap or a repetition shows. The same seed makes
/// the same bytes everywhere.
inline std::vector<std::byte> sample_bytes(std::size_t n, std::uint32_t seed = 1) {
  std::vector<std::byte> bytes(n);
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::byte& b : bytes) {
    state = state * 1664525U + 1013904223U;
    b = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

}  // namespace sluice

#endif
