// SPDX-License-Identifier: BSL-1.0
//
// A fuzz target defines one function, which must not crash, hang or trip an assertion for any input:
//
//   void fuzz_one(std::span<const std::byte> input);
//
// With clang++ it is a libFuzzer program; elsewhere standalone.cpp runs it over the corpus and seeded mutations of it.
//
#ifndef SLUICE_TEST_FUZZ_FUZZ_HPP
#define SLUICE_TEST_FUZZ_FUZZ_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>

void fuzz_one(std::span<const std::byte> input);

/// Ends the program, which the fuzzer takes for a finding, unless `holds`.
inline void fuzz_require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

#endif
