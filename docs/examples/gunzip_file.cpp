// SPDX-License-Identifier: BSL-1.0
//
// Writes the content of a gzip file into another one, and tells whose fault it was if that does not work. With a third
// argument, it packs the content again, into a file of that name.
//
#include <sluice/compress/gzip.hpp>
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;
using namespace sluice::literals;

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  file source = or_throw(file::open(argv[1]));
  file content = or_throw(file::create(argv[2]));
  // Who made the file is not known: a few kilobytes of it may stand for gigabytes.
  const auto unpacked = copy(source | gunzip({.max_size = 1_GiB}), content);
  if (!unpacked) {
    const copy_error& error = unpacked.error();
    std::cerr << (error.side == copy_side::reader ? argv[1] : argv[2]) << ": " << error.code.message() << " after "
              << error.bytes << " bytes\n";
    return 1;
  }
  or_throw(content.close());
  std::cout << *unpacked << " bytes\n";
  if (argc == 3) return 0;

  file again = or_throw(file::open(argv[2]));
  auto packed = or_throw(file::create(argv[3])) | gzip({.level = 9});
  (void)or_throw(copy(again, packed));
  or_throw(packed.close());
}
