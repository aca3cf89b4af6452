// SPDX-License-Identifier: BSL-1.0
//
// A wrapper of one's own that counts what passes and keeps every fast path: it has the two members of the capability
// protocol. Copies 1 MiB from /dev/zero to /dev/null through a buffer of 256 KiB, in 4 reads and 4 writes; then a file,
// inside the kernel, with the same wrapper round it.
//
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;
using namespace sluice::literals;

template <class R>
struct metered {
  R& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = inner.read_some(b);
    if (n) count += *n;
    return n;
  }
  auto kernel_endpoint() { return sluice::kernel_endpoint(inner); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    sluice::kernel_advanced(inner, n);
  }
};

int main(int, char** argv) {
  file zero = or_throw(file::open("/dev/zero"));
  file null = or_throw(file::append("/dev/null"));
  metered<file> source{zero};
  const auto zeros = or_throw(copy(source | limit(1_MiB) | buffered(256_KiB), null));
  std::cout << zeros << " zeros, " << source.count << " counted\n";

  file self = or_throw(file::open(argv[0]));
  file target = or_throw(file::create(std::string(argv[0]) + ".copy"));
  metered<file> program{self};
  copy_report report;
  const auto bytes = or_throw(copy(program, target, {.report = &report}));
  std::cout << bytes << " bytes, " << program.count << " counted; by copy_file_range "
            << report[copy_path::copy_file_range].bytes << '\n';
  return source.count == zeros && program.count == bytes ? 0 : 1;
}
