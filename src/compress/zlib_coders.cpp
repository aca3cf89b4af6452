// SPDX-License-Identifier: BSL-1.0
#include "deflate_coders.hpp"

#include <algorithm>
#include <limits>
#include <new>

#define ZLIB_CONST
#include <zlib.h>

namespace sluice::detail {
namespace {

// windowBits of zlib.h: the size of the window, negative for raw deflate, 16 more for gzip.
int window_bits(deflate_format format) noexcept {
  return format == deflate_format::gzip ? MAX_WBITS + 16 : format == deflate_format::zlib ? MAX_WBITS : -MAX_WBITS;
}

uInt count(std::size_t n) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max()));
}

void lend(z_stream& stream, std::span<const std::byte> in, std::span<std::byte> out) noexcept {
  stream.next_in = reinterpret_cast<const Bytef*>(in.data());
  stream.avail_in = count(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = count(out.size());
}

void check(int answer) {
  if (answer != Z_OK) throw std::bad_alloc();
}

class zlib_decoder final : public inflate_decoder {
 public:
  explicit zlib_decoder(deflate_format format) : inflate_decoder(format) {
    check(::inflateInit2(&stream_, window_bits(deflate_format::raw)));
  }
  ~zlib_decoder() override { ::inflateEnd(&stream_); }

 private:
  void restart() override {
    ::inflateReset(&stream_);
    checksum_ = format() == deflate_format::zlib ? 1 : 0;
  }

  decoded inflate(std::span<const std::byte> in, std::span<std::byte> out) override {
    lend(stream_, in, out);
    const int answer = ::inflate(&stream_, Z_NO_FLUSH);
    decoded step{.consumed = count(in.size()) - stream_.avail_in, .produced = count(out.size()) - stream_.avail_out};
    switch (answer) {
      case Z_OK:
      case Z_BUF_ERROR: break;
      case Z_STREAM_END: step.member_ended = true; break;
      case Z_MEM_ERROR: throw std::bad_alloc();
      default: step.error = io_errc::invalid_data;
    }
    sum(out.first(step.produced));
    return step;
  }

  void sum(std::span<const std::byte> produced) noexcept {
    if (format() == deflate_format::gzip)
      checksum_ = crc32_by_zlib(checksum_, produced);
    else if (format() == deflate_format::zlib)
      checksum_ = static_cast<std::uint32_t>(
          ::adler32_z(checksum_, reinterpret_cast<const Bytef*>(produced.data()), produced.size()));
  }

  std::uint32_t checksum() const noexcept override { return checksum_; }

  z_stream stream_{};
  std::uint32_t checksum_ = 0;
};

class zlib_encoder final : public deflate_encoder {
 public:
  zlib_encoder(deflate_format format, int level) {
    constexpr int usual_memory = 8;
    check(::deflateInit2(&stream_, level, Z_DEFLATED, window_bits(format), usual_memory, Z_DEFAULT_STRATEGY));
  }
  ~zlib_encoder() override { ::deflateEnd(&stream_); }

  void begin() override {
    begun();
    ::deflateReset(&stream_);
  }

 private:
  encoded run(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) override {
    lend(stream_, in, out);
    const int flush = mode == encode_mode::run ? Z_NO_FLUSH : mode == encode_mode::flush ? Z_SYNC_FLUSH : Z_FINISH;
    const int answer = ::deflate(&stream_, flush);
    return {.consumed = count(in.size()) - stream_.avail_in,
            .produced = count(out.size()) - stream_.avail_out,
            .done = mode == encode_mode::finish ? answer == Z_STREAM_END : stream_.avail_out != 0};
  }

  z_stream stream_{};
};

}  // namespace

std::uint32_t crc32_by_zlib(std::uint32_t crc, std::span<const std::byte> data) noexcept {
  if (data.empty()) return crc;
  return static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

std::unique_ptr<decoder> make_zlib_decoder(deflate_format format) { return std::make_unique<zlib_decoder>(format); }

std::unique_ptr<encoder> make_zlib_encoder(deflate_format format, int level) {
  return std::make_unique<zlib_encoder>(format, level);
}

}  // namespace sluice::detail
