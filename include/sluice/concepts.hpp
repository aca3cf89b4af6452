// SPDX-License-Identifier: BSL-1.0
//
// The concepts, and the customisation points that they are made of.
//
//   reader           read_some(r, std::span<std::byte>) -> result<std::size_t>
//   writer           write_some(w, std::span<const std::byte>) -> result<std::size_t>
//   buffered_reader  reader + window(r), fill(r, n), consume(r, n)
//   in_memory_reader buffered_reader + static constexpr bool in_memory
//   buffered_writer  writer + prepare(w, n), commit(w, n), flush(w)
//                    and, where it costs no call to know, free_space(w)
//   vectored_reader  read_some(r, std::span<const mutable_buffer>) -> result<std::size_t>
//   vectored_writer  write_some(w, std::span<const const_buffer>) -> result<std::size_t>
//   skippable        skip member: skip(n) -> result<std::uintmax_t>
//   seekable         seek(s, offset, whence), position(s) -> result<std::uintmax_t>
//   size_hinted      size_hint(r) -> std::optional<std::uintmax_t>
//   kernel_reader, kernel_writer   kernel_endpoint(s), kernel_advanced(s, n)
//
// Each customisation point is a function object: it calls the member of that name, else a function found by
// argument-dependent lookup, else (where one is named) a default. `window(r)` calls the member `buffered()`; its own
// name differs because `buffered` is the adaptor.
//
#ifndef SLUICE_CONCEPTS_HPP
#define SLUICE_CONCEPTS_HPP

#include <sluice/detail/customisation.hpp>

