// SPDX-License-Identifier: BSL-1.0
//
// Waiting for a descriptor, with an ear for the stop token and the progress clock.
//
#ifndef SLUICE_SRC_COPY_WAITER_HPP
#define SLUICE_SRC_COPY_WAITER_HPP

#include <sluice/detail/copy_engine.hpp>

#include <chrono>
#include <optional>

namespace sluice::detail {

class waiter {
 public:
  using clock = std::chrono::steady_clock;

  /// `last_tick`: when progress was reported last, which outlives one run of a copier.
  waiter(const copy_options& options, clock::time_point& last_tick) noexcept
      : options_(options), last_tick_(last_tick) {}
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;
  ~waiter();

  /// Whether the copy must not sit in a blocking call: somebody may stop it, or wants to hear of it meanwhile.
  bool watchful() const noexcept { return options_.stop.stop_possible() || options_.on_progress; }

  /// Whether the descriptor is ready at this moment. One poll(2).
  static bool ready(int fd, readiness what) noexcept;

  /// Waits until the descriptor is ready, or has an error that the next call will tell. Errors: `cancelled` where the
  /// copy was stopped; those of poll(2).
  std::error_code wait(int fd, readiness what, std::uintmax_t bytes);

  /// Reports progress where the interval has passed; always where `last`.
  void tick(std::uintmax_t bytes, bool last = false);

 private:
  struct wake_up {
    int fd;
    void operator()() const noexcept;
  };

  void arm();
  int timeout() const;

  const copy_options& options_;
  int wake_fd_ = -1;
  std::optional<std::stop_callback<wake_up>> callback_;
  clock::time_point& last_tick_;
};

}  // namespace sluice::detail

#endif
