// SPDX-License-Identifier: BSL-1.0
//
// Whether a type has a customisation point: as a member, or as a function that argument-dependent lookup finds.
//
#ifndef SLUICE_DETAIL_DETECTION_HPP
#define SLUICE_DETAIL_DETECTION_HPP

#include <sluice/buffer.hpp>
#include <sluice/kernel_endpoint.hpp>
#include <sluice/result.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sluice {

/// From where `seek` counts.
enum class whence { begin, current, end };

namespace detail::cpo {

using std::byte;
using std::same_as;
using std::size_t;
using std::span;

// These hide the function objects, so that the unqualified calls below look only at members and arguments.
void read_some() = delete;
void write_some() = delete;
void buffered() = delete;
void fill() = delete;
void consume() = delete;
void prepare() = delete;
void commit() = delete;
void free_space() = delete;
void flush() = delete;
void skip() = delete;
void seek() = delete;
void position() = delete;
void size_hint() = delete;
void kernel_endpoint() = delete;
void kernel_advanced() = delete;

template <class R, class B>
concept member_read_some = requires(R& r, B b) {
  { r.read_some(b) } -> same_as<result<size_t>>;
};
template <class R, class B>
concept adl_read_some = requires(R& r, B b) {
  { read_some(r, b) } -> same_as<result<size_t>>;
};

template <class W, class B>
concept member_write_some = requires(W& w, B b) {
  { w.write_some(b) } -> same_as<result<size_t>>;
};
template <class W, class B>
concept adl_write_some = requires(W& w, B b) {
  { write_some(w, b) } -> same_as<result<size_t>>;
};

template <class R>
concept member_buffered = requires(R& r) {
  { r.buffered() } noexcept -> same_as<span<const byte>>;
};
template <class R>
concept adl_buffered = requires(R& r) {
  { buffered(r) } noexcept -> same_as<span<const byte>>;
};

template <class R>
concept member_fill = requires(R& r, size_t n) {
  { r.fill(n) } -> same_as<result<span<const byte>>>;
};
template <class R>
concept adl_fill = requires(R& r, size_t n) {
  { fill(r, n) } -> same_as<result<span<const byte>>>;
};

template <class R>
concept member_consume = requires(R& r, size_t n) {
  { r.consume(n) } noexcept;
};
template <class R>
concept adl_consume = requires(R& r, size_t n) {
  { consume(r, n) } noexcept;
};

template <class W>
concept member_prepare = requires(W& w, size_t n) {
  { w.prepare(n) } -> same_as<result<span<byte>>>;
};
template <class W>
concept adl_prepare = requires(W& w, size_t n) {
  { prepare(w, n) } -> same_as<result<span<byte>>>;
};

template <class W>
concept member_free_space = requires(W& w) {
  { w.free_space() } noexcept -> same_as<span<byte>>;
};
template <class W>
concept adl_free_space = requires(W& w) {
  { free_space(w) } noexcept -> same_as<span<byte>>;
};

template <class W>
concept member_commit = requires(W& w, size_t n) {
  { w.commit(n) } noexcept;
};
template <class W>
concept adl_commit = requires(W& w, size_t n) {
  { commit(w, n) } noexcept;
};

template <class W>
concept member_flush = requires(W& w) {
  { w.flush() } -> same_as<result<void>>;
};
template <class W>
concept adl_flush = requires(W& w) {
  { flush(w) } -> same_as<result<void>>;
};

template <class R>
concept member_skip = requires(R& r, std::uintmax_t n) {
  { r.skip(n) } -> same_as<result<std::uintmax_t>>;
};
template <class R>
concept adl_skip = requires(R& r, std::uintmax_t n) {
  { skip(r, n) } -> same_as<result<std::uintmax_t>>;
};

template <class S>
concept member_seek = requires(S& s, std::intmax_t o, whence w) {
  { s.seek(o, w) } -> same_as<result<std::uintmax_t>>;
};
template <class S>
concept adl_seek = requires(S& s, std::intmax_t o, whence w) {
  { seek(s, o, w) } -> same_as<result<std::uintmax_t>>;
};

template <class S>
concept member_position = requires(S& s) {
  { s.position() } -> same_as<result<std::uintmax_t>>;
};
template <class S>
concept adl_position = requires(S& s) {
  { position(s) } -> same_as<result<std::uintmax_t>>;
};

template <class R>
concept member_size_hint = requires(R& r) {
  { r.size_hint() } -> std::convertible_to<std::optional<std::uintmax_t>>;
};
template <class R>
concept adl_size_hint = requires(R& r) {
  { size_hint(r) } -> std::convertible_to<std::optional<std::uintmax_t>>;
};

template <class S>
concept member_kernel_endpoint = requires(S& s) {
  { s.kernel_endpoint() } -> std::convertible_to<std::optional<fd_endpoint>>;
};
template <class S>
concept adl_kernel_endpoint = requires(S& s) {
  { kernel_endpoint(s) } -> std::convertible_to<std::optional<fd_endpoint>>;
};

template <class S>
concept member_kernel_advanced = requires(S& s, std::uintmax_t n) { s.kernel_advanced(n); };
template <class S>
concept adl_kernel_advanced = requires(S& s, std::uintmax_t n) { kernel_advanced(s, n); };

}  // namespace detail::cpo
}  // namespace sluice

#endif
