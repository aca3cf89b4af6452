// SPDX-License-Identifier: BSL-1.0
//
// What the component brings along is found, too.
#include <sluice/memory/span_reader.hpp>

#include <range/v3/numeric/accumulate.hpp>
#include <range/v3/view/iota.hpp>

int main() {
  sluice::span_reader source(sluice::as_bytes("ten"));
  return sluice::fill(source, 1) && ranges::accumulate(ranges::views::iota(1, 5), 0) == 10 ? 0 : 1;
}
