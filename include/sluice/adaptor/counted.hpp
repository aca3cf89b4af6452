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

#include <sluice/concepts.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/source_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace sluice {

/// Passes everything on to another stream and counts it: what a reader has delivered, what a writer
/// has accepted, in one total for a stream that is both. Bytes that are only buffered do not count
/// until they are consumed or committed; skipped ones and those that pass inside the kernel do.
///
/// `S` is a stream type, held by value, or a reference to one. The result is as capable as `S`;
/// each operation returns what that of `S` returns.
template <detail::stream S>
class counted_stream {
  using inner_type = std::remove_reference_t<S>;

 public:
  static constexpr bool in_memory = in_memory_reader<S>;

  constexpr explicit counted_stream(S&& inner) : inner_(std::forward<S>(inner)) {}

  /// The bytes so far.
  constexpr std::uintmax_t count() const noexcept { return count_; }

  constexpr inner_type& inner() noexcept { return inner_.get(); }
  constexpr const inner_type& inner() const noexcept { return inner_.get(); }

  /// Gives back the inner stream.
  constexpr S into_inner() && { return inner_.release(); }

  // What a reader does.

  result<std::size_t> read_some(std::span<std::byte> b)
    requires reader<S>
  {
    return add(sluice::read_some(inner_.get(), b));
  }

  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires vectored_reader<S>
  {
    return add(sluice::read_some(inner_.get(), pieces));
  }

  std::span<const std::byte> buffered() noexcept
    requires buffered_reader<S>
  {
    return sluice::window(inner_.get());
  }

  result<std::span<const std::byte>> fill(std::size_t n)
    requires buffered_reader<S>
  {
    return sluice::fill(inner_.get(), n);
  }

  void consume(std::size_t n) noexcept
    requires buffered_reader<S>
  {
    sluice::consume(inner_.get(), n);
    count_ += n;
  }

  result<std::uintmax_t> skip(std::uintmax_t n)
    requires skippable<S>
  {
    result<std::uintmax_t> passed = detail::cpo::skip_fn{}(inner_.get(), n);
    if (!passed) return passed;
    count_ += *passed;
    return passed;
  }

  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<S>
  {
    return sluice::size_hint(inner_.get());
  }

  // What a writer does.

  result<std::size_t> write_some(std::span<const std::byte> b)
    requires writer<S>
  {
    return add(sluice::write_some(inner_.get(), b));
  }

  result<std::size_t> write_some(std::span<const const_buffer> pieces)
    requires vectored_writer<S>
  {
    return add(sluice::write_some(inner_.get(), pieces));
  }

  result<std::span<std::byte>> prepare(std::size_t n)
    requires buffered_writer<S>
  {
    return sluice::prepare(inner_.get(), n);
  }

  void commit(std::size_t n) noexcept
    requires buffered_writer<S>
  {
    sluice::commit(inner_.get(), n);
    count_ += n;
  }

  result<void> flush()
    requires detail::cpo::member_flush<inner_type> || detail::cpo::adl_flush<inner_type>
  {
    return sluice::flush(inner_.get());
  }

  // What both do.

  /// How large the inner stream's buffer is, in bytes.
  std::size_t capacity() noexcept
    requires detail::has_capacity<inner_type>
  {
    return inner_.get().capacity();
  }

  /// Moves the inner stream; this counts nothing.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin)
    requires seekable<S>
  {
    return sluice::seek(inner_.get(), offset, from);
  }

  result<std::uintmax_t> position()
    requires seekable<S>
  {
    return sluice::position(inner_.get());
  }

  std::optional<fd_endpoint> kernel_endpoint()
    requires detail::has_kernel_endpoint<S>
  {
    return sluice::kernel_endpoint(inner_.get());
  }

  void kernel_advanced(std::uintmax_t n)
    requires detail::has_kernel_endpoint<S>
  {
    count_ += n;
    sluice::kernel_advanced(inner_.get(), n);
  }

  [[nodiscard]] result<void> close()
    requires requires(inner_type& s) {
      { s.close() } -> std::same_as<result<void>>;
    }
  {
    return inner_.get().close();
  }

 private:
  result<std::size_t> add(result<std::size_t> n) noexcept {
    if (n) count_ += *n;
    return n;
  }

  detail::held<S> inner_;
  std::uintmax_t count_ = 0;
};

template <class S>
counted_stream(S&&) -> counted_stream<S>;

template <reader R>
using counted_reader = counted_stream<R>;

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
