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

// A function object, because the customisation point of the same name looks for functions by their argument: it must
// not find this one, which would make every stream of this namespace skippable, by itself.
struct skip_algorithm {
  template <reader R>
  result<std::uintmax_t> operator()(R&& r, std::uintmax_t n) const {
    return detail::skip(as_source(r), n);
  }
};

}  // namespace detail

/// Passes over up to `n` bytes without delivering them; returns how many, fewer only at the end of the stream.
///
/// What is buffered is consumed; for the rest the stream's own skip serves (an offset bump in memory, a bounded
/// lseek(2) in a file), or the bytes are read and dropped. Errors: the stream's.
inline constexpr detail::skip_algorithm skip{};

}  // namespace sluice

#endif
