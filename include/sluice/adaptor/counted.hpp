// SPDX-License-Identifier: BSL-1.0
//
// Counts the bytes that pass through a stream.
//
//   template <class S> class counted_stream;      // S: a reader, a writer, or both at once
//   template <reader R> using counted_reader = counted_stream<R>;
//   template <writer W> using counted_writer = counted_stream<W>;
//   counted(s)      s | counted()
//
#ifndef SLUICE_ADAPTOR_COUNTED_HPP
#define SLUICE_ADAPTOR_COUNTED_HPP

#include <sluice/detail/observed_stream.hpp>

namespace sluice {

namespace detail {

struct byte_counter {
  std::uintmax_t count = 0;

  constexpr void passed(std::uintmax_t n) noexcept { count += n; }
};

}  // namespace detail

/// Passes everything on to another stream and counts it: what a reader has delivered, what a writer
/// has accepted, in one total for a stream that is both. Bytes that are only buffered do not count
/// until they are consumed or committed; skipped ones and those that pass inside the kernel do.
/// Seeking counts nothing.
///
/// `S` is a stream type, held by value, or a reference to one. The result is as capable as `S`;
/// each operation returns what that of `S` returns.
template <detail::stream S>
class counted_stream : public detail::observed_stream<S, detail::byte_counter> {
 public:
  constexpr explicit counted_stream(S&& inner)
      : detail::observed_stream<S, detail::byte_counter>(std::forward<S>(inner)) {}

  /// The bytes so far.
  constexpr std::uintmax_t count() const noexcept { return this->observer().count; }
};

template <class S>
counted_stream(S&&) -> counted_stream<S>;

/// A reader that counts what it has delivered.
template <reader R>
using counted_reader = counted_stream<R>;

/// A writer that counts what it has accepted.
template <writer W>
using counted_writer = counted_stream<W>;

namespace detail {

struct counted_fn {
  template <stream S>
  constexpr counted_stream<S> operator()(S&& s) const {
    return counted_stream<S>(std::forward<S>(s));
  }

  constexpr auto operator()() const {
    return closure([]<stream S>(S&& s) { return counted_stream<S>(std::forward<S>(s)); });
  }
};

}  // namespace detail

/// `counted(s)` and `s | counted()`: `s` with a `count()`, as a `counted_stream`.
inline constexpr detail::counted_fn counted{};

}  // namespace sluice

#endif
