// SPDX-License-Identifier: BSL-1.0
#include "testing/trial.hpp"

#include <exception>
#include <new>

namespace sluice::detail {

std::string at_place(const std::string& outer, const std::string& inner) {
  return outer.empty() || inner.empty() ? outer + inner : outer + ", " + inner;
}

void try_out(contract_report& report, const std::string& place, const std::function<void()>& trial) {
  report.count_trial();
  try {
    trial();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    report.add({contract_rule::no_exception, place, "no exception", e.what()});
  } catch (...) {
    report.add({contract_rule::no_exception, place, "no exception", "one that is no std::exception"});
  }
}

}  // namespace sluice::detail
