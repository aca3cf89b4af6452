// SPDX-License-Identifier: BSL-1.0
#include <sluice/read.hpp>

#include <array>

struct good {
  sluice::result<std::size_t> read_some(std::span<std::byte>);
};
struct counts_in_int {
  sluice::result<int> read_some(std::span<std::byte>);
};

void run() {
  std::array<std::byte, 4> out;
  good reader;
  (void)sluice::read(reader, out);
#ifdef SLUICE_REJECTED
  counts_in_int other;
  (void)sluice::read(other, out);
#endif
}
