// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffer.hpp>
#include <sluice/digest/crc32.hpp>

int main() {
  const auto text = sluice::as_bytes("123456789");
  return sluice::crc32_of(text) == 0xcbf43926 && sluice::crc32c_of(text) == 0xe3069283 ? 0 : 1;
}
