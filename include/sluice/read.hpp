// SPDX-License-Identifier: BSL-1.0
//
// Reading as much as is wanted.
//
//   result<std::size_t> read(reader& r, std::span<std::byte>);
//   result<void> read_exactly(reader& r, std::span<std::byte>);
//
#ifndef SLUICE_READ_HPP
#define SLUICE_READ_HPP

#include <sluice/detail/source_ops.hpp>

namespace sluice {

namespace detail {
result<std::size_t> read(source_ref from, std::span<std::byte> out);
result<void> read_exactly(source_ref from, std::span<std::byte> out);
}  // namespace detail

/// Reads until `out` is full or the stream ends; returns how many bytes arrived. An error is returned as such, even
/// when bytes had arrived before it: where these matter, use read_some.
template <reader R>
[[nodiscard]] result<std::size_t> read(R&& r, std::span<std::byte> out) {
  return detail::read(detail::as_source(r), out);
}

/// Fills `out`, or fails with `unexpected_eof`; what arrived before is in `out` and has left the stream.
template <reader R>
[[nodiscard]] result<void> read_exactly(R&& r, std::span<std::byte> out) {
  return detail::read_exactly(detail::as_source(r), out);
}

}  // namespace sluice

#endif
