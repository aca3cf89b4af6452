// SPDX-License-Identifier: BSL-1.0
//
// Where a value of a tree ends, if that does not show at its beginning.
//
#ifndef SLUICE_CODEC_THRIFT_DETAIL_EXTENT_HPP
#define SLUICE_CODEC_THRIFT_DETAIL_EXTENT_HPP

#include <cstdint>

namespace sluice::thrift::detail {

/// Of a struct with fields, or of a container with elements that have no fixed size. Those inside it follow it in the
/// index, up to `next`. Offsets are in bytes from the beginning of the tree.
struct extent {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t next = 0;
};

}  // namespace sluice::thrift::detail

#endif
