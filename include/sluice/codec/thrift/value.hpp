// SPDX-License-Identifier: BSL-1.0
//
// A value of any shape: to be walked without a description, and written back as it was.
//
//   result<tree> t = thrift::read_tree(in);           // owns the bytes
//   result<tree> t = thrift::view_tree(bytes);        // refers to them
//   for (thrift::named_value f : t->root().fields()) ... f.id, f.value
//   for (thrift::value e : v.elements()) ...          // of a list or set
//   for (auto [key, mapped] : v.entries()) ...        // of a map
//   std::optional<std::int32_t> n = v.get<std::int32_t>();
//   thrift::write(out, v);                            // byte for byte
//
#ifndef SLUICE_CODEC_THRIFT_VALUE_HPP
#define SLUICE_CODEC_THRIFT_VALUE_HPP

#include <sluice/codec/thrift/detail/extent.hpp>
#include <sluice/codec/thrift/reader.hpp>
#include <sluice/codec/thrift/writer.hpp>

#include <iterator>
#include <optional>

namespace sluice::thrift {

struct named_value;
struct entry;
template <class Item>
class value_iterator;
template <class Item>
class value_range;

/// A value in a tree: small, to be copied, and valid as long as the bytes and the index of its tree, which may be
/// moved.
///
/// It is a place among the bytes that arrived. Numbers and strings are read there; where a struct or container ends is
/// looked up in the tree's index, so that to walk all of a tree takes time in proportion to its bytes.
class value {
 public:
  /// What it is.
  ttype type() const noexcept { return type_; }

  /// A bool, number, uuid, or a string as std::string_view or span of bytes; nothing where the value has another type,
  /// or is a bool and neither 0 nor 1.
  template <class T>
  std::optional<T> get() const noexcept;

  /// Bytes of a string, elements of a list or set, entries of a map; 0 of all else.
  std::size_t size() const noexcept;

  /// The type of a list's or set's elements or of a map's keys; `stop` of all else.
  ttype element_type() const noexcept;
  /// The type of a map's values; `stop` of all else.
  ttype mapped_type() const noexcept;

  /// The fields of a struct in the order that they came in, repeated ones too; none of all else.
  value_range<named_value> fields() const noexcept;

  /// The last field of this id.
  std::optional<value> find(std::int16_t id) const noexcept;

  /// The elements of a list or set; none of all else.
  value_range<value> elements() const noexcept;

  /// The entries of a map, in the order that they came in; none of all else.
  value_range<entry> entries() const noexcept;

  /// The bytes on the wire.
  std::span<const std::byte> encoded() const noexcept;

 private:
  friend class tree;
  template <class>
  friend class value_iterator;
  template <class>
  friend class value_range;

  constexpr value() noexcept = default;
  constexpr value(const std::byte* data, const detail::extent* index, ttype type) noexcept
      : data_(data), index_(index), type_(type) {}

  const std::byte* here() const noexcept { return data_ + offset_; }
  bool is_indexed() const noexcept;
  std::size_t end() const noexcept;
  std::size_t place_behind() const noexcept;
  std::size_t first_place_inside() const noexcept;
  value at(std::size_t offset, std::size_t place, ttype type) const noexcept;

  const std::byte* data_ = nullptr;        // of the tree
  const detail::extent* index_ = nullptr;  // of the tree
  std::uint32_t offset_ = 0;
  std::uint32_t place_ = 0;  // in the index: where this value is, or else the next one that is there
  ttype type_ = ttype::stop;
};

/// A field of a struct.
struct named_value {
  std::int16_t id;      ///< the number of the field
  thrift::value value;  ///< what it holds
};

/// An entry of a map.
struct entry {
  value key;     ///< the key
  value mapped;  ///< the value of the key
};

/// Goes through what is in a value, by forward steps. Item is value, named_value or entry.
template <class Item>
class value_iterator {
 public:
  using value_type = Item;
  using difference_type = std::ptrdiff_t;

  value_iterator() noexcept = default;

  Item operator*() const noexcept;
  value_iterator& operator++() noexcept;
  value_iterator operator++(int) noexcept {
    auto before = *this;
    ++*this;
    return before;
  }

  /// Whether both are at the same place of one tree.
  friend bool operator==(const value_iterator& a, const value_iterator& b) noexcept { return a.offset_ == b.offset_; }
  /// Whether the container has ended.
  friend bool operator==(const value_iterator& a, std::default_sentinel_t) noexcept { return a.left_ == 0; }

 private:
  friend class value_range<Item>;

  explicit value_iterator(const value& whole) noexcept;
  value next(ttype type, std::size_t header) const noexcept;

