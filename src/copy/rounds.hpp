// SPDX-License-Identifier: BSL-1.0
//
// The paths through user space. Each moves one round and says how it went; none knows what comes before or after it.
//
#ifndef SLUICE_SRC_COPY_ROUNDS_HPP
#define SLUICE_SRC_COPY_ROUNDS_HPP

#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

#include "step.hpp"

namespace sluice::detail {

/// Lends up to `max` bytes of the reader's window to the writer; refills the window first where it is empty.
[[gnu::hot]] step drain_round(source_ref from, sink_ref to, std::size_t max);

/// Reads up to `max` bytes straight into the writer's buffer: into `space`, as the writer has prepared it.
[[gnu::hot]] step fill_round(source_ref from, sink_ref to, std::span<std::byte> space, std::size_t max);

/// Bytes in memory that were taken from the source: [begin, end) of `memory`.
struct scratch_area {
  std::span<std::byte> memory;
  std::size_t& begin;
  std::size_t& end;
};

/// Reads up to `max` bytes into the empty scratch memory, where they are in flight.
[[gnu::hot]] step read_round(source_ref from, scratch_area scratch, std::size_t max);

/// Offers what is in flight to the writer, at most `max` bytes of it.
[[gnu::hot]] step write_in_flight(sink_ref to, scratch_area scratch, std::size_t max);

/// Where the first whole blocks of zeros are: `before` bytes of data, then `length` bytes of zeros. Where there are
/// none, `before` is all.
struct zero_run {
  std::size_t before = 0;
  std::size_t length = 0;
};
zero_run find_zero_blocks(std::span<const std::byte> bytes) noexcept;

/// The outcome of a failed call on either side.
step reader_error(std::error_code code) noexcept;
step writer_error(std::error_code code) noexcept;

}  // namespace sluice::detail

#endif
