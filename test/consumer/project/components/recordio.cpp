// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/span_reader.hpp>

int main() {
  sluice::bytes stored;
  sluice::recordio_writer out{sluice::bytes_writer(stored)};
  if (!out.write(sluice::as_bytes("Hello")) || !out.close()) return 1;
  std::size_t n = 0;
  for (const auto record : sluice::span_reader(stored) | sluice::records()) n += record.size();
  return n == 5 ? 0 : 1;
}
