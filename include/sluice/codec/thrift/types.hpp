// SPDX-License-Identifier: BSL-1.0
//
// The types of Thrift's binary protocol, and what stands before a value on the wire.
//
//   enum class ttype : std::uint8_t { stop, void_, bool_, i8, double_, i16, i32, i64, binary, struct_, map, set, list,
//                                     uuid };
//   bool is_value(ttype);  std::size_t fixed_size(ttype);  std::size_t smallest_size(ttype);
//   struct field_header { ttype type; std::int16_t id; };
//   struct list_header { ttype element; std::uint32_t size; };          // of a list or a set
//   struct map_header { ttype key; ttype mapped; std::uint32_t size; };
//   using uuid = std::array<std::byte, 16>;
//
// The rules are those of the Thrift binary protocol encoding (thrift.apache.org, "thrift-binary-protocol"): all numbers
// have their highest byte first.
//
#ifndef SLUICE_CODEC_THRIFT_TYPES_HPP
#define SLUICE_CODEC_THRIFT_TYPES_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace sluice::thrift {

/// What a byte of the wire says of the value that follows. A byte that has no name here is kept as it is, so that an
/// empty container with such an element type can be written back.
enum class ttype : std::uint8_t {
  stop = 0,     ///< no value: the end of a struct
  void_ = 1,    ///< no value: never on the wire
  bool_ = 2,    ///< one byte, 0 or 1
  i8 = 3,       ///< also called byte
  double_ = 4,  ///< IEEE 754
  i16 = 6,
  i32 = 8,  ///< an enum too
  i64 = 10,
  binary = 11,   ///< a string too: i32 length, then the bytes
  struct_ = 12,  ///< a union or exception too
  map = 13,
  set = 14,
  list = 15,
  uuid = 16,  ///< 16 bytes; Apache Thrift later than 0.17
};

/// 16 bytes in the order of their text.
using uuid = std::array<std::byte, 16>;

/// Whether values of this type exist.
constexpr bool is_value(ttype type) noexcept {
  switch (type) {
    case ttype::bool_:
    case ttype::i8:
    case ttype::double_:
    case ttype::i16:
    case ttype::i32:
    case ttype::i64:
    case ttype::binary:
    case ttype::struct_:
    case ttype::map:
    case ttype::set:
    case ttype::list:
    case ttype::uuid: return true;
    default: return false;
  }
}

/// Bytes of every value of this type; 0 where they differ.
constexpr std::size_t fixed_size(ttype type) noexcept {
  switch (type) {
    case ttype::bool_:
    case ttype::i8: return 1;
    case ttype::i16: return 2;
    case ttype::i32: return 4;
    case ttype::i64:
    case ttype::double_: return 8;
    case ttype::uuid: return 16;
    default: return 0;
  }
}

/// Bytes of the smallest value of this type; 0 where there is none.
constexpr std::size_t smallest_size(ttype type) noexcept {
  switch (type) {
    case ttype::binary: return 4;
    case ttype::struct_: return 1;
    case ttype::map: return 6;
    case ttype::set:
    case ttype::list: return 5;
    default: return fixed_size(type);
  }
}

namespace detail {
/// Of a string or container: sizes are signed on the wire.
inline constexpr std::uint32_t largest_size = 0x7fff'ffff;
}  // namespace detail

/// Before each field of a struct. At the end of the struct `type` is `stop`, and `id` is not on the wire.
struct field_header {
  ttype type = ttype::stop;  ///< `stop` where the struct has ended
  std::int16_t id = 0;       ///< the number of the field

  friend constexpr bool operator==(const field_header&, const field_header&) = default;
};

/// Before the elements of a list or a set.
struct list_header {
  ttype element = ttype::stop;  ///< the type of the elements
  std::uint32_t size = 0;       ///< elements

  friend constexpr bool operator==(const list_header&, const list_header&) = default;
};

/// Before the entries of a map, each a key and a value.
struct map_header {
  ttype key = ttype::stop;     ///< the type of the keys
  ttype mapped = ttype::stop;  ///< the type of the values
  std::uint32_t size = 0;      ///< entries

  friend constexpr bool operator==(const map_header&, const map_header&) = default;
};

}  // namespace sluice::thrift

#endif
