// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffer.hpp>
#include <sluice/digest/hex.hpp>
#include <sluice/digest/sha256.hpp>

int main() {
  const auto digest = sluice::sha256_of(sluice::as_bytes("abc"));
  return sluice::to_hex(digest).starts_with("ba7816bf8f01cfea") ? 0 : 1;
}
