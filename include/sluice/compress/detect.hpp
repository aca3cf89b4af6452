// SPDX-License-Identifier: BSL-1.0
//
// Which format some bytes are compressed in, and a reader of any of them.
//
//   enum class compression { none, gzip, zstd, lz4, snappy };
//   compression compression_of(std::span<const std::byte> head);
//   result<compression> detect(buffered_reader& r);
//   decompressed(r, options)      r | decompressed()
//
//   auto text = read_to_string(or_throw(file::open(path)) | decompressed());     // compressed or not
//
#ifndef SLUICE_COMPRESS_DETECT_HPP
#define SLUICE_COMPRESS_DETECT_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/compress/detail/decoder.hpp>
#include <sluice/detail/adaptor.hpp>

#include <string_view>

namespace sluice {

enum class compression : unsigned char {
  none,  ///< or one that shows no magic number, as zlib and raw deflate do not
  gzip,
  zstd,
  lz4,
  snappy,  ///< the framing format
};

/// "gzip", and so on.
std::string_view name(compression format) noexcept;

/// As many bytes tell all formats apart.
inline constexpr std::size_t compression_magic_size = 10;

/// What the first bytes of a stream say; fewer than compression_magic_size of them are all there are. A stream that
/// begins with a frame to be skipped, which Zstandard and LZ4 have in common, is taken for Zstandard.
compression compression_of(std::span<const std::byte> head) noexcept;

/// The same of what comes next in a buffered reader, of which nothing is consumed. Errors: the reader's;
/// `buffer_too_small` where it cannot show 10 bytes.
template <buffered_reader R>
[[nodiscard]] result<compression> detect(R&& r) {
  const auto head = fill(r, compression_magic_size);
  if (!head) return fail(head.error());
  return compression_of(*head);
}

namespace detail {
/// Null for `none`, and for a format that this library was built without.
std::unique_ptr<decoder> make_decoder_of(compression format);
}  // namespace detail

/// Decompresses what another reader delivers, or passes it on as it is. Which it is, is found out by the first read.
///
/// Plain bytes keep their kernel endpoint from then on. Errors: as decompress_reader; `unsupported` for a format that the
/// library was built without.
template <reader R>
class decompressed_reader {
  using source_type = std::conditional_t<buffered_reader<R>, detail::held<R>, buf_reader<R>>;

 public:
  decompressed_reader(R&& inner, const decompress_options& options)
      : options_(options), source_(make_source(std::forward<R>(inner), options)) {}

  result<std::size_t> read_some(std::span<std::byte> out) {
    if (out.empty()) return std::size_t{0};
    if (const auto known = format(); !known) return fail(known.error());
    return progress_ ? progress_->read_some(detail::as_source(source()), out) : sluice::read_some(source(), out);
  }

  /// The format, found out where nothing was read yet: one fill. Errors: those of `detect`, which may be called again.
  result<compression> format() {
    if (format_) return *format_;
    const auto found = detect(source());
    if (!found) return found;
    if (*found != compression::none) {
      auto decoder = detail::make_decoder_of(*found);
      if (!decoder) return fail(io_errc::unsupported);
      progress_.emplace(std::move(decoder), options_);
    }
    format_ = *found;
    return found;
  }

  /// Of what comes out, as far as it is known: once the format is.
  std::optional<std::uintmax_t> size_hint() {
    if (!format_) return std::nullopt;
    return progress_ ? progress_->size_hint(detail::as_source(source())) : sluice::size_hint(source());
  }

  std::optional<fd_endpoint> kernel_endpoint()
    requires kernel_reader<R>
  {
    return format_ == compression::none ? sluice::kernel_endpoint(source()) : std::nullopt;
  }

  void kernel_advanced(std::uintmax_t n)
    requires kernel_reader<R>
  {
    sluice::kernel_advanced(source(), n);
  }

  auto& inner() noexcept {
    if constexpr (buffered_reader<R>)
      return source_.get();
    else
      return source_.inner();
  }

 private:
  static source_type make_source(R&& inner, const decompress_options& options) {
    if constexpr (buffered_reader<R>)
      return source_type(std::forward<R>(inner));
    else
      return source_type(std::forward<R>(inner), std::max(options.buffer_size, compression_magic_size));
  }

  auto& source() noexcept {
    if constexpr (buffered_reader<R>)
      return source_.get();
    else
      return source_;
  }

  decompress_options options_;
  std::optional<compression> format_;
  std::optional<detail::decompress_state> progress_;
  source_type source_;
};

namespace detail {

struct decompressed_fn {
  template <reader R>
  decompressed_reader<R> operator()(R&& r, const decompress_options& options = {}) const {
    return {std::forward<R>(r), options};
  }

  auto operator()(const decompress_options& options = {}) const {
    return closure([options]<reader R>(R&& r) { return decompressed_fn{}(std::forward<R>(r), options); });
  }
};

}  // namespace detail

/// `decompressed(r, options)` and `r | decompressed(options)`: the content of `r`, in whichever format it is, or `r`
/// itself where it is in none, as a `decompressed_reader`.
inline constexpr detail::decompressed_fn decompressed{};

}  // namespace sluice

#endif
