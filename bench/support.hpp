// SPDX-License-Identifier: BSL-1.0
//
// How every row is measured: many short repetitions, of which the minimum and the median count. bench/run takes the
// rows in turns, in one process, so that they share what the machine is going through.
//
#ifndef SLUICE_BENCH_SUPPORT_HPP
#define SLUICE_BENCH_SUPPORT_HPP

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sluice::bench {

template <class Loop>
void add_row(const std::string& name, Loop loop) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(loop))
      ->MinTime(0.1)
      ->Repetitions(15)
      ->ComputeStatistics("min", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); })
      ->ReportAggregatesOnly();
}

}  // namespace sluice::bench

#endif
