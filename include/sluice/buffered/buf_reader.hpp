// SPDX-License-Identifier: BSL-1.0
//
// A reader with a buffer.
//
//   template <reader R> class buf_reader;        // R may be a reference: an lvalue is referred to, an rvalue is owned
//   buf_reader in{file, 64_KiB};                 // a capacity in bytes
//   buf_reader in{file, {.initial = 4_KiB, .maximum = 1_MiB}};
//   buf_reader in{file, std::span(memory)};      // the caller's own memory
//
#ifndef SLUICE_BUFFERED_BUF_READER_HPP
#define SLUICE_BUFFERED_BUF_READER_HPP

#include <sluice/detail/held.hpp>
#include <sluice/detail/offsets.hpp>
#include <sluice/detail/read_buffer.hpp>

#include <algorithm>

namespace sluice {

/// Reads ahead into a buffer, so that small requests cost no call of the inner reader.
///
/// A request of at least the capacity, when nothing is buffered, goes straight to the inner reader. A smaller one that
/// finds the buffer empty is one vectored read where the inner reader has it: into the request and the buffer at once.
/// An error that comes after some bytes is kept until these have been served. The buffer is allocated on first use;
/// until then requests of 64 KiB and more go straight too.
template <reader R>
class buf_reader {
 public:
  explicit buf_reader(R&& inner, std::size_t capacity = default_buffer_size)
      : buffer_(buffer_capacity{capacity, capacity}), inner_(std::forward<R>(inner)) {}
  buf_reader(R&& inner, buffer_capacity capacity) : buffer_(capacity), inner_(std::forward<R>(inner)) {}

  /// Buffers in `memory`, which must outlive the reader and not be empty.
  buf_reader(R&& inner, std::span<std::byte> memory) : buffer_(memory), inner_(std::forward<R>(inner)) {}

  buf_reader(buf_reader&&) = default;
  buf_reader& operator=(buf_reader&&) = default;

  /// At most one call of the inner reader; none where something is buffered, which may make the read short.
  result<std::size_t> read_some(std::span<std::byte> out) { return buffer_.read_some(source(), out); }

  std::span<const std::byte> buffered() const noexcept { return buffer_.window(); }

  /// Makes `n` bytes visible, fewer only at the end. `n` up to the stated maximum, else `buffer_too_small`.
  result<std::span<const std::byte>> fill(std::size_t n) { return buffer_.fill(source(), n); }

  void consume(std::size_t n) noexcept { buffer_.consume(n); }

  /// The next `n` bytes without consuming them, fewer only at the end: as fill, but never more than `n`.
  result<std::span<const std::byte>> peek(std::size_t n) {
    auto seen = buffer_.fill(source(), n);
    if (seen && seen->size() > n) *seen = seen->first(n);
    return seen;
  }

  /// Moves past up to `n` bytes: what is buffered first, then by the inner reader's own skip. After an error nothing
  /// was skipped.
  result<std::uintmax_t> skip(std::uintmax_t n)
    requires skippable<R>
  {
    const std::uintmax_t held = buffer_.size();
    if (n <= held) {
      buffer_.consume(static_cast<std::size_t>(n));
      return n;
    }
    if (buffer_.has_pending_error()) return fail(buffer_.tell_error());
    const auto beyond = detail::cpo::skip_fn{}(inner_.get(), n - held);
    if (!beyond) return beyond;
    buffer_.clear();
    return held + *beyond;
  }

  /// What is left, as far as the inner reader knows, what is buffered included.
  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<R>
  {
    auto hint = sluice::size_hint(inner_.get());
    if (hint) *hint += buffer_.size();
    return hint;
  }

  /// Bytes from the beginning to the next that is delivered; keeps what is buffered.
  result<std::uintmax_t> position()
    requires seekable<R>
  {
    auto at = sluice::position(inner_.get());
    if (at) *at -= buffer_.size();
    return at;
  }

  /// Moves to another position. Inside what is buffered this costs no call but the one that asks where we are; else
  /// what is buffered is dropped. After an error nothing has moved.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin)
    requires seekable<R>
  {
    if (from == whence::current || (from == whence::begin && offset >= 0)) {
      const auto at = position();
      if (!at) return at;
      const std::intmax_t by = from == whence::current ? offset : offset - static_cast<std::intmax_t>(*at);
      if (buffer_.try_move(by)) return *at + static_cast<std::uintmax_t>(by);
      // The inner reader stands behind what is buffered.
      if (from == whence::current) offset = detail::seen_from(buffer_.size(), offset);
    }
    auto moved = sluice::seek(inner_.get(), offset, from);
    if (moved) buffer_.clear();
    return moved;
  }

  /// Gives back what was read ahead: seeks the inner stream back over it and empties the buffer, so that whoever uses
  /// the same descriptor next goes on exactly where this reader has stopped. One seek; none where nothing is buffered.
  /// Errors: the inner reader's, `invalid_seek` of a pipe; then everything is buffered still.
  [[nodiscard]] result<void> sync()
    requires seekable<R>
  {
    if (const std::size_t ahead = buffer_.size()) {
      const auto moved = sluice::seek(inner_.get(), -static_cast<std::intmax_t>(ahead), whence::current);
      if (!moved) return fail(moved.error());
    }
    buffer_.clear();
    return {};
  }

  /// Goes on with another stream in the same memory. What was buffered of the one before is dropped, and a waiting
  /// error too.
  void reset(R&& inner) {
    buffer_.clear();
    inner_ = detail::held<R>(std::forward<R>(inner));
  }

  std::optional<fd_endpoint> kernel_endpoint()
    requires kernel_reader<R>
  {
    if (buffer_.has_pending_error()) return std::nullopt;
    auto endpoint = sluice::kernel_endpoint(inner_.get());
    if (endpoint) {
      endpoint->buffered += buffer_.size();
      if (endpoint->max_bytes != unbounded) endpoint->max_bytes += buffer_.size();
    }
    return endpoint;
  }

  void kernel_advanced(std::uintmax_t n)
    requires kernel_reader<R>
  {
    if (n != 0) buffer_.clear();
    sluice::kernel_advanced(inner_.get(), n);
  }

  /// Bytes that the buffer holds at most, as it is now.
  std::size_t capacity() const noexcept { return buffer_.capacity(); }

  auto& inner() noexcept { return inner_.get(); }

  /// The error that waits behind what is buffered, zero if none does. Ask before `into_inner`, as the stream may not
  /// tell it again.
  std::error_code pending_error() const noexcept { return buffer_.pending_error(); }

  /// What `into_inner` hands back: the stream, and the bytes that were read ahead and not delivered.
  struct parts {
    R inner;                        ///< what was wrapped
    std::vector<std::byte> unread;  ///< read from it and not delivered
  };

  /// Takes it apart, without a call.
  parts into_inner() && {
    auto unread = buffer_.release();
    return {inner_.release(), std::move(unread)};
  }

 private:
  detail::source_ref source() noexcept { return detail::as_source(inner_.get()); }

  detail::read_buffer buffer_;
  detail::held<R> inner_;
};

template <reader R>
buf_reader(R&&) -> buf_reader<R>;
template <reader R>
buf_reader(buf_reader<R>&) -> buf_reader<buf_reader<R>&>;  // not a copy
template <reader R>
buf_reader(R&&, std::size_t) -> buf_reader<R>;
template <reader R>
buf_reader(R&&, buffer_capacity) -> buf_reader<R>;
template <reader R>
buf_reader(R&&, std::span<std::byte>) -> buf_reader<R>;

}  // namespace sluice

#endif
