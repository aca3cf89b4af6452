// SPDX-License-Identifier: BSL-1.0
//
// Prints a file, compressed by gzip, zstd, lz4 or snappy, or not at all.
//
//   decompress_any FILE
//
#include <sluice/compress/detect.hpp>
#include <sluice/sluice.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: decompress_any FILE\n";
    return 2;
  }
  try {
    auto content = sluice::or_throw(sluice::file::open(argv[1])) | sluice::decompressed();
    std::cerr << name(sluice::or_throw(content.format())) << '\n';
    sluice::or_throw(sluice::copy(content, sluice::standard_output()));
  } catch (const std::system_error& e) {
    std::cerr << argv[1] << ": " << e.what() << '\n';
    return 1;
  }
}
