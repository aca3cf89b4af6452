// SPDX-License-Identifier: BSL-1.0
//
// The inside of a FILE, as far as a C library shows it: glibc does, of others nothing is known.
//
#ifndef SLUICE_SRC_INTEROP_STDIO_ACCESS_HPP
#define SLUICE_SRC_INTEROP_STDIO_ACCESS_HPP

#include <sluice/kernel_endpoint.hpp>

#include <stdio.h>
#include <wchar.h>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>

#ifdef __GLIBC__
#include <stdio_ext.h>
#endif

namespace sluice::detail {

#ifdef __GLIBC__

// glibc has no function that shows the read buffer, such as gnulib's freadptr; its macro getc has always used these
// members, which are therefore part of its binary interface.
inline std::span<const std::byte> read_area(std::FILE* f) noexcept {
  return std::as_bytes(std::span(f->_IO_read_ptr, static_cast<std::size_t>(f->_IO_read_end - f->_IO_read_ptr)));
}

inline void drop(std::FILE* f, std::size_t n) noexcept { f->_IO_read_ptr += n; }

// A byte that ungetc cannot simply step back over has a buffer of its own, which hides the ordinary one.
inline bool plain(std::FILE* f) noexcept {
  return f->_IO_save_base == nullptr && fwide(f, 0) <= 0 && fileno_unlocked(f) >= 0;
}

// -1 is what glibc itself puts there when it does not know.
inline void forget_offset(std::FILE* f) noexcept { f->_offset = -1; }

inline void set_end(std::FILE* f) noexcept { f->_flags |= _IO_EOF_SEEN; }
inline void set_error(std::FILE* f) noexcept { f->_flags |= _IO_ERR_SEEN; }

inline std::optional<fd_endpoint> reading_endpoint(std::FILE* f) noexcept {
  if (!plain(f) || !__freadable(f) || __fpending(f) != 0) return std::nullopt;
  return fd_endpoint{.fd = fileno_unlocked(f), .buffered = read_area(f).size()};
}

inline std::optional<fd_endpoint> writing_endpoint(std::FILE* f) noexcept {
  if (!plain(f) || !__fwritable(f) || !read_area(f).empty()) return std::nullopt;
  return fd_endpoint{.fd = fileno_unlocked(f), .buffered = __fpending(f)};
}

// 0 where it has none yet.
inline std::size_t buffer_size(std::FILE* f) noexcept { return __fbufsize(f); }

// What can be written without a system call; of a FILE that is not written fully buffered, nothing.
inline std::size_t write_room(std::FILE* f) noexcept {
  return f->_IO_write_end > f->_IO_write_ptr ? static_cast<std::size_t>(f->_IO_write_end - f->_IO_write_ptr) : 0;
}

#else

inline std::span<const std::byte> read_area(std::FILE*) noexcept { return {}; }
inline void drop(std::FILE*, std::size_t) noexcept {}
inline void forget_offset(std::FILE*) noexcept {}
inline void set_end(std::FILE*) noexcept {}
inline void set_error(std::FILE*) noexcept {}
inline std::optional<fd_endpoint> reading_endpoint(std::FILE*) noexcept { return std::nullopt; }
inline std::optional<fd_endpoint> writing_endpoint(std::FILE*) noexcept { return std::nullopt; }
inline std::size_t buffer_size(std::FILE*) noexcept { return 0; }
inline std::size_t write_room(std::FILE*) noexcept { return 0; }

#endif

}  // namespace sluice::detail

#endif
