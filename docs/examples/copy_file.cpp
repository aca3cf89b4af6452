// SPDX-License-Identifier: BSL-1.0
//
// Copies a file and says how: the ten lines of the README.
//
#include <sluice/sluice.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto in = sluice::file::open(argv[1]);
  auto out = sluice::file::create(argv[2]);
  if (!in || !out) return 1;
  sluice::copy_report report;
  auto copied = sluice::copy(*in, *out, {.report = &report});
  if (!copied)
    std::cerr << copied.error().code.message() << " after " << copied.error().bytes << " bytes\n";
  else
    std::cout << *copied << " bytes by " << name(report.main_path()) << ": " << report.reason << '\n';
  return copied && out->close() ? 0 : 1;
}
