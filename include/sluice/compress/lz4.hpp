// SPDX-License-Identifier: BSL-1.0
//
// LZ4, in its frame format (lz4_Frame_format.md, version 1.6).
//
//   unlz4(r, options)     r | unlz4()      a reader
//   lz4(w, options)       w | lz4()        a writer
//
#ifndef SLUICE_COMPRESS_LZ4_HPP
#define SLUICE_COMPRESS_LZ4_HPP

#include <sluice/compress/compress_writer.hpp>
#include <sluice/compress/decompress_reader.hpp>
#include <sluice/detail/adaptor.hpp>

namespace sluice {

/// How an LZ4 frame is written.
struct lz4_options {
  /// From fast to small: negative to 12; 0 and 1 are lz4(1)'s own. What lies outside is taken for the nearest.
  int level = 1;
  /// Whether a checksum of the content, 4 bytes of XXH32, ends the frame, as lz4(1) has it.
  bool checksum = true;
  /// Of the writer's own buffer, in bytes, where the stream has none.
  std::size_t buffer_size = std::size_t{64} << 10;
};

namespace detail {

std::unique_ptr<decoder> make_lz4_decoder();
std::unique_ptr<encoder> make_lz4_encoder(const lz4_options& options);

struct unlz4_fn {
  template <reader R>
  decompress_reader<R> operator()(R&& r, const decompress_options& options = {}) const {
    return {std::forward<R>(r), make_lz4_decoder(), options};
  }

  auto operator()(const decompress_options& options = {}) const {
    return closure([options]<reader R>(R&& r) { return unlz4_fn{}(std::forward<R>(r), options); });
  }
};

struct lz4_fn {
  template <writer W>
  compress_writer<W> operator()(W&& w, const lz4_options& options = {}) const {
    return {std::forward<W>(w), make_lz4_encoder(options), options.buffer_size};
  }

  auto operator()(const lz4_options& options = {}) const {
    return closure([options]<writer W>(W&& w) { return lz4_fn{}(std::forward<W>(w), options); });
  }
};

}  // namespace detail

/// The content of all frames; skippable ones are skipped, and the legacy format of before 2014 is `unsupported`. Blocks
/// are of 4 MiB at most, and so much memory a frame that says so takes.
inline constexpr detail::unlz4_fn unlz4{};

/// Writes a frame, of blocks of 64 KiB that refer to one another. A flush ends a block.
inline constexpr detail::lz4_fn lz4{};

}  // namespace sluice

#endif
