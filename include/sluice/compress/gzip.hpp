// SPDX-License-Identifier: BSL-1.0
//
// gzip (RFC 1952), zlib (RFC 1950) and raw deflate (RFC 1951).
//
//   gunzip(r, options)   unzlib(r, options)   inflate_raw(r, options)     readers; r | gunzip() too
//   gzip(w, options)     zlib(w, options)     deflate_raw(w, options)     writers; w | gzip() too
//
//   auto text = read_to_string(or_throw(file::open("log.gz")) | gunzip({.max_size = 1_GiB}));
//   auto out = or_throw(file::create("log.gz")) | gzip({.level = 9});
//   ... write_all(out, text) ...   or_throw(out.close());
//
// The readers decode by ISA-L where the library was built with it, and by zlib elsewhere.
//
#ifndef SLUICE_COMPRESS_GZIP_HPP
#define SLUICE_COMPRESS_GZIP_HPP

#include <sluice/compress/compress_writer.hpp>
#include <sluice/compress/decompress_reader.hpp>
#include <sluice/detail/adaptor.hpp>

namespace sluice {

/// Whether ISA-L is there.
bool has_isal_inflate() noexcept;

/// How gzip, zlib and raw deflate are written.
struct deflate_options {
  /// Fast above all, by ISA-L: about the size of level 1 and several times as fast. Level 1 where ISA-L is not there.
  static constexpr int fast = -1;

  /// 0 (stored) to 9 (smallest), as zlib has them; or `fast`. What lies outside is taken for the nearest.
  int level = 6;
  /// Of the writer's own buffer, in bytes, where the stream has none.
  std::size_t buffer_size = std::size_t{64} << 10;
};

namespace detail {

enum class deflate_format : unsigned char { gzip, zlib, raw };

std::unique_ptr<decoder> make_inflate_decoder(deflate_format format, inflate_engine engine);
std::unique_ptr<encoder> make_deflate_encoder(deflate_format format, int level);

template <deflate_format Format>
struct inflate_fn {
  template <reader R>
  decompress_reader<R> operator()(R&& r, const decompress_options& options = {}) const {
    return {std::forward<R>(r), make_inflate_decoder(Format, options.engine), options};
  }

  auto operator()(const decompress_options& options = {}) const {
    return closure([options]<reader R>(R&& r) { return inflate_fn{}(std::forward<R>(r), options); });
  }
};

template <deflate_format Format>
struct deflate_fn {
  template <writer W>
  compress_writer<W> operator()(W&& w, const deflate_options& options = {}) const {
    return {std::forward<W>(w), make_deflate_encoder(Format, options.level), options.buffer_size};
  }

  auto operator()(const deflate_options& options = {}) const {
    return closure([options]<writer W>(W&& w) { return deflate_fn{}(std::forward<W>(w), options); });
  }
};

}  // namespace detail

/// The content of a gzip file: of all its members, empty ones too, with zeros behind the last one taken for padding, as
/// gzip(1) does. Checksums and lengths are checked. The hint of the size is that of the last member, modulo 4 GiB.
inline constexpr detail::inflate_fn<detail::deflate_format::gzip> gunzip{};

/// The content of one zlib stream, whose checksum is checked; a preset dictionary is `unsupported`. What follows is
/// dealt with as `trailing` says.
inline constexpr detail::inflate_fn<detail::deflate_format::zlib> unzlib{};

/// The content of one deflate stream, which has no checksum. What follows is dealt with as `trailing` says.
inline constexpr detail::inflate_fn<detail::deflate_format::raw> inflate_raw{};

/// Writes a gzip member: no name, no time, so that equal content gives equal bytes.
inline constexpr detail::deflate_fn<detail::deflate_format::gzip> gzip{};

/// Writes a zlib stream.
inline constexpr detail::deflate_fn<detail::deflate_format::zlib> zlib{};

/// Writes a deflate stream.
inline constexpr detail::deflate_fn<detail::deflate_format::raw> deflate_raw{};

}  // namespace sluice

#endif
