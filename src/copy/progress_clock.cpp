// SPDX-License-Identifier: BSL-1.0
#include "progress_clock.hpp"

#include "../wait/waiter.hpp"

#include <algorithm>

namespace sluice::detail {

std::chrono::milliseconds progress_clock::longest_wait() const noexcept {
  using std::chrono::milliseconds;
  return wanted() ? std::clamp(options_.progress_interval, milliseconds(1), milliseconds(1000)) : waiter::forever;
}

void progress_clock::tick(std::uintmax_t bytes, bool last) {
  if (!wanted()) return;
  const auto now = clock::now();
  if (!last && last_tick_ != clock::time_point::min()) {
    // Compared in milliseconds, as the longest of intervals has too many nanoseconds for a count of them.
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now - last_tick_);
    if (since < options_.progress_interval) return;
  }
  last_tick_ = now;
  options_.on_progress(bytes);
}

}  // namespace sluice::detail
