// SPDX-License-Identifier: BSL-1.0
#include <sluice/erased/writer_ref.hpp>

#include "pieces.hpp"

namespace sluice {

result<std::size_t> writer_ref::write_some(std::span<const const_buffer> pieces) {
  return detail::write_pieces(sink_, pieces);
}

}  // namespace sluice
