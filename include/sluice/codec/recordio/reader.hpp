// SPDX-License-Identifier: BSL-1.0
//
// Reads RecordIO from any reader.
//
//   template <reader R> class recordio_reader;     // a record_reader
//
//   recordio_reader in{or_throw(file::open("train.recordio"))};
//   while (const auto record = or_throw(in.next())) use(*record);
//
#ifndef SLUICE_CODEC_RECORDIO_READER_HPP
#define SLUICE_CODEC_RECORDIO_READER_HPP

#include <sluice/codec/recordio/detail/reader_state.hpp>
#include <sluice/detail/held.hpp>

namespace sluice {

/// Reads the chunked format of wangkuiyi/recordio and PaddlePaddle, and that of elasticdl, chunk by chunk.
///
/// Exactly the bytes of the chunks are read, the header, then the payload, into a buffer that every chunk uses again.
/// A payload is one read where the stream knows its size, or the buffer has room for it. From memory, or where a
/// buffered reader's window has the whole chunk, the payload is used where it lies. Its checksum is verified before
/// anything is decompressed, and all its records before the first is delivered.
///
/// Memory: a payload as stored, once and as it arrives; at most twice what has arrived and 32 KiB where the stream does
/// not know its size. Of a compressed chunk also its content. `max_chunk_size` bounds both.
template <reader R>
class recordio_reader {
 public:
  explicit recordio_reader(R&& inner, const recordio_options& options = {})
      : inner_(std::forward<R>(inner)), state_(options) {}

  /// The next record; nothing at the end, which is only where a chunk has ended. An uncompressed one is a view of its
  /// chunk, of which all are valid until the next chunk is entered; the records of one chunk may so be kept together.
  ///
  /// Errors, which the policy may turn into losses: `invalid_data` for a header without the magic number and for
  /// records that do not fit into their chunk or are not as many as it says, or do not decompress;
  /// `checksum_mismatch`; `unsupported` compressors; `limit_exceeded`; `truncated` where the stream ends inside a
  /// chunk. Those are final. An error of `R` comes as it is, and a next call goes on.
  next_record next() { return state_.next(source()); }

  /// The next record where the chunk at hand has one, which costs a compare and two additions; else false, and `next`
  /// goes on. `records` and `copy_records` use it.
  bool try_next(std::span<const std::byte>& record) noexcept { return state_.try_next(record); }

  /// Passes over up to `n` records; returns how many, fewer only at the end. Chunks are loaded and verified all the
  /// same: a recordio_range goes to a record without.
  result<std::uintmax_t> skip(std::uintmax_t n) { return state_.skip_records(source(), n); }

  /// What was read and what was left out so far.
  const recordio_report& report() const noexcept { return state_.report(); }

  /// The header of the chunk that the last record came from; its offset counts from where the reader began.
  const recordio_chunk& chunk() const noexcept { return state_.chunk(); }

  /// The stream. It stands behind the chunk that is being delivered, or, where that lies in its window, before it.
  auto& inner() noexcept { return inner_.get(); }

 private:
  detail::source_ref source() noexcept { return detail::as_source(inner_.get()); }

  detail::held<R> inner_;
  detail::recordio_reader_state state_;
};

template <reader R>
recordio_reader(R&&) -> recordio_reader<R>;
template <reader R>
recordio_reader(R&&, const recordio_options&) -> recordio_reader<R>;

}  // namespace sluice

#endif
