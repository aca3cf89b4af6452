// SPDX-License-Identifier: BSL-1.0
//
// A stream with faults.
//
//   template <class S> class faulty_stream;     // faulty_reader<R>, faulty_writer<W>
//   faulty(s, faults)     s | faults
//
// and the usual faults by name:
//
//   short_reads(n), partial_writes(n)     at most n bytes a call
//   grinding({3, 1, 7}), grinding(seed)   calls of these sizes again and again, or of random sizes
//   failing(k)                            the k-th call fails, then it goes on
//   interrupted(n)                        n failures before each call that moves bytes
//   over_counting(n)                      claims n bytes more than it was asked for
//   accepting_nothing()                   a writer that answers 0
//   slow(f)                               calls f between the calls
//
//   span_reader{"text"} | short_reads(1)
//   file | faults{.most = 100, .fail_at_byte = 1000, .error = make_error_code(std::errc::io_error)}
//
#ifndef SLUICE_TESTING_FAULTY_STREAM_HPP
#define SLUICE_TESTING_FAULTY_STREAM_HPP

#include <sluice/adaptor/limit.hpp>
#include <sluice/concepts.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/testing/faults.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

/// Reads from, or writes to, another stream, with faults; one that is both has one plan for both.
///
/// Of the capabilities it has the vectored calls, which the faults cut too, and `flush`. It hides the rest, which
/// would lead past the faults: the window of a buffered stream, `skip`, `seek`, the hint of the size, the kernel's
/// endpoint. So what is behind it is a plain reader or writer.
///
/// `S` is a stream type, held by value, or a reference to one.
template <detail::stream S>
class faulty_stream {
  using inner_type = std::remove_reference_t<S>;

 public:
  explicit faulty_stream(S&& inner, faults what = {}) : inner_(std::forward<S>(inner)), plan_(std::move(what)) {}

  /// What is asked for, as far as the faults allow. Errors: theirs, and the inner stream's.
  result<std::size_t> read_some(std::span<std::byte> b)
    requires reader<S>
  {
    return moved(b.size(), [&](std::size_t n) { return sluice::read_some(inner_.get(), b.first(n)); });
  }

  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires vectored_reader<S>
  {
    return moved(detail::cpo::total_size(pieces), [&](std::size_t n) {
      std::array<mutable_buffer, 16> room;
      return sluice::read_some(inner_.get(), detail::trim(pieces, n, room));
    });
  }

  result<std::size_t> write_some(std::span<const std::byte> b)
    requires writer<S>
  {
    return moved(b.size(), [&](std::size_t n) { return sluice::write_some(inner_.get(), b.first(n)); });
  }

  result<std::size_t> write_some(std::span<const const_buffer> pieces)
    requires vectored_writer<S>
  {
    return moved(detail::cpo::total_size(pieces), [&](std::size_t n) {
      std::array<const_buffer, 16> room;
      return sluice::write_some(inner_.get(), detail::trim(pieces, n, room));
    });
  }

  /// The inner stream's, without faults.
  result<void> flush()
    requires detail::cpo::member_flush<inner_type> || detail::cpo::adl_flush<inner_type>
  {
    return sluice::flush(inner_.get());
  }

  /// The calls so far, the bytes they moved, and how many of them failed.
  const fault_plan& plan() const noexcept { return plan_; }

  inner_type& inner() noexcept { return inner_.get(); }
  const inner_type& inner() const noexcept { return inner_.get(); }

  /// Gives back the inner stream.
  S into_inner() && { return inner_.release(); }

 private:
  template <class Move>
  result<std::size_t> moved(std::size_t request, Move move) {
    const result<std::size_t> room = plan_.next(request);
    if (!room) {
      if (const std::size_t untold = plan_.untold(request)) {
        if (const result<std::size_t> n = move(untold)) plan_.moved(*n, request);
      }
      return room;
    }
    if (*room == 0) return room;
    const result<std::size_t> n = move(*room);
    if (!n) return n;
    return plan_.moved(*n, request);
  }

  detail::held<S> inner_;
  fault_plan plan_;
};

template <class S>
faulty_stream(S&&) -> faulty_stream<S>;
template <class S>
faulty_stream(S&&, faults) -> faulty_stream<S>;

/// A reader with faults.
template <reader R>
using faulty_reader = faulty_stream<R>;

/// A writer with faults.
template <writer W>
using faulty_writer = faulty_stream<W>;

namespace detail {

struct faulty_fn {
  template <stream S>
  faulty_stream<S> operator()(S&& s, faults what) const {
    return faulty_stream<S>(std::forward<S>(s), std::move(what));
  }
};

}  // namespace detail

/// `faulty(s, what)` and `s | what`: `s` with these faults, as a `faulty_stream`.
inline constexpr detail::faulty_fn faulty{};

/// Gives a stream faults: `stream | faults{...}`.
template <detail::stream S>
faulty_stream<S> operator|(S&& s, faults what) {
  return faulty_stream<S>(std::forward<S>(s), std::move(what));
}

/// At most `n` bytes a call.
inline faults short_reads(std::size_t n) { return {.most = n}; }
/// At most n bytes a call.
inline faults partial_writes(std::size_t n) { return {.most = n}; }

/// Calls that move at most so many bytes, one size after the other, again and again.
inline faults grinding(std::vector<std::size_t> chunks) { return {.chunks = std::move(chunks)}; }

/// Calls that move from 1 to 64 bytes, in an order that `seed` decides.
inline faults grinding(std::uint32_t seed) { return {.seed = seed}; }

/// From the `k`-th call on `times` calls fail, which may be `forever`.
inline faults failing(std::size_t k, std::error_code error = std::make_error_code(std::errc::io_error),
                      std::size_t times = 1) {
  return {.fail_at = k, .failures = times, .error = error};
}

/// `n` failures before each call that moves bytes.
inline faults interrupted(std::size_t n,
                          std::error_code error = std::make_error_code(std::errc::operation_would_block)) {
  return {.fail_at = 1, .failures = n, .every = 1, .error = error};
}

/// Claims `n` bytes more than it was asked for.
inline faults over_counting(std::size_t n = 1) { return {.excess = n}; }

/// Every call answers 0.
inline faults accepting_nothing() { return {.fail_at = 1, .failures = forever, .error = {}}; }

/// Calls `between` before each call but the first, to sleep there or to let somebody else go on.
inline faults slow(std::function<void()> between) { return {.between = std::move(between)}; }

}  // namespace sluice

#endif
