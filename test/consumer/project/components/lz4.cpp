// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/lz4.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/read.hpp>
#include <sluice/write.hpp>

int main() {
  sluice::string_writer packed;
  auto out = packed | sluice::lz4();
  if (!sluice::write_all(out, "hello") || !out.close()) return 1;
  return sluice::read_to_string(sluice::span_reader(packed.str()) | sluice::unlz4()) == "hello" ? 0 : 1;
}
