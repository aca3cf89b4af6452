// SPDX-License-Identifier: BSL-1.0
//
// A row of a Google Benchmark program. The driver runs one row at a time, in turns with its peers.
//
#ifndef SLUICE_BENCH_SUPPORT_ROWS_HPP
#define SLUICE_BENCH_SUPPORT_ROWS_HPP

#include <benchmark/benchmark.h>

#include <string>
#include <utility>

namespace sluice::bench {

template <class Loop>
void add_row(const std::string& name, Loop loop) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(loop));
}

}  // namespace sluice::bench

#endif
