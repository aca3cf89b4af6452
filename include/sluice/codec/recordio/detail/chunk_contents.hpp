// SPDX-License-Identifier: BSL-1.0
//
// The records of one chunk.
//
//   class chunk_decompressor;
//   class chunk_contents;
//
#ifndef SLUICE_CODEC_RECORDIO_DETAIL_CHUNK_CONTENTS_HPP
#define SLUICE_CODEC_RECORDIO_DETAIL_CHUNK_CONTENTS_HPP

#include <sluice/codec/endian.hpp>
#include <sluice/codec/recordio/chunk.hpp>
#include <sluice/memory/bytes.hpp>

#include <memory>
#include <span>

namespace sluice::detail {

/// Decompresses payloads into a buffer that is used again.
class chunk_decompressor {
 public:
  chunk_decompressor() noexcept;
  chunk_decompressor(chunk_decompressor&&) noexcept;
  chunk_decompressor& operator=(chunk_decompressor&&) noexcept;
  ~chunk_decompressor();

  /// The content of a payload that is compressed, at most `max_size` bytes of it. Memory grows with what is decoded.
  result<std::span<const std::byte>> decompress(const recordio_chunk& chunk, std::span<const std::byte> payload,
                                                std::size_t max_size);

 private:
  struct coders;
  std::unique_ptr<coders> coders_;
};

/// Whether the checksum of the header is that of the payload.
bool checksum_fits(const recordio_chunk& chunk, std::span<const std::byte> payload) noexcept;

class chunk_contents {
 public:
  /// Opens a payload whose checksum fits. Every record lies inside of it, and there are as many as the header says, or
  /// it is `invalid_data`; other errors: `unsupported`, `limit_exceeded`. Uncompressed records are views of `payload`.
  result<void> open(const recordio_chunk& chunk, std::span<const std::byte> payload, std::size_t max_size);

  void close() noexcept { left_ = 0; }

  std::uint32_t left() const noexcept { return left_; }

  /// The next record, of which there is one.
  std::span<const std::byte> next() noexcept {
    --left_;
    const std::size_t size = load_le<std::uint32_t>(std::span<const std::byte, 4>(at_, 4));
    const std::span<const std::byte> record(at_ + 4, size);
    at_ += 4 + size;
    return record;
  }

  /// The same, where there is one.
  bool try_next(std::span<const std::byte>& record) noexcept {
    if (left_ == 0) return false;
    record = next();
    return true;
  }

  /// Passes over up to `n` records.
  void skip(std::uint32_t n) noexcept {
    for (; n != 0 && left_ != 0; --n) next();
  }

 private:
  const std::byte* at_ = nullptr;
  std::uint32_t left_ = 0;
  chunk_decompressor decompressor_;
};

}  // namespace sluice::detail

#endif
