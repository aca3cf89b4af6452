// SPDX-License-Identifier: BSL-1.0
//
// Accepts everything and keeps nothing.
//
//   class null_writer;
//
#ifndef SLUICE_MEMORY_NULL_WRITER_HPP
#define SLUICE_MEMORY_NULL_WRITER_HPP

#include <sluice/buffer.hpp>
#include <sluice/concepts.hpp>

#include <cstddef>
#include <span>

namespace sluice {

/// A writer that accepts every byte at once and forgets it. Models vectored_writer; never fails.
class null_writer {
 public:
  /// Returns the size of `b`.
  result<std::size_t> write_some(std::span<const std::byte> b) noexcept { return b.size(); }

  /// Returns the sum of the sizes.
  result<std::size_t> write_some(std::span<const const_buffer> pieces) noexcept {
    std::size_t n = 0;
    for (const const_buffer& piece : pieces) n += piece.size;
    return n;
  }
};

}  // namespace sluice

#endif
