// SPDX-License-Identifier: BSL-1.0
//
// Reads into types of one's own, by their descriptions.
//
#ifndef SLUICE_CODEC_THRIFT_DETAIL_DECODE_HPP
#define SLUICE_CODEC_THRIFT_DETAIL_DECODE_HPP

#include <sluice/codec/thrift/detail/fields.hpp>
#include <sluice/codec/thrift/detail/input.hpp>

#include <bitset>

namespace sluice::thrift::detail {

/// A value whose size is fixed, with its fields in order; false where it is anything else, and nothing is decided then.
template <class T>
bool load_flat(const std::byte* from, T& out) noexcept {
  if constexpr (std::same_as<T, bool>) {
    out = *from != std::byte{0};
    return *from <= std::byte{1};
  } else if constexpr (std::is_enum_v<T>) {
    const auto value = load<std::int32_t>(from);
    out = static_cast<T>(value);
    return static_cast<std::int64_t>(out) == value;
  } else if constexpr (std::same_as<T, uuid>) {
    std::copy_n(from, out.size(), out.begin());
    return true;
  } else if constexpr (number<T>) {
    out = load<T>(from);
    return true;
  } else {
    std::size_t at = 0;
    const bool all = with_fields<T>([&](const auto&... field) {
      return ([&]<class F>(const F& f) {
        // Behind a header there is always a byte, so one load has them both.
        const std::byte* const here = from + at;
        at += 3 + flat_size<typename F::member_type>();
        return load<std::uint32_t>(here) >> 8 == packed(header_of<F>()) && load_flat(here + 3, out.*f.member);
      }(field) &&
              ...);
    });
    return all && from[at] == std::byte{0};
  }
}

template <class T>
bool get(input& in, T& out);

/// The fields of T that have to come and have not yet.
template <class T>
class missing_fields {
 public:
  missing_fields() noexcept {
    std::size_t i = 0;
    with_fields<T>([&]<class... F>(const F&...) { (all_.set(i++, F::required), ...); });
  }
  void found(std::size_t i) noexcept { all_.reset(i); }
  bool none() const noexcept { return all_.none(); }

