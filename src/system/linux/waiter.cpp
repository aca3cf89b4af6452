// SPDX-License-Identifier: BSL-1.0
#include "../../copy/waiter.hpp"

#include "kernel_paths.hpp"

#include <sys/eventfd.h>

#include <algorithm>

namespace sluice::detail {

waiter::~waiter() {
  callback_.reset();
  if (wake_fd_ >= 0) sys::calls.close(wake_fd_);
}

void waiter::wake_up::operator()() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
}

// The token wakes a poll through an eventfd. Where there is none to be had, the poll looks up often instead.
void waiter::arm() {
  if (wake_fd_ >= 0 || !options_.stop.stop_possible()) return;
  wake_fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd_ >= 0) callback_.emplace(options_.stop, wake_up{wake_fd_});
}

int waiter::timeout() const {
  int limit = -1;
  if (options_.on_progress) {
    const auto interval = std::max<std::int64_t>(options_.progress_interval.count(), 1);
    limit = static_cast<int>(std::min<std::int64_t>(interval, 1000));
  }
  if (options_.stop.stop_possible() && wake_fd_ < 0) limit = limit < 0 ? 50 : std::min(limit, 50);
  return limit;
}

bool waiter::ready(int fd, readiness what) noexcept {
  return sys::ready(fd, what == readiness::readable ? POLLIN : POLLOUT);
}

std::error_code waiter::wait(int fd, readiness what, std::uintmax_t bytes) {
  arm();
  const auto events = static_cast<short>(what == readiness::readable ? POLLIN : POLLOUT);
  for (;;) {
    if (options_.stop.stop_requested()) return io_errc::cancelled;
    pollfd both[2]{{.fd = fd, .events = events, .revents = 0}, {.fd = wake_fd_, .events = POLLIN, .revents = 0}};
    const int n = sys::calls.poll(both, wake_fd_ >= 0 ? 2 : 1, timeout());
    if (n < 0 && errno != EINTR) return sys::last_error();
    tick(bytes);
    if (n > 0 && both[0].revents != 0) return {};
  }
}

void waiter::tick(std::uintmax_t bytes, bool last) {
  if (!options_.on_progress) return;
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
