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
std::vector<std::byte> sample_bytes(std::size_t n, std::uint32_t seed = 1);

}  // namespace sluice

#endif
