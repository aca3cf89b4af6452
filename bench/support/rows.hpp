// SPDX-License-Identifier: BSL-1.0
//
// A row of a Google Benchmark program. The driver runs one row at a time, in turns with its peers.
//
#ifndef SLUICE_BENCH_SUPPORT_ROWS_HPP
#define SLUICE_BENCH_SUPPORT_ROWS_HPP

#include "turns.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <utility>

namespace sluice::bench {

template <class Loop>
void add_row(const std::string& name, Loop loop) {
  benchmark::internal::Benchmark* const row = benchmark::RegisterBenchmark(name.c_str(), std::move(loop));
  if (const std::uintmax_t turns = asked_turns(); turns != 0) row->Iterations(static_cast<std::int64_t>(turns));
}

}  // namespace sluice::bench

#endif