namespace sluice {

/// Reads at least one byte and at most `b.size()` bytes into `b`; returns how many. 0 for a non-empty span means the
/// end of the stream, and nothing else does; an empty span returns 0 and does no I/O.
/// Errors: the stream's own; `bad_count` where it claims more than it was given.
inline constexpr detail::cpo::read_some_fn read_some{};

/// Writes at least one byte and at most `b.size()` bytes of `b`; returns how many the writer has accepted. The span is
/// not used after the return. An empty span returns 0 and does no I/O.
/// Errors: the stream's own; `bad_count` where it claims more than it was given.
inline constexpr detail::cpo::write_some_fn write_some{};

/// The bytes that a buffered reader holds and has not delivered. No I/O. Valid until the reader is used again.
inline constexpr detail::cpo::window_fn window{};

/// Makes at least `n` bytes visible, fewer only at the end of the stream, reading no more often than needed; returns
/// all that is buffered. Errors: the stream's own; `buffer_too_small` where `n` is more than the buffer may grow to.
inline constexpr detail::cpo::fill_fn fill{};

/// Drops the first `n` bytes of the window, `n <= window(r).size()`. No I/O.
inline constexpr detail::cpo::consume_fn consume{};

/// At least `n` writable bytes inside the writer's buffer; what is written there counts once it is committed.
/// Errors: the stream's own, when it had to make room; `buffer_too_small`.
inline constexpr detail::cpo::prepare_fn prepare{};

/// Accepts the first `n` bytes of the span that the last `prepare` gave. No I/O.
inline constexpr detail::cpo::commit_fn commit{};

/// What a buffered writer can take without a call of anybody else: bytes that are written there count once they are
/// committed, as those that `prepare` gives. Nothing by default. No I/O. With it, `write_all` of a few bytes is a
/// compare and a copy, as reading from a window is. Valid until the writer is used again.
inline constexpr detail::cpo::free_space_fn free_space{};

/// Passes on all that a buffered writer holds. After an error what was not accepted is still held.
inline constexpr detail::cpo::flush_fn flush{};

/// Moves to `offset` bytes from `from`, by default from the beginning; returns the new position.
inline constexpr detail::cpo::seek_fn seek{};

/// The position of the next byte that is delivered or accepted, in bytes from the beginning. Of a file one lseek(2),
/// which moves nothing; of a stream in memory and of what a buffer knows, no call. Errors: the stream's own.
inline constexpr detail::cpo::position_fn position{};

/// How many bytes are left, as far as the stream knows; nothing by default. A hint only: it lies for procfs, sysfs and
/// files that grow.
inline constexpr detail::cpo::size_hint_fn size_hint{};

/// The descriptor behind the stream, if its bytes are that descriptor's bytes; nothing by default.
inline constexpr detail::cpo::kernel_endpoint_fn kernel_endpoint{};

/// Tells the stream that `n` bytes went past it inside the kernel. Does nothing by default.
inline constexpr detail::cpo::kernel_advanced_fn kernel_advanced{};

// The concepts accept a type or a reference to it, so that adaptors can hold either.

/// A source of bytes: it has `read_some`.
template <class R>
concept reader = requires(std::remove_reference_t<R>& r, std::span<std::byte> b) { sluice::read_some(r, b); };

/// A destination of bytes: it has `write_some`.
template <class W>
concept writer = requires(std::remove_reference_t<W>& w, std::span<const std::byte> b) { sluice::write_some(w, b); };

/// A reader that shows what it holds, so that its bytes can be used where they are.
template <class R>
concept buffered_reader = reader<R> && requires(std::remove_reference_t<R>& r, std::size_t n) {
  sluice::window(r);
  sluice::fill(r, n);
  sluice::consume(r, n);
};

/// A buffered reader whose window is the whole rest of the stream, so that one write passes it on and `fill` never
/// reads. A type says so with `static constexpr bool in_memory = true`.
template <class R>
concept in_memory_reader =
    buffered_reader<R> && requires { requires std::bool_constant<bool(std::remove_reference_t<R>::in_memory)>::value; };

/// A writer that lends room in its buffer.
template <class W>
concept buffered_writer = writer<W> && requires(std::remove_reference_t<W>& w, std::size_t n) {
  sluice::prepare(w, n);
  sluice::commit(w, n);
  sluice::flush(w);
};

/// One system call for several pieces. Callers skip empty pieces; a stream takes no more than IOV_MAX at a time.
template <class R>
concept vectored_reader = reader<R> && requires(std::remove_reference_t<R>& r, std::span<const mutable_buffer> b) {
  sluice::read_some(r, b);
};

template <class W>
concept vectored_writer =
    writer<W> && requires(std::remove_reference_t<W>& w, std::span<const const_buffer> b) { sluice::write_some(w, b); };

/// Moves past up to n bytes without delivering them; 0 for n > 0 is the end. sluice::skip goes on after fewer than n.
template <class R>
concept skippable =
    detail::cpo::member_skip<std::remove_reference_t<R>> || detail::cpo::adl_skip<std::remove_reference_t<R>>;

/// A stream with a position that can be moved.
template <class S>
concept seekable = requires(std::remove_reference_t<S>& s, std::intmax_t n, whence from) {
  sluice::seek(s, n, from);
  sluice::position(s);
};

/// A reader that may know how many bytes are left.
template <class R>
concept size_hinted =
    detail::cpo::member_size_hint<std::remove_reference_t<R>> || detail::cpo::adl_size_hint<std::remove_reference_t<R>>;

namespace detail {
template <class S>
concept has_kernel_endpoint =
    (cpo::member_kernel_endpoint<std::remove_reference_t<S>> || cpo::adl_kernel_endpoint<std::remove_reference_t<S>>) &&
    (cpo::member_kernel_advanced<std::remove_reference_t<S>> || cpo::adl_kernel_advanced<std::remove_reference_t<S>>);
}

/// A reader whose bytes are those of a descriptor, so that `copy` may have the kernel move them.
template <class R>
concept kernel_reader = reader<R> && detail::has_kernel_endpoint<R>;

/// A writer whose bytes go to a descriptor as they are.
template <class W>
concept kernel_writer = writer<W> && detail::has_kernel_endpoint<W>;

}  // namespace sluice

#endif
