// SPDX-License-Identifier: BSL-1.0
#include <sluice/concepts.hpp>
#include <sluice/testing/inner_streams.hpp>

#include <algorithm>
#include <cstring>

namespace sluice::detail {

result<std::size_t> inner_source::read(std::span<const mutable_buffer> pieces) {
  const std::size_t request = cpo::total_size(pieces);
  const result<std::size_t> room = plan_.next(request);
  if (!room) return room;
  const std::size_t n = std::min(*room, data_.size());
  std::size_t left = n;
  for (const mutable_buffer& piece : pieces) {
    const std::size_t part = std::min(piece.size, left);
    if (part != 0) std::memcpy(piece.data, data_.data(), part);
    data_ = data_.subspan(part);
    left -= part;
  }
  return plan_.moved(n, request);
}

result<std::size_t> inner_sink::write(std::span<const const_buffer> pieces) {
  const std::size_t request = cpo::total_size(pieces);
  if (gave_up()) return fail(std::make_error_code(std::errc::timed_out));
  const result<std::size_t> room = plan_.next(request);
  if (!room) return room;
  if (*room == 0 && request != 0) ++zeros_;
  std::size_t left = *room;
  for (const const_buffer& piece : pieces) {
    const std::size_t part = std::min(piece.size, left);
    data_.insert(data_.end(), piece.data, piece.data + part);
    left -= part;
  }
  return plan_.moved(*room, request);
}

}  // namespace sluice::detail
