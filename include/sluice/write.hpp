// SPDX-License-Identifier: BSL-1.0
//
// Writing all of something.
//
//   std::expected<void, transfer_error> write_all(writer& w, std::span<const std::byte>);
//   std::expected<void, transfer_error> write_all(writer& w, std::string_view);
//   std::expected<void, transfer_error> write_all(writer& w, std::span<const const_buffer> pieces);
//
// Each also takes a `const wait_options&` (<sluice/wait_options.hpp>) at the end.
//
#ifndef SLUICE_WRITE_HPP
#define SLUICE_WRITE_HPP

#include <sluice/detail/sink_ops.hpp>
#include <sluice/transfer_error.hpp>

#include <cstring>

namespace sluice {

struct wait_options;

namespace detail {
std::expected<void, transfer_error> write_all(sink_ref to, std::span<const const_buffer> pieces,
                                              const wait_options* options);

std::expected<void, transfer_error> write_all(sink_ref to, std::span<const std::byte> in, const wait_options* options);

/// Writes `in` where a writer has free space for it: a compare and a copy, with no result on the way. An empty `in`
/// goes the slow way with what does not fit.
template <writer W>
inline bool write_in_place(W& w, std::span<const std::byte> in) {
  if constexpr (requires { commit(w, in.size()); }) {
    const std::span<std::byte> room = free_space(w);
    if (in.size() - 1 < room.size()) [[likely]] {
      std::memcpy(room.data(), in.data(), in.size());
      commit(w, in.size());
      return true;
    }
  }
  return false;
}

/// Goes on after a first write of `in` that failed, or accepted only so much.
std::expected<void, transfer_error> write_on(sink_ref to, std::span<const std::byte> in, std::error_code why,
                                             std::size_t accepted);
}  // namespace detail

/// Writes all of `in`; nothing of a buffered writer is flushed.
///
/// A non-blocking descriptor that has no room is waited for with poll(2), as long as the writer shows it
/// (`kernel_endpoint`). With a stop token or a deadline, a blocking pipe, socket or terminal is too: it gets what fits
/// and no more, so that the wait can be ended. A write that a buffered writer makes itself cannot.
///
/// Errors: the writer's; `write_zero` where it accepts nothing; `cancelled` and `timed_out` by the options. The error's
/// `bytes` were accepted, so that a next call goes on behind them.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_all(W&& w, std::span<const std::byte> in) {
  if (detail::write_in_place(w, in)) return {};
  const result<std::size_t> first = write_some(w, in);
  if (first && *first == in.size()) return {};
  return detail::write_on(detail::unwrapped_sink(w), in, first ? std::error_code() : first.error(), first.value_or(0));
}
template <writer W>
[[nodiscard]] std::expected<void, transfer_error> write_all(W&& w, std::span<const std::byte> in,
                                                            const wait_options& options) {
  return detail::write_all(detail::unwrapped_sink(w), in, &options);
}

/// Writes all characters of `text`; otherwise as above.
template <writer W>
[[nodiscard]] inline std::expected<void, transfer_error> write_all(W&& w, std::string_view text) {
  return sluice::write_all(w, as_bytes(text));
}
template <writer W>
[[nodiscard]] std::expected<void, transfer_error> write_all(W&& w, std::string_view text, const wait_options& options) {
  return sluice::write_all(w, as_bytes(text), options);
}

/// Writes all pieces in order, many of them in one call where the writer is vectored; otherwise as above. Empty pieces
/// are skipped, any number of pieces is allowed, nothing is allocated, and a write that ends inside a piece goes on
/// there. `bytes` of the error counts over all pieces.
template <writer W>
[[nodiscard]] std::expected<void, transfer_error> write_all(W&& w, std::span<const const_buffer> pieces) {
  return detail::write_all(detail::unwrapped_sink(w), pieces, nullptr);
}
template <writer W>
[[nodiscard]] std::expected<void, transfer_error> write_all(W&& w, std::span<const const_buffer> pieces,
                                                            const wait_options& options) {
  return detail::write_all(detail::unwrapped_sink(w), pieces, &options);
}

}  // namespace sluice

#endif
