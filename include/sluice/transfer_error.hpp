// SPDX-License-Identifier: BSL-1.0
//
// Errors that lose nothing: why an algorithm failed, and what it had done by then.
//
//   struct transfer_error : std::error_code { std::uintmax_t bytes; };
//   template <class T> struct read_error : std::error_code { T arrived; };
//   template <class T> T or_throw(std::expected<T, transfer_error>);    // and of a read_error
//
// Each is an error_code: it compares with io_errc and std::errc, and an expected of it converts to a result<T>.
//
#ifndef SLUICE_TRANSFER_ERROR_HPP
#define SLUICE_TRANSFER_ERROR_HPP

#include <sluice/result.hpp>

#include <concepts>
#include <cstdint>

namespace sluice {

/// Why bytes stopped moving, and how many had moved. Those have left the source, or were accepted by the writer: a next
/// call goes on behind them.
struct transfer_error : std::error_code {
  std::uintmax_t bytes = 0;  ///< that have moved

  /// An error after so many bytes.
  transfer_error(std::error_code code, std::uintmax_t moved) noexcept : std::error_code(code), bytes(moved) {}
};

/// Why not all could be read, and what had arrived.
template <class T>
struct read_error : std::error_code {
  T arrived;  ///< what had been read

  /// An error after so much.
  read_error(std::error_code code, T had_arrived) noexcept : std::error_code(code), arrived(std::move(had_arrived)) {}
};

/// A failure after `moved` bytes, as an unexpected value.
inline std::unexpected<transfer_error> fail(std::error_code code, std::uintmax_t moved) noexcept {
  return std::unexpected(transfer_error(code, moved));
}

/// The value of `r`; where there is none, throws `std::system_error` with its code.
template <class T, std::derived_from<std::error_code> E>
T or_throw(std::expected<T, E> r) {
  if (!r) detail::throw_system_error(r.error());
  if constexpr (!std::is_void_v<T>) return *std::move(r);
}

}  // namespace sluice

#endif
