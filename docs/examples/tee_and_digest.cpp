// SPDX-License-Identifier: BSL-1.0
//
// Reads a file once, makes two copies of it and computes its checksum on the way.
//
//   tee_and_digest FILE COPY ANOTHER
//
#include <sluice/sluice.hpp>

#include <iomanip>
#include <iostream>

using namespace sluice;

// A hasher needs these two members.
struct fnv1a {
  std::uint64_t state = 0xcbf29ce484222325;

  void update(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) state = (state ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3;
  }
  std::uint64_t value() const { return state; }
};

std::uint64_t checksum_of(const std::string& path) {
  auto in = or_throw(file::open(path)) | digest(fnv1a());
  or_throw(copy(in, null_writer()));
  return in.value();
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  file one = or_throw(file::create(argv[2]));
  file two = or_throw(file::create(argv[3]));

  fnv1a sum;
  auto in = or_throw(file::open(argv[1])) | digest(sum) | tee(two);
  if (const auto done = copy(in, one); !done) {
    std::cerr << (in.failed_side() == copy_side::writer ? argv[3] : argv[1]) << " or " << argv[2] << ": "
              << done.error().code.message() << '\n';
    return 1;
  }
  or_throw(one.close());
  or_throw(two.close());

  std::cout << std::hex << std::setw(16) << std::setfill('0') << sum.value() << '\n';
  return checksum_of(argv[2]) == sum.value() && checksum_of(argv[3]) == sum.value() ? 0 : 1;
}
