// SPDX-License-Identifier: BSL-1.0
//
// Writes types of one's own, by their descriptions.
//
#ifndef SLUICE_CODEC_THRIFT_DETAIL_ENCODE_HPP
#define SLUICE_CODEC_THRIFT_DETAIL_ENCODE_HPP

#include <sluice/codec/thrift/detail/fields.hpp>
#include <sluice/codec/thrift/detail/output.hpp>

namespace sluice::thrift::detail {

/// A value whose size is fixed.
template <class T>
void store_flat(std::byte* to, const T& value) noexcept {
  if constexpr (std::same_as<T, bool>) {
    store(to, std::uint8_t{value});
  } else if constexpr (std::is_enum_v<T>) {
    store(to, static_cast<std::int32_t>(value));
  } else if constexpr (std::same_as<T, uuid>) {
    std::copy_n(value.begin(), value.size(), to);
  } else if constexpr (number<T>) {
    store(to, value);
  } else {
    with_fields<T>([&](const auto&... field) {
      (
          [&]<class F>(const F& f) {
            store_field(to, header_of<F>());
            store_flat(to + 3, value.*f.member);
            to += 3 + flat_size<typename F::member_type>();
          }(field),
          ...);
    });
    store(to, ttype::stop);
  }
}

template <class T>
bool put(output& out, const T& value);

template <class F, class T>
bool put_field(output& out, const T& value) {
  constexpr field_header header = header_of<F>();
  if constexpr (is_optional<T>) {
    return !value || put_field<F>(out, *value);
  } else if constexpr (flat_size<T>() != 0) {
    return out.put<3 + flat_size<T>()>([&](std::byte* to) {
      store_field(to, header);
      store_flat(to + 3, value);
    });
  } else {
    return out.put<3>([&](std::byte* to) { store_field(to, header); }) && put(out, value);
  }
}

/// As many at a time as there is room for.
template <class C>
bool put_flat_elements(output& out, const C& all) {
  using T = typename C::value_type;
  constexpr std::size_t size = flat_size<T>();
  constexpr std::size_t at_once = std::max<std::size_t>(1, 1024 / size);
  auto element = all.begin();
  for (std::size_t rest = all.size(); rest != 0;) {
    const std::size_t n = std::min(rest, at_once);
    if (std::byte* to = out.try_room(n * size)) {
      for (std::size_t i = 0; i != n; ++i, ++element, to += size) store_flat<T>(to, *element);
      out.advance(n * size);
    } else {
      for (std::size_t i = 0; i != n; ++i, ++element)
        if (!put<T>(out, *element)) return false;
    }
    rest -= n;
  }
  return true;
}

template <class C>
bool put_elements(output& out, const C& all) {
  using T = typename C::value_type;
  static_assert(!is_optional<T>, "an element cannot be absent");
  if (!out.check_size(all.size()) || !out.put<5>([&](std::byte* to) {
        store(to, type_of<T>());
        store(to + 1, static_cast<std::uint32_t>(all.size()));
      }))
    return false;
  if constexpr (flat_size<T>() != 0) {
    return put_flat_elements(out, all);
  } else {
    for (const auto& element : all)
      if (!put<T>(out, element)) return false;
    return true;
  }
}

template <class C>
bool put_entries(output& out, const C& all) {
  using K = typename C::key_type;
  using M = typename C::mapped_type;
  static_assert(!is_optional<K> && !is_optional<M>, "a key or value cannot be absent");
  if (!out.check_size(all.size()) || !out.put<6>([&](std::byte* to) {
        store(to, type_of<K>());
        store(to + 1, type_of<M>());
        store(to + 2, static_cast<std::uint32_t>(all.size()));
      }))
    return false;
  for (const auto& [key, value] : all)
    if (!put<K>(out, key) || !put<M>(out, value)) return false;
  return true;
}

template <class T>
bool put(output& out, const T& value) {
  if constexpr (flat_size<T>() != 0) {
    return out.put<flat_size<T>()>([&](std::byte* to) { store_flat(to, value); });
  } else if constexpr (is_binary<T>) {
    return out.put_string(std::as_bytes(std::span(value)));
  } else if constexpr (mapped<T>) {
    return with_fields<T>([&](const auto&... field) {
             return ([&]<class F>(const F& f) { return put_field<F>(out, value.*f.member); }(field) && ...);
           }) &&
           out.put_number(ttype::stop);
  } else if constexpr (map_like<T>) {
    return put_entries(out, value);
  } else {
    return put_elements(out, value);
  }
}

}  // namespace sluice::thrift::detail

#endif
