// SPDX-License-Identifier: BSL-1.0
//
// One turn of a contender: a process of its own.
//
#ifndef SLUICE_BENCH_DRIVER_TURN_HPP
#define SLUICE_BENCH_DRIVER_TURN_HPP

#include "contest.hpp"

namespace sluice::bench {

/// Nanoseconds.
struct measured {
  double wall = 0;
  double cpu = 0;
};

struct turn_options {
  bool check = false;                         ///< also compares what arrives with what was sent
  std::vector<std::string> before = {};       ///< a command that runs the contender's, such as strace
  std::vector<std::string> environment = {};  ///< NAME=VALUE, besides the driver's own
};

/// Ends the program, with a message, if the contender fails or not all bytes arrive.
measured take_turn(const row& work, const contender& who, const turn_options& options = {});

[[noreturn]] void give_up(const row& work, const contender& who, const std::string& why);

}  // namespace sluice::bench

#endif
