// SPDX-License-Identifier: BSL-1.0
//
// The process's standard streams.
//
//   fd_ref standard_input() noexcept;
//   fd_ref standard_output() noexcept;
//   fd_ref standard_error() noexcept;
//
// They are descriptors 0, 1 and 2, borrowed and unbuffered. What std::cout or stdout still holds has to be flushed
// before, and what std::cin or stdin has read ahead is not seen here.
//
#ifndef SLUICE_SYSTEM_STANDARD_STREAMS_HPP
#define SLUICE_SYSTEM_STANDARD_STREAMS_HPP

#include <sluice/system/fd_ref.hpp>

namespace sluice {

/// Descriptor 0. No system call.
inline fd_ref standard_input() noexcept { return fd_ref(0); }

/// Descriptor 1. No system call.
inline fd_ref standard_output() noexcept { return fd_ref(1); }

/// Descriptor 2. No system call.
inline fd_ref standard_error() noexcept { return fd_ref(2); }

}  // namespace sluice

#endif
