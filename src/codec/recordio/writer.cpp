// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/endian.hpp>
#include <sluice/codec/recordio/writer.hpp>
#include <sluice/digest/crc32.hpp>
#include <sluice/write.hpp>

#include "chunk_header.hpp"
#ifdef SLUICE_WITH_GZIP
#include <sluice/compress/gzip.hpp>
#endif
#ifdef SLUICE_WITH_SNAPPY
#include <sluice/compress/snappy.hpp>
#endif

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace sluice::detail {
namespace {

constexpr std::size_t header_size = recordio_chunk::header_size;
constexpr std::size_t length_size = 4;

// A chunk of nothing but empty records has to end some time, too.
constexpr std::size_t most_lengths = std::size_t{8};

bool can_compress(recordio_compression compression) noexcept {
  switch (compression) {
    case recordio_compression::none: return true;
    case recordio_compression::gzip:
#ifdef SLUICE_WITH_GZIP
      return true;
#else
      return false;
#endif
    case recordio_compression::snappy:
#ifdef SLUICE_WITH_SNAPPY
      return true;
#else
      return false;
#endif
  }
  return false;
}

}  // namespace

struct recordio_writer_state::coders {
#ifdef SLUICE_WITH_GZIP
  std::unique_ptr<encoder> gzip;
#endif
#ifdef SLUICE_WITH_SNAPPY
  std::unique_ptr<encoder> snappy;
#endif
};

recordio_writer_state::recordio_writer_state(const recordio_writer_options& options) : options_(options) {
  constexpr std::size_t usual_size = std::size_t{32} << 20;
  if (options_.max_chunk_size == 0) options_.max_chunk_size = usual_size;
}
recordio_writer_state::recordio_writer_state(recordio_writer_state&& other) noexcept
    : options_(other.options_),
      chunk_(std::move(other.chunk_)),
      content_(std::exchange(other.content_, 0)),
      in_chunk_(std::exchange(other.in_chunk_, 0)),
      out_(std::exchange(other.out_, {})),
      packed_(std::move(other.packed_)),
      records_(other.records_),
      coders_(std::move(other.coders_)) {
  other.chunk_.clear();
}
recordio_writer_state& recordio_writer_state::operator=(recordio_writer_state&& other) noexcept {
  std::swap(options_, other.options_);
  chunk_.swap(other.chunk_);
  other.chunk_.clear();
  content_ = std::exchange(other.content_, 0);
  in_chunk_ = std::exchange(other.in_chunk_, 0);
  out_ = std::exchange(other.out_, {});
  packed_.swap(other.packed_);
  records_ = other.records_;
  coders_.swap(other.coders_);
  return *this;
}
recordio_writer_state::~recordio_writer_state() = default;

result<void> recordio_writer_state::write(sink_ref to, std::span<const std::byte> record) {
  if (record.size() >= options_.max_chunk_size || record.size() > std::numeric_limits<std::uint32_t>::max() / 2)
    return fail(io_errc::limit_exceeded);
  if (!can_compress(options_.compression)) return fail(io_errc::unsupported);
  const std::size_t stored = chunk_.empty() ? 0 : chunk_.size() - header_size;
  const bool full = content_ + record.size() > options_.max_chunk_size ||
                    stored / most_lengths > options_.max_chunk_size + (std::size_t{64} << 10) ||
                    stored + record.size() > std::numeric_limits<std::uint32_t>::max() / 2;
  if (full || !out_.empty()) {
    if (const auto done = end_chunk(to); !done) return done;
  }
  if (chunk_.empty()) chunk_.resize(header_size);
  // An insert would go byte by byte, as the allocator is none of the standard's.
  const std::size_t at = chunk_.size();
  chunk_.resize(at + length_size + record.size());
  store_le(std::span(chunk_).subspan(at).first<length_size>(), static_cast<std::uint32_t>(record.size()));
  if (!record.empty()) std::memcpy(chunk_.data() + at + length_size, record.data(), record.size());
  content_ += record.size();
  ++in_chunk_;
  ++records_;
  return {};
}

result<void> recordio_writer_state::end_chunk(sink_ref to) {
  if (out_.empty()) {
    if (in_chunk_ == 0) return {};
    if (const auto sealed = seal(); !sealed) return sealed;
  }
  return drain(to);
}

result<void> recordio_writer_state::drain(sink_ref to) {
  const auto done = write_all(to, out_, nullptr);
  if (!done) {
    out_ = out_.subspan(static_cast<std::size_t>(done.error().bytes));
    return fail(static_cast<std::error_code>(done.error()));
  }
  out_ = {};
  chunk_.clear();
  content_ = 0;
  in_chunk_ = 0;
  return {};
}

void recordio_writer_state::end_quietly(sink_ref to) noexcept {
  try {
    if (in_chunk_ != 0) (void)end_chunk(to);
  } catch (...) {
    // A destructor has nobody to tell.
  }
}

result<void> recordio_writer_state::seal() {
  bytes* whole = &chunk_;
  if (options_.compression != recordio_compression::none) {
    if (const auto done = compress(); !done) return done;
    whole = &packed_;
  }
  const auto payload = std::span<const std::byte>(*whole).subspan(header_size);
  if (payload.size() > std::numeric_limits<std::uint32_t>::max()) return fail(io_errc::limit_exceeded);
  const bool elasticdl = options_.layout == recordio_layout::elasticdl;
  const auto compressor = static_cast<std::uint32_t>(options_.compression) + (elasticdl ? 1 : 0);
  write_header(std::span(*whole).first<header_size>(), {.payload_size = static_cast<std::uint32_t>(payload.size()),
                                                        .records = in_chunk_,
                                                        .checksum = elasticdl ? crc32c_of(payload) : crc32_of(payload),
                                                        .compressor = compressor,
                                                        .layout = options_.layout});
  out_ = *whole;
  return {};
}

namespace {

#if defined(SLUICE_WITH_GZIP) || defined(SLUICE_WITH_SNAPPY)
// Compresses behind what `out` has, in which there is room from `size` on.
class packer {
 public:
  packer(encoder& format, bytes& out) noexcept : format_(format), out_(out), size_(header_size) {}

  std::error_code put(std::span<const std::byte> in, encode_mode mode) {
    for (;;) {
      constexpr std::size_t least_room = std::size_t{4} << 10;
      if (out_.size() - size_ < least_room) out_.resize(std::max(out_.size() * 2, size_ + least_room));
      const encoded step = format_.encode(in, std::span(out_).subspan(size_), mode);
      size_ += step.produced;
      in = in.subspan(step.consumed);
      if (step.error) return step.error;
      if (mode == encode_mode::run ? in.empty() : step.done) return {};
    }
  }

  void finish() { out_.resize(size_); }

 private:
  encoder& format_;
  bytes& out_;
  std::size_t size_;
};
#endif

}  // namespace

result<void> recordio_writer_state::compress() {
  [[maybe_unused]] const auto content = std::span<const std::byte>(chunk_).subspan(header_size);
  if (!coders_) coders_ = std::make_unique<coders>();
#ifdef SLUICE_WITH_SNAPPY
  if (options_.compression == recordio_compression::snappy) {
    if (options_.layout == recordio_layout::elasticdl) {
      const bytes block = snappy_compress(content);
      packed_.resize(header_size);
      packed_.insert(packed_.end(), block.begin(), block.end());
      return {};
    }
    auto& format = coders_->snappy;
    if (!format) format = make_snappy_encoder();
    format->begin();
    packed_.resize(std::max(packed_.capacity(), header_size));
    packer out(*format, packed_);
    if (options_.frames == snappy_frames::each_record) {
      for (auto rest = content; !rest.empty();) {
        const std::size_t size = load_le<std::uint32_t>(rest.first<length_size>());
        for (const auto piece : {rest.first(length_size), rest.subspan(length_size, size)}) {
          if (const auto why = out.put(piece, encode_mode::run)) return fail(why);
          if (const auto why = out.put({}, encode_mode::flush)) return fail(why);
        }
        rest = rest.subspan(length_size + size);
      }
    } else if (const auto why = out.put(content, encode_mode::run)) {
      return fail(why);
    }
    if (const auto why = out.put({}, encode_mode::finish)) return fail(why);
    out.finish();
    return {};
  }
#endif
#ifdef SLUICE_WITH_GZIP
  if (options_.compression == recordio_compression::gzip) {
    auto& format = coders_->gzip;
    if (!format) format = make_deflate_encoder(deflate_format::gzip, options_.gzip_level);
    format->begin();
    packed_.resize(std::max(packed_.capacity(), header_size));
    packer out(*format, packed_);
    if (const auto why = out.put(content, encode_mode::run)) return fail(why);
    if (const auto why = out.put({}, encode_mode::finish)) return fail(why);
    out.finish();
    return {};
  }
#endif
  return fail(io_errc::unsupported);
}

}  // namespace sluice::detail
