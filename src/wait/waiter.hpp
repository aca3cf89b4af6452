// SPDX-License-Identifier: BSL-1.0
//
// Waiting for a descriptor, with an ear for the stop token and an eye on the deadline.
//
#ifndef SLUICE_SRC_WAIT_WAITER_HPP
#define SLUICE_SRC_WAIT_WAITER_HPP

#include <sluice/copy_step.hpp>
#include <sluice/result.hpp>
#include <sluice/wait_options.hpp>

#include <chrono>
#include <optional>

namespace sluice::detail {

/// With somebody watching, one system call moves no more bytes than this.
inline constexpr std::size_t watched_piece = std::size_t{16} << 20;

class waiter {
 public:
  using clock = std::chrono::steady_clock;

  static constexpr std::chrono::milliseconds forever = std::chrono::milliseconds::max();

  /// The token has to outlive the waiter.
  waiter(const std::stop_token& stop, clock::time_point deadline) noexcept : stop_(stop), deadline_(deadline) {}
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;
  ~waiter();

  /// Whether somebody may end the algorithm, so that it must not sit in a blocking call.
  bool watchful() const noexcept { return stop_.stop_possible() || deadline_ != no_deadline; }

  /// Why the algorithm is to end now: `cancelled` or `timed_out`.
  std::optional<std::error_code> ended() const { return watchful() ? why_ended() : std::nullopt; }

  /// Whether the descriptor is ready at this moment. One poll(2).
  static bool ready(int fd, readiness what) noexcept;

  /// Waits until the descriptor is ready, or has an error that the next call will tell. False once `longest` has
  /// passed, or earlier, where it is not for ever. Errors: those of `ended`; those of poll(2).
  result<bool> wait(int fd, readiness what, std::chrono::milliseconds longest = forever);

 private:
  struct wake_up {
    int fd;
    void operator()() const noexcept;
  };

  [[gnu::cold]] std::optional<std::error_code> why_ended() const;
  void arm();
  int timeout(std::chrono::milliseconds longest) const;

  const std::stop_token& stop_;
  clock::time_point deadline_;
  int wake_fd_ = -1;
  std::optional<std::stop_callback<wake_up>> callback_;
};

}  // namespace sluice::detail

#endif
