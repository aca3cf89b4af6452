// SPDX-License-Identifier: BSL-1.0
#include "dimensions.hpp"

#include "support/sanitized.hpp"

#include <cstdlib>
#include <sstream>

namespace sluice::test {

bool long_form() {
  static const bool is_long = std::getenv("SLUICE_LONG_TESTS") != nullptr;
  return is_long;
}

std::size_t chunk_calls() {
  if (long_form()) return 24;
  return sanitized ? 5 : 12;  // each copy takes several times as long then
}

std::string describe(const point& p) {
  const auto name = [](const auto& names, auto value) { return names.at(static_cast<std::size_t>(value)); };
  std::ostringstream text;
  text << name(source_names, p.from) << '/' << name(source_wrap_names, p.how.in) << " -> " << name(target_names, p.to)
       << '/' << name(target_wrap_names, p.how.out) << ", kernel " << name(policy_names, p.policy) << ", chunk "
       << p.chunk << " of " << name(slow_names, p.side) << ", " << name(driver_names, p.how.how) << ", watched by "
       << name(watch_names, p.how.watched) << ", sparse " << static_cast<int>(p.how.sparse)
       << (p.how.clones ? ", clones" : "") << ": " << name(deed_names, p.what) << " at " << p.k;
  if (p.error != 0) text << ", errno " << p.error << " (" << system_error(p.error).message() << ')';
  return text.str();
}

}  // namespace sluice::test
