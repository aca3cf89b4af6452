// SPDX-License-Identifier: BSL-1.0
#ifndef SLUICE_BENCH_DRIVER_COUNTING_HPP
#define SLUICE_BENCH_DRIVER_COUNTING_HPP

#include "contest.hpp"

namespace sluice::bench {

/// Runs the contender a few times more: under strace(1), which counts its calls, and with a malloc that counts. Of a
/// loop some turns are compared with a few, of a move the whole with the move of nothing; what a program costs that
/// does nothing is so left out. A process counts as a whole. Where threads feed the loop, their calls count too.
counts count(const row& work, const contender& who);

/// Where memory_counter.so is; empty: allocations are not counted.
void count_memory_by(const std::string& library);

}  // namespace sluice::bench

#endif
