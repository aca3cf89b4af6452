// SPDX-License-Identifier: BSL-1.0
//
// Results and errors.
//
//   template <class T> using result = std::expected<T, std::error_code>;
//   enum class io_errc { unexpected_eof = 1, write_zero, ... };
//   const std::error_category& io_category() noexcept;
//   std::error_code make_error_code(io_errc) noexcept;
//   template <class T> T or_throw(result<T>);
//
#ifndef SLUICE_RESULT_HPP
#define SLUICE_RESULT_HPP

#include <expected>
#include <system_error>
#include <type_traits>
#include <utility>

namespace sluice {

/// What every operation that can fail returns: the value, or why there is none.
/// System errors are in `std::system_category()` and compare equal to `std::errc`; the library's own are `io_errc`.
template <class T>
using result = std::expected<T, std::error_code>;

/// The failures that are not the operating system's.
enum class io_errc {
  unexpected_eof = 1,  ///< the source ended before the requested bytes
  write_zero,          ///< a writer accepted 0 bytes of a non-empty request
  bad_count,           ///< a user stream claimed to move more bytes than it was given
  buffer_too_small,    ///< fill(n) or prepare(n) wants more than the buffer may hold
  limit_exceeded,      ///< a caller's bound was reached (read_all, lines, codec sizes, nesting)
  invalid_data,        ///< a decoder met bytes that the format does not allow
  truncated,           ///< a decoder met the end of the stream inside a value
  checksum_mismatch,   ///< a decoder's checksum does not fit the bytes
  same_file,           ///< copying a regular file onto itself would never end
  unsupported,         ///< the stream cannot do this; equivalent to std::errc::operation_not_supported
  cancelled,           ///< stopped by the caller; equivalent to std::errc::operation_canceled
};

/// The category of `io_errc`; its name is "sluice". Defined in the compiled library, so that it is one object
/// however many shared libraries use it.
const std::error_category& io_category() noexcept;

/// For std::error_code, which converts from io_errc by it.
std::error_code make_error_code(io_errc code) noexcept;

/// A failure as an unexpected value: `return fail(io_errc::unsupported);`
inline std::unexpected<std::error_code> fail(std::error_code code) noexcept {
  return std::unexpected<std::error_code>(code);
}

namespace detail {
[[noreturn]] void throw_system_error(std::error_code code);
}

/// The value of `r`; where there is none, throws `std::system_error` with its code.
template <class T>
T or_throw(result<T> r) {
  if (!r) detail::throw_system_error(r.error());
  if constexpr (!std::is_void_v<T>) return *std::move(r);
}

}  // namespace sluice

template <>
struct std::is_error_code_enum<sluice::io_errc> : std::true_type {};

#endif
