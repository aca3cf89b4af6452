// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/zstd.hpp>

#include "frame_magic.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

namespace sluice::detail {
namespace {

constexpr frame_magic magic{0x28, 0xb5, 0x2f, 0xfd};

std::error_code meaning(std::size_t answer) {
  switch (::ZSTD_getErrorCode(answer)) {
    case ZSTD_error_memory_allocation: throw std::bad_alloc();
    case ZSTD_error_checksum_wrong: return io_errc::checksum_mismatch;
    case ZSTD_error_frameParameter_windowTooLarge: return io_errc::limit_exceeded;
    case ZSTD_error_dictionary_wrong:
    case ZSTD_error_dictionary_corrupted:
    case ZSTD_error_frameParameter_unsupported:
    case ZSTD_error_version_unsupported: return io_errc::unsupported;
    default: return io_errc::invalid_data;
  }
}

template <class Context>
Context* checked(Context* made) {
  if (!made) throw std::bad_alloc();
  return made;
}

class zstd_decoder final : public decoder {
 public:
  explicit zstd_decoder(int window_log_max) : context_(checked(::ZSTD_createDCtx())) {
    const ::ZSTD_bounds bounds = ::ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax,
                             std::clamp(window_log_max, bounds.lowerBound, bounds.upperBound));
  }

  void begin() override {
    ::ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    wanted_ = magic.size();
    full_ = false;
  }

  // A step of the library that fails forgets what it has decoded before. So each gets one block, or what comes between
  // two, and no more; and where the one before may have kept something for want of room, it gets nothing.
  decoded decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    decoded step;
    do {
      const auto piece = in.subspan(step.consumed, full_ ? 0 : std::min(in.size() - step.consumed, wanted_));
      ::ZSTD_inBuffer from{piece.data(), piece.size(), 0};
      ::ZSTD_outBuffer to{out.data() + step.produced, out.size() - step.produced, 0};
      const std::size_t answer = ::ZSTD_decompressStream(context_.get(), &to, &from);
      if (::ZSTD_isError(answer)) {
        step.error = meaning(answer);
        break;
      }
      step.consumed += from.pos;
      step.produced += to.pos;
      step.member_ended = answer == 0;
      // It asks for a block together with the header of the next.
      wanted_ = answer > block_header ? answer - block_header : std::max<std::size_t>(answer, 1);
      if (from.pos == 0 && to.pos == 0 && !full_) break;
      full_ = step.produced == out.size();
    } while (!step.member_ended && !full_ && step.consumed < in.size());
    return step;
  }

  beginning look(std::span<const std::byte> in) const noexcept override { return look_for_frame(in, magic); }

  std::optional<std::uintmax_t> size_hint(const compressed_extent& extent) const noexcept override {
    const unsigned long long size = ::ZSTD_getFrameContentSize(extent.head.data(), extent.head.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size == 0) return std::nullopt;
    return size;
  }

 private:
  static constexpr std::size_t block_header = 3;

  struct freed {
    void operator()(::ZSTD_DCtx* context) const noexcept { ::ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<::ZSTD_DCtx, freed> context_;
  std::size_t wanted_ = magic.size();
  bool full_ = false;
};

class zstd_encoder final : public encoder {
 public:
  explicit zstd_encoder(const zstd_options& options) : context_(checked(::ZSTD_createCCtx())) {
    const int level = std::clamp(options.level, ::ZSTD_minCLevel(), ::ZSTD_maxCLevel());
    ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, options.checksum ? 1 : 0);
  }

  void begin() override { ::ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only); }

  encoded encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) override {
    ::ZSTD_inBuffer from{in.data(), in.size(), 0};
    ::ZSTD_outBuffer to{out.data(), out.size(), 0};
    const ::ZSTD_EndDirective how = mode == encode_mode::run     ? ZSTD_e_continue
                                    : mode == encode_mode::flush ? ZSTD_e_flush
                                                                 : ZSTD_e_end;
    const std::size_t answer = ::ZSTD_compressStream2(context_.get(), &to, &from, how);
    if (::ZSTD_isError(answer)) return {.error = meaning(answer)};
    return {.consumed = from.pos, .produced = to.pos, .done = answer == 0};
  }

 private:
  struct freed {
    void operator()(::ZSTD_CCtx* context) const noexcept { ::ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<::ZSTD_CCtx, freed> context_;
};

}  // namespace

std::unique_ptr<decoder> make_zstd_decoder(int window_log_max) {
  return std::make_unique<zstd_decoder>(window_log_max);
}

std::unique_ptr<encoder> make_zstd_encoder(const zstd_options& options) {
  return std::make_unique<zstd_encoder>(options);
}

}  // namespace sluice::detail
