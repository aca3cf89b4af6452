// SPDX-License-Identifier: BSL-1.0
//
// How much memory the process has touched since an object was made: what a library of C allocates shows here, and only
// as far as it is used.
//
#ifndef SLUICE_TEST_COMPRESS_MEMORY_GROWTH_HPP
#define SLUICE_TEST_COMPRESS_MEMORY_GROWTH_HPP

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace support {

class memory_growth {
 public:
  std::size_t bytes() const {
    const std::size_t now = resident();
    return now > before_ ? now - before_ : 0;
  }

 private:
  static std::size_t resident() {
    std::ifstream statm("/proc/self/statm");
    std::size_t all = 0;
    std::size_t pages = 0;
    statm >> all >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  }

  std::size_t before_ = resident();
};

}  // namespace support

#endif
