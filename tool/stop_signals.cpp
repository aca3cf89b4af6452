// SPDX-License-Identifier: BSL-1.0
#include "stop_signals.hpp"

#include <system_error>

namespace sluice::tool {

stop_signals::watch::watch(stop_signals& signals) : signals_(signals) {
  ::sigemptyset(&waited_for_);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    ::sigaddset(&waited_for_, signal);
    wake_ = signal;
  }
  if (wake_ == 0 || signals_.caught() != 0) return;

  ::pthread_sigmask(SIG_BLOCK, &waited_for_, &old_mask_);
  try {
    thread_ = std::thread(&watch::wait, this);
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  }
}

stop_signals::watch::~watch() {
  if (!thread_.joinable()) return;
  // Sent only to a thread that still waits for it: after a signal it would kill.
  if (state_.exchange(ended) == listening)
    ::pthread_kill(thread_.native_handle(), wake_);
  else
    state_.notify_one();
  thread_.join();
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void stop_signals::watch::wait() noexcept {
  int signal = 0;
  while (::sigwait(&waited_for_, &signal) != 0) {
  }
  int expected = listening;
  if (!state_.compare_exchange_strong(expected, stopping)) return;
  signals_.caught_ = signal;
  signals_.source_.request_stop();

  // Stays to be the one thread that has the signals unblocked, so that the next one kills.
  ::pthread_sigmask(SIG_UNBLOCK, &waited_for_, nullptr);
  state_.wait(stopping);
}

}  // namespace sluice::tool
