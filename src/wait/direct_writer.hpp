// SPDX-License-Identifier: BSL-1.0
//
// Writing to a blocking descriptor without waiting: for an algorithm that somebody may end.
//
#ifndef SLUICE_SRC_WAIT_DIRECT_WRITER_HPP
#define SLUICE_SRC_WAIT_DIRECT_WRITER_HPP

#include <sluice/detail/sink_ops.hpp>

namespace sluice::detail {

/// The descriptor of a writer that holds nothing, a pipe or a stream socket: takes what fits at this moment. Where the
/// kernel cannot write like that, `refused` is set and the writer gets a small piece when there is room.
struct direct_writer {
  sink_ref to;
  int fd;
  fd_kind kind;
  bool* refused;

  /// Errors: `operation_would_block`; those of write(2).
  result<std::size_t> write_some(std::span<const std::byte> bytes) const;
  result<std::size_t> write_some(std::span<const const_buffer> pieces) const;
};

/// Writes a piece that fits into the descriptor of `to`, once poll(2) says that there is room.
/// Errors: `operation_would_block`; the writer's.
result<std::size_t> write_what_fits(sink_ref to, int fd, fd_kind kind, std::span<const std::byte> bytes);

}  // namespace sluice::detail

#endif
