// SPDX-License-Identifier: BSL-1.0
#ifndef SLUICE_DETAIL_WOULD_BLOCK_HPP
#define SLUICE_DETAIL_WOULD_BLOCK_HPP

#include <optional>
#include <system_error>

namespace sluice::detail {

/// Whether an error only says "not now". POSIX has two names for that.
inline bool would_block_error(const std::optional<std::error_code>& code) noexcept {
  return code == std::errc::operation_would_block || code == std::errc::resource_unavailable_try_again;
}

}  // namespace sluice::detail

#endif
