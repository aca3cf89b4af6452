// SPDX-License-Identifier: BSL-1.0
//
// SIGINT and SIGTERM as a request to stop.
//
//   class stop_signals {
//     std::stop_token token() const;
//     int caught() const;
//     class watch { explicit watch(stop_signals&); };
//   };
//
#ifndef SLUICE_TOOL_STOP_SIGNALS_HPP
#define SLUICE_TOOL_STOP_SIGNALS_HPP

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace sluice::tool {

/// Turns the first SIGINT or SIGTERM into a stop request. Only while there is a `watch`: outside of
/// it, as in an open(2) that waits for a FIFO's other side, both kill as ever. The second one kills
/// always. A signal that was ignored when we started stays ignored.
class stop_signals {
 public:
  std::stop_token token() const noexcept { return source_.get_token(); }

  /// The signal that asked us to stop; 0 if there was none.
  int caught() const noexcept { return caught_; }

  /// Waits for signals in a thread of its own, by sigwait(3): no code of ours runs in a handler, and
  /// no descriptor is needed. Where no thread can be had, the signals kill as ever.
  /// The other threads have to be started within, so that they have the signals blocked too.
  class watch {
   public:
    explicit watch(stop_signals& signals);
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch();

   private:
    enum state : int { listening, stopping, ended };

    void wait() noexcept;

    stop_signals& signals_;
    sigset_t waited_for_{};
    sigset_t old_mask_{};
    int wake_ = 0;  // one of them, with which the thread is told to end
    std::atomic<int> state_ = listening;
    std::thread thread_;
  };

 private:
  std::stop_source source_;
  std::atomic<int> caught_ = 0;
};

}  // namespace sluice::tool

#endif
