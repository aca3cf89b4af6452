// SPDX-License-Identifier: BSL-1.0
//
// Writes RecordIO to any writer.
//
//   struct recordio_writer_options;
//   template <writer W> class recordio_writer;      // a record_writer
//
//   recordio_writer out{or_throw(file::create("train.recordio")), {.compression = recordio_compression::gzip}};
//   ... or_throw(out.write(record)) ...
//   or_throw(out.close());
//
#ifndef SLUICE_CODEC_RECORDIO_WRITER_HPP
#define SLUICE_CODEC_RECORDIO_WRITER_HPP

#include <sluice/codec/recordio/chunk.hpp>
#include <sluice/codec/recordio/record_stream.hpp>
#include <sluice/detail/closable.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/sink_ops.hpp>
#include <sluice/memory/bytes.hpp>

namespace sluice {

/// How the content of a chunk is cut into Snappy frames. Every reader has to take both.
enum class snappy_frames : unsigned char {
  full,         ///< of 64 KiB, across records: as PaddlePaddle writes them
  each_record,  ///< each length and each record by itself: as wangkuiyi/recordio does; large
};

/// How RecordIO is written.
struct recordio_writer_options {
  recordio_compression compression = recordio_compression::none;  ///< of each chunk

  /// Bytes of records in a chunk, their lengths not counted, before compression. Every record is shorter. 0 is 32 MiB.
  std::size_t max_chunk_size = std::size_t{32} << 20;

  recordio_layout layout = recordio_layout::standard;  ///< the order of a header's fields
  snappy_frames frames = snappy_frames::full;          ///< of a chunk in Snappy
  int gzip_level = 6;                                  ///< as `deflate_options` have it
};

namespace detail {

class recordio_writer_state {
 public:
  explicit recordio_writer_state(const recordio_writer_options& options);
  recordio_writer_state(recordio_writer_state&&) noexcept;
  recordio_writer_state& operator=(recordio_writer_state&&) noexcept;
  ~recordio_writer_state();

  result<void> write(sink_ref to, std::span<const std::byte> record);
  result<void> end_chunk(sink_ref to);
  void end_quietly(sink_ref to) noexcept;

  std::uintmax_t records() const noexcept { return records_; }

 private:
  struct coders;

  result<void> seal();
  result<void> drain(sink_ref to);
  result<void> compress();

  recordio_writer_options options_;
  bytes chunk_;                     // room for a header, then the content
  std::size_t content_ = 0;         // bytes of records in it
  std::uint32_t in_chunk_ = 0;      // records
  std::span<const std::byte> out_;  // of a sealed chunk, what was not accepted yet
  bytes packed_;                    // the same compressed
  std::uintmax_t records_ = 0;
  std::unique_ptr<coders> coders_;
};

}  // namespace detail

/// Collects records and writes each chunk as a whole, so `W` needs no buffer. A record is copied once; a chunk is
/// written before the record that would make it too large. Chunks of no records are not written, and a file of none is
/// empty.
///
/// After a failure of `W` nothing is lost: what it has not accepted is written by a next call. The destructor and move
/// assignment write the last chunk as well as they can, and cannot tell whether it worked.
template <writer W>
class recordio_writer {
 public:
  explicit recordio_writer(W&& inner, const recordio_writer_options& options = {})
      : inner_(std::forward<W>(inner)), state_(options) {}

  recordio_writer(recordio_writer&&) = default;
  recordio_writer& operator=(recordio_writer&& other) {
    if (this != &other) {
      state_.end_quietly(sink());
      state_ = std::move(other.state_);
      inner_ = std::move(other.inner_);
    }
    return *this;
  }
  ~recordio_writer() { state_.end_quietly(sink()); }

  /// Adds a record. Errors: `limit_exceeded` for one of `max_chunk_size` bytes or more; `unsupported` where the library
  /// was built without the compressor; those of `W`, and then the record was not added.
  [[nodiscard]] result<void> write(std::span<const std::byte> record) { return state_.write(sink(), record); }

  /// Ends the chunk and flushes `W`. Often is wasteful: a chunk takes 20 bytes, and compression begins anew.
  [[nodiscard]] result<void> flush() {
    if (auto done = state_.end_chunk(sink()); !done) return done;
    return sink().flush();
  }

  /// Flushes, then closes `W` where it can be closed. After an error nothing is closed, and it may be called again.
  [[nodiscard]] result<void> close() {
    if (auto done = flush(); !done) return done;
    if constexpr (detail::closable<W>) return inner_.get().close();
    return {};
  }

  /// Records that were added.
  std::uintmax_t records() const noexcept { return state_.records(); }

  auto& inner() noexcept { return inner_.get(); }

 private:
  detail::sink_ref sink() noexcept { return detail::as_sink(inner_.get()); }

  detail::held<W> inner_;
  detail::recordio_writer_state state_;
};

template <writer W>
recordio_writer(W&&) -> recordio_writer<W>;
template <writer W>
recordio_writer(W&&, const recordio_writer_options&) -> recordio_writer<W>;

}  // namespace sluice

#endif
