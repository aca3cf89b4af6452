// SPDX-License-Identifier: BSL-1.0
//
// What the engines behind gzip.hpp have in common.
//
//   class inflate_decoder;      // headers and trailers; an engine adds the deflate between them
//   class deflate_encoder;      // never little room for an engine
//
#ifndef SLUICE_SRC_COMPRESS_DEFLATE_CODERS_HPP
#define SLUICE_SRC_COMPRESS_DEFLATE_CODERS_HPP

#include <sluice/compress/gzip.hpp>

#include <array>

namespace sluice::detail {

/// A decoder of any of the formats. The wrapping of gzip and zlib is read here, so that every engine takes and refuses
/// the same.
class inflate_decoder : public decoder {
 public:
  explicit inflate_decoder(deflate_format format) noexcept : format_(format) {}

  void begin() final;
  decoded decode(std::span<const std::byte> in, std::span<std::byte> out) final;
  beginning look(std::span<const std::byte> in) const noexcept final;
  std::optional<std::uintmax_t> size_hint(const compressed_extent& extent) const noexcept final;

 protected:
  deflate_format format() const noexcept { return format_; }

 private:
  /// Makes ready for a deflate stream.
  virtual void restart() = 0;

  /// Decodes deflate, as decoder::decode. Where `out` was filled, or the stream has ended, no byte of `in` is consumed
  /// that is not needed for what was produced.
  virtual decoded inflate(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  /// Of all that was produced since restart(): a CRC-32 for gzip, an Adler-32 for zlib.
  virtual std::uint32_t checksum() const noexcept = 0;

  // In their order.
  enum class part : unsigned char { fixed, extra_size, extra, name, comment, header_crc, body, trailer };

  std::error_code read_header(std::span<const std::byte>& in);
  std::error_code check_zlib_header() const noexcept;
  bool read_text(std::span<const std::byte>& in) noexcept;
  bool collect(std::span<const std::byte>& in, std::size_t size) noexcept;
  std::uint32_t collected(std::size_t at, std::size_t size) const noexcept;
  std::error_code check_trailer() const noexcept;

  std::uint32_t header_crc_ = 0;
  std::uint32_t size_ = 0;     // of the member's content, modulo 2^32
  std::size_t skip_ = 0;       // of the extra field
  std::size_t text_ = 0;       // length of name and comment so far
  std::size_t collected_ = 0;  // of the field that is being read
  std::array<std::byte, 10> field_{};
  part part_ = part::fixed;
  unsigned char flags_ = 0;
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

/// Goes on with a CRC-32 that began with 0.
std::uint32_t crc32_by_zlib(std::uint32_t crc, std::span<const std::byte> data) noexcept;

}  // namespace sluice::detail

#endif
