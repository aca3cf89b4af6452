// SPDX-License-Identifier: BSL-1.0
//
// Reading as much as is wanted.
//
//   std::expected<std::size_t, transfer_error> read(reader& r, std::span<std::byte>);
//   std::expected<void, transfer_error> read_exactly(reader& r, std::span<std::byte>);
//   std::expected<bytes, read_error<bytes>> read_all(reader& r, std::uintmax_t max = unbounded);
//   std::expected<std::string, read_error<std::string>> read_to_string(reader& r, std::uintmax_t max = unbounded);
//   std::expected<std::size_t, transfer_error> read_until(buffered_reader& r, std::byte delimiter, std::string& out,
//                                                         std::size_t max);
//   struct passed_until { std::uintmax_t bytes; bool found; };
//   std::expected<passed_until, transfer_error> skip_until(buffered_reader& r, std::byte delimiter,
//                                                          std::uintmax_t max = unbounded);
//
// Each also takes a `const wait_options&` (<sluice/wait_options.hpp>) at the end.
//
// A non-blocking descriptor that has nothing to give is waited for with poll(2), as long as the reader shows it
// (`kernel_endpoint`); one that shows none, or cannot be waited for, ends the algorithm with `operation_would_block`.
// With a stop token or a deadline, a blocking pipe, socket or terminal is polled before it is read, so that the wait
// can be ended: with `cancelled` or `timed_out`.
//
#ifndef SLUICE_READ_HPP
#define SLUICE_READ_HPP

#include <sluice/detail/source_ops.hpp>
#include <sluice/memory/bytes.hpp>
#include <sluice/transfer_error.hpp>

#include <cstring>
#include <string>

