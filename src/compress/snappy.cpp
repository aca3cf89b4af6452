// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/snappy.hpp>
#include <sluice/digest/crc32.hpp>

#include "staged_output.hpp"

#include <snappy.h>

#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

namespace sluice {
namespace detail {
namespace {

const char* chars(std::span<const std::byte> b) noexcept { return reinterpret_cast<const char*>(b.data()); }
char* chars(std::span<std::byte> b) noexcept { return reinterpret_cast<char*>(b.data()); }

// framing_format.txt, sections 2 to 4.
constexpr std::size_t header_size = 4;
constexpr std::size_t checksum_size = 4;
constexpr std::size_t block_size = 65536;
constexpr std::size_t largest_compressed_block = 32 + block_size + block_size / 6;  // snappy::MaxCompressedLength
constexpr std::array<unsigned char, 10> identifier{0xff, 0x06, 0x00, 0x00, 's', 'N', 'a', 'P', 'p', 'Y'};

enum chunk_type : unsigned char {
  compressed = 0x00,
  uncompressed = 0x01,
  first_skippable = 0x80,
  identifies = 0xff,
};

// Little-endian; a compiler makes one load or store of it.
std::uint32_t load(std::span<const std::byte, 4> b) noexcept {
  std::uint32_t n = 0;
  for (unsigned i = 4; i-- != 0;) n = n << 8 | std::to_integer<std::uint32_t>(b[i]);
  return n;
}

void store(std::span<std::byte, 4> b, std::uint32_t n) noexcept {
  for (std::byte& at : b) {
    at = static_cast<std::byte>(n);
    n >>= 8;
  }
}

std::uint32_t masked(std::uint32_t checksum) noexcept { return std::rotr(checksum, 15) + 0xa282ead8U; }

std::span<const std::byte> identifier_bytes() noexcept { return std::as_bytes(std::span(identifier)); }

class snappy_decoder final : public decoder {
 public:
  void begin() override { start(); }

  decoded decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    decoded step;
    while (!step.error) {
      if (!block_.empty()) step.produced += block_.take(out.subspan(step.produced));
      if (step.consumed == in.size() || step.produced == out.size()) break;
      take_one(in.subspan(step.consumed), out.subspan(step.produced), step);
    }
    return step;
  }

  bool may_end() const noexcept override { return held_.empty() && skip_left_ == 0; }

  beginning look(std::span<const std::byte> in) const noexcept override {
    const auto wanted = identifier_bytes();
    const std::size_t n = std::min(in.size(), wanted.size());
    if (!std::ranges::equal(in.first(n), wanted.first(n))) return beginning::other;
    return n == wanted.size() ? beginning::member : beginning::unclear;
  }

 private:
  void start() noexcept {
    block_.clear();
    held_.clear();
    skip_left_ = 0;
  }

  static unsigned char type_of(std::span<const std::byte> chunk) noexcept {
    return std::to_integer<unsigned char>(chunk[0]);
  }

  static std::size_t size_of(std::span<const std::byte> header) noexcept {
    return header_size + (load(header.first<header_size>()) >> 8);
  }

  static bool is_skipped(std::span<const std::byte> header) noexcept {
    return type_of(header) >= first_skippable && type_of(header) != identifies;
  }

  // A chunk that lies in the input as a whole is decoded there.
  void take_one(std::span<const std::byte> in, std::span<std::byte> out, decoded& step) {
    if (skip_left_ != 0) {
      const std::size_t n = std::min(skip_left_, in.size());
      skip_left_ -= n;
      step.consumed += n;
    } else if (held_.empty() && in.size() >= header_size && size_of(in) <= in.size() && !is_skipped(in)) {
      step.consumed += size_of(in);
      decode_chunk(in.first(size_of(in)), out, step);
    } else {
      gather(in, out, step);
    }
  }

