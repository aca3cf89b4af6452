// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/detect.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/read.hpp>

int main() {
  auto plain = sluice::span_reader("hello") | sluice::decompressed();
  return sluice::read_to_string(plain) == "hello" && plain.format() == sluice::compression::none ? 0 : 1;
}
