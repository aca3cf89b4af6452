// SPDX-License-Identifier: BSL-1.0
//
// A wrapper as a user would write it: it counts, and keeps the kernel paths.
//
#ifndef SLUICE_BENCH_SUPPORT_METERED_HPP
#define SLUICE_BENCH_SUPPORT_METERED_HPP

#include <sluice/concepts.hpp>

#include <span>

namespace sluice::bench {

template <class R>
struct metered {
  R& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = inner.read_some(b);
    if (n) count += *n;
    return n;
  }
  auto kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    inner.kernel_advanced(n);
  }
};

}  // namespace sluice::bench

#endif
