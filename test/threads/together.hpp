// SPDX-License-Identifier: BSL-1.0
//
// Several threads that do something at the same time.
//
//   together(8, [](int i) { ...; return good; });    // all begin at once; true where all were good
//
#ifndef SLUICE_TEST_THREADS_TOGETHER_HPP
#define SLUICE_TEST_THREADS_TOGETHER_HPP

#include <barrier>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

namespace sluice::test {

template <class F>
bool together(int threads, F work) {
  std::barrier start(threads);
  std::vector<char> good(static_cast<std::size_t>(threads));  // not bool: each thread writes its own byte
  {
    std::vector<std::jthread> all;
    for (int i = 0; i != threads; ++i) {
      all.emplace_back([&, i] {
        start.arrive_and_wait();
        good[static_cast<std::size_t>(i)] = work(i) ? 1 : 0;
      });
    }
  }
  for (const char g : good) {
    if (g == 0) return false;
  }
  return true;
}

inline std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

}  // namespace sluice::test

#endif
