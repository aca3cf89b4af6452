// SPDX-License-Identifier: BSL-1.0
//
// What the compiled code sees of something that is read by place.
//
//   concept sized_positional_reader;     // a positional_reader that knows its size, as `file`
//   struct positional_ref;
//
#ifndef SLUICE_CODEC_RECORDIO_DETAIL_POSITIONAL_REF_HPP
#define SLUICE_CODEC_RECORDIO_DETAIL_POSITIONAL_REF_HPP

#include <sluice/positional.hpp>

#include <memory>

namespace sluice {

/// Reads at an offset in bytes, and knows its size in bytes: `file` does.
template <class F>
concept sized_positional_reader = positional_reader<F> && requires(std::remove_reference_t<F>& f) {
  { f.size() } -> std::same_as<result<std::uintmax_t>>;
};

namespace detail {

/// Borrows one of any type.
struct positional_ref {
  void* object = nullptr;
  result<std::size_t> (*read)(void*, std::uintmax_t, std::span<std::byte>) = nullptr;
  result<std::uintmax_t> (*size_of)(void*) = nullptr;

  result<std::size_t> read_at(std::uintmax_t offset, std::span<std::byte> b) const { return read(object, offset, b); }
  result<std::uintmax_t> size() const { return size_of(object); }
};

template <sized_positional_reader F>
positional_ref as_positional(F& f) noexcept {
  return {.object = std::addressof(f),
          .read = [](void* object, std::uintmax_t offset,
                     std::span<std::byte> b) { return static_cast<F*>(object)->read_at(offset, b); },
          .size_of = [](void* object) -> result<std::uintmax_t> { return static_cast<F*>(object)->size(); }};
}

}  // namespace detail
}  // namespace sluice

#endif
