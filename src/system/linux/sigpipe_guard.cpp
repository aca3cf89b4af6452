// SPDX-License-Identifier: BSL-1.0
#include "sigpipe_guard.hpp"

#include "calls.hpp"

namespace sluice::detail::sys {

namespace {

sigset_t only_sigpipe() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

}  // namespace

sigpipe_guard::sigpipe_guard() noexcept {
  const int saved = errno;
  // A pending SIGPIPE is a blocked one: another merges with it, and it is the application's, not ours to take.
  sigset_t pending;
  sigemptyset(&pending);
  calls.sigpending(&pending);
  if (sigismember(&pending, SIGPIPE) != 1) {
    const sigset_t set = only_sigpipe();
    active_ = calls.pthread_sigmask(SIG_BLOCK, &set, &old_mask_) == 0;
  }
  errno = saved;
}

sigpipe_guard::~sigpipe_guard() {
  if (!active_) return;
  const int saved = errno;
  // Even a call that moved something may have raised it: sendfile(2) answers its count, and the signal waits.
  const sigset_t set = only_sigpipe();
  const timespec at_once{};
  retry([&] { return calls.sigtimedwait(&set, nullptr, &at_once); });
  calls.pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  errno = saved;
}

}  // namespace sluice::detail::sys
