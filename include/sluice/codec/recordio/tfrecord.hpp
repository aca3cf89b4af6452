// SPDX-License-Identifier: BSL-1.0
//
// TFRecord, as TensorFlow reads and writes it.
//
//   template <reader R> class tfrecord_reader;      // a record_reader
//   template <writer W> class tfrecord_writer;      // a record_writer
//
#ifndef SLUICE_CODEC_RECORDIO_TFRECORD_HPP
#define SLUICE_CODEC_RECORDIO_TFRECORD_HPP

#include <sluice/codec/recordio/detail/framed_reader.hpp>
#include <sluice/codec/recordio/detail/framed_writer.hpp>

namespace sluice {
namespace detail {

class tfrecord_parser {
 public:
  using options_type = record_options;
  explicit tfrecord_parser(const record_options& options) noexcept : options_(options) {}
  next_record next(source_ref from);

 private:
  record_options options_;
  frame_window window_;
};

frame_written write_tfrecord(sink_ref to, std::span<const std::byte> record);

}  // namespace detail

/// A record is a length of 64 bits and its checksum, the bytes, and their checksum: CRC-32C, masked, the low byte
/// first. The length is believed once its checksum fits. A file may be compressed as a whole: `file | gunzip()`.
/// Errors: `checksum_mismatch`.
template <reader R>
class tfrecord_reader : public detail::framed_reader<R, detail::tfrecord_parser> {
 public:
  using detail::framed_reader<R, detail::tfrecord_parser>::framed_reader;
};

template <reader R>
tfrecord_reader(R&&) -> tfrecord_reader<R>;
template <reader R>
tfrecord_reader(R&&, const record_options&) -> tfrecord_reader<R>;

/// Writes TFRecord.
template <writer W>
class tfrecord_writer : public detail::framed_writer<W, &detail::write_tfrecord> {
 public:
  using detail::framed_writer<W, &detail::write_tfrecord>::framed_writer;
};

template <writer W>
tfrecord_writer(W&&) -> tfrecord_writer<W>;

}  // namespace sluice

#endif
