// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/lz4.hpp>

#include "frame_magic.hpp"
#include "staged_output.hpp"

#include <lz4frame.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace sluice::detail {
namespace {

constexpr frame_magic magic{0x04, 0x22, 0x4d, 0x18};
constexpr frame_magic legacy_magic{0x02, 0x21, 0x4c, 0x18};

// The codes themselves are not part of the shared library's interface; their names are.
std::error_code meaning(std::size_t answer) {
  const std::string_view name = ::LZ4F_getErrorName(answer);
  if (name == "ERROR_allocation_failed") throw std::bad_alloc();
  if (name.ends_with("hecksum_invalid")) return io_errc::checksum_mismatch;
  if (name == "ERROR_frameType_unknown") return io_errc::unsupported;
  return io_errc::invalid_data;
}

void check(std::size_t answer) {
  if (::LZ4F_isError(answer)) throw std::bad_alloc();
}

class lz4_decoder final : public decoder {
 public:
  lz4_decoder() {
    ::LZ4F_dctx* made = nullptr;
    check(::LZ4F_createDecompressionContext(&made, LZ4F_VERSION));
    context_.reset(made);
  }

  void begin() override {
    ::LZ4F_resetDecompressionContext(context_.get());
    wanted_ = magic.size();
    full_ = false;
  }

  // A step of the library that fails forgets what it has decoded before. So each gets one block, or what comes between
  // two, and no more; and where the one before may have kept something for want of room, it gets nothing.
  decoded decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    decoded step;
    do {
      std::size_t taken = full_ ? 0 : std::min(in.size() - step.consumed, wanted_);
      std::size_t given = out.size() - step.produced;
      const std::size_t answer = ::LZ4F_decompress(context_.get(), out.data() + step.produced, &given,
                                                   in.data() + step.consumed, &taken, nullptr);
      if (::LZ4F_isError(answer)) {
        step.error = meaning(answer);
        break;
      }
      step.consumed += taken;
      step.produced += given;
      step.member_ended = answer == 0;
      // It asks for a block together with the header of the next.
      wanted_ = answer > block_header ? answer - block_header : std::max<std::size_t>(answer, 1);
      if (taken == 0 && given == 0 && !full_) break;
      full_ = step.produced == out.size();
    } while (!step.member_ended && !full_ && step.consumed < in.size());
    return step;
  }

  beginning look(std::span<const std::byte> in) const noexcept override {
    const beginning frame = look_for_frame(in, magic);
    return frame == beginning::other ? look_for_frame(in, legacy_magic) : frame;
  }

  // The header: magic, flags, block size, and 8 bytes of content size where a flag says so.
  std::optional<std::uintmax_t> size_hint(const compressed_extent& extent) const noexcept override {
    constexpr std::size_t size_at = 6;
    if (extent.head.size() < size_at + 8 || look(extent.head) != beginning::member) return std::nullopt;
    constexpr std::byte has_size{0x08};
    if (extent.head[0] != std::byte{0x04} || (extent.head[4] & has_size) == std::byte{0}) return std::nullopt;
    std::uintmax_t size = 0;
    for (std::size_t i = 0; i != 8; ++i) size |= std::to_integer<std::uintmax_t>(extent.head[size_at + i]) << (8 * i);
    return size;
  }

 private:
  static constexpr std::size_t block_header = 4;

  struct freed {
    void operator()(::LZ4F_dctx* context) const noexcept { ::LZ4F_freeDecompressionContext(context); }
  };
  std::unique_ptr<::LZ4F_dctx, freed> context_;
  std::size_t wanted_ = magic.size();
  bool full_ = false;
};

class lz4_encoder final : public encoder {
 public:
  explicit lz4_encoder(const lz4_options& options) {
    ::LZ4F_cctx* made = nullptr;
    check(::LZ4F_createCompressionContext(&made, LZ4F_VERSION));
    context_.reset(made);
    preferences_.compressionLevel = std::min(options.level, ::LZ4F_compressionLevel_max());
    preferences_.frameInfo.blockSizeID = LZ4F_max64KB;
    preferences_.frameInfo.blockMode = LZ4F_blockLinked;
    preferences_.frameInfo.contentChecksumFlag =
        options.checksum ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
  }

  void begin() override {
    staged_.clear();
    ended_ = false;
    put(LZ4F_HEADER_SIZE_MAX, [&](std::span<std::byte> room) {
      return ::LZ4F_compressBegin(context_.get(), room.data(), room.size(), &preferences_);
    });
  }

  encoded encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) override {
    encoded step;
    for (;;) {
      step.produced += staged_.take(out.subspan(step.produced));
      if (!staged_.empty()) return step;
      if (mode == encode_mode::run) {
        const auto piece = in.subspan(step.consumed, std::min(in.size() - step.consumed, block_size));
        if (piece.empty()) return step;
        held_ = true;
        put(::LZ4F_compressBound(piece.size(), &preferences_), [&](std::span<std::byte> room) {
          return ::LZ4F_compressUpdate(context_.get(), room.data(), room.size(), piece.data(), piece.size(), nullptr);
        });
        step.consumed += piece.size();
      } else if (mode == encode_mode::flush ? !held_ : ended_) {
        step.done = true;
        return step;
      } else {
        held_ = false;
        ended_ = mode == encode_mode::finish;
        put(::LZ4F_compressBound(0, &preferences_), [&](std::span<std::byte> room) {
          return ended_ ? ::LZ4F_compressEnd(context_.get(), room.data(), room.size(), nullptr)
                        : ::LZ4F_flush(context_.get(), room.data(), room.size(), nullptr);
        });
      }
    }
  }

 private:
  static constexpr std::size_t block_size = std::size_t{64} << 10;

  // Given all the room that it may want, the library fails only for want of memory.
  template <class Make>
  void put(std::size_t most, Make make) {
    const std::size_t size = make(staged_.room(most));
    check(size);
    staged_.put(size);
  }

  struct freed {
    void operator()(::LZ4F_cctx* context) const noexcept { ::LZ4F_freeCompressionContext(context); }
  };
  std::unique_ptr<::LZ4F_cctx, freed> context_;
  ::LZ4F_preferences_t preferences_{};
  staged_output staged_;
  bool held_ = false;   // bytes were taken since the last flush
  bool ended_ = false;  // the end of the frame is staged or given out
};

}  // namespace

std::unique_ptr<decoder> make_lz4_decoder() { return std::make_unique<lz4_decoder>(); }

std::unique_ptr<encoder> make_lz4_encoder(const lz4_options& options) { return std::make_unique<lz4_encoder>(options); }

}  // namespace sluice::detail
