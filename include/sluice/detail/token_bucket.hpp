// SPDX-License-Identifier: BSL-1.0
//
// How much may pass now, so that it is no more than a rate in the long run.
//
//   struct pace { now, sleep };      // the clock, which a test may replace
//   class token_bucket;
//
#ifndef SLUICE_DETAIL_TOKEN_BUCKET_HPP
#define SLUICE_DETAIL_TOKEN_BUCKET_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace sluice::detail {

struct pace {
  using clock = std::chrono::steady_clock;

  clock::time_point (*now)() = [] { return clock::now(); };
  void (*sleep)(std::chrono::nanoseconds) = [](std::chrono::nanoseconds time) { std::this_thread::sleep_for(time); };
};

/// Holds up to `burst` bytes' worth, filled at the rate. What passes is taken out, be it more than there is: then
/// nothing passes until that is made good.
class token_bucket {
 public:
  token_bucket(std::uint64_t bytes_per_second, std::uint64_t burst, pace clock)
      : rate_(static_cast<double>(std::clamp<std::uint64_t>(bytes_per_second, 1, largest))),
        burst_(burst != 0 ? static_cast<double>(std::min(burst, largest)) : std::max(rate_ * longest_sleep, 1.0)),
        least_(std::clamp(rate_ * longest_sleep, 1.0, burst_)),
        tokens_(burst_),
        clock_(clock),
        filled_at_(clock.now()) {}

  /// Waits until it is worth a call, and returns how many bytes may pass: at least 1.
  std::size_t wait() {
    for (;;)
      if (const std::size_t may = wait_a_little(); may != 0) return may;
  }

  /// The same in one sleep at most: 0 where that was not enough. A rate of 20 bytes a second and more gives something
  /// after each sleep, unless there is a debt.
  std::size_t wait_a_little() {
    fill();
    if (tokens_ < 1) {
      const double missing = std::min((least_ - tokens_) / rate_, longest_sleep);
      clock_.sleep(std::chrono::ceil<std::chrono::nanoseconds>(std::chrono::duration<double>(missing)));
      fill();
    }
    return tokens_ < 1 ? 0 : static_cast<std::size_t>(tokens_);
  }

  void spend(std::uintmax_t n) noexcept { tokens_ -= static_cast<double>(n); }

 private:
  static constexpr std::uint64_t largest = std::uint64_t{1} << 53;  // up to here a double counts every byte
  static constexpr double longest_sleep = 0.05;  // seconds, so that a caller who wants to stop is soon heard

  void fill() {
    const pace::clock::time_point now = clock_.now();
    tokens_ = std::min(tokens_ + std::chrono::duration<double>(now - filled_at_).count() * rate_, burst_);
    filled_at_ = now;
  }

  double rate_;   // bytes a second
  double burst_;  // bytes
  double least_;  // what a sleep is for, in bytes
  double tokens_;
  pace clock_;
  pace::clock::time_point filled_at_;
};

}  // namespace sluice::detail

#endif
