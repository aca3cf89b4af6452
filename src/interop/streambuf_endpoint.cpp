// SPDX-License-Identifier: BSL-1.0
#include "interop/streambuf_access.hpp"

#ifdef __GLIBCXX__
#include <fstream>
#include <locale>
#include <typeinfo>

#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#endif

namespace sluice::detail {

#ifdef __GLIBCXX__

namespace {

struct filebuf_access : std::filebuf {
  static int descriptor(std::filebuf& b) { return (b.*&filebuf_access::_M_file).fd(); }
  static bool open_for(const std::filebuf& b, std::ios_base::openmode direction) {
    return (b.*&filebuf_access::_M_mode & direction) != 0;
  }
  static bool reading(const std::filebuf& b) { return b.*&filebuf_access::_M_reading; }
  static bool writing(const std::filebuf& b) { return b.*&filebuf_access::_M_writing; }
  // While a character that differs from the file's is put back, the get area is that one and hides the buffer.
  static bool put_back(const std::filebuf& b) { return b.*&filebuf_access::_M_pback_init; }
};

bool converts(const std::streambuf& b) {
  using facet = std::codecvt<char, char, std::mbstate_t>;
  const std::locale locale = b.getloc();
  return !std::has_facet<facet>(locale) || !std::use_facet<facet>(locale).always_noconv();
}

}  // namespace

std::optional<fd_endpoint> endpoint_of(std::streambuf& b, std::ios_base::openmode direction) {
  // A derived class may look at the bytes as they pass.
  if (typeid(b) != typeid(std::filebuf) && typeid(b) != typeid(__gnu_cxx::stdio_filebuf<char>)) return std::nullopt;
  auto& f = static_cast<std::filebuf&>(b);
  const bool reads = direction == std::ios_base::in;
  const auto wanted = reads ? direction : direction | std::ios_base::app;
  if (!f.is_open() || !filebuf_access::open_for(f, wanted) || filebuf_access::put_back(f) || converts(b)) {
    return std::nullopt;
  }
  // What is pending in the other direction stands before the descriptor's offset, or behind it.
  if (reads ? filebuf_access::writing(f) : filebuf_access::reading(f)) return std::nullopt;
  const std::size_t buffered = reads ? streambuf_access::get_area(b).size() : streambuf_access::pending(b);
  return fd_endpoint{.fd = filebuf_access::descriptor(f), .buffered = buffered};
}

std::FILE* stdio_of(std::streambuf& b) noexcept {
  using stdio_streambuf = __gnu_cxx::stdio_sync_filebuf<char>;
  return typeid(b) == typeid(stdio_streambuf) ? static_cast<stdio_streambuf&>(b).file() : nullptr;
}

#else

std::FILE* stdio_of(std::streambuf&) noexcept { return nullptr; }

std::optional<fd_endpoint> endpoint_of(std::streambuf&, std::ios_base::openmode) { return std::nullopt; }

#endif

}  // namespace sluice::detail
