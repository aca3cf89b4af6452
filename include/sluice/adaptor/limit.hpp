// SPDX-License-Identifier: BSL-1.0
//
// The first n bytes of a reader.
//
//   template <reader R> class limit_reader;
//   limit(r, n)     r | limit(n)
//
#ifndef SLUICE_ADAPTOR_LIMIT_HPP
#define SLUICE_ADAPTOR_LIMIT_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/source_ops.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace sluice {

namespace detail {

/// The first pieces of `pieces`, `total` bytes at most, in `room`; fewer bytes where there is no
/// room for more pieces.
template <class Buffer>
std::span<const Buffer> trim(std::span<const Buffer> pieces, std::size_t total,
                             std::type_identity_t<std::span<Buffer>> room) noexcept {
  std::size_t used = 0;
  for (const Buffer& piece : pieces) {
    if (total == 0 || used == room.size()) break;
    if (piece.size == 0) continue;
    const std::size_t n = std::min(piece.size, total);
    room[used++] = Buffer(piece.data, n);
    total -= n;
  }
  return room.first(used);
}

}  // namespace detail

/// Delivers at most `n` bytes of another reader, counted as they arrive, and then ends. It never
/// asks the inner reader for more than is left, and does not touch it once the limit is reached: a
/// limit of what a pipe holds cannot block. `limit_reached()` tells such an end from an early one.
///
/// `R` is a reader type, held by value, or a reference to one. The result is as capable as `R`:
/// buffered, vectored, skippable, size_hinted, in memory, and with a kernel endpoint, whose bytes
/// count too.
template <reader R>
class limit_reader {
  using inner_type = std::remove_reference_t<R>;

 public:
  static constexpr bool in_memory = in_memory_reader<R>;  ///< as the reader inside, see sluice::in_memory_reader

  constexpr limit_reader(R&& inner, std::uintmax_t n) : inner_(std::forward<R>(inner)), remaining_(n) {}

  /// Reads up to `b.size()` bytes, and no more than `remaining()`. 0 once the limit is reached, or
  /// at the end of the inner reader. Errors: the inner reader's.
  result<std::size_t> read_some(std::span<std::byte> b) {
    const std::size_t n = clamp(b.size());
    if (n == 0) return std::size_t{0};
    return counted(sluice::read_some(inner_.get(), b.first(n)));
  }

  /// The same into several pieces; those that end past the limit are cut or left out.
  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires vectored_reader<R>
  {
    if (remaining_ == 0) return std::size_t{0};
    std::array<mutable_buffer, 16> room;
    if (detail::cpo::total_size(pieces) > remaining_)
      pieces = detail::trim(pieces, clamp(SIZE_MAX), std::span<mutable_buffer>(room));
    return counted(sluice::read_some(inner_.get(), pieces));
  }

  /// What the inner reader has buffered, up to the limit.
  std::span<const std::byte> buffered() noexcept
    requires buffered_reader<R>
  {
    const std::span<const std::byte> all = sluice::window(inner_.get());
    return all.first(clamp(all.size()));
  }

  /// Makes `n` bytes visible, fewer only at the limit or the end; returns all that is buffered up
  /// to the limit. Errors: the inner reader's.
  result<std::span<const std::byte>> fill(std::size_t n)
    requires buffered_reader<R>
  {
    const std::size_t wanted = clamp(n);
    const std::span<const std::byte> have = buffered();
    if (have.size() >= wanted) return have;
    const result<std::span<const std::byte>> all = sluice::fill(inner_.get(), wanted);
    if (!all) return all;
    return all->first(clamp(all->size()));
  }

  /// Drops the first `n` bytes of the window.
  void consume(std::size_t n) noexcept
    requires buffered_reader<R>
  {
    assert(n <= remaining_);
    sluice::consume(inner_.get(), n);
    remaining_ -= n;
  }

  /// How large the inner reader's buffer is, in bytes.
  std::size_t capacity() noexcept
    requires buffered_reader<R> && detail::has_capacity<inner_type>
  {
    return inner_.get().capacity();
  }

  /// Moves past up to `n` bytes; fewer as the inner reader, or at the limit. Errors: the inner reader's;
  /// `bad_count`.
  result<std::uintmax_t> skip(std::uintmax_t n)
    requires skippable<R>
  {
    n = std::min(n, remaining_);
    if (n == 0) return std::uintmax_t{0};
    const result<std::uintmax_t> passed = detail::cpo::skip_fn{}(inner_.get(), n);
    if (!passed) return passed;
    remaining_ -= *passed;
    return passed;
  }

  /// The inner reader's hint, or the limit where that is less.
  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<R>
  {
    if (remaining_ == 0) return std::uintmax_t{0};
    const std::optional<std::uintmax_t> hint = sluice::size_hint(inner_.get());
    if (!hint) return hint;
    return std::min(*hint, remaining_);
  }

  /// The inner reader's endpoint, with the limit as its `max_bytes`: 0 once the limit is reached.
  std::optional<fd_endpoint> kernel_endpoint()
    requires kernel_reader<R>
  {
    std::optional<fd_endpoint> endpoint = sluice::kernel_endpoint(inner_.get());
    if (endpoint) {
      endpoint->max_bytes = std::min(endpoint->max_bytes, remaining_);
      endpoint->buffered = std::min(endpoint->buffered, remaining_);
    }
    return endpoint;
  }

  /// Counts `n` bytes that passed inside the kernel against the limit.
  void kernel_advanced(std::uintmax_t n)
    requires kernel_reader<R>
  {
    remaining_ -= std::min(n, remaining_);
    sluice::kernel_advanced(inner_.get(), n);
  }

  /// The bytes that may still be delivered.
  constexpr std::uintmax_t remaining() const noexcept { return remaining_; }

  /// All `n` bytes were delivered. After the end, false means that the inner reader ended early.
  constexpr bool limit_reached() const noexcept { return remaining_ == 0; }

  constexpr inner_type& inner() noexcept { return inner_.get(); }
  constexpr const inner_type& inner() const noexcept { return inner_.get(); }

  /// Gives back the inner reader, which goes on after the bytes that were delivered.
  constexpr R into_inner() && { return inner_.release(); }

 private:
  constexpr std::size_t clamp(std::size_t n) const noexcept {
    return n <= remaining_ ? n : static_cast<std::size_t>(remaining_);
  }

  result<std::size_t> counted(result<std::size_t> n) noexcept {
    if (n) remaining_ -= *n;
    return n;
  }

  detail::held<R> inner_;
  std::uintmax_t remaining_;
};

template <class R>
limit_reader(R&&, std::uintmax_t) -> limit_reader<R>;

namespace detail {

struct limit_fn {
  template <reader R>
  constexpr limit_reader<R> operator()(R&& r, std::uintmax_t n) const {
    return limit_reader<R>(std::forward<R>(r), n);
  }

  constexpr auto operator()(std::uintmax_t n) const {
    return closure([n]<reader R>(R&& r) { return limit_reader<R>(std::forward<R>(r), n); });
  }
};

}  // namespace detail

/// `limit(r, n)` and `r | limit(n)`: the first `n` bytes of `r`, as a `limit_reader`.
inline constexpr detail::limit_fn limit{};

}  // namespace sluice

#endif
