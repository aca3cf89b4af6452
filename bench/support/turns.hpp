// SPDX-License-Identifier: BSL-1.0
//
// How many turns a loop makes where its calls and allocations are counted rather than its time taken: the driver
// counts a few turns and some more, and the difference is what one turn costs.
//
#ifndef SLUICE_BENCH_SUPPORT_TURNS_HPP
#define SLUICE_BENCH_SUPPORT_TURNS_HPP

#include <cstdint>
#include <cstdlib>

namespace sluice::bench {

/// SLUICE_BENCH_TURNS of the environment; 0: as many as it takes to learn the time.
inline std::uintmax_t asked_turns() {
  const char* const turns = std::getenv("SLUICE_BENCH_TURNS");
  return turns ? std::strtoull(turns, nullptr, 10) : 0;
}

}  // namespace sluice::bench

#endif
