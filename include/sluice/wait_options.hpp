// SPDX-License-Identifier: BSL-1.0
//
// What an algorithm does when a descriptor has nothing to give, or no room.
//
//   enum class would_block { wait, fail };
//   struct wait_options { std::stop_token stop; std::chrono::steady_clock::time_point deadline; ... };
//   inline constexpr std::chrono::steady_clock::time_point no_deadline;
//
#ifndef SLUICE_WAIT_OPTIONS_HPP
#define SLUICE_WAIT_OPTIONS_HPP

#include <chrono>
#include <stop_token>

namespace sluice {

/// What an algorithm does when a non-blocking descriptor is not ready.
enum class would_block : unsigned char {
  wait,  ///< wait with poll(2)
  fail,  ///< return std::errc::operation_would_block, exactly accounted; call again to go on
};

/// Never.
inline constexpr std::chrono::steady_clock::time_point no_deadline = std::chrono::steady_clock::time_point::max();

/// How long an algorithm may wait, and who may end it.
struct wait_options {
  /// Looked at between pieces and while waiting: ends with `io_errc::cancelled`.
  std::stop_token stop = {};

  /// Looked at between pieces and while waiting: ends with `std::errc::timed_out`.
  std::chrono::steady_clock::time_point deadline = no_deadline;

  would_block on_would_block = would_block::wait;  ///< wait, or come back with an error
};

}  // namespace sluice

#endif
