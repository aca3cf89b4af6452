// SPDX-License-Identifier: BSL-1.0
//
// The record format of Mesos' streaming HTTP interface.
//
//   template <reader R> class mesos_reader;      // a record_reader
//   template <writer W> class mesos_writer;      // a record_writer
//
#ifndef SLUICE_CODEC_RECORDIO_MESOS_HPP
#define SLUICE_CODEC_RECORDIO_MESOS_HPP

#include <sluice/codec/recordio/detail/framed_reader.hpp>
#include <sluice/codec/recordio/detail/framed_writer.hpp>

namespace sluice {
namespace detail {

class mesos_parser {
 public:
  using options_type = record_options;
  explicit mesos_parser(const record_options& options) noexcept : options_(options) {}
  next_record next(source_ref from);

 private:
  record_options options_;
  frame_window window_;
};

frame_written write_mesos(sink_ref to, std::span<const std::byte> record);

}  // namespace detail

/// A record is its length in decimal digits, a line feed, and the bytes; nothing stands between records. There is no
/// checksum. Lengths are read byte by byte where `R` has no buffer. Errors: `invalid_data` where there are no digits,
/// more than a number of 64 bits has, or anything else.
template <reader R>
class mesos_reader : public detail::framed_reader<R, detail::mesos_parser> {
 public:
  using detail::framed_reader<R, detail::mesos_parser>::framed_reader;
};

template <reader R>
mesos_reader(R&&) -> mesos_reader<R>;
template <reader R>
mesos_reader(R&&, const record_options&) -> mesos_reader<R>;

/// Writes records as Mesos does.
template <writer W>
class mesos_writer : public detail::framed_writer<W, &detail::write_mesos> {
 public:
  using detail::framed_writer<W, &detail::write_mesos>::framed_writer;
};

template <writer W>
mesos_writer(W&&) -> mesos_writer<W>;

}  // namespace sluice

#endif
