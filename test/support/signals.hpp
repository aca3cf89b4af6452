// SPDX-License-Identifier: BSL-1.0
//
// Signals for tests.
//
//   signal_storm storm;            // interrupts this thread every millisecond, without SA_RESTART; storm.count()
//   signal_storm storm(200us);     // as often as that
//   default_sigpipe deadly;        // SIGPIPE kills, as in a fresh process
//
#ifndef SLUICE_TEST_SUPPORT_SIGNALS_HPP
#define SLUICE_TEST_SUPPORT_SIGNALS_HPP

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace sluice::test {

/// Sends SIGALRM to the thread that makes it, until it is destroyed. System calls that wait then fail with EINTR.
class signal_storm {
 public:
  explicit signal_storm(std::chrono::microseconds interval = std::chrono::milliseconds(1)) {
    count_ = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { ++count_; };
    sigaction(SIGALRM, &action, &old_);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event._sigev_un._tid = ::gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) throw std::runtime_error("timer_create");
    itimerspec period{};
    period.it_value.tv_nsec = period.it_interval.tv_nsec = static_cast<long>(interval.count()) * 1000;
    timer_settime(timer_, 0, &period, nullptr);
  }

  ~signal_storm() {
    timer_delete(timer_);
    sigaction(SIGALRM, &old_, nullptr);
  }

  signal_storm(const signal_storm&) = delete;
  signal_storm& operator=(const signal_storm&) = delete;

  /// How often it has interrupted so far.
  static int count() { return count_; }

 private:
  static inline std::atomic<int> count_{0};
  timer_t timer_{};
  struct sigaction old_{};
};

/// Sets SIGPIPE to its default, unblocked, so that one that gets through ends the test program.
class default_sigpipe {
 public:
  default_sigpipe() {
    struct sigaction action{};
    action.sa_handler = SIG_DFL;
    sigaction(SIGPIPE, &action, &old_);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &set, &old_mask_);
  }

  ~default_sigpipe() {
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
    sigaction(SIGPIPE, &old_, nullptr);
  }

  default_sigpipe(const default_sigpipe&) = delete;
  default_sigpipe& operator=(const default_sigpipe&) = delete;

 private:
  struct sigaction old_{};
  sigset_t old_mask_{};
};

}  // namespace sluice::test

#endif
