// SPDX-License-Identifier: BSL-1.0
//
// What copier::run and explain answer.
//
//   enum class readiness { none, readable, writable };
//   struct copy_step { std::uintmax_t bytes; bool done; int fd; readiness wait_for; };
//   struct copy_plan { copy_path first; std::array<copy_path, 3> then; std::size_t alternatives; std::string_view reason; };
//
#ifndef SLUICE_COPY_STEP_HPP
#define SLUICE_COPY_STEP_HPP

#include <sluice/copy_report.hpp>

namespace sluice {

/// What to wait for on a descriptor.
enum class readiness : unsigned char { none, readable, writable };

/// Where a copier stands when run() returns.
struct copy_step {
  std::uintmax_t bytes = 0;              ///< accepted by the writer so far
  bool done = false;                     ///< the source has ended, or the bound was reached
  int fd = -1;                           ///< else: the descriptor that would block
  readiness wait_for = readiness::none;  ///< of `fd`, before the next run
};

/// What `explain` answers.
struct copy_plan {
  copy_path first = copy_path::scratch;  ///< what the bulk of the bytes would take
  std::array<copy_path, 3> then{};       ///< what stands in where that path gives way, in order
  std::size_t alternatives = 0;          ///< how many of `then` count
  std::string_view reason;               ///< why, in words for people
};

}  // namespace sluice

#endif
