// SPDX-License-Identifier: BSL-1.0
//
// A reader that decompresses what another one delivers.
//
//   template <reader R> class decompress_reader;    // what gunzip(r), unzstd(r) and so on return
//
#ifndef SLUICE_COMPRESS_DECOMPRESS_READER_HPP
#define SLUICE_COMPRESS_DECOMPRESS_READER_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/compress/detail/decoder.hpp>

#include <algorithm>

namespace sluice {

/// Decodes straight into what it is asked to fill: put a `buffered` behind it for small requests.
///
/// Where `R` has a buffer, its window is decoded in place and nothing is read past the end of the last member; else the
/// reader has a buffer of its own, and `into_inner` hands back what was read too far. All bytes that decode come first,
/// then the error, again and again: `truncated` where the stream ends inside a member, or before the first;
/// `invalid_data`, `checksum_mismatch`, `limit_exceeded`. An error of `R` comes as it is, and a next call goes on.
///
/// There is no kernel endpoint, as the bytes are others.
template <reader R>
class decompress_reader {
 public:
  /// `format` is what the functions that make these readers hand in.
  decompress_reader(R&& inner, std::unique_ptr<detail::decoder> format, const decompress_options& options)
      : progress_(std::move(format), options), source_(make_source(std::forward<R>(inner), options)) {}

  /// Up to `out.size()` bytes of content; 0 at its end. Reads from `R` only where the buffer is empty.
  result<std::size_t> read_some(std::span<std::byte> out) { return progress_.read_some(source(), out); }

  /// How much the content is, as far as the format says it at the place at hand. Before the first read only, and a hint
  /// only: whoever made the stream may have written anything. For a file up to two preads.
  std::optional<std::uintmax_t> size_hint() { return progress_.size_hint(source()); }

  /// Bytes of content that were delivered.
  std::uintmax_t total() const noexcept { return progress_.total(); }

  auto& inner() noexcept {
    if constexpr (buffered_reader<R>)
      return source_.get();
    else
      return source_.inner();
  }

  /// What `into_inner` hands back: the stream, and the bytes that were read from it and not decoded. None where the
  /// stream has a buffer itself: there they are still.
  struct parts {
    R inner;                        ///< what was wrapped
    std::vector<std::byte> unread;  ///< read from it and not decompressed
  };

  /// Takes it apart, without a call.
  parts into_inner() && {
    if constexpr (buffered_reader<R>) {
      return {source_.release(), {}};
    } else {
      auto rest = std::move(source_).into_inner();
      return {std::forward<R>(rest.inner), std::move(rest.unread)};
    }
  }

 private:
  using source_type = std::conditional_t<buffered_reader<R>, detail::held<R>, buf_reader<R>>;

  static source_type make_source(R&& inner, const decompress_options& options) {
    if constexpr (buffered_reader<R>)
      return source_type(std::forward<R>(inner));
    else
      return source_type(std::forward<R>(inner), std::max(options.buffer_size, std::size_t{1}));
  }

  detail::source_ref source() noexcept {
    if constexpr (buffered_reader<R>)
      return detail::as_source(source_.get());
    else
      return detail::as_source(source_);
  }

  detail::decompress_state progress_;
  source_type source_;
};

}  // namespace sluice

#endif
