// SPDX-License-Identifier: BSL-1.0
//
// Structs of one's own: described once, read and written.
//
//   struct point { double x, y; };
//   template <>
//   struct sluice::thrift::mapping<point> {
//     static constexpr auto fields = std::tuple{field<1>(&point::x), field<2>(&point::y)};
//   };
//
//   result<point> p = thrift::read<point>(in);      // a buffered reader, a protocol_reader, or a value of a tree
//   result<void> done = thrift::read(in, p);        // into one that is there
//   result<void> done = thrift::write(out, p);      // a writer, or a protocol_writer
//
// Members may be: bool, std::int8_t to std::int64_t, double, enums (as i32), uuid, std::string, bytes and
// std::vector<std::byte>; structs with a mapping; sequences with push_back (list), the associative containers of the
// standard library and what is like them (set, map); and std::optional or std::unique_ptr of all these, for fields that
// may be absent.
//
#ifndef SLUICE_CODEC_THRIFT_MAPPING_HPP
#define SLUICE_CODEC_THRIFT_MAPPING_HPP

#include <sluice/codec/thrift/detail/decode.hpp>
#include <sluice/codec/thrift/detail/encode.hpp>
#include <sluice/codec/thrift/reader.hpp>
#include <sluice/codec/thrift/value.hpp>
#include <sluice/codec/thrift/writer.hpp>

namespace sluice::thrift {

/// Specialise it with `static constexpr auto fields`, a std::tuple of `field` and `required`. Fields are written in
/// that order.
template <class T>
struct mapping;

/// The field `Id` is this member. It is always written, but for an empty optional or null pointer; where it is absent,
/// the member keeps what it holds.
template <std::int16_t Id, class Class, class Member>
constexpr field_description<Id, Class, Member, false> field(Member Class::* member) noexcept {
  return {member};
}

/// The same, and a struct without it is `invalid_data`.
template <std::int16_t Id, class Class, class Member>
  requires(!detail::is_optional<Member>)
constexpr field_description<Id, Class, Member, true> required(Member Class::* member) noexcept {
  return {member};
}

/// Reads a struct into `out`, field by field as they come.
///
/// A field that has no description, or another type than described, is skipped; of one that is repeated the last
/// counts. A container whose elements have another type is empty then. In a set or map that comes with the same key
/// twice the last counts too. A container is emptied before it is read; its room is made in proportion to what has
/// arrived, and nothing else allocates than the members themselves.
///
/// Errors: those of protocol_reader; `invalid_data` also where a required field is absent, and for a number that an
/// enum cannot hold; `unexpected_eof` where the stream ends before the first byte, outside of any other value. What
/// `out` holds after an error is not known.
template <mapped T>
[[nodiscard]] result<void> read(protocol_reader& from, T& out) {
  detail::input& in = detail::input_of(from);
  if (!detail::get_outermost(in, out)) [[unlikely]]
    return fail(in.error());
  return {};
}

/// Reads a struct by its mapping.
template <mapped T>
[[nodiscard]] result<T> read(protocol_reader& from) {
  result<T> all{std::in_place};
  detail::input& in = detail::input_of(from);
  if (!detail::get_outermost(in, *all)) [[unlikely]]
    all = fail(in.error());
  return all;
}

/// Reads one struct from a stream with a buffer, which stands behind it then.
template <mapped T, buffered_reader R>
[[nodiscard]] result<T> read(R&& from, const limits& most = {}) {
  binary_reader<R&> in(from, most);
  return thrift::read<T>(in);
}

/// A struct of a tree. Errors: `invalid_data` where it is none.
template <mapped T>
[[nodiscard]] result<T> read(const value& from, const limits& most = {}) {
  if (from.type() != ttype::struct_) return fail(io_errc::invalid_data);
  result<T> all{std::in_place};
  detail::input in(from.encoded(), most);
  if (!detail::get_outermost(in, *all)) [[unlikely]]
    all = fail(in.error());
  return all;
}

/// Writes a struct. Errors: those of the stream; `limit_exceeded` for a string or container of more than 2147483647.
template <mapped T>
[[nodiscard]] result<void> write(protocol_writer& to, const T& value) {
  detail::output& out = detail::output_of(to);
  if (!detail::put(out, value)) [[unlikely]]
    return fail(out.error());
  return {};
}

/// Writes one struct to a stream; one with a buffer is not flushed.
template <mapped T, writer W>
[[nodiscard]] result<void> write(W&& to, const T& value) {
  if constexpr (buffered_writer<W>) {
    binary_writer<W&> out(to);
    return thrift::write(out, value);
  } else {
    buf_writer<W&> buffer(to, 4096);
    result<void> done = thrift::write(buffer, value);
    if (done) done = buffer.flush();
    // What is pending after an error is of no use to anybody.
    if (!done) (void)std::move(buffer).into_inner();
    return done;
  }
}

}  // namespace sluice::thrift

#endif