 private:
  std::bitset<std::tuple_size_v<fields_of<T>>> all_;
};

/// Takes the field if it is next and all of it that has a fixed size is there. False only after an error.
template <class F, class T, class Found>
bool get_if_next(input& in, const F& field, T& out, Found found) {
  using M = typename F::member_type;
  constexpr std::size_t size = flat_size<M>();
  // Behind a header there is always a byte, so one load has them both.
  if (in.left() < std::max<std::size_t>(4, 3 + size) || load<std::uint32_t>(in.pos()) >> 8 != packed(header_of<F>()))
    return true;
  if constexpr (size != 0) {
    if (in.levels_left() < flat_depth<M>() || !load_flat(in.pos() + 3, out.*field.member)) return true;
    in.advance(3 + size);
    found();
    return true;
  } else {
    in.advance(3);
    found();
    return get(in, out.*field.member);
  }
}

template <mapped T>
bool get_fields(input& in, T& out) {
  missing_fields<T> missing;
  std::size_t i = 0;
  // Most writers keep to the order of the description; then each field is compared once.
  if (in.levels_left() != 0) [[likely]] {
    const bool good = with_fields<T>(
        [&](const auto&... f) { return ((get_if_next(in, f, out, [&] { missing.found(i); }) && ++i != 0) && ...); });
    if (!good) return false;
  }
  for (field_header next;;) {
    if (!in.get_field(next)) return false;
    if (next.type == ttype::stop) return missing.none() || in.fail(io_errc::invalid_data);
    if (in.levels_left() == 0) return in.fail(io_errc::limit_exceeded);
    bool good = true;
    i = 0;
    const bool known = with_fields<T>([&](const auto&... field) {
      return ([&]<class F>(const F& f) {
        if (next != header_of<F>()) return ++i == 0;
        missing.found(i);
        good = get(in, out.*f.member);
        return true;
      }(field) ||
              ...);
    });
    if (!known) good = in.skip(next.type);
    if (!good) return false;
  }
}

template <mapped T>
bool get_struct(input& in, T& out) {
  if constexpr (flat_size<T>() != 0) {
    if (in.left() >= flat_size<T>() && in.levels_left() >= flat_depth<T>() && load_flat(in.pos(), out)) [[likely]] {
      in.advance(flat_size<T>());
      return true;
    }
  }
  if (!in.enter() || !get_fields(in, out)) return false;
  in.leave();
  return true;
}

template <class C>
void make_room(input& in, C& out, std::size_t count) {
  if constexpr (requires { out.reserve(count); }) out.reserve(in.room_for(count, sizeof(typename C::value_type)));
}

/// As many at a time as the window holds.
template <class C>
bool get_numbers(input& in, C& out, std::size_t count) {
  using T = typename C::value_type;
  while (count != 0) {
    const std::size_t there = std::min(count, in.left() / sizeof(T));
    if (there == 0) {
      T value{};
      if (!in.get(value)) return false;
      out.push_back(value);
      --count;
      continue;
    }
    const std::byte* from = in.pos();
    if constexpr (std::same_as<C, std::vector<T>>) {
      const std::size_t had = out.size();
      out.resize(had + there);
      T* const to = out.data() + had;
      for (std::size_t i = 0; i != there; ++i) to[i] = load<T>(from + i * sizeof(T));
    } else {
      for (std::size_t i = 0; i != there; ++i) out.push_back(load<T>(from + i * sizeof(T)));
    }
    in.advance(there * sizeof(T));
    count -= there;
  }
  return true;
}

/// Elements of another type than `out` has are passed over.
template <class C>
bool get_elements(input& in, C& out) {
  using T = typename C::value_type;
  static_assert(!is_optional<T>, "an element cannot be absent");
  out.clear();
  list_header header;
  if (!in.get_list(header) || !in.enter()) return false;
  const std::size_t count = header.size;
  if (count != 0) {
    if (in.levels_left() == 0) return in.fail(io_errc::limit_exceeded);
    if (header.element != type_of<T>()) {
      in.leave();
      return in.skip_elements(header);
    }
    make_room(in, out, count);
    if constexpr (set_like<C>) {
      for (std::size_t i = 0; i != count; ++i) {
        T element{};
        if (!get(in, element)) return false;
        out.insert(out.end(), std::move(element));
      }
    } else if constexpr (number<T>) {
      if (!get_numbers(in, out, count)) return false;
    } else if constexpr (std::same_as<decltype(out.back()), T&>) {
      for (std::size_t i = 0; i != count; ++i)
        if (!get(in, out.emplace_back())) return false;
    } else {
      for (std::size_t i = 0; i != count; ++i) {
        T element{};
        if (!get(in, element)) return false;
        out.push_back(element);
      }
    }
  }
  in.leave();
  return true;
}

template <class C>
bool get_entries(input& in, C& out) {
  using K = typename C::key_type;
  using M = typename C::mapped_type;
  static_assert(!is_optional<K> && !is_optional<M>, "a key or value cannot be absent");
  out.clear();
  map_header header;
  if (!in.get_map(header) || !in.enter()) return false;
  if (header.size != 0) {
    if (in.levels_left() == 0) return in.fail(io_errc::limit_exceeded);
    if (header.key != type_of<K>() || header.mapped != type_of<M>()) {
      in.leave();
      return in.skip_entries(header);
    }
    make_room(in, out, header.size);
    for (std::size_t i = 0; i != header.size; ++i) {
      K key{};
      M value{};
      if (!get(in, key) || !get(in, value)) return false;
      out.insert_or_assign(out.end(), std::move(key), std::move(value));
    }
  }
  in.leave();
  return true;
}

template <class T>
bool get(input& in, T& out) {
  if constexpr (number<T>) {
    return in.get(out);
  } else if constexpr (std::same_as<T, bool>) {
    return in.get_bool(out);
  } else if constexpr (std::is_enum_v<T> || std::same_as<T, uuid>) {
    const std::byte* const at = in.take(fixed_size(type_of<T>()));
    return at && (load_flat(at, out) || in.fail(io_errc::invalid_data));
  } else if constexpr (is_binary<T>) {
    return in.get_string(out);
  } else if constexpr (is_optional<T>) {
    if constexpr (requires { out.emplace(); })
      return get(in, out.emplace());
    else
      return get(in, *(out = std::make_unique<typename T::element_type>()));
  } else if constexpr (mapped<T>) {
    return get_struct(in, out);
  } else if constexpr (map_like<T>) {
    return get_entries(in, out);
  } else {
    return get_elements(in, out);
  }
}

/// A struct that stands by itself, or within a value that is read by hand: then the depth goes on.
template <mapped T>
bool get_outermost(input& in, T& out) {
  struct restored {
    input& in;
    std::size_t depth;
    ~restored() { in.set_depth(depth); }
  } const guard{in, in.depth()};
  return in.begin_value() && get_struct(in, out);
}

}  // namespace sluice::thrift::detail

#endif
