// SPDX-License-Identifier: BSL-1.0
//
// The protected side of a std::streambuf, and the translation of what it throws.
//
#ifndef SLUICE_SRC_INTEROP_STREAMBUF_ACCESS_HPP
#define SLUICE_SRC_INTEROP_STREAMBUF_ACCESS_HPP

#include <sluice/kernel_endpoint.hpp>
#include <sluice/result.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <ios>
#include <new>
#include <optional>
#include <span>
#include <streambuf>
#include <system_error>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace sluice::detail {

/// A pointer to a protected member may be formed through a derived class, and used on any object.
struct streambuf_access : std::streambuf {
  static std::span<const std::byte> get_area(const std::streambuf& b) noexcept {
    const char* const begin = (b.*&streambuf_access::gptr)();
    const char* const end = (b.*&streambuf_access::egptr)();
    return std::as_bytes(std::span(begin, static_cast<std::size_t>(end - begin)));
  }
  static void consume(std::streambuf& b, std::size_t n) noexcept {
    // gbump takes an int, and a get area may be larger.
    (b.*&streambuf_access::setg)((b.*&streambuf_access::eback)(), (b.*&streambuf_access::gptr)() + n,
                                 (b.*&streambuf_access::egptr)());
  }
  /// Of a get area that is empty: after this nothing can be put back into it. The beginning stays, as a filebuf reads
  /// to where that is.
  static void forget_delivered(std::streambuf& b) noexcept {
    char* const begin = (b.*&streambuf_access::eback)();
    (b.*&streambuf_access::setg)(begin, begin, begin);
  }
  static std::size_t pending(const std::streambuf& b) noexcept {
    return static_cast<std::size_t>((b.*&streambuf_access::pptr)() - (b.*&streambuf_access::pbase)());
  }
  static std::size_t room(const std::streambuf& b) noexcept {
    return static_cast<std::size_t>((b.*&streambuf_access::epptr)() - (b.*&streambuf_access::pptr)());
  }
};

/// The descriptor that the bytes come from, or go to, once the streambuf's own are passed on.
std::optional<fd_endpoint> endpoint_of(std::streambuf& b, std::ios_base::openmode direction);

/// The FILE that the streambuf passes everything on to, as those of std::cin and std::cout do by default.
std::FILE* stdio_of(std::streambuf& b) noexcept;

inline std::error_code last_or_io_error() noexcept {
  return errno != 0 ? std::error_code(errno, std::system_category()) : make_error_code(std::errc::io_error);
}

inline std::error_code code_of(const std::system_error& e) noexcept {
  return e.code() == std::io_errc::stream ? last_or_io_error() : e.code();
}

/// Sets the bits and keeps what `exceptions()` would have thrown.
inline void set_state(std::ios& stream, std::ios_base::iostate bits) noexcept {
  try {
    stream.setstate(bits);
  } catch (const std::ios_base::failure&) {  // the bits are set before it is thrown
  }
}

/// Calls `f`; what it throws comes back as an error.
template <class F>
auto guarded(F f) -> result<decltype(f())> {
  errno = 0;
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error& e) {
    return fail(code_of(e));
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {  // a thread that is cancelled
    throw;
#endif
  } catch (...) {
    return fail(make_error_code(std::errc::io_error));
  }
}

}  // namespace sluice::detail

#endif
