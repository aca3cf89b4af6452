// SPDX-License-Identifier: BSL-1.0
//
// Appends to a container, its own or a borrowed one: what bytes_writer and string_writer have in
// common.
//
//   template <class Container> class append_writer;
//
#ifndef SLUICE_DETAIL_APPEND_WRITER_HPP
#define SLUICE_DETAIL_APPEND_WRITER_HPP

#include <sluice/buffer.hpp>
#include <sluice/concepts.hpp>
#include <sluice/detail/resize_for_overwrite.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace sluice::detail {

/// The container's size is always what was accepted; `prepare` lends the spare capacity behind it.
/// So the container must have a way to grow within its capacity that keeps the bytes there:
/// `resize_and_overwrite`, or a `resize` that does not fill.
template <class Container>
class append_writer {
 public:
  append_writer() = default;

  /// Appends to `content`, which the writer owns from now on.
  explicit append_writer(Container&& content) noexcept : own_(std::move(content)) {}

  /// Appends to `target`, which must outlive the writer. Others may use it between the writer's
  /// operations.
  explicit append_writer(Container& target) noexcept : borrowed_(&target) {}

  append_writer(append_writer&&) = default;
  append_writer& operator=(append_writer&&) = default;

  /// Takes all of `b`, which may lie in the container itself. Allocates in growing steps.
  result<std::size_t> write_some(std::span<const std::byte> b) {
    Container& c = target();
    if (c.capacity() - c.size() < b.size()) [[unlikely]] {
      const const_buffer piece(b);
      grow_and_put(c, b.size(), {&piece, 1});
    } else {
      put(c, b);
    }
    return b.size();
  }

  /// Takes all pieces, with at most one allocation.
  result<std::size_t> write_some(std::span<const const_buffer> pieces) {
    Container& c = target();
    const std::size_t n = cpo::total_size(pieces);
    if (c.capacity() - c.size() < n)
      grow_and_put(c, n, pieces);
    else
      put(c, pieces);
    return n;
  }

  /// All the room behind the content, after growing it to at least `n` bytes where it was smaller.
  /// `prepare(0)` never grows. Errors: `buffer_too_small` beyond the container's greatest size.
  result<std::span<std::byte>> prepare(std::size_t n) {
    Container& c = target();
    if (c.capacity() - c.size() < n) [[unlikely]] {
      if (n > c.max_size() - c.size()) return fail(io_errc::buffer_too_small);
      grow_and_put(c, n, {});
    }
    return free_space();
  }

  /// The room behind the content.
  std::span<std::byte> free_space() noexcept {
    Container& c = target();
    return std::as_writable_bytes(std::span(c.data() + c.size(), c.capacity() - c.size()));
  }

  /// Takes the first `n` prepared bytes.
  void commit(std::size_t n) noexcept {
    Container& c = target();
    assert(n <= c.capacity() - c.size());
    resize_for_overwrite(c, c.size() + n);
  }

  /// Nothing is held back; only drops what `prepare` lent.
  result<void> flush() noexcept {
    commit(0);
    return {};
  }

  /// Moves the content out; the writer goes on with an empty one. A borrowed container is left
  /// empty.
  Container take() {
    commit(0);
    return std::exchange(target(), Container());
  }

 protected:
  Container& target() noexcept { return borrowed_ ? *borrowed_ : own_; }
  const Container& target() const noexcept { return borrowed_ ? *borrowed_ : own_; }

 private:
  static void put(Container& c, std::span<const std::byte> b) {
    if (b.empty()) return;
    std::memcpy(c.data() + c.size(), b.data(), b.size());
    resize_for_overwrite(c, c.size() + b.size());
  }

  static void put(Container& c, std::span<const const_buffer> pieces) {
    for (const const_buffer& piece : pieces) put(c, std::span(piece.data, piece.size));
  }

  /// Makes room for `n` more bytes, at least as many as there are, and appends the pieces. The old
  /// memory stays until the end, as the pieces may lie in it.
  [[gnu::noinline]] static void grow_and_put(Container& c, std::size_t n, std::span<const const_buffer> pieces) {
    constexpr std::size_t least = 256;
    if (n > c.max_size() - c.size()) throw std::bad_alloc();
    const std::size_t wanted = std::min(std::max({c.size() + n, 2 * c.capacity(), least}), c.max_size());
    if (c.capacity() == 0) {
      reserve_for_overwrite(c, wanted);
      put(c, pieces);
      return;
    }
    Container larger;
    reserve_for_overwrite(larger, wanted);
    put(larger, std::as_bytes(std::span(c.data(), c.size())));
    put(larger, pieces);
    c.swap(larger);
  }

  Container* borrowed_ = nullptr;
  Container own_;
};

}  // namespace sluice::detail

#endif
