// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/detect.hpp>

#ifdef SLUICE_WITH_GZIP
#include <sluice/compress/gzip.hpp>
#endif
#ifdef SLUICE_WITH_LZ4
#include <sluice/compress/lz4.hpp>
#endif
#ifdef SLUICE_WITH_SNAPPY
#include <sluice/compress/snappy.hpp>
#endif
#ifdef SLUICE_WITH_ZSTD
#include <sluice/compress/zstd.hpp>
#endif

#include <algorithm>
#include <array>
#include <initializer_list>

namespace sluice {
namespace {

bool begins_with(std::span<const std::byte> head, std::initializer_list<unsigned char> magic) noexcept {
  return head.size() >= magic.size() &&
         std::ranges::equal(head.first(magic.size()), std::as_bytes(std::span(magic.begin(), magic.size())));
}

}  // namespace

std::string_view name(compression format) noexcept {
  switch (format) {
    case compression::none: return "none";
    case compression::gzip: return "gzip";
    case compression::zstd: return "zstd";
    case compression::lz4: return "lz4";
    case compression::snappy: return "snappy";
  }
  return "none";
}

compression compression_of(std::span<const std::byte> head) noexcept {
  if (begins_with(head, {0x1f, 0x8b, 8})) return compression::gzip;
  if (begins_with(head, {0x28, 0xb5, 0x2f, 0xfd})) return compression::zstd;
  if (begins_with(head, {0x04, 0x22, 0x4d, 0x18})) return compression::lz4;
  if (begins_with(head, {0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'})) return compression::snappy;
  // A frame to be skipped: 16 numbers, from 184D2A50 to 184D2A5F.
  if (head.size() >= 4 && (head[0] & std::byte{0xf0}) == std::byte{0x50} &&
      begins_with(head.subspan(1), {0x2a, 0x4d, 0x18}))
    return compression::zstd;
  return compression::none;
}

std::unique_ptr<detail::decoder> detail::make_decoder_of(compression format) {
  switch (format) {
    case compression::none: break;
    case compression::gzip:
#ifdef SLUICE_WITH_GZIP
      return make_inflate_decoder(deflate_format::gzip, inflate_engine::automatic);
#else
      break;
#endif
    case compression::zstd:
#ifdef SLUICE_WITH_ZSTD
      return make_zstd_decoder(largest_zstd_window);
#else
      break;
#endif
    case compression::lz4:
#ifdef SLUICE_WITH_LZ4
      return make_lz4_decoder();
#else
      break;
#endif
    case compression::snappy:
#ifdef SLUICE_WITH_SNAPPY
      return make_snappy_decoder();
#else
      break;
#endif
  }
  return nullptr;
}

}  // namespace sluice
