// SPDX-License-Identifier: BSL-1.0
//
// Passing over bytes.
//
//   result<std::uintmax_t> skip(reader& r, std::uintmax_t n);
//
#ifndef SLUICE_SKIP_HPP
#define SLUICE_SKIP_HPP

#include <sluice/detail/source_ops.hpp>

namespace sluice {

namespace detail {
result<std::uintmax_t> skip(source_ref from, std::uintmax_t n);
}

/// Passes over up to `n` bytes without delivering them; returns how many, fewer only at the end of the stream.
///
/// What is buffered is consumed; for the rest the stream's own skip serves (an offset bump in memory, a bounded
/// lseek(2) in a file), or the bytes are read and dropped. Errors: the stream's.
template <reader R>
result<std::uintmax_t> skip(R&& r, std::uintmax_t n) {
  return detail::skip(detail::as_source(r), n);
}

}  // namespace sluice

#endif
