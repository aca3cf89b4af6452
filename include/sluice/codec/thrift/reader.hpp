// SPDX-License-Identifier: BSL-1.0
//
// Reads Thrift's binary protocol, value by value.
//
//   template <buffered_reader R> class binary_reader;     // R may be a reference: an lvalue is referred to
//   thrift::binary_reader in{stream};
//   thrift::binary_reader in{stream, {.max_depth = 16}};
//   class protocol_reader;                                // what every binary_reader is: for functions of one's own
//
//   for (;;) {
//     auto field = in.read_field();
//     if (!field) return fail(field.error());
//     if (field->type == ttype::stop) break;
//     if (*field == field_header{ttype::i32, 1}) { auto n = in.read_i32(); ... }
//     else if (auto passed = in.skip(field->type); !passed) return passed;
//   }
//
#ifndef SLUICE_CODEC_THRIFT_READER_HPP
#define SLUICE_CODEC_THRIFT_READER_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/codec/thrift/detail/input.hpp>

namespace sluice::thrift {

class protocol_reader;

namespace detail {
input& input_of(protocol_reader& from) noexcept;
}

/// Reads values from the window of a stream's buffer: a compare and a load each, and a call only when the window ends.
/// Use it through a `binary_reader`, which holds the stream.
///
/// While it reads, the stream itself is behind: `sync`, or the end of the reader, has it stand after the last byte that
/// was read. Between a `sync` and the next read the stream may be used by others.
///
/// A stream that would block is waited for, as <sluice/read.hpp> says. Errors of every read: those of the stream;
/// `truncated` where it ends inside the value; `invalid_data` for what the protocol does not have; `limit_exceeded` for
/// what is beyond `limits`. They are final, as nobody knows where the next value begins: every later read of the same
/// reader fails alike. A new one can go on with the next frame.
class protocol_reader {
 public:
  protocol_reader(const protocol_reader&) = delete;
  protocol_reader& operator=(const protocol_reader&) = delete;

  /// The header of the next field; its type is `stop` at the end of the struct. A type that no value has is passed on.
  result<field_header> read_field() {
    field_header field;
    return done(in_.get_field(field), field);
  }

  /// What stands before the elements of a list or set. Where there are elements, the type is one that values have, and
  /// the least number of bytes that they take is within the message's limit; in memory, also within what is left. So
  /// room for `size` elements may be made in proportion to those bytes.
  result<list_header> read_list() {
    list_header header;
    return done(in_.get_list(header), header);
  }
  /// The header of a set, which is that of a list.
  result<list_header> read_set() { return read_list(); }

  /// The same before the entries of a map.
  result<map_header> read_map() {
    map_header header;
    return done(in_.get_map(header), header);
  }

  /// Errors: `invalid_data` also for a byte that is neither 0 nor 1.
  result<bool> read_bool() {
    bool value = false;
    return done(in_.get_bool(value), value);
  }
  /// 1 byte.
  result<std::int8_t> read_i8() { return number<std::int8_t>(); }
  /// 2 bytes, big-endian.
  result<std::int16_t> read_i16() { return number<std::int16_t>(); }
  /// 4 bytes, big-endian.
  result<std::int32_t> read_i32() { return number<std::int32_t>(); }
  /// 8 bytes, big-endian.
  result<std::int64_t> read_i64() { return number<std::int64_t>(); }

  /// All 64 bits as they are: negative zero and the payload of a NaN too.
  result<double> read_double() { return number<double>(); }

  result<uuid> read_uuid() {
    uuid value{};
    const std::byte* const at = in_.take(value.size());
    if (at) std::copy_n(at, value.size(), value.begin());
    return done(at != nullptr, value);
  }

  /// A string or binary; its encoding is not checked. One allocation, and none for a short one. Only where the length
  /// is above 32 KiB and nobody knows whether so much will arrive, it is collected as it arrives and copied once more.
  result<std::string> read_string() {
    std::string_view there;
    if (in_.try_view(there)) [[likely]]
      return result<std::string>(std::in_place, there);
    return read_string_slow();
  }

  /// The same into memory that is used again; `out` is empty or as it was after an error.
  result<void> read_string(std::string& out) { return done(in_.get_string(out)); }
  /// A string's bytes, in place of what `out` held.
  result<void> read_binary(bytes& out) { return done(in_.get_string(out)); }

