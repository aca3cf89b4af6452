// SPDX-License-Identifier: BSL-1.0
#include <sluice/erased/reader_ref.hpp>

#include "pieces.hpp"

namespace sluice {

result<std::size_t> reader_ref::read_some(std::span<const mutable_buffer> pieces) {
  return detail::read_pieces(source_, pieces);
}

}  // namespace sluice
