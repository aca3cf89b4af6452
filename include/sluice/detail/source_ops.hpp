// SPDX-License-Identifier: BSL-1.0
//
// What the compiled code sees of a user's reader: a table of functions, with null where the type cannot do a thing.
// The table is made from the type's concepts, once for each type, and costs nothing to make.
//
//   struct source_ops;                         // the table
//   struct source_ref { void* object; const source_ops* ops; ... };
//   template <class R> source_ref as_source(R& r) noexcept;
//
#ifndef SLUICE_DETAIL_SOURCE_OPS_HPP
#define SLUICE_DETAIL_SOURCE_OPS_HPP

#include <sluice/concepts.hpp>

#include <memory>

namespace sluice::detail {

struct source_ops {
  result<std::size_t> (*read_some)(void*, std::span<std::byte>);
  result<std::size_t> (*read_vectored)(void*, std::span<const mutable_buffer>);

  // A buffered reader has all four, another none.
  std::span<const std::byte> (*window)(void*) noexcept;
  result<std::span<const std::byte>> (*fill)(void*, std::size_t);
  void (*consume)(void*, std::size_t) noexcept;
  std::size_t (*capacity)(void*) noexcept;

  result<std::uintmax_t> (*skip)(void*, std::uintmax_t);
  std::optional<std::uintmax_t> (*size_hint)(void*);
  std::optional<fd_endpoint> (*kernel_endpoint)(void*);
  void (*kernel_advanced)(void*, std::uintmax_t);

  bool in_memory;  // the window is all there will ever be

  result<std::uintmax_t> (*seek)(void*, std::intmax_t, whence);
  result<std::uintmax_t> (*position)(void*);
};

/// Borrows a reader of any type.
struct source_ref {
  void* object = nullptr;
  const source_ops* ops = nullptr;

  bool is_buffered() const noexcept { return ops->fill != nullptr; }

  result<std::size_t> read_some(std::span<std::byte> b) const { return ops->read_some(object, b); }
  std::span<const std::byte> window() const noexcept { return ops->window(object); }
  result<std::span<const std::byte>> fill(std::size_t n) const { return ops->fill(object, n); }
  void consume(std::size_t n) const noexcept { ops->consume(object, n); }
  std::size_t capacity() const noexcept { return ops->capacity(object); }

  std::optional<std::uintmax_t> size_hint() const { return ops->size_hint ? ops->size_hint(object) : std::nullopt; }
  std::optional<fd_endpoint> kernel_endpoint() const {
    return ops->kernel_endpoint ? ops->kernel_endpoint(object) : std::nullopt;
  }
  void kernel_advanced(std::uintmax_t n) const {
    if (ops->kernel_advanced) ops->kernel_advanced(object, n);
  }

  result<std::uintmax_t> seek(std::intmax_t offset, whence from) const {
    return ops->seek ? ops->seek(object, offset, from) : fail(io_errc::unsupported);
  }
  result<std::uintmax_t> position() const { return ops->position ? ops->position(object) : fail(io_errc::unsupported); }
};

/// A buffered stream that can tell how large its buffer is, beyond what it shows now.
template <class S>
concept has_capacity = requires(S& s) {
  { s.capacity() } noexcept -> std::convertible_to<std::size_t>;
};

template <class R>
struct source_calls {
  static R& of(void* object) noexcept { return *static_cast<R*>(object); }

  [[gnu::hot]] static result<std::size_t> read_some(void* object, std::span<std::byte> b) {
    return sluice::read_some(of(object), b);
  }
  static result<std::size_t> read_vectored(void* object, std::span<const mutable_buffer> b) {
    return sluice::read_some(of(object), b);
  }
  [[gnu::hot]] static std::span<const std::byte> window(void* object) noexcept { return sluice::window(of(object)); }
  [[gnu::hot]] static result<std::span<const std::byte>> fill(void* object, std::size_t n) {
    return sluice::fill(of(object), n);
  }
  [[gnu::hot]] static void consume(void* object, std::size_t n) noexcept { sluice::consume(of(object), n); }
  static std::size_t capacity(void* object) noexcept {
    if constexpr (has_capacity<R>)
      return of(object).capacity();
    else
      return sluice::window(of(object)).size();
  }
  static result<std::uintmax_t> skip(void* object, std::uintmax_t n) { return cpo::skip_fn{}(of(object), n); }
  static std::optional<std::uintmax_t> size_hint(void* object) { return sluice::size_hint(of(object)); }
  static std::optional<fd_endpoint> kernel_endpoint(void* object) { return sluice::kernel_endpoint(of(object)); }
  static void kernel_advanced(void* object, std::uintmax_t n) { sluice::kernel_advanced(of(object), n); }

  static result<std::uintmax_t> seek(void* object, std::intmax_t offset, whence from) {
    return sluice::seek(of(object), offset, from);
  }
  static result<std::uintmax_t> position(void* object) { return sluice::position(of(object)); }

  static constexpr source_ops table() {
    source_ops ops{};
    ops.read_some = &read_some;
    if constexpr (vectored_reader<R>) ops.read_vectored = &read_vectored;
    if constexpr (buffered_reader<R>) {
      ops.window = &window;
      ops.fill = &fill;
      ops.consume = &consume;
      ops.capacity = &capacity;
      ops.in_memory = in_memory_reader<R>;
    }
    if constexpr (skippable<R>) ops.skip = &skip;
    if constexpr (size_hinted<R>) ops.size_hint = &size_hint;
    if constexpr (kernel_reader<R>) {
      ops.kernel_endpoint = &kernel_endpoint;
      ops.kernel_advanced = &kernel_advanced;
    }
    if constexpr (seekable<R>) {
      ops.seek = &seek;
      ops.position = &position;
    }
    return ops;
  }
};

template <reader R>
inline constexpr source_ops source_ops_for = source_calls<R>::table();

template <reader R>
source_ref as_source(R& r) noexcept {
  // A const reader is one whose read_some is const, and the table for its type casts back to that.
  return {const_cast<void*>(static_cast<const void*>(std::addressof(r))), &source_ops_for<R>};
}

/// The same for the length of one algorithm, during which nobody else uses the stream: an erased handle is seen
/// through, and the calls go to what it holds.
template <reader R>
source_ref unwrapped_source(R& r) noexcept {
  if constexpr (requires {
                  { r.erased_source() } noexcept -> std::same_as<source_ref>;
                })
    return r.erased_source();
  else
    return as_source(r);
}

}  // namespace sluice::detail

#endif
