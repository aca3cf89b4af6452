// SPDX-License-Identifier: BSL-1.0
//
// A stream that passes everything on to another and tells an observer of it: what `counted`, `progress`, `inspect` and
// `digest` have in common.
//
//   template <stream S, class Observer> class observed_stream;
//
//   observer.passed(n)      n bytes have passed: one that has this only keeps all that the stream can
//   observer.seen(bytes)    these bytes have passed: no bytes may go by unseen, in the kernel or by skip or seek
//   observer.ended()        optional: the reader has found its end, the writer is closed
//
#ifndef SLUICE_DETAIL_OBSERVED_STREAM_HPP
#define SLUICE_DETAIL_OBSERVED_STREAM_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/detail/closable.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/source_ops.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace sluice::detail {

/// Wants to see the bytes themselves, each once and in order.
template <class Observer>
concept byte_observer = requires(Observer& o, std::span<const std::byte> b) { o.seen(b); };

/// An adaptor's second argument until the stream comes: `Adapt{}(stream, argument)`. What was given as an rvalue is
/// copied for each stream, or given up where the closure is one.
template <class Adapt, class A>
struct bound {
  held<A> argument;

  template <class S>
    requires std::invocable<Adapt, S, A> && (std::is_lvalue_reference_v<A> || std::copy_constructible<A>)
  constexpr auto operator()(S&& s) const& {
    return Adapt{}(std::forward<S>(s), static_cast<A>(argument.get()));
  }

  template <class S>
    requires std::invocable<Adapt, S, A>
  constexpr auto operator()(S&& s) && {
    return Adapt{}(std::forward<S>(s), static_cast<A&&>(argument.release()));
  }
};

template <stream S, class Observer>
class observed_stream {
  using inner_type = std::remove_reference_t<S>;
  static constexpr bool sees_bytes = byte_observer<Observer>;

 public:
  static constexpr bool in_memory = in_memory_reader<S>;

  constexpr explicit observed_stream(S&& inner, Observer observer = {})
      : inner_(std::forward<S>(inner)), observer_(std::move(observer)) {}

  constexpr inner_type& inner() noexcept { return inner_.get(); }
  constexpr const inner_type& inner() const noexcept { return inner_.get(); }

  /// Gives back the inner stream.
  constexpr S into_inner() && { return inner_.release(); }

  // What a reader does. Buffered bytes pass when they are consumed.

  result<std::size_t> read_some(std::span<std::byte> b)
    requires reader<S>
  {
    const result<std::size_t> n = sluice::read_some(inner_.get(), b);
    if (n) tell(b, *n);
    if (n && *n == 0 && !b.empty()) tell_end();
    return n;
  }

  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires vectored_reader<S>
  {
    const result<std::size_t> n = sluice::read_some(inner_.get(), pieces);
    if (n) tell_pieces(pieces, *n);
    if (n && *n == 0 && cpo::total_size(pieces) != 0) tell_end();
    return n;
  }

  std::span<const std::byte> buffered() noexcept
    requires buffered_reader<S>
  {
    return sluice::window(inner_.get());
  }

  result<std::span<const std::byte>> fill(std::size_t n)
    requires buffered_reader<S>
  {
    const result<std::span<const std::byte>> all = sluice::fill(inner_.get(), n);
    if (all && all->empty() && n != 0) tell_end();
    return all;
  }

  void consume(std::size_t n) noexcept
    requires buffered_reader<S>
  {
    if constexpr (sees_bytes) tell(sluice::window(inner_.get()), n);
    sluice::consume(inner_.get(), n);
    if constexpr (!sees_bytes) observer_.passed(n);
  }

  result<std::uintmax_t> skip(std::uintmax_t n)
    requires(skippable<S> && !sees_bytes)
  {
    const result<std::uintmax_t> passed = cpo::skip_fn{}(inner_.get(), n);
    if (passed) observer_.passed(*passed);
    if (passed && *passed == 0 && n != 0) tell_end();
    return passed;
  }

  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<S>
  {
    return sluice::size_hint(inner_.get());
  }

  // What a writer does. Prepared bytes pass when they are committed.

  result<std::size_t> write_some(std::span<const std::byte> b)
    requires writer<S>
  {
    const result<std::size_t> n = sluice::write_some(inner_.get(), b);
    if (n) tell(b, *n);
    return n;
  }

  result<std::size_t> write_some(std::span<const const_buffer> pieces)
    requires vectored_writer<S>
  {
    const result<std::size_t> n = sluice::write_some(inner_.get(), pieces);
    if (n) tell_pieces(pieces, *n);
    return n;
  }

  result<std::span<std::byte>> prepare(std::size_t n)
    requires buffered_writer<S>
  {
    const result<std::span<std::byte>> space = sluice::prepare(inner_.get(), n);
    if constexpr (sees_bytes) prepared_ = space ? space->data() : nullptr;
    return space;
  }

  void commit(std::size_t n) noexcept
    requires buffered_writer<S>
  {
    if constexpr (sees_bytes) tell({prepared_, n}, n);
    sluice::commit(inner_.get(), n);
    if constexpr (!sees_bytes) observer_.passed(n);
  }

  result<void> flush()
    requires flushable<S>
  {
    return sluice::flush(inner_.get());
  }

  // What both do.

  /// How large the inner stream's buffer is, in bytes.
  std::size_t capacity() noexcept
    requires has_capacity<inner_type>
  {
    return inner_.get().capacity();
  }

  /// Moves the inner stream; the observer is told nothing.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin)
    requires(seekable<S> && !sees_bytes)
  {
    return sluice::seek(inner_.get(), offset, from);
  }

  result<std::uintmax_t> position()
    requires seekable<S>
  {
    return sluice::position(inner_.get());
  }

  std::optional<fd_endpoint> kernel_endpoint()
    requires(has_kernel_endpoint<S> && !sees_bytes)
  {
    return sluice::kernel_endpoint(inner_.get());
  }

  void kernel_advanced(std::uintmax_t n)
    requires(has_kernel_endpoint<S> && !sees_bytes)
  {
    observer_.passed(n);
    sluice::kernel_advanced(inner_.get(), n);
  }

  [[nodiscard]] result<void> close()
    requires closable<S>
  {
    const result<void> closed = inner_.get().close();
    if (closed) tell_end();
    return closed;
  }

 protected:
  constexpr Observer& observer() noexcept { return observer_; }
  constexpr const Observer& observer() const noexcept { return observer_; }

 private:
  void tell(std::span<const std::byte> bytes, std::size_t n) {
    if constexpr (sees_bytes) {
      if (n != 0) observer_.seen(bytes.first(n));
    } else {
      observer_.passed(n);
    }
  }

  template <class Buffer>
  void tell_pieces(std::span<const Buffer> pieces, std::size_t n) {
    if constexpr (!sees_bytes) {
      observer_.passed(n);
    } else {
      for (const Buffer& piece : pieces) {
        const std::size_t part = std::min(piece.size, n);
        tell({piece.data, part}, part);
        n -= part;
      }
    }
  }

  void tell_end() {
    if constexpr (requires { observer_.ended(); }) observer_.ended();
  }

  struct nothing {};

  held<S> inner_;
  [[no_unique_address]] Observer observer_;
  [[no_unique_address]] std::conditional_t<sees_bytes, const std::byte*, nothing> prepared_{};
};

}  // namespace sluice::detail

#endif
