// SPDX-License-Identifier: BSL-1.0
//
// Reads the first line of a file with iostreams, and copies the rest: neither side loses what the other has buffered.
//
#include <sluice/interop/istream_reader.hpp>
#include <sluice/interop/ostream_writer.hpp>
#include <sluice/sluice.hpp>

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  std::ofstream out(argv[2], std::ios::binary);
  std::string first;
  if (!std::getline(in, first)) return 1;
  out << "was: " << first << '\n';
  const auto copied = sluice::copy(sluice::istream_reader(in), sluice::ostream_writer(out));
  if (!copied) {
    std::cerr << copied.error().code.message() << '\n';
    return 1;
  }
  out.close();
  return out ? 0 : 1;
}
