// SPDX-License-Identifier: BSL-1.0
#include "codec.hpp"

#include <sluice/compress/detect.hpp>
#if SLUICE_TOOL_HAS_GZIP
#include <sluice/compress/gzip.hpp>
#endif
#if SLUICE_TOOL_HAS_LZ4
#include <sluice/compress/lz4.hpp>
#endif
#if SLUICE_TOOL_HAS_ZSTD
#include <sluice/compress/zstd.hpp>
#endif

#include <poll.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace sluice::tool {

namespace {

// How long a stop may go unheard while nothing arrives.
constexpr int stop_interval_ms = 100;

std::string_view name(packing format) noexcept {
  return format == packing::gzip ? "gzip" : format == packing::zstd ? "zstd" : "lz4";
}

bool is_built(packing format) noexcept {
  switch (format) {
    case packing::gzip: return SLUICE_TOOL_HAS_GZIP;
    case packing::zstd: return SLUICE_TOOL_HAS_ZSTD;
    case packing::lz4: return SLUICE_TOOL_HAS_LZ4;
  }
  return false;
}

template <class R>
any_reader unpacked(R& raw, const codec& wanted) {
  if (wanted.unpack_any) return decompressed(raw);
  switch (*wanted.unpack) {
    case packing::gzip:
#if SLUICE_TOOL_HAS_GZIP
      return gunzip(raw);
#else
      break;
#endif
    case packing::zstd:
#if SLUICE_TOOL_HAS_ZSTD
      return unzstd(raw);
#else
      break;
#endif
    case packing::lz4:
#if SLUICE_TOOL_HAS_LZ4
      return unlz4(raw);
#else
      break;
#endif
  }
  std::abort();  // missing_in has told
}

}  // namespace

std::optional<std::string> missing_in(const codec& wanted) {
  for (const std::optional<packing> format : {wanted.unpack, wanted.pack}) {
    if (format && !is_built(*format))
      return "this build lacks " + std::string(name(*format)) + ": it was made without the component of that name";
  }
  return std::nullopt;
}

result<std::size_t> content_reader::raw_reader::read_some(std::span<std::byte> b) {
  while (source.kind() != fd_kind::regular_file) {
    if (stop.stop_requested()) return fail(io_errc::cancelled);
    pollfd wanted{.fd = source.fd(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wanted, 1, stop_interval_ms);
    if (ready < 0 && errno != EINTR) return fail({errno, std::system_category()});
    if (ready > 0) break;
  }
  const result<std::size_t> n = source.read_some(b);
  count += n.value_or(0);
  return n;
}

content_reader::content_reader(fd_stream& source, const codec& wanted, std::stop_token stop)
    : raw_{.source = source, .stop = std::move(stop)}, content_(unpacked(raw_, wanted)) {}

packing_writer packing_into(writer_ref destination, const codec& wanted) {
  switch (*wanted.pack) {
    case packing::gzip:
#if SLUICE_TOOL_HAS_GZIP
      return gzip(std::move(destination), {.level = wanted.level.value_or(deflate_options{}.level)});
#else
      break;
#endif
    case packing::zstd:
#if SLUICE_TOOL_HAS_ZSTD
      return zstd(std::move(destination), {.level = wanted.level.value_or(zstd_options{}.level)});
#else
      break;
#endif
    case packing::lz4:
#if SLUICE_TOOL_HAS_LZ4
      return lz4(std::move(destination), {.level = wanted.level.value_or(lz4_options{}.level)});
#else
      break;
#endif
  }
  std::abort();  // missing_in has told
}

}  // namespace sluice::tool
