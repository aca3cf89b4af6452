// SPDX-License-Identifier: BSL-1.0
#include "rounds.hpp"

#include <algorithm>

namespace sluice::detail {

step fill_round(source_ref from, sink_ref to, std::span<std::byte> space, std::size_t max) {
  const auto got = from.read_some(space.first(std::min(space.size(), max)));
  if (!got) return reader_error(got.error());
  if (*got == 0) return step::ended();
  to.commit(*got);
  return step::moved(*got);
}

}  // namespace sluice::detail
