// SPDX-License-Identifier: BSL-1.0
//
// Writing all of something.
//
//   result<void> write_all(writer& w, std::span<const std::byte>);
//   result<void> write_all(writer& w, std::string_view);
//
#ifndef SLUICE_WRITE_HPP
#define SLUICE_WRITE_HPP

#include <sluice/detail/sink_ops.hpp>

namespace sluice {

namespace detail {
result<void> write_all(sink_ref to, std::span<const std::byte> in);
}

/// Writes all of `in`. Errors: the writer's; `write_zero` where it accepts nothing. How much of `in` was accepted
/// before an error is not told: where that matters, use write_some, or copy from a span_reader.
template <writer W>
[[nodiscard]] result<void> write_all(W&& w, std::span<const std::byte> in) {
  return detail::write_all(detail::as_sink(w), in);
}

template <writer W>
[[nodiscard]] result<void> write_all(W&& w, std::string_view text) {
  return detail::write_all(detail::as_sink(w), as_bytes(text));
}

}  // namespace sluice

#endif
