// SPDX-License-Identifier: BSL-1.0
//
// Zstandard (RFC 8878).
//
//   unzstd(r, options)     r | unzstd()      a reader
//   zstd(w, options)       w | zstd()        a writer
//
#ifndef SLUICE_COMPRESS_ZSTD_HPP
#define SLUICE_COMPRESS_ZSTD_HPP

#include <sluice/compress/compress_writer.hpp>
#include <sluice/compress/decompress_reader.hpp>
#include <sluice/detail/adaptor.hpp>

namespace sluice {

/// How a Zstandard frame is written.
struct zstd_options {
  /// From fast and large to slow and small: negative to 22; 3 is zstd(1)'s own. What lies outside is taken for the
  /// nearest.
  int level = 3;
  /// Whether a checksum of the content, 4 bytes of XXH64, ends the frame, as zstd(1) has it.
  bool checksum = true;
  /// Of the writer's own buffer, in bytes, where the stream has none.
  std::size_t buffer_size = std::size_t{128} << 10;
};

/// The largest window that a frame may ask for, as a power of two: 128 MiB, the limit of zstd(1). Decoding takes so
/// much memory, and only as far as content arrives does it touch it.
inline constexpr int largest_zstd_window = 27;

namespace detail {

std::unique_ptr<decoder> make_zstd_decoder(int window_log_max);
std::unique_ptr<encoder> make_zstd_encoder(const zstd_options& options);

struct unzstd_fn {
  template <reader R>
  decompress_reader<R> operator()(R&& r, const decompress_options& options = {},
                                  int window_log_max = largest_zstd_window) const {
    return {std::forward<R>(r), make_zstd_decoder(window_log_max), options};
  }

  auto operator()(const decompress_options& options = {}, int window_log_max = largest_zstd_window) const {
    return closure([options, window_log_max]<reader R>(R&& r) {
      return unzstd_fn{}(std::forward<R>(r), options, window_log_max);
    });
  }
};

struct zstd_fn {
  template <writer W>
  compress_writer<W> operator()(W&& w, const zstd_options& options = {}) const {
    return {std::forward<W>(w), make_zstd_encoder(options), options.buffer_size};
  }

  auto operator()(const zstd_options& options = {}) const {
    return closure([options]<writer W>(W&& w) { return zstd_fn{}(std::forward<W>(w), options); });
  }
};

}  // namespace detail

/// The content of all frames; skippable ones are skipped. Errors beside those of every decompress_reader:
/// `limit_exceeded` for a frame whose window is more than 2^`window_log_max` bytes; `unsupported` for one that needs a
/// dictionary.
inline constexpr detail::unzstd_fn unzstd{};

/// Writes a frame. A flush ends a block.
inline constexpr detail::zstd_fn zstd{};

}  // namespace sluice

#endif