  /// The characters where they lie in the stream's buffer, until the next read or sync. Never allocates, but for a
  /// buffer that may grow. Errors: `buffer_too_small` where the string is longer than the buffer can be.
  result<std::string_view> read_string_view() {
    std::string_view value;
    return done(in_.get_view(value), value);
  }

  /// Moves past a value of this type: one check for a container of elements of fixed size, no recursion, and no
  /// allocation down to 64 levels. The stream's own skip serves where its buffer ends. What a bool holds is not
  /// checked.
  result<void> skip(ttype type) { return done(in_.skip(type)); }

  /// Moves past the elements, or entries, whose header was read.
  result<void> skip_elements(list_header header) { return done(in_.skip_elements(header)); }
  /// All entries of a map whose header was read.
  result<void> skip_entries(map_header header) { return done(in_.skip_entries(header)); }

  /// Counts a level of nesting, for a value that holds others and is read by hand; what is read inside by `skip`,
  /// `read` or `read_tree` has that much less depth left. Errors: `limit_exceeded`.
  result<void> enter() { return done(in_.enter()); }

  /// Ends the level; one for each `enter` that did.
  void leave() noexcept { in_.leave(); }

  /// Whether nothing is left. Reads when the buffer is empty.
  result<bool> at_end() {
    bool ended = false;
    return done(in_.at_end(ended), ended);
  }

  /// The next n bytes without taking them, fewer only at the end. Valid until the next call.
  result<std::span<const std::byte>> peek(std::size_t n) {
    std::span<const std::byte> seen;
    return done(in_.peek(n, seen), seen);
  }

  /// Begins to count the bytes of a message anew. Reading an envelope, and reading a struct with `read` or `read_tree`
  /// outside of any other, does it by itself.
  void start_message() noexcept { in_.start_message(); }

  /// Has the stream stand after the last byte that was read. No I/O.
  void sync() noexcept { in_.sync(); }

  /// The limits that it keeps to.
  const thrift::limits& limits() const noexcept { return in_.most(); }

 protected:
  /// Of a stream whose type is forgotten; for binary_reader.
  protocol_reader(detail::source_ref source, const thrift::limits& most) noexcept : in_(source, most) {}
  ~protocol_reader() = default;

 private:
  friend detail::input& detail::input_of(protocol_reader&) noexcept;

  result<void> done(bool good) {
    if (!good) [[unlikely]]
      return fail(in_.error());
    return {};
  }
  template <class T>
  result<T> done(bool good, const T& value) {
    if (!good) [[unlikely]]
      return fail(in_.error());
    return value;
  }
  template <class T>
  result<T> number() {
    T value{};
    return done(in_.get(value), value);
  }

  result<std::string> read_string_slow();

  detail::input in_;
};

inline detail::input& detail::input_of(protocol_reader& from) noexcept { return from.in_; }

/// A protocol_reader and its stream: an lvalue is referred to, an rvalue owned. One without a buffer gets a
/// `buf_reader` around it, which reads ahead; to go on with the stream afterwards, make the `buf_reader` yourself.
template <buffered_reader R>
class binary_reader : public protocol_reader {
 public:
  explicit binary_reader(R&& stream, const thrift::limits& most = {})
      : protocol_reader(sluice::detail::as_source(stream), most), stream_(std::forward<R>(stream)) {
    detail::input_of(*this).rebind(sluice::detail::as_source(stream_.get()));
  }

  /// Buffers what is read from a plain reader.
  template <reader Plain>
    requires(!buffered_reader<Plain> && std::same_as<R, buf_reader<Plain>>)
  explicit binary_reader(Plain&& plain, const thrift::limits& most = {})
      : binary_reader(buf_reader<Plain>(std::forward<Plain>(plain)), most) {}

  binary_reader(const binary_reader&) = delete;
  binary_reader& operator=(const binary_reader&) = delete;
  ~binary_reader() { sync(); }

  /// The stream, which stands after the last byte that was read.
  std::remove_reference_t<R>& stream() noexcept {
    sync();
    return stream_.get();
  }

 private:
  sluice::detail::held<R> stream_;
};

template <buffered_reader R>
binary_reader(R&&) -> binary_reader<R>;
template <buffered_reader R>
binary_reader(R&&, const limits&) -> binary_reader<R>;
template <reader R>
  requires(!buffered_reader<R>)
binary_reader(R&&) -> binary_reader<buf_reader<R>>;
template <reader R>
  requires(!buffered_reader<R>)
binary_reader(R&&, const limits&) -> binary_reader<buf_reader<R>>;

}  // namespace sluice::thrift

#endif
