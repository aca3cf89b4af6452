// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift.hpp>
#include <sluice/memory/span_reader.hpp>

int main() {
  sluice::span_reader in{std::string_view("\x08\x00\x01\x00\x00\x00\x2a\x00", 8)};
  sluice::thrift::binary_reader reader{in};
  const auto tree = sluice::thrift::read_tree(reader);
  return tree && tree->root().find(1)->get<std::int32_t>() == 42 ? 0 : 1;
}
