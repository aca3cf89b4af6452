// SPDX-License-Identifier: BSL-1.0
#include <sluice/memory/span_reader.hpp>
#include <sluice/view/lines.hpp>
#include <sluice/view/to.hpp>

#include <string>
#include <vector>

void run() {
  const std::vector<std::string> texts;
  (void)sluice::to<std::vector<std::string_view>>(texts);
  sluice::span_reader reader;
  (void)(reader | sluice::lines() | sluice::to<std::vector<std::string>>());
#ifdef SLUICE_REJECTED
  (void)(reader | sluice::lines() | sluice::to<std::vector<std::string_view>>());
#endif
}