  value whole_;
  std::size_t offset_ = 0;  // of the next item
  std::size_t place_ = 0;   // in the index
  std::size_t left_ = 0;    // items; of a struct 1 up to its end
};

/// What is in a value.
template <class Item>
class value_range {
 public:
  value_iterator<Item> begin() const noexcept { return value_iterator<Item>(whole_); }
  std::default_sentinel_t end() const noexcept { return {}; }
  bool empty() const noexcept { return begin() == end(); }

 private:
  friend class value;

  explicit value_range(const value& whole) noexcept : whole_(whole) {}

  value whole_;
};

extern template class value_iterator<value>;
extern template class value_iterator<named_value>;
extern template class value_iterator<entry>;

inline value_range<named_value> value::fields() const noexcept { return value_range<named_value>(*this); }
inline value_range<value> value::elements() const noexcept { return value_range<value>(*this); }
inline value_range<entry> value::entries() const noexcept { return value_range<entry>(*this); }

/// A value, by default a struct, with all that is in it, checked when it was read: every type is known, every size is
/// covered by bytes that arrived. Takes the bytes, unless it refers to them, and 12 bytes for each struct or container
/// that has anything in it, but for those with elements of fixed size.
class tree {
 public:
  tree() noexcept = default;
  tree(tree&& other) noexcept = default;
  tree& operator=(tree&& other) noexcept = default;
  ~tree() = default;

  /// Of an empty tree, a value of type `stop`.
  value root() const noexcept { return {data_.data(), index_.data(), type_}; }

  /// The bytes on the wire.
  std::span<const std::byte> encoded() const noexcept { return data_; }

 private:
  friend result<void> read_tree(protocol_reader&, tree&, ttype);
  friend result<tree> view_tree(std::span<const std::byte>, const limits&, ttype);

  std::span<const std::byte> data_;
  bytes owned_;
  std::vector<detail::extent> index_;
  ttype type_ = ttype::stop;
};

/// Reads a value. What a bool holds is not checked. Memory grows by what arrives.
/// Errors: those of protocol_reader; `unexpected_eof` where the stream ends before the first byte, outside of any other
/// value; `limit_exceeded` also above 4 GiB.
[[nodiscard]] result<tree> read_tree(protocol_reader& from, ttype type = ttype::struct_);

/// The same into the memory of a tree that is done with.
[[nodiscard]] result<void> read_tree(protocol_reader& from, tree& into, ttype type = ttype::struct_);

/// The value at the beginning of `memory`, which has to stay; what is behind it is left alone. Only the index
/// allocates.
[[nodiscard]] result<tree> view_tree(std::span<const std::byte> memory, const limits& most = {},
                                     ttype type = ttype::struct_);

/// Writes a value as it came, without its field header.
[[nodiscard]] inline result<void> write(protocol_writer& to, const value& what) {
  return to.write_encoded(what.encoded());
}
/// Writes a tree, as it was read.
[[nodiscard]] inline result<void> write(protocol_writer& to, const tree& what) {
  return to.write_encoded(what.encoded());
}

template <class T>
std::optional<T> value::get() const noexcept {
  constexpr auto is = [](ttype type) {
    if constexpr (std::same_as<T, std::int8_t>) return type == ttype::i8;
    if constexpr (std::same_as<T, std::int16_t>) return type == ttype::i16;
    if constexpr (std::same_as<T, std::int32_t>) return type == ttype::i32;
    if constexpr (std::same_as<T, std::int64_t>) return type == ttype::i64;
    if constexpr (std::same_as<T, double>) return type == ttype::double_;
    if constexpr (std::same_as<T, uuid>) return type == ttype::uuid;
    if constexpr (std::same_as<T, bool>) return type == ttype::bool_;
    return type == ttype::binary;
  };
  static_assert(std::same_as<T, std::string_view> || std::same_as<T, std::span<const std::byte>> || !is(ttype::binary),
                "bool, std::int8_t to std::int64_t, double, uuid, std::string_view or std::span<const std::byte>");
  if (!is(type_)) return std::nullopt;
  if constexpr (std::same_as<T, bool>) {
    if (*here() > std::byte{1}) return std::nullopt;
    return *here() == std::byte{1};
  } else if constexpr (std::same_as<T, uuid>) {
    uuid all;
    std::copy_n(here(), all.size(), all.begin());
    return all;
  } else if constexpr (fixed_width<T>) {
    return detail::load<T>(here());
  } else {
    return T(reinterpret_cast<typename T::const_pointer>(here() + 4), size());
  }
}

}  // namespace sluice::thrift

#endif
