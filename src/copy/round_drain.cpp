// SPDX-License-Identifier: BSL-1.0
#include "rounds.hpp"

#include <algorithm>

namespace sluice::detail {

step reader_error(std::error_code code) noexcept {
  return {would_block_error(code) ? step::outcome::reader_blocked : step::outcome::reader_failed, 0, 0, code};
}

step writer_error(std::error_code code) noexcept {
  return {would_block_error(code) ? step::outcome::writer_blocked : step::outcome::writer_failed, 0, 0, code};
}

step drain_round(source_ref from, sink_ref to, std::size_t max) {
  std::span<const std::byte> window = from.window();
  if (window.empty()) {
    const auto filled = from.fill(1);
    if (!filled) return reader_error(filled.error());
    if (filled->empty()) return step::ended();
    window = *filled;
  }
  const auto written = to.write_some(window.first(std::min(window.size(), max)));
  if (!written) return writer_error(written.error());
  if (*written == 0) return writer_error(io_errc::write_zero);
  from.consume(*written);
  return step::moved(*written);
}

}  // namespace sluice::detail
