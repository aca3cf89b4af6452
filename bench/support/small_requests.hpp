// SPDX-License-Identifier: BSL-1.0
//
// Loops of small requests: of 1, 8 and 64 bytes, of a size that the compiler knows or one that it does not.
//
//   repeat(state, [&] { ... });                       // the time of one request
//   add_sizes<Way>("small_writes", "buf_writer");     // Way::run<Size>(state); Size: known<8>, unknown<8>, ...
//
#ifndef SLUICE_BENCH_SUPPORT_SMALL_REQUESTS_HPP
#define SLUICE_BENCH_SUPPORT_SMALL_REQUESTS_HPP

#include "rows.hpp"

#include <cstddef>
#include <cstdlib>

namespace sluice::bench {

/// Of every buffer here.
inline constexpr std::size_t buffer_bytes = 65536;
inline constexpr std::size_t largest_request = 64;

template <std::size_t N>
struct known {
  static constexpr std::size_t bytes = N;
  static constexpr const char* name = "known";
  static constexpr std::size_t get() noexcept { return N; }
};

template <std::size_t N>
struct unknown {
  static constexpr std::size_t bytes = N;
  static constexpr const char* name = "unknown";
  static std::size_t get() noexcept {
    std::size_t n = N;
    benchmark::DoNotOptimize(n);
    return n;
  }
};

/// Google Benchmark's own loop costs as much as such a request, so it turns once for many of them.
template <class Request>
void repeat(benchmark::State& state, Request request) {
  constexpr std::size_t batch = 16384;
  while (state.KeepRunningBatch(batch))
    for (std::size_t i = 0; i != batch; ++i) request();
}

inline void check(bool good) {
  if (!good) [[unlikely]]
    std::abort();
}

/// Row TOPIC/BYTES/known/WAY, and the like.
template <class Way, class... Sizes>
void add_each(const std::string& topic, const char* way) {
  (add_row(topic + "/" + std::to_string(Sizes::bytes) + "/" + Sizes::name + "/" + way,
           [](benchmark::State& state) { Way::template run<Sizes>(state); }),
   ...);
}

template <class Way>
void add_sizes(const std::string& topic, const char* way) {
  add_each<Way, known<1>, known<8>, known<64>, unknown<1>, unknown<8>, unknown<64>>(topic, way);
}

}  // namespace sluice::bench

#endif
