// SPDX-License-Identifier: BSL-1.0
//
// The RecordIO of dmlc and MXNet.
//
//   template <reader R> class dmlc_reader;      // a record_reader
//   template <writer W> class dmlc_writer;      // a record_writer
//
#ifndef SLUICE_CODEC_RECORDIO_DMLC_HPP
#define SLUICE_CODEC_RECORDIO_DMLC_HPP

#include <sluice/codec/recordio/detail/framed_reader.hpp>
#include <sluice/codec/recordio/detail/framed_writer.hpp>
#include <sluice/codec/recordio/policy.hpp>

namespace sluice {

/// How a dmlc_reader reads.
struct dmlc_options {
  /// `skip_chunk` is the same as `resync` here: a record has no checksum, so damage shows only where one should begin.
  recordio_policy policy = recordio_policy::fail;

  /// Bytes of a record; a longer one is `limit_exceeded`.
  std::size_t max_record_size = std::size_t{256} << 20;
};

namespace detail {

class dmlc_parser {
 public:
  using options_type = dmlc_options;
  explicit dmlc_parser(const dmlc_options& options) noexcept : options_(options) {}
  next_record next(source_ref from);

  const recordio_report& report() const noexcept { return report_; }

 private:
  result<std::error_code> step(source_ref from, std::optional<std::span<const std::byte>>& record);
  result<bool> find_record(source_ref from);
  void drop(source_ref from, std::size_t n) noexcept;

  dmlc_options options_;
  input_window window_;
  std::size_t held_ = 0;  // of the record that was delivered
  bytes joined_;          // a record in parts, as far as it has come
  bool joining_ = false;  // its last part is still to come
  bool searching_ = false;
  bool ended_ = false;
  std::uintmax_t offset_ = 0;  // of the window
  std::uintmax_t record_begin_ = 0;
  std::error_code error_;
  std::error_code damage_;  // what is being passed over
  recordio_report report_;
};

frame_written write_dmlc(sink_ref to, std::span<const std::byte> record);

}  // namespace detail

/// A record is the magic number 0xced7230a, a length of 29 bits below a flag of 3, both with the low byte first, the
/// bytes, and zeros up to a multiple of 4. There is no checksum. A record that holds the magic number at a multiple of
/// 4 is stored in parts without it, which are put together again; others are delivered where they lie.
///
/// So the magic number begins a record wherever it stands at a multiple of 4, and reading can go on at the next one
/// after damage. Errors: `invalid_data` for another number and for parts that do not follow one another.
/// `dmlc_reader::report` tells what was left out.
///
/// MXNet has a header of its own in front of each record's content, which is left to the caller.
template <reader R>
class dmlc_reader : public detail::framed_reader<R, detail::dmlc_parser> {
 public:
  using detail::framed_reader<R, detail::dmlc_parser>::framed_reader;

  /// What was lost so far.
  const recordio_report& report() const noexcept { return this->parser().report(); }
};

template <reader R>
dmlc_reader(R&&) -> dmlc_reader<R>;
template <reader R>
dmlc_reader(R&&, const dmlc_options&) -> dmlc_reader<R>;

/// Writes records of up to 2^29 - 1 bytes, split where they hold the magic number.
template <writer W>
class dmlc_writer : public detail::framed_writer<W, &detail::write_dmlc> {
 public:
  using detail::framed_writer<W, &detail::write_dmlc>::framed_writer;
};

template <writer W>
dmlc_writer(W&&) -> dmlc_writer<W>;

}  // namespace sluice

#endif
