// SPDX-License-Identifier: BSL-1.0
//
// When a copy reports its progress.
//
#ifndef SLUICE_SRC_COPY_PROGRESS_CLOCK_HPP
#define SLUICE_SRC_COPY_PROGRESS_CLOCK_HPP

#include <sluice/copy_options.hpp>

namespace sluice::detail {

class progress_clock {
 public:
  using clock = std::chrono::steady_clock;

  /// `last_tick`: when progress was reported last, which outlives one run of a copier.
  progress_clock(const copy_options& options, clock::time_point& last_tick) noexcept
      : options_(options), last_tick_(last_tick) {}

  bool wanted() const noexcept { return static_cast<bool>(options_.on_progress); }

  /// How long a wait may be before progress is to be looked at.
  std::chrono::milliseconds longest_wait() const noexcept;

  /// Reports where the interval has passed; always where `last`.
  void tick(std::uintmax_t bytes, bool last = false);

 private:
  const copy_options& options_;
  clock::time_point& last_tick_;
};

}  // namespace sluice::detail

#endif