namespace sluice {

struct wait_options;

/// How far `skip_until` went.
struct passed_until {
  std::uintmax_t bytes = 0;  ///< passed over, the delimiter included
  bool found = false;        ///< the last of them was the delimiter; else the stream has ended
};

namespace detail {

std::expected<std::size_t, transfer_error> read(source_ref from, std::span<std::byte> out, const wait_options* options);
std::expected<void, transfer_error> read_exactly(source_ref from, std::span<std::byte> out,
                                                 const wait_options* options);

/// Fills `out` from what a buffered reader holds, where that is enough: a compare and a copy, with no result on the
/// way. Nothing is wanted, or held, goes the slow way with the rest: the size wraps round to the largest number.
template <reader R>
inline bool read_held(R& r, std::span<std::byte> out) {
  if constexpr (buffered_reader<R>) {
    const std::span<const std::byte> held = window(r);
    if (out.size() - 1 < held.size()) [[likely]] {
      std::memcpy(out.data(), held.data(), out.size());
      consume(r, out.size());
      return true;
    }
  }
  return false;
}

/// Reads into the empty `out`; why that ended before the stream did, if so.
std::optional<std::error_code> read_all(source_ref from, bytes& out, std::uintmax_t max, const wait_options* options);
std::optional<std::error_code> read_all(source_ref from, std::string& out, std::uintmax_t max,
                                        const wait_options* options);

template <class Container>
std::expected<Container, read_error<Container>> read_all_into(source_ref from, std::uintmax_t max,
                                                              const wait_options* options) {
  Container all;
  if (const auto why = read_all(from, all, max, options))
    return std::unexpected(read_error<Container>(*why, std::move(all)));
  return all;
}

std::expected<std::size_t, transfer_error> read_until(source_ref from, std::byte delimiter, std::string& out,
                                                      std::size_t max, const wait_options* options);
std::expected<passed_until, transfer_error> skip_until(source_ref from, std::byte delimiter, std::uintmax_t max,
                                                       const wait_options* options);

}  // namespace detail

/// Reads until `out` is full or the stream ends; returns how many bytes arrived. Errors: the reader's; the error's
/// `bytes` have arrived in `out`, so that a next call goes on behind them.
template <reader R>
[[nodiscard]] inline std::expected<std::size_t, transfer_error> read(R&& r, std::span<std::byte> out) {
  if (detail::read_held(r, out)) return out.size();
  return detail::read(detail::unwrapped_source(r), out, nullptr);
}
template <reader R>
[[nodiscard]] std::expected<std::size_t, transfer_error> read(R&& r, std::span<std::byte> out,
                                                              const wait_options& options) {
  return detail::read(detail::unwrapped_source(r), out, &options);
}

/// Fills `out`. Errors: the reader's; `unexpected_eof` where the stream ends before. The error's `bytes` have left the
/// stream and are in `out`.
template <reader R>
[[nodiscard]] inline std::expected<void, transfer_error> read_exactly(R&& r, std::span<std::byte> out) {
  if (detail::read_held(r, out)) return {};
  return detail::read_exactly(detail::unwrapped_source(r), out, nullptr);
}
template <reader R>
[[nodiscard]] std::expected<void, transfer_error> read_exactly(R&& r, std::span<std::byte> out,
                                                               const wait_options& options) {
  return detail::read_exactly(detail::unwrapped_source(r), out, &options);
}

/// Reads to the end of the stream, `max` bytes at most.
///
/// A size that the reader tells is taken for a hint: one allocation of that size where it is right, and a read of a few
/// bytes more finds the end; where it lies, what arrives decides. Without one, the first 64 KiB arrive on the stack,
/// and memory is taken as bytes arrive: no more than twice the result in all. Nothing is filled with zeros; from 1 MiB
/// on no byte is copied for the sake of growing, but for the first 32 MiB once.
///
/// Errors: the reader's; `limit_exceeded` where there is more than `max`. The error's `arrived` holds all that was
/// taken from the stream: with `limit_exceeded`, `max` bytes, and from a reader without a buffer the byte after them,
/// which showed that there is more.
template <reader R>
[[nodiscard]] std::expected<bytes, read_error<bytes>> read_all(R&& r, std::uintmax_t max = unbounded) {
  return detail::read_all_into<bytes>(detail::unwrapped_source(r), max, nullptr);
}
template <reader R>
[[nodiscard]] std::expected<bytes, read_error<bytes>> read_all(R&& r, std::uintmax_t max, const wait_options& options) {
  return detail::read_all_into<bytes>(detail::unwrapped_source(r), max, &options);
}

/// The same into a string, with one copy at the end where the size was not known.
template <reader R>
[[nodiscard]] std::expected<std::string, read_error<std::string>> read_to_string(R&& r,
                                                                                 std::uintmax_t max = unbounded) {
  return detail::read_all_into<std::string>(detail::unwrapped_source(r), max, nullptr);
}
template <reader R>
[[nodiscard]] std::expected<std::string, read_error<std::string>> read_to_string(R&& r, std::uintmax_t max,
                                                                                 const wait_options& options) {
  return detail::read_all_into<std::string>(detail::unwrapped_source(r), max, &options);
}

/// Appends to `out` all up to the next delimiter, the delimiter included; returns how many bytes that were. The end of
/// the stream takes the place of a delimiter: then the last byte is none, and 0 says that nothing was left.
///
/// Errors: the reader's; `limit_exceeded` once it is certain that no delimiter is among the first `max` bytes and the
/// stream goes on. The error's `bytes` were appended, and the rest is still in the reader.
template <buffered_reader R>
[[nodiscard]] std::expected<std::size_t, transfer_error> read_until(R&& r, std::byte delimiter, std::string& out,
                                                                    std::size_t max) {
  return detail::read_until(detail::unwrapped_source(r), delimiter, out, max, nullptr);
}
template <buffered_reader R>
[[nodiscard]] std::expected<std::size_t, transfer_error> read_until(R&& r, std::byte delimiter, std::string& out,
                                                                    std::size_t max, const wait_options& options) {
  return detail::read_until(detail::unwrapped_source(r), delimiter, out, max, &options);
}

/// Passes over all up to the next delimiter, the delimiter included, or to the end of the stream. Errors: as
/// read_until.
template <buffered_reader R>
[[nodiscard]] std::expected<passed_until, transfer_error> skip_until(R&& r, std::byte delimiter,
                                                                     std::uintmax_t max = unbounded) {
  return detail::skip_until(detail::unwrapped_source(r), delimiter, max, nullptr);
}
template <buffered_reader R>
[[nodiscard]] std::expected<passed_until, transfer_error> skip_until(R&& r, std::byte delimiter, std::uintmax_t max,
                                                                     const wait_options& options) {
  return detail::skip_until(detail::unwrapped_source(r), delimiter, max, &options);
}

}  // namespace sluice

#endif
