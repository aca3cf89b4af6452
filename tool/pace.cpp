// SPDX-License-Identifier: BSL-1.0
#include "pace.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace sluice::tool {

pace::pace(std::uintmax_t bytes_per_second) noexcept
    : piece_(std::max<std::uintmax_t>(bytes_per_second / 20, 1)),
      interval_(std::chrono::duration_cast<clock::duration>(
          std::chrono::duration<double>(static_cast<double>(piece_) / static_cast<double>(bytes_per_second)))) {}

std::uintmax_t pace::next(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_until(lock, stop, ready_, [] { return false; });
  // A piece that comes a little late does not delay those after it.
  ready_ = std::max(ready_, clock::now() - interval_) + interval_;
  return piece_;
}

}  // namespace sluice::tool
