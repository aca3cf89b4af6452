// SPDX-License-Identifier: BSL-1.0
//
// No more than so many bytes a second.
//
//   class pace {
//     explicit pace(std::uintmax_t bytes_per_second);
//     std::uintmax_t next(const std::stop_token&);
//   };
//
#ifndef SLUICE_TOOL_PACE_HPP
#define SLUICE_TOOL_PACE_HPP

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace sluice::tool {

/// Tells when the next piece may be moved, and how large it is: what is to be moved in a twentieth of a second.
/// Time that was lost since, as a blocked side loses it, is not made up for.
class pace {
 public:
  explicit pace(std::uintmax_t bytes_per_second) noexcept;

  /// Waits until a piece may be moved, or a stop is requested; how many bytes that is.
  std::uintmax_t next(const std::stop_token& stop);

 private:
  using clock = std::chrono::steady_clock;

  std::uintmax_t piece_;
  clock::duration interval_;
  clock::time_point ready_ = clock::now();
};

}  // namespace sluice::tool

#endif
