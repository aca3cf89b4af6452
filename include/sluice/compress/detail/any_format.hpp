// SPDX-License-Identifier: BSL-1.0
//
// A buffer of content in whichever format it turns out to be.
//
#ifndef SLUICE_COMPRESS_DETAIL_ANY_FORMAT_HPP
#define SLUICE_COMPRESS_DETAIL_ANY_FORMAT_HPP

#include <sluice/compress/compression.hpp>
#include <sluice/compress/detail/decoder.hpp>
#include <sluice/detail/read_buffer.hpp>

namespace sluice::detail {

result<compression> detect(source_ref from);

/// The content of a buffered reader, whose format is found out. Plain bytes are left to that reader itself.
class any_format {
 public:
  explicit any_format(const decompress_options& options) noexcept;

  bool is_plain() const noexcept { return format_ == compression::none; }

  result<compression> find(source_ref from);

  /// These find the format first.
  result<std::size_t> read_some(source_ref from, std::span<std::byte> out);
  result<std::span<const std::byte>> fill(source_ref from, std::size_t n);

  /// Of what was decoded.
  std::span<const std::byte> window() const noexcept { return content_.window(); }
  void consume(std::size_t n) noexcept { content_.consume(n); }
  std::size_t capacity() const noexcept { return content_.capacity(); }
  std::optional<std::uintmax_t> size_hint(source_ref from) const;

 private:
  decompress_options options_;
  std::optional<compression> format_;
  std::optional<decompress_state> progress_;
  read_buffer content_;
};

}  // namespace sluice::detail

#endif
