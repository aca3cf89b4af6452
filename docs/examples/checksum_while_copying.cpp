// SPDX-License-Identifier: BSL-1.0
//
// Copies a file and computes the SHA-256 of what has arrived on the way; then reads the copy back to see that it is the
// same.
//
#include <sluice/digest/hex.hpp>
#include <sluice/digest/sha256.hpp>
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;

/// Shows a digest what another writer has accepted.
template <class W>
struct digesting {
  W& inner;
  sha256 digest = {};

  result<std::size_t> write_some(std::span<const std::byte> b) {
    auto n = inner.write_some(b);
    if (n) digest.update(b.first(*n));
    return n;
  }
};

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  file source = or_throw(file::open(argv[1]));
  file target = or_throw(file::create(argv[2]));
  digesting<file> summed{target};
  const auto bytes = or_throw(copy(source, summed));
  or_throw(target.close());
  std::cout << to_hex(summed.digest.value()) << "  " << argv[2] << ", " << bytes << " bytes\n";

  file copied = or_throw(file::open(argv[2]));
  null_writer nowhere;
  digesting<null_writer> again{nowhere};
  or_throw(copy(copied, again));
  return again.digest.value() == summed.digest.value() ? 0 : 1;
}
