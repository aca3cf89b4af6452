// SPDX-License-Identifier: BSL-1.0
//
// What the trials of readers and of writers have in common.
//
#ifndef SLUICE_SRC_TESTING_TRIAL_HPP
#define SLUICE_SRC_TESTING_TRIAL_HPP

#include <sluice/testing/contract.hpp>

#include <functional>
#include <string>

namespace sluice::detail {

/// How a call went.
enum class went {
  on,
  ended,   // there is nothing more to do
  failed,  // with an error that may be; nothing has moved
  broken,  // a rule; it is in the report
};

/// The one, then the other, as far as they say anything.
std::string at_place(const std::string& outer, const std::string& inner);

/// Counts a trial and makes it; an exception breaks a rule, but for std::bad_alloc, which passes.
void try_out(contract_report& report, const std::string& place, const std::function<void()>& trial);

}  // namespace sluice::detail

#endif
