// SPDX-License-Identifier: BSL-1.0
//
// Snappy: the framing format, for streams, and raw blocks, for what other formats carry.
//
//   unsnappy(r, options)     r | unsnappy()      a reader
//   snappy(w, options)       w | snappy()        a writer
//
//   bytes snappy_compress(std::span<const std::byte>);
//   result<bytes> snappy_uncompress(std::span<const std::byte> block, std::size_t max_size);
//
// The framing format is that of framing_format.txt, the raw block that of format_description.txt, both of Google's
// Snappy. A framed stream has no mark at its end: it may end behind every chunk, and there is only one of them.
//
#ifndef SLUICE_COMPRESS_SNAPPY_HPP
#define SLUICE_COMPRESS_SNAPPY_HPP

#include <sluice/compress/compress_writer.hpp>
#include <sluice/compress/decompress_reader.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/memory/bytes.hpp>

namespace sluice {

/// How framed Snappy is written.
struct snappy_options {
  /// Of the writer's own buffer, in bytes, where the stream has none.
  std::size_t buffer_size = std::size_t{64} << 10;
};

/// The raw block of `content`, at most 4 GiB of it. Throws std::length_error beyond.
bytes snappy_compress(std::span<const std::byte> content);

/// The content of a raw block. Errors: `limit_exceeded` where the block says that this is more than `max_size` bytes;
/// `invalid_data`. Memory is taken once the whole block has been looked at and is sound.
result<bytes> snappy_uncompress(std::span<const std::byte> block, std::size_t max_size);

/// The same into `out`, whose memory is used again.
result<void> snappy_uncompress(std::span<const std::byte> block, bytes& out, std::size_t max_size);

namespace detail {

std::unique_ptr<decoder> make_snappy_decoder();
std::unique_ptr<encoder> make_snappy_encoder();

struct unsnappy_fn {
  template <reader R>
  decompress_reader<R> operator()(R&& r, const decompress_options& options = {}) const {
    return {std::forward<R>(r), make_snappy_decoder(), options};
  }

  auto operator()(const decompress_options& options = {}) const {
    return closure([options]<reader R>(R&& r) { return unsnappy_fn{}(std::forward<R>(r), options); });
  }
};

struct snappy_fn {
  template <writer W>
  compress_writer<W> operator()(W&& w, const snappy_options& options = {}) const {
    return {std::forward<W>(w), make_snappy_encoder(), options.buffer_size};
  }

  auto operator()(const snappy_options& options = {}) const {
    return closure([options]<writer W>(W&& w) { return snappy_fn{}(std::forward<W>(w), options); });
  }
};

}  // namespace detail

/// The content of a framed stream. Chunks of at most 64 KiB of content, each with a checksum, which is checked; the
/// identifier may come again, padding and what may be skipped is skipped. What a chunk of an unknown kind or a torn one
/// follows is an error; `trailing` has nothing to decide.
inline constexpr detail::unsnappy_fn unsnappy{};

/// Writes a framed stream, in chunks of 64 KiB, or less before a flush.
inline constexpr detail::snappy_fn snappy{};

}  // namespace sluice

#endif
