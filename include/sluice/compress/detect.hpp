// SPDX-License-Identifier: BSL-1.0
//
// Which format a stream is compressed in, and a reader of any of them.
//
//   result<compression> detect(buffered_reader& r);
//   decompressed(r, options)      r | decompressed()
//
//   auto text = read_to_string(or_throw(file::open(path)) | decompressed());     // compressed or not
//
#ifndef SLUICE_COMPRESS_DETECT_HPP
#define SLUICE_COMPRESS_DETECT_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/compress/detail/any_format.hpp>
#include <sluice/detail/adaptor.hpp>

namespace sluice {

/// What comes next in a buffered reader, of which nothing is consumed. Asks for no more bytes than it takes to tell:
/// one where that begins no magic number. Errors: the reader's; `buffer_too_small` where it cannot show a magic number.
template <buffered_reader R>
[[nodiscard]] result<compression> detect(R&& r) {
  return detail::detect(detail::as_source(r));
}

/// Decompresses what another reader delivers, or passes it on as it is. Which it is, is found out when something of the
/// content is first asked for: a read, a fill, the hint of the size, the kernel's endpoint. No byte more is waited for
/// than tells it.
///
/// It is buffered. Plain bytes stay in the window where they are, and keep the kernel endpoint, so that a copy of them
/// takes the path that it would take without this; a call costs a compare more. What was compressed is decoded straight
/// into requests of 64 KiB and more; smaller ones and `fill` are served from a buffer, made when first used.
///
/// Errors: as decompress_reader; `unsupported` for a format that the library was built without.
template <reader R>
class decompressed_reader {
  using source_type = std::conditional_t<buffered_reader<R>, detail::held<R>, buf_reader<R>>;

 public:
  decompressed_reader(R&& inner, const decompress_options& options)
      : format_(options), source_(make_source(std::forward<R>(inner), options)) {}

  /// The bound of the options is on what was compressed; plain bytes have none.
  result<std::size_t> read_some(std::span<std::byte> out) {
    if (format_.is_plain()) [[likely]]
      return sluice::read_some(source(), out);
    return format_.read_some(as_source(), out);
  }

  std::span<const std::byte> buffered() noexcept {
    return format_.is_plain() ? sluice::window(source()) : format_.window();
  }

  result<std::span<const std::byte>> fill(std::size_t n) {
    if (format_.is_plain()) [[likely]]
      return sluice::fill(source(), n);
    return format_.fill(as_source(), n);
  }

  void consume(std::size_t n) noexcept {
    if (format_.is_plain()) [[likely]]
      return sluice::consume(source(), n);
    format_.consume(n);
  }

  /// Bytes that its buffer holds at most.
  std::size_t capacity() noexcept { return format_.is_plain() ? as_source().capacity() : format_.capacity(); }

  /// Moves past up to `n` bytes: of what was compressed by decoding it.
  result<std::uintmax_t> skip(std::uintmax_t n)
    requires skippable<R>
  {
    if (n == 0) return n;
    if (const auto known = format(); !known) return fail(known.error());
    if (format_.is_plain()) return detail::cpo::skip_fn{}(source(), n);
    const auto seen = fill(1);
    if (!seen) return fail(seen.error());
    const auto passed = static_cast<std::size_t>(std::min<std::uintmax_t>(n, seen->size()));
    consume(passed);
    return passed;
  }

  /// The format. Errors: those of `detect`; it may be called again.
  result<compression> format() { return format_.find(as_source()); }

  /// What is left, as far as it is known. A hint only.
  std::optional<std::uintmax_t> size_hint() {
    if (!format()) return std::nullopt;
    return format_.is_plain() ? sluice::size_hint(source()) : format_.size_hint(as_source());
  }

  /// That of plain bytes; nothing where they have to be decoded.
  std::optional<fd_endpoint> kernel_endpoint()
    requires kernel_reader<R>
  {
    const bool known = format().has_value();
    if (known && !format_.is_plain()) return std::nullopt;
    std::optional<fd_endpoint> endpoint = sluice::kernel_endpoint(source());
    // What could not be looked at yet has to be read first.
    if (endpoint && !known) endpoint->allowance = 0;
    return endpoint;
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

  detail::source_ref as_source() noexcept { return detail::as_source(source()); }

  detail::any_format format_;
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
