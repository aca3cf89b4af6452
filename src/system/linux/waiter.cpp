// SPDX-License-Identifier: BSL-1.0
#include "../../wait/waiter.hpp"

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

std::optional<std::error_code> waiter::why_ended() const {
  if (stop_.stop_requested()) return io_errc::cancelled;
  if (deadline_ != no_deadline && clock::now() >= deadline_) return std::make_error_code(std::errc::timed_out);
  return std::nullopt;
}

// The token wakes a poll through an eventfd. Where there is none to be had, the poll looks up often instead.
void waiter::arm() {
  if (wake_fd_ >= 0 || !stop_.stop_possible()) return;
  wake_fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd_ >= 0) callback_.emplace(stop_, wake_up{wake_fd_});
}

int waiter::timeout(std::chrono::milliseconds longest) const {
  using std::chrono::milliseconds;
  if (stop_.stop_possible() && wake_fd_ < 0) longest = std::min(longest, milliseconds(50));
  if (deadline_ != no_deadline) {
    const auto now = clock::now();
    const auto left = now < deadline_ ? deadline_ - now : clock::duration::zero();
    longest = std::min(longest, std::chrono::ceil<milliseconds>(left));
  }
  if (longest == forever) return -1;
  return static_cast<int>(std::min(longest, milliseconds(std::chrono::hours(24))).count());
}

bool waiter::ready(int fd, readiness what) noexcept {
  return sys::ready(fd, what == readiness::readable ? POLLIN : POLLOUT);
}

result<bool> waiter::wait(int fd, readiness what, std::chrono::milliseconds longest) {
  arm();
  const auto events = static_cast<short>(what == readiness::readable ? POLLIN : POLLOUT);
  for (;;) {
    if (const auto why = ended()) return fail(*why);
    pollfd both[2]{{.fd = fd, .events = events, .revents = 0}, {.fd = wake_fd_, .events = POLLIN, .revents = 0}};
    const int n = sys::calls.poll(both, wake_fd_ >= 0 ? 2 : 1, timeout(longest));
    if (n < 0 && errno != EINTR) return fail(sys::last_error());
    if (n > 0 && both[0].revents != 0) return true;
    if (longest != forever) return false;
  }
}

}  // namespace sluice::detail