  // One that does not is collected: its header first, which says how much that is.
  void gather(std::span<const std::byte> in, std::span<std::byte> out, decoded& step) {
    const std::size_t wanted = held_.size() < header_size ? header_size : size_of(held_);
    const std::size_t n = std::min(wanted - held_.size(), in.size());
    held_.insert(held_.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
    step.consumed += n;
    if (held_.size() < header_size) return;
    if (is_skipped(held_)) {
      skip_left_ = size_of(held_) - header_size;
      held_.clear();
    } else if (const std::error_code why = unsound(held_)) {
      step.error = why;
    } else if (held_.size() == size_of(held_)) {
      decode_chunk(held_, out, step);
      held_.clear();
    }
  }

  // What the header alone tells, before anything is taken for what it claims.
  static std::error_code unsound(std::span<const std::byte> header) noexcept {
    const std::size_t size = size_of(header) - header_size;
    switch (type_of(header)) {
      case compressed:
        if (size > checksum_size && size <= checksum_size + largest_compressed_block) return {};
        break;
      case uncompressed:
        if (size >= checksum_size && size <= checksum_size + block_size) return {};
        break;
      case identifies:
        if (size == identifier.size() - header_size) return {};
        break;
      default: break;
    }
    return io_errc::invalid_data;
  }

  void decode_chunk(std::span<const std::byte> chunk, std::span<std::byte> out, decoded& step) {
    step.error = unsound(chunk);
    if (step.error) return;
    if (type_of(chunk) == identifies) {
      if (!std::ranges::equal(chunk, identifier_bytes())) step.error = io_errc::invalid_data;
      return;
    }
    const auto checksum = load(chunk.subspan<header_size, checksum_size>());
    const auto data = chunk.subspan(header_size + checksum_size);
    std::size_t size = data.size();
    if (type_of(chunk) == compressed &&
        (!::snappy::GetUncompressedLength(chars(data), data.size(), &size) || size > block_size)) {
      step.error = io_errc::invalid_data;
      return;
    }
    const bool fits = size <= out.size();
    const std::span<std::byte> to = fits ? out.first(size) : block_.room(block_size).first(size);
    if (type_of(chunk) == uncompressed) {
      std::ranges::copy(data, to.begin());
    } else if (!::snappy::RawUncompress(chars(data), data.size(), chars(to))) {
      step.error = io_errc::invalid_data;
      return;
    }
    if (masked(crc32c_of(to)) != checksum) {
      step.error = io_errc::checksum_mismatch;
    } else if (fits) {
      step.produced += size;
    } else {
      block_.put(size);
    }
  }

  staged_output block_;          // decoded, and not given out
  std::vector<std::byte> held_;  // of a chunk that has not arrived as a whole
  std::size_t skip_left_ = 0;    // of a chunk that may be skipped
};

class snappy_encoder final : public encoder {
 public:
  void begin() override {
    block_.clear();
    staged_.clear();
    staged_.append(identifier_bytes());
  }

  encoded encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) override {
    encoded step;
    for (;;) {
      step.produced += staged_.take(out.subspan(step.produced));
      if (!staged_.empty()) return step;
      if (mode != encode_mode::run) {
        if (block_.empty()) {
          step.done = true;
          return step;
        }
        put_block(block_);
        block_.clear();
        continue;
      }
      const std::span<const std::byte> rest = in.subspan(step.consumed);
      if (rest.empty()) return step;
      if (block_.empty() && rest.size() >= block_size) {
        put_block(rest.first(block_size));
        step.consumed += block_size;
        continue;
      }
      const auto piece = rest.first(std::min(rest.size(), block_size - block_.size()));
      block_.insert(block_.end(), piece.begin(), piece.end());
      step.consumed += piece.size();
      if (block_.size() == block_size) {
        put_block(block_);
        block_.clear();
      }
    }
  }

 private:
  void put_block(std::span<const std::byte> block) {
    const std::span<std::byte> room =
        staged_.room(header_size + checksum_size + ::snappy::MaxCompressedLength(block.size()));
    const std::span<std::byte> data = room.subspan(header_size + checksum_size);
    std::size_t size = 0;
    ::snappy::RawCompress(chars(block), block.size(), chars(data), &size);
    // As the reference has it: compressed only where that saves an eighth.
    const bool worth = size < block.size() - block.size() / 8;
    if (!worth) {
      std::ranges::copy(block, data.begin());
      size = block.size();
    }
    const auto type = worth ? compressed : uncompressed;
    store(room.first<header_size>(), static_cast<std::uint32_t>((size + checksum_size) << 8 | type));
    store(room.subspan<header_size, checksum_size>(), masked(crc32c_of(block)));
    staged_.put(header_size + checksum_size + size);
  }

  staged_output staged_;
  bytes block_;
};

}  // namespace

std::unique_ptr<decoder> make_snappy_decoder() { return std::make_unique<snappy_decoder>(); }
std::unique_ptr<encoder> make_snappy_encoder() { return std::make_unique<snappy_encoder>(); }

}  // namespace detail

using detail::chars;

bytes snappy_compress(std::span<const std::byte> content) {
  if (content.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("a block of snappy holds 4 GiB at most");
  bytes block(::snappy::MaxCompressedLength(content.size()));
  std::size_t size = 0;
  ::snappy::RawCompress(chars(content), content.size(), chars(std::span(block)), &size);
  block.resize(size);
  return block;
}

result<void> snappy_uncompress(std::span<const std::byte> block, bytes& out, std::size_t max_size) {
  std::size_t size = 0;
  if (!::snappy::GetUncompressedLength(chars(block), block.size(), &size)) return fail(io_errc::invalid_data);
  if (size > max_size) return fail(io_errc::limit_exceeded);
  if (!::snappy::IsValidCompressedBuffer(chars(block), block.size())) return fail(io_errc::invalid_data);
  out.resize(size);
  if (!::snappy::RawUncompress(chars(block), block.size(), chars(std::span(out)))) return fail(io_errc::invalid_data);
  return {};
}

result<bytes> snappy_uncompress(std::span<const std::byte> block, std::size_t max_size) {
  bytes content;
  if (const auto done = snappy_uncompress(block, content, max_size); !done) return fail(done.error());
  return content;
}

}  // namespace sluice
