// SPDX-License-Identifier: BSL-1.0
//
// Sizes in bytes: 64_KiB, 1_MiB, 2_GiB. Powers of 1024, as IEC 80000-13 names them.
//
#ifndef SLUICE_LITERALS_HPP
#define SLUICE_LITERALS_HPP

#include <cstddef>

namespace sluice::inline literals {

/// Bytes.
consteval std::size_t operator""_B(unsigned long long n) { return n; }
/// Powers of 1024: 2 to the 10 bytes.
consteval std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
/// 2 to the 20 bytes.
consteval std::size_t operator""_MiB(unsigned long long n) { return n << 20; }
/// 2 to the 30 bytes.
consteval std::size_t operator""_GiB(unsigned long long n) { return n << 30; }

}  // namespace sluice::inline literals

#endif
