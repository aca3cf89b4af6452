// SPDX-License-Identifier: BSL-1.0
//
// A clock for `throttle` that only sleeping moves.
//
#ifndef SLUICE_TEST_ADAPTOR_FAKE_CLOCK_HPP
#define SLUICE_TEST_ADAPTOR_FAKE_CLOCK_HPP

#include <sluice/detail/token_bucket.hpp>

namespace support {

struct fake_clock {
  static inline std::chrono::nanoseconds time{};
  static inline std::chrono::nanoseconds longest{};  // of the sleeps
  static inline int sleeps = 0;

  /// Starts anew.
  static sluice::detail::pace start() {
    time = std::chrono::hours(1);
    longest = {};
    sleeps = 0;
    return {.now = [] { return sluice::detail::pace::clock::time_point(time); },
            .sleep =
                [](std::chrono::nanoseconds t) {
                  time += t;
                  longest = std::max(longest, t);
                  ++sleeps;
                }};
  }

  static double seconds() { return std::chrono::duration<double>(time - std::chrono::hours(1)).count(); }
};

}  // namespace support

#endif
