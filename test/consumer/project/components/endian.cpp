// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/endian.hpp>
#include <sluice/memory/span_reader.hpp>

int main() {
  sluice::span_reader in{"\x01\x02"};
  return *sluice::read_be<unsigned short>(in) == 0x0102 ? 0 : 1;
}
