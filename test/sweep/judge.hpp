// SPDX-License-Identifier: BSL-1.0
//
// What a copy owes after a call of it was changed.
//
//   enum class demand { success, failure, either };
//   struct verdict { demand what; std::optional<copy_side> side; };
//   verdict judge(const point&, const trace_hit&);
//
#ifndef SLUICE_TEST_SWEEP_JUDGE_HPP
#define SLUICE_TEST_SWEEP_JUDGE_HPP

#include "dimensions.hpp"
#include "support/trace.hpp"

#include <optional>

namespace sluice::test {

// What the error of a failed call may make of the copy.
enum class demand { success, failure, either };

struct verdict {
  demand what = demand::success;
  std::optional<copy_side> side = {};
};

verdict judge(const point& p, const trace_hit& hit);

}  // namespace sluice::test

#endif
