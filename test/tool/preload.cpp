// SPDX-License-Identifier: BSL-1.0
#include "preload.hpp"

#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace sluice::test {

preload_faults::preload_faults(const temporary_folder& folder) : path_(folder / "trace") {
  const descriptor file = open_file(path_, O_RDWR | O_CREAT);
  if (::ftruncate(file.get(), sizeof(preload::call_trace)) != 0) throw std::runtime_error("ftruncate");
  void* const shared = ::mmap(nullptr, sizeof(preload::call_trace), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (shared == MAP_FAILED) throw std::runtime_error("mmap");
  trace_ = static_cast<preload::call_trace*>(shared);
}

preload_faults::~preload_faults() { ::munmap(trace_, sizeof(preload::call_trace)); }

std::string preload_faults::why_not() {
  const temporary_folder folder;
  preload_faults probe(folder);
  const outcome result = run({"copy", "/dev/null", "/dev/null"}, {.environment = probe.environment()});
  if (result.status == 0 && probe.calls(preload::call::open) >= 2) return "";
  return "no library can be preloaded into the tool: " + result.err;
}

std::vector<std::string> preload_faults::environment(std::string_view faults) {
  for (preload::call_count& count : trace_->of) {
    count.calls = 0;
    count.changed = 0;
    count.largest = 0;
  }
  std::vector<std::string> variables;
  variables.emplace_back("LD_PRELOAD=" SLUICE_PRELOAD_PATH);
  variables.push_back("SLUICE_PRELOAD_FAULTS=" + std::string(faults));
  variables.push_back("SLUICE_PRELOAD_TRACE=" + path_);
  return variables;
}

}  // namespace sluice::test
