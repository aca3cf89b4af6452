// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/delimited.hpp>
#include <sluice/memory/span_reader.hpp>

int main() {
  sluice::delimited_reader in{sluice::span_reader("\x03ten")};
  const auto message = in.next();
  return message && *message && (*message)->size() == 3 && in.next().value() == std::nullopt ? 0 : 1;
}
