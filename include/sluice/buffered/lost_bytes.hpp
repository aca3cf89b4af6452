// SPDX-License-Identifier: BSL-1.0
//
// A hook for debugging: told when a destructor or a move assignment had to drop bytes that no writer accepted.
//
//   using lost_bytes_hook = void (*)(std::size_t bytes, std::error_code why) noexcept;
//   lost_bytes_hook set_lost_bytes_hook(lost_bytes_hook) noexcept;
//
#ifndef SLUICE_BUFFERED_LOST_BYTES_HPP
#define SLUICE_BUFFERED_LOST_BYTES_HPP

#include <cstddef>
#include <system_error>

namespace sluice {

/// `bytes`: how many were dropped; `why`: the failure of the last flush.
using lost_bytes_hook = void (*)(std::size_t bytes, std::error_code why) noexcept;

/// Installs `hook` for the process, null for none, and returns the one before. Safe from any thread. There is none at
/// first: a program that closes its writers and looks at the result has no use for it; a test suite or a debug build
/// installs one that aborts.
lost_bytes_hook set_lost_bytes_hook(lost_bytes_hook hook) noexcept;

}  // namespace sluice

#endif
