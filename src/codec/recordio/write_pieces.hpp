// SPDX-License-Identifier: BSL-1.0
//
// A record and what stands before and behind it.
//
#ifndef SLUICE_SRC_CODEC_RECORDIO_WRITE_PIECES_HPP
#define SLUICE_SRC_CODEC_RECORDIO_WRITE_PIECES_HPP

#include <sluice/codec/recordio/detail/framed_writer.hpp>
#include <sluice/write.hpp>

#include <array>

namespace sluice::detail {

inline frame_written write_pieces(sink_ref to, std::span<const std::byte> head, std::span<const std::byte> record,
                                  std::span<const std::byte> tail) {
  const std::array<const_buffer, 3> pieces{const_buffer(head), const_buffer(record), const_buffer(tail)};
  const auto done = write_all(to, std::span<const const_buffer>(pieces), nullptr);
  if (done) return {.begun = true};
  return {.error = done.error(), .begun = done.error().bytes != 0};
}

}  // namespace sluice::detail

#endif
