// SPDX-License-Identifier: BSL-1.0
//
// Faults in the system calls of the tool, without its knowledge: see support/preload/trace.hpp.
//
//   preload_faults faults(folder);
//   run({"copy", from, to}, {.environment = faults.environment("splice@1=e5")});
//   faults.calls(preload::call::splice);
//
#ifndef SLUICE_TEST_TOOL_PRELOAD_HPP
#define SLUICE_TEST_TOOL_PRELOAD_HPP

#include "support/preload/trace.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::test {

class preload_faults {
 public:
  explicit preload_faults(const temporary_folder& folder);
  preload_faults(const preload_faults&) = delete;
  preload_faults& operator=(const preload_faults&) = delete;
  ~preload_faults();

  /// Why no library can be preloaded into the tool; empty where one can.
  static std::string why_not();

  /// For the next run of the tool, whose calls are counted from 0.
  std::vector<std::string> environment(std::string_view faults = "");

  // Of the last run, also where a signal has ended it.
  std::uint64_t calls(preload::call c) const { return (*trace_)[c].calls; }
  std::uint64_t changed(preload::call c) const { return (*trace_)[c].changed; }
  std::uint64_t largest_request(preload::call c) const { return (*trace_)[c].largest; }

 private:
  std::string path_;
  preload::call_trace* trace_ = nullptr;
};

}  // namespace sluice::test

#endif
