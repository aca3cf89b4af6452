// SPDX-License-Identifier: BSL-1.0
//
// A program to be looked at from outside: zero_to_null WRAPPING, or small_file FROM TO. The calls in question lie
// between two writes to a descriptor that does not exist.
//
#include "zero_to_null.hpp"

#include <unistd.h>

#include <cstring>

namespace {

void mark(const char* text) { [[maybe_unused]] const auto n = ::write(-1, text, std::strlen(text)); }

}  // namespace

int main(int argc, char** argv) {
  using sluice::file;
  if (argc == 4 && std::string_view(argv[1]) == "small_file") {
    file from = sluice::or_throw(file::open(argv[2]));
    file to = sluice::or_throw(file::create(argv[3]));
    mark("begin");
    const auto copied = sluice::copy(from, to);
    mark("end");
    return copied ? 0 : 1;
  }
  if (argc != 2) return 2;
  file zero = sluice::or_throw(file::open("/dev/zero"));
  file null = sluice::or_throw(file::open("/dev/null", {.write = true}));
  mark("begin");
  const auto copied = sluice::test::zero_to_null(argv[1], zero, null);
  mark("end");
  return copied == (1U << 20) ? 0 : 1;
}
