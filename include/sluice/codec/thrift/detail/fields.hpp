// SPDX-License-Identifier: BSL-1.0
//
// What the description of a type says at compile time: its type on the wire, and its size there where that is fixed.
//
#ifndef SLUICE_CODEC_THRIFT_DETAIL_FIELDS_HPP
#define SLUICE_CODEC_THRIFT_DETAIL_FIELDS_HPP

#include <sluice/codec/thrift/types.hpp>
#include <sluice/memory/bytes.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace sluice::thrift {

template <class T>
struct mapping;

/// A struct of one's own with a `thrift::mapping`.
template <class T>
concept mapped = requires { mapping<T>::fields; };

/// One member and its field; see `field` and `required`.
template <std::int16_t Id, class Class, class Member, bool Required>
struct field_description {
  static constexpr std::int16_t id = Id;
  static constexpr bool required = Required;
  using member_type = Member;

  Member Class::* member;
};

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_optional<std::unique_ptr<T>> = true;

template <class T>
inline constexpr bool is_binary =
    std::same_as<T, std::string> || std::same_as<T, bytes> || std::same_as<T, std::vector<std::byte>>;

template <class T>
concept number = std::same_as<T, std::int8_t> || std::same_as<T, std::int16_t> || std::same_as<T, std::int32_t> ||
                 std::same_as<T, std::int64_t> || std::same_as<T, double>;

template <class T>
concept map_like = requires(T& c, typename T::key_type k, typename T::mapped_type m) {
  c.insert_or_assign(c.end(), std::move(k), std::move(m));
  c.size();
  c.clear();
};

template <class T>
concept set_like = !map_like<T> && requires(T& c, typename T::key_type k) {
  c.insert(c.end(), std::move(k));
  c.size();
  c.clear();
};

template <class T>
concept sequence_like = !is_binary<T> && !set_like<T> && requires(T& c, typename T::value_type e) {
  c.push_back(std::move(e));
  c.size();
  c.clear();
};

template <class T>
inline constexpr bool has_no_thrift_type = false;

template <class T>
consteval ttype type_of() {
  if constexpr (std::same_as<T, bool>)
    return ttype::bool_;
  else if constexpr (std::same_as<T, std::int8_t>)
    return ttype::i8;
  else if constexpr (std::same_as<T, std::int16_t>)
    return ttype::i16;
  else if constexpr (std::same_as<T, std::int32_t> || std::is_enum_v<T>)
    return ttype::i32;
  else if constexpr (std::same_as<T, std::int64_t>)
    return ttype::i64;
  else if constexpr (std::same_as<T, double>)
    return ttype::double_;
  else if constexpr (std::same_as<T, uuid>)
    return ttype::uuid;
  else if constexpr (is_binary<T>)
    return ttype::binary;
  else if constexpr (is_optional<T>)
    return type_of<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
  else if constexpr (mapped<T>)
    return ttype::struct_;
  else if constexpr (map_like<T>)
    return ttype::map;
  else if constexpr (set_like<T>)
    return ttype::set;
  else if constexpr (sequence_like<T>)
    return ttype::list;
  else
    static_assert(has_no_thrift_type<T>, "no type of Thrift fits this member, and it has no thrift::mapping");
}

template <class F>
consteval field_header header_of() {
  return {type_of<typename F::member_type>(), F::id};
}

template <class T>
using fields_of = std::remove_cvref_t<decltype(mapping<T>::fields)>;

/// Calls `f` with all fields of T.
template <class T, class F>
constexpr auto with_fields(F f) {
  return std::apply(f, mapping<T>::fields);
}

template <class T>
struct flat;

/// Every value of T has the same size on the wire, if its fields come in the order of the mapping.
template <class T>
consteval std::size_t flat_size() {
  return flat<T>::size;
}
template <class T>
consteval std::size_t flat_depth() {
  return flat<T>::depth;
}

template <class T>
struct flat {
  static constexpr std::size_t size = is_optional<T> ? 0 : fixed_size(type_of<T>());
  static constexpr std::size_t depth = 1;
};

template <class Fields>
struct flat_fields;
template <class... F>
struct flat_fields<std::tuple<F...>> {
  static constexpr bool all = ((flat<typename F::member_type>::size != 0) && ...);
  static constexpr std::size_t size = all ? ((3 + flat<typename F::member_type>::size) + ... + 1) : 0;
  static constexpr std::size_t depth = 1 + std::max({std::size_t{0}, flat<typename F::member_type>::depth...});
};

template <mapped T>
struct flat<T> : flat_fields<fields_of<T>> {};

}  // namespace detail

}  // namespace sluice::thrift

#endif
