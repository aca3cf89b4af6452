// SPDX-License-Identifier: BSL-1.0
//
// What the compiled code sees of a user's writer: a table of functions, with null where the type cannot do a thing.
//
//   struct sink_ops;                           // the table
//   struct sink_ref { void* object; const sink_ops* ops; ... };
//   template <class W> sink_ref as_sink(W& w) noexcept;
//
#ifndef SLUICE_DETAIL_SINK_OPS_HPP
#define SLUICE_DETAIL_SINK_OPS_HPP

#include <sluice/concepts.hpp>

#include <memory>

namespace sluice::detail {

struct sink_ops {
  result<std::size_t> (*write_some)(void*, std::span<const std::byte>);
  result<std::size_t> (*write_vectored)(void*, std::span<const const_buffer>);

  // A buffered writer has all three, another none.
  result<std::span<std::byte>> (*prepare)(void*, std::size_t);
  void (*commit)(void*, std::size_t) noexcept;
  result<void> (*flush)(void*);

  std::optional<fd_endpoint> (*kernel_endpoint)(void*);
  void (*kernel_advanced)(void*, std::uintmax_t);

  result<std::uintmax_t> (*seek)(void*, std::intmax_t, whence);
  result<std::uintmax_t> (*position)(void*);
};

/// Borrows a writer of any type.
struct sink_ref {
  void* object = nullptr;
  const sink_ops* ops = nullptr;

  bool is_buffered() const noexcept { return ops->prepare != nullptr; }

  result<std::size_t> write_some(std::span<const std::byte> b) const { return ops->write_some(object, b); }
  result<std::span<std::byte>> prepare(std::size_t n) const { return ops->prepare(object, n); }
  void commit(std::size_t n) const noexcept { ops->commit(object, n); }
  result<void> flush() const { return ops->flush ? ops->flush(object) : result<void>{}; }

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

template <class W>
struct sink_calls {
  static W& of(void* object) noexcept { return *static_cast<W*>(object); }

  [[gnu::hot]] static result<std::size_t> write_some(void* object, std::span<const std::byte> b) {
    return sluice::write_some(of(object), b);
  }
  static result<std::size_t> write_vectored(void* object, std::span<const const_buffer> b) {
    return sluice::write_some(of(object), b);
  }
  [[gnu::hot]] static result<std::span<std::byte>> prepare(void* object, std::size_t n) {
    return sluice::prepare(of(object), n);
  }
  [[gnu::hot]] static void commit(void* object, std::size_t n) noexcept { sluice::commit(of(object), n); }
  static result<void> flush(void* object) { return sluice::flush(of(object)); }
  static std::optional<fd_endpoint> kernel_endpoint(void* object) { return sluice::kernel_endpoint(of(object)); }
  static void kernel_advanced(void* object, std::uintmax_t n) { sluice::kernel_advanced(of(object), n); }

  static result<std::uintmax_t> seek(void* object, std::intmax_t offset, whence from) {
    return sluice::seek(of(object), offset, from);
  }
  static result<std::uintmax_t> position(void* object) { return sluice::position(of(object)); }

  static constexpr sink_ops table() {
    sink_ops ops{};
    ops.write_some = &write_some;
    if constexpr (vectored_writer<W>) ops.write_vectored = &write_vectored;
    if constexpr (buffered_writer<W>) {
      ops.prepare = &prepare;
      ops.commit = &commit;
    }
    if constexpr (cpo::member_flush<W> || cpo::adl_flush<W>) ops.flush = &flush;
    if constexpr (kernel_writer<W>) {
      ops.kernel_endpoint = &kernel_endpoint;
      ops.kernel_advanced = &kernel_advanced;
    }
    if constexpr (seekable<W>) {
      ops.seek = &seek;
      ops.position = &position;
    }
    return ops;
  }
};

template <writer W>
inline constexpr sink_ops sink_ops_for = sink_calls<W>::table();

template <writer W>
sink_ref as_sink(W& w) noexcept {
  return {const_cast<void*>(static_cast<const void*>(std::addressof(w))), &sink_ops_for<W>};
}

/// The same for the length of one algorithm, during which nobody else uses the stream: an erased handle is seen
/// through, and the calls go to what it holds.
template <writer W>
sink_ref unwrapped_sink(W& w) noexcept {
  if constexpr (requires {
                  { w.erased_sink() } noexcept -> std::same_as<sink_ref>;
                })
    return w.erased_sink();
  else
    return as_sink(w);
}

}  // namespace sluice::detail

#endif
