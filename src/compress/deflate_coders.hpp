// SPDX-License-Identifier: BSL-1.0
//
// What the engines behind gzip.hpp have in common.
//
#ifndef SLUICE_SRC_COMPRESS_DEFLATE_CODERS_HPP
#define SLUICE_SRC_COMPRESS_DEFLATE_CODERS_HPP

#include <sluice/compress/gzip.hpp>

#include <array>

namespace sluice::detail {

/// A decoder of any of the formats: what can be told without decoding.
class inflate_decoder : public decoder {
 public:
  explicit inflate_decoder(deflate_format format) noexcept : format_(format) {}

  beginning look(std::span<const std::byte> in) const noexcept final;
  std::optional<std::uintmax_t> size_hint(const compressed_extent& extent) const noexcept final;

 protected:
  deflate_format format() const noexcept { return format_; }
  void begun() noexcept { begun_ = true; }

 private:
  deflate_format format_;
  bool begun_ = false;
};

/// An encoder of any of the formats. An engine may write the end of a flush more than once where it has little room, so
/// it always gets some.
class deflate_encoder : public encoder {
 public:
  encoded encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) final;

 protected:
  void begun() noexcept { staged_begin_ = staged_end_ = 0; }

 private:
  static constexpr std::size_t least_room = 64;

  virtual encoded run(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) = 0;
  std::size_t take_staged(std::span<std::byte> out) noexcept;

  std::array<std::byte, least_room> staged_;
  std::size_t staged_begin_ = 0;
  std::size_t staged_end_ = 0;
  encode_mode staged_mode_ = encode_mode::run;
  bool staged_done_ = false;
};

std::unique_ptr<decoder> make_zlib_decoder(deflate_format format);
std::unique_ptr<encoder> make_zlib_encoder(deflate_format format, int level);

// Null where there is no ISA-L.
std::unique_ptr<decoder> make_isal_decoder(deflate_format format);
std::unique_ptr<encoder> make_isal_encoder(deflate_format format);

}  // namespace sluice::detail

#endif
