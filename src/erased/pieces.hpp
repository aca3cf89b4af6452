// SPDX-License-Identifier: BSL-1.0
//
// Vectored requests to a stream that may not be vectored: then the first piece is all that is
// served.
//
#ifndef SLUICE_ERASED_PIECES_HPP
#define SLUICE_ERASED_PIECES_HPP

#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

namespace sluice::detail {

inline result<std::size_t> read_pieces(source_ref from, std::span<const mutable_buffer> pieces) {
  if (from.ops->read_vectored) return from.ops->read_vectored(from.object, pieces);
  for (const mutable_buffer& piece : pieces)
    if (piece.size != 0) return from.read_some({piece.data, piece.size});
  return std::size_t{0};
}

inline result<std::size_t> write_pieces(sink_ref to, std::span<const const_buffer> pieces) {
  if (to.ops->write_vectored) return to.ops->write_vectored(to.object, pieces);
  for (const const_buffer& piece : pieces)
    if (piece.size != 0) return to.write_some({piece.data, piece.size});
  return std::size_t{0};
}

}  // namespace sluice::detail

#endif
