// SPDX-License-Identifier: BSL-1.0
//
// Keeps SIGPIPE from the process while a call runs that has no flag to suppress it.
//
//   class sigpipe_guard { sigpipe_guard() noexcept; ~sigpipe_guard(); };
//
//   sigpipe_guard guard;
//   n = sendfile(...);
//
#ifndef SLUICE_SRC_SYSTEM_LINUX_SIGPIPE_GUARD_HPP
#define SLUICE_SRC_SYSTEM_LINUX_SIGPIPE_GUARD_HPP

#include <signal.h>

namespace sluice::detail::sys {

/// Blocks SIGPIPE in this thread for as long as it lives. A SIGPIPE that was pending before stays pending; one that
/// came meanwhile is taken away before the mask is restored. Leaves errno as it is.
/// The kernel sends SIGPIPE to the thread that writes, so no other thread is concerned: see pipe(7) and signal(7).
class sigpipe_guard {
 public:
  sigpipe_guard() noexcept;
  ~sigpipe_guard();

  sigpipe_guard(const sigpipe_guard&) = delete;
  sigpipe_guard& operator=(const sigpipe_guard&) = delete;

 private:
  sigset_t old_mask_;
  bool active_ = false;  // nothing was pending, and the mask is ours to restore
};

}  // namespace sluice::detail::sys

#endif
