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

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  file source = or_throw(file::open(argv[1]));
  file target = or_throw(file::create(argv[2]));
  auto summed = digest(target, sha256());
  const auto bytes = or_throw(copy(source, summed));
  or_throw(target.close());
  std::cout << to_hex(summed.value()) << "  " << argv[2] << ", " << bytes << " bytes\n";

  file copied = or_throw(file::open(argv[2]));
  sha256 again;
  (void)or_throw(copy(copied | digest(again), null_writer()));
  return again.value() == summed.value() ? 0 : 1;
}
