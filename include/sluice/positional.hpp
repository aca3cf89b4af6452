// SPDX-License-Identifier: BSL-1.0
//
// Reading and writing at a place, all of it.
//
//   concept positional_reader;    // read_at(std::uintmax_t offset, std::span<std::byte>) -> result<std::size_t>
//   concept positional_writer;    // write_at(std::uintmax_t offset, std::span<const std::byte>) -> result<std::size_t>
//   std::expected<void, transfer_error> read_exactly_at(positional_reader& r, std::uintmax_t offset,
//                                                       std::span<std::byte>);
//   std::expected<void, transfer_error> write_all_at(positional_writer& w, std::uintmax_t offset,
//                                                    std::span<const std::byte>);
//
#ifndef SLUICE_POSITIONAL_HPP
#define SLUICE_POSITIONAL_HPP

#include <sluice/transfer_error.hpp>

#include <cstddef>
#include <span>

namespace sluice {

/// Reads at an offset in bytes, as `file` does: at least one byte, 0 only at the end.
template <class R>
concept positional_reader = requires(std::remove_reference_t<R>& r, std::uintmax_t offset, std::span<std::byte> b) {
  { r.read_at(offset, b) } -> std::same_as<result<std::size_t>>;
};

/// Writes at an offset in bytes, as `file` does: at least one byte.
template <class W>
concept positional_writer =
    requires(std::remove_reference_t<W>& w, std::uintmax_t offset, std::span<const std::byte> b) {
      { w.write_at(offset, b) } -> std::same_as<result<std::size_t>>;
    };

namespace detail {

/// Asks again and again for what is left of `b`, until all has moved; `none` is the error of an answer of 0.
template <class Byte, class Move>
std::expected<void, transfer_error> move_all_at(std::uintmax_t offset, std::span<Byte> b, io_errc none, Move move) {
  for (std::size_t done = 0; done != b.size();) {
    const std::span<Byte> left = b.subspan(done);
    const result<std::size_t> n = move(offset + done, left);
    if (!n) return fail(n.error(), done);
    if (*n == 0) return fail(none, done);
    if (*n > left.size()) return fail(io_errc::bad_count, done);
    done += *n;
  }
  return {};
}

}  // namespace detail

/// Fills `out` from `offset` on, in bytes. Errors: the reader's; `unexpected_eof` where it ends before; `bad_count`.
/// The error's `bytes` are in `out`.
template <positional_reader R>
[[nodiscard]] std::expected<void, transfer_error> read_exactly_at(R&& r, std::uintmax_t offset,
                                                                  std::span<std::byte> out) {
  return detail::move_all_at(offset, out, io_errc::unexpected_eof,
                             [&](std::uintmax_t at, std::span<std::byte> b) { return r.read_at(at, b); });
}

/// Writes all of `in` at `offset`, in bytes. Errors: the writer's; `write_zero` where it accepts nothing; `bad_count`.
/// The error's `bytes` were accepted.
template <positional_writer W>
[[nodiscard]] std::expected<void, transfer_error> write_all_at(W&& w, std::uintmax_t offset,
                                                               std::span<const std::byte> in) {
  return detail::move_all_at(offset, in, io_errc::write_zero,
                             [&](std::uintmax_t at, std::span<const std::byte> b) { return w.write_at(at, b); });
}

}  // namespace sluice

#endif
