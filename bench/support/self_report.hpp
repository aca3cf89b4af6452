// SPDX-License-Identifier: BSL-1.0
//
// How a program that moves bytes once tells the driver what it took: one line on descriptor 3,
//   <nanoseconds> <nanoseconds of cpu> <bytes>
//
#ifndef SLUICE_BENCH_SUPPORT_SELF_REPORT_HPP
#define SLUICE_BENCH_SUPPORT_SELF_REPORT_HPP

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace sluice::bench {

class stopwatch {
 public:
  void report(std::uintmax_t bytes) const {
    const auto wall = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start_).count();
    ::dprintf(3, "%lld %lld %llu\n", static_cast<long long>(wall), cpu() - cpu_start_,
              static_cast<unsigned long long>(bytes));
  }

 private:
  using clock = std::chrono::steady_clock;

  static long long cpu() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto nanoseconds = [](const timeval& t) { return t.tv_sec * 1'000'000'000LL + t.tv_usec * 1000LL; };
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  }

  long long cpu_start_ = cpu();
  clock::time_point start_ = clock::now();
};

}  // namespace sluice::bench

#endif
