// SPDX-License-Identifier: BSL-1.0
//
// The frames of Thrift's framed transport, and of thriftrw.
//
//   template <reader R> class thrift_frame_reader;      // a record_reader
//   template <writer W> class thrift_frame_writer;      // a record_writer
//
#ifndef SLUICE_CODEC_RECORDIO_THRIFT_FRAME_HPP
#define SLUICE_CODEC_RECORDIO_THRIFT_FRAME_HPP

#include <sluice/codec/recordio/detail/framed_reader.hpp>
#include <sluice/codec/recordio/detail/framed_writer.hpp>

namespace sluice {
namespace detail {

class thrift_frame_parser {
 public:
  using options_type = record_options;
  explicit thrift_frame_parser(const record_options& options) noexcept : options_(options) {}
  next_record next(source_ref from);

 private:
  record_options options_;
  frame_window window_;
};

frame_written write_thrift_frame(sink_ref to, std::span<const std::byte> record);

}  // namespace detail

/// A record is a length of 32 bits, signed, the high byte first, and the bytes. There is no checksum. Errors:
/// `invalid_data` for a negative length.
template <reader R>
class thrift_frame_reader : public detail::framed_reader<R, detail::thrift_frame_parser> {
 public:
  using detail::framed_reader<R, detail::thrift_frame_parser>::framed_reader;
};

template <reader R>
thrift_frame_reader(R&&) -> thrift_frame_reader<R>;
template <reader R>
thrift_frame_reader(R&&, const record_options&) -> thrift_frame_reader<R>;

/// Writes frames.
template <writer W>
class thrift_frame_writer : public detail::framed_writer<W, &detail::write_thrift_frame> {
 public:
  using detail::framed_writer<W, &detail::write_thrift_frame>::framed_writer;
};

template <writer W>
thrift_frame_writer(W&&) -> thrift_frame_writer<W>;

}  // namespace sluice

#endif
