// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/varint.hpp>
#include <sluice/memory/span_reader.hpp>

int main() { return sluice::read_varint<std::uint32_t>(sluice::span_reader("\xac\x02")) == 300U ? 0 : 1; }
