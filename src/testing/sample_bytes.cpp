// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/sample_bytes.hpp>

namespace sluice {

std::vector<std::byte> sample_bytes(std::size_t n, std::uint32_t seed) {
  std::vector<std::byte> bytes(n);
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::byte& b : bytes) {
    state = state * 1664525U + 1013904223U;
    b = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

}  // namespace sluice
