// SPDX-License-Identifier: BSL-1.0
#include "deflate_coders.hpp"

#ifdef SLUICE_WITH_ISAL

#include <algorithm>
#include <limits>
#include <utility>

#include <isa-l/igzip_lib.h>

namespace sluice {

bool has_isal_inflate() noexcept { return true; }

namespace detail {
namespace {

std::uint32_t count(std::size_t n) noexcept {
  return static_cast<std::uint32_t>(std::min<std::size_t>(n, std::numeric_limits<std::uint32_t>::max()));
}

// Its structures take byte pointers without const, and read only.
std::uint8_t* bytes_of(std::span<const std::byte> in) noexcept {
  return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(in.data()));
}

class isal_decoder final : public inflate_decoder {
 public:
  explicit isal_decoder(deflate_format format) noexcept : inflate_decoder(format) { ::isal_inflate_init(&state_); }

  void begin() override {
    begun();
    ::isal_inflate_reset(&state_);
    state_.crc_flag = format() == deflate_format::gzip   ? ISAL_GZIP
                      : format() == deflate_format::zlib ? ISAL_ZLIB
                                                         : ISAL_DEFLATE;
  }

  decoded decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    state_.next_in = bytes_of(in);
    state_.avail_in = count(in.size());
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = count(out.size());
    const int answer = ::isal_inflate(&state_);
    decoded step{.consumed = count(in.size()) - state_.avail_in, .produced = count(out.size()) - state_.avail_out};
    switch (answer) {
      case ISAL_DECOMP_OK:
      case ISAL_END_INPUT:
      case ISAL_OUT_OVERFLOW: step.member_ended = state_.block_state == ISAL_BLOCK_FINISH; break;
      case ISAL_NEED_DICT: step.error = io_errc::unsupported; break;
      case ISAL_INCORRECT_CHECKSUM: step.error = io_errc::checksum_mismatch; break;
      default: step.error = io_errc::invalid_data;
    }
    return step;
  }

 private:
  ::inflate_state state_;
};

class isal_encoder final : public deflate_encoder {
 public:
  explicit isal_encoder(deflate_format format) noexcept : format_(format) {}

  void begin() override {
    begun();
    ::isal_deflate_init(&stream_);
    stream_.gzip_flag = format_ == deflate_format::gzip   ? IGZIP_GZIP
                        : format_ == deflate_format::zlib ? IGZIP_ZLIB
                                                          : IGZIP_DEFLATE;
    stream_.level = 1;
    stream_.level_buf = level_memory_;
    stream_.level_buf_size = sizeof level_memory_;
  }

 private:
  encoded run(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) override {
    stream_.next_in = bytes_of(in);
    stream_.avail_in = count(in.size());
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = count(out.size());
    stream_.flush = mode == encode_mode::flush ? SYNC_FLUSH : NO_FLUSH;
    stream_.end_of_stream = mode == encode_mode::finish;
    if (::isal_deflate(&stream_) != COMP_OK) return {.error = io_errc::invalid_data};
    return {.consumed = count(in.size()) - stream_.avail_in,
            .produced = count(out.size()) - stream_.avail_out,
            .done = mode == encode_mode::finish ? stream_.internal_state.state == ZSTATE_END : stream_.avail_out != 0};
  }

  deflate_format format_;
  ::isal_zstream stream_;
  std::uint8_t level_memory_[ISAL_DEF_LVL1_DEFAULT];
};

}  // namespace

std::unique_ptr<decoder> make_isal_decoder(deflate_format format) { return std::make_unique<isal_decoder>(format); }
std::unique_ptr<encoder> make_isal_encoder(deflate_format format) { return std::make_unique<isal_encoder>(format); }

}  // namespace detail
}  // namespace sluice

#else

namespace sluice {

bool has_isal_inflate() noexcept { return false; }

namespace detail {

std::unique_ptr<decoder> make_isal_decoder(deflate_format) { return nullptr; }
std::unique_ptr<encoder> make_isal_encoder(deflate_format) { return nullptr; }

}  // namespace detail
}  // namespace sluice

#endif
