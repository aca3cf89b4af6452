// SPDX-License-Identifier: BSL-1.0
//
// Writes Thrift's binary protocol, value by value.
//
//   template <buffered_writer W> class binary_writer;     // W may be a reference: an lvalue is referred to
//   thrift::binary_writer out{stream};
//   class protocol_writer;                                // what every binary_writer is: for functions of one's own
//
//   out.write_field({ttype::i32, 1});
//   out.write_i32(42);
//   out.write_stop();
//   if (auto flushed = out.flush(); !flushed) ...
//
#ifndef SLUICE_CODEC_THRIFT_WRITER_HPP
#define SLUICE_CODEC_THRIFT_WRITER_HPP

#include <sluice/buffered/buf_writer.hpp>
#include <sluice/codec/thrift/detail/output.hpp>

namespace sluice::thrift {

class protocol_writer;

namespace detail {
output& output_of(protocol_writer& to) noexcept;
}

/// Puts values into the free space of a stream's buffer: a compare and a store each, and a call only where the space
/// ends. Nothing allocates, but for a stream that grows. Use it through a `binary_writer`, which holds the stream.
///
/// The stream counts what was written after `sync`, `flush` or the end of the writer, and may be used by others then,
/// up to the next write. Whether the values make sense together is up to the caller.
///
/// Errors of every write: those of the stream; part of the value may have been written then.
class protocol_writer {
 public:
  protocol_writer(const protocol_writer&) = delete;
  protocol_writer& operator=(const protocol_writer&) = delete;

  /// What stands before a field.
  result<void> write_field(field_header field) {
    return done(out_.put<3>([&](std::byte* to) { detail::store_field(to, field); }));
  }

  /// The end of a struct.
  result<void> write_stop() { return done(out_.put_number(ttype::stop)); }

  /// What stands before the elements of a list or set. Errors: `limit_exceeded` above 2147483647.
  result<void> write_list(list_header header) {
    if (!out_.check_size(header.size)) return fail(out_.error());
    return done(out_.put<5>([&](std::byte* to) {
      detail::store(to, header.element);
      detail::store(to + 1, header.size);
    }));
  }
  /// The header of a set, which is that of a list.
  result<void> write_set(list_header header) { return write_list(header); }

  /// What stands before the entries of a map. Errors: as above.
  result<void> write_map(map_header header) {
    if (!out_.check_size(header.size)) return fail(out_.error());
    return done(out_.put<6>([&](std::byte* to) {
      detail::store(to, header.key);
      detail::store(to + 1, header.mapped);
      detail::store(to + 2, header.size);
    }));
  }

  /// 1 byte, 1 or 0.
  result<void> write_bool(bool value) { return done(out_.put_number(std::uint8_t{value})); }
  /// 1 byte.
  result<void> write_i8(std::int8_t value) { return done(out_.put_number(value)); }
  /// 2 bytes, big-endian.
  result<void> write_i16(std::int16_t value) { return done(out_.put_number(value)); }
  /// 4 bytes, big-endian.
  result<void> write_i32(std::int32_t value) { return done(out_.put_number(value)); }
  /// 8 bytes, big-endian.
  result<void> write_i64(std::int64_t value) { return done(out_.put_number(value)); }
  /// 8 bytes, big-endian, of IEEE 754.
  result<void> write_double(double value) { return done(out_.put_number(value)); }
  /// 16 bytes, as they are.
  result<void> write_uuid(const uuid& value) { return done(out_.put_bytes(value)); }

  /// The length and the bytes. Errors: `limit_exceeded` above 2147483647 bytes.
  result<void> write_string(std::string_view text) { return done(out_.put_string(as_bytes(text))); }
  /// The length and the bytes.
  result<void> write_binary(std::span<const std::byte> value) { return done(out_.put_string(value)); }

  /// Bytes that are a value already, as those of a tree.
  result<void> write_encoded(std::span<const std::byte> value) { return done(out_.put_bytes(value)); }

  /// Has the stream count all that was written. No I/O.
  void sync() noexcept { out_.sync(); }

  /// The same, and flushes the stream.
  [[nodiscard]] result<void> flush() { return done(out_.flush()); }

 protected:
  /// Of a stream whose type is forgotten; for binary_writer.
  explicit protocol_writer(detail::sink_ref sink) noexcept : out_(sink) {}
  ~protocol_writer() = default;

 private:
  friend detail::output& detail::output_of(protocol_writer&) noexcept;

  result<void> done(bool good) {
    if (!good) [[unlikely]]
      return fail(out_.error());
    return {};
  }

  detail::output out_;
};

inline detail::output& detail::output_of(protocol_writer& to) noexcept { return to.out_; }

/// A protocol_writer and its stream: an lvalue is referred to, an rvalue owned. One without a buffer gets a
/// `buf_writer` around it. The end of the writer flushes nothing but such a `buf_writer`, which cannot tell whether
/// that worked.
template <buffered_writer W>
class binary_writer : public protocol_writer {
 public:
  explicit binary_writer(W&& stream)
      : protocol_writer(sluice::detail::as_sink(stream)), stream_(std::forward<W>(stream)) {
    detail::output_of(*this).rebind(sluice::detail::as_sink(stream_.get()));
  }

  /// Buffers what goes to a plain writer.
  template <writer Plain>
    requires(!buffered_writer<Plain> && std::same_as<W, buf_writer<Plain>>)
  explicit binary_writer(Plain&& plain) : binary_writer(buf_writer<Plain>(std::forward<Plain>(plain))) {}

  binary_writer(const binary_writer&) = delete;
  binary_writer& operator=(const binary_writer&) = delete;
  ~binary_writer() { sync(); }

  /// The stream, which counts all that was written.
  std::remove_reference_t<W>& stream() noexcept {
    sync();
    return stream_.get();
  }

 private:
  sluice::detail::held<W> stream_;
};

template <buffered_writer W>
binary_writer(W&&) -> binary_writer<W>;
template <writer W>
  requires(!buffered_writer<W>)
binary_writer(W&&) -> binary_writer<buf_writer<W>>;

}  // namespace sluice::thrift

#endif
