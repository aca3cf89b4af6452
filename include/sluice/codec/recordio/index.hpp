// SPDX-License-Identifier: BSL-1.0
//
// Where the chunks of a RecordIO file are.
//
//   class recordio_index {
//     static std::expected<recordio_index, read_error<recordio_index>> load(sized_positional_reader& f, options);
//     static result<recordio_index> read(reader& r);         // one that was saved
//     result<void> write(writer& w) const;
//     std::span<const recordio_chunk> chunks() const;
//     std::uintmax_t records() const;
//     std::optional<record_place> locate(std::uintmax_t record) const;
//     std::vector<byte_range> ranges(std::size_t n) const;
//   };
//
//   auto data = or_throw(file::open("train.recordio"));
//   const auto index = or_throw(recordio_index::load(data));
//   for (const byte_range part : index.ranges(8)) start_worker(part);     // recordio_reader{file_range{...}}
//
#ifndef SLUICE_CODEC_RECORDIO_INDEX_HPP
#define SLUICE_CODEC_RECORDIO_INDEX_HPP

#include <sluice/codec/recordio/chunk.hpp>
#include <sluice/codec/recordio/detail/positional_ref.hpp>
#include <sluice/codec/recordio/policy.hpp>
#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

#include <vector>

namespace sluice {

/// A record: the number of its chunk, and its number in that.
struct record_place {
  std::size_t chunk = 0;     ///< number of the chunk
  std::uint32_t record = 0;  ///< number of the record within it

  bool operator==(const record_place&) const = default;
};

/// A section of a file, in bytes.
struct byte_range {
  std::uintmax_t offset = 0;  ///< from the beginning of the file
  std::uintmax_t length = 0;  ///< bytes

  bool operator==(const byte_range&) const = default;
};

/// The headers of a file. They say where the chunks are and how many records each has; a bad payload shows only when it
/// is read.
class recordio_index {
 public:
  /// An index; or an error, and the index of what is readable before it.
  using load_result = std::expected<recordio_index, read_error<recordio_index>>;

  /// An empty one.
  recordio_index() = default;

  /// Reads the headers of all chunks, each by one positional read of 20 bytes, and no payload. That has to lie
  /// inside the file.
  ///
  /// Errors: those of `f`; `invalid_data` for a header without the magic number, `truncated` for a torn header and a
  /// payload that is cut off; the error's `arrived` is the index of what comes before. With the policy `resync` damage
  /// is passed over as a reader would, and `report()` tells what was. Only there `max_chunk_size` counts.
  template <sized_positional_reader F>
  static load_result load(F& f, const recordio_options& options = {}) {
    return load_from(detail::as_positional(f), options);
  }

  /// An index that was written by `write`. Errors: the reader's; `invalid_data`, `truncated`, `checksum_mismatch`; and
  /// `unsupported` for a later version. Memory is taken as bytes arrive. See `fits`.
  template <reader R>
  static result<recordio_index> read(R&& r) {
    return read_from(detail::as_source(r));
  }

  /// Writes the index: 28 bytes a chunk and 36 more. All numbers have the low byte first:
  ///
  ///     8 bytes      "SLRIDX" 00 01
  ///     u64          size of the file that is described
  ///     u64          end of its last chunk
  ///     u64          number of chunks; then for each:
  ///       u64 offset   u32 payload size   u32 records   u32 checksum   u32 compressor   u32 layout (0 or 1)
  ///     u32          CRC-32C of all before
  template <writer W>
  [[nodiscard]] result<void> write(W&& w) const {
    return write_to(detail::as_sink(w));
  }

  /// All chunks, in the order of the file.
  std::span<const recordio_chunk> chunks() const noexcept { return chunks_; }

  /// All records together.
  std::uintmax_t records() const noexcept { return before_.empty() ? 0 : before_.back(); }

  /// How many records come before the chunk.
  std::uintmax_t records_before(std::size_t chunk) const noexcept { return chunk == 0 ? 0 : before_[chunk - 1]; }

  /// The size of the file when it was indexed, in bytes.
  std::uintmax_t file_size() const noexcept { return file_size_; }

  /// Whether the file still has that size. Chunks are only ever appended, so an index that does not fit describes a
  /// beginning of the file, or another file.
  template <sized_positional_reader F>
  result<bool> fits(F& f) const {
    const result<std::uintmax_t> size = f.size();
    if (!size) return fail(size.error());
    return *size == file_size_;
  }

  /// Where the record is, by binary search; nothing where there are not so many.
  std::optional<record_place> locate(std::uintmax_t record) const noexcept;

  /// Cuts the file into `n` ranges of about equal size, between chunks, without overlap or gap: a recordio_reader of
  /// each delivers its records, and all of them together all records, in order. Some are empty where there are fewer
  /// chunks.
  std::vector<byte_range> ranges(std::size_t n) const;

  /// What was left out of the index, with the policy `resync`.
  const recordio_report& report() const noexcept { return report_; }

 private:
  static load_result load_from(detail::positional_ref from, const recordio_options& options);
  static result<recordio_index> read_from(detail::source_ref from);
  result<void> write_to(detail::sink_ref to) const;
  void add(const recordio_chunk& chunk);

  std::vector<recordio_chunk> chunks_;
  std::vector<std::uintmax_t> before_;  // records up to the end of each chunk
  std::uintmax_t file_size_ = 0;
  recordio_report report_;
};

}  // namespace sluice

#endif
