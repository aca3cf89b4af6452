// SPDX-License-Identifier: BSL-1.0
//
// A writer with a buffer.
//
//   template <writer W> class buf_writer;        // W may be a reference: an lvalue is referred to, an rvalue is owned
//   buf_writer out{file, 64_KiB};                // a capacity in bytes
//   buf_writer out{file, {.initial = 4_KiB, .maximum = 1_MiB}};
//   buf_writer out{file, std::span(memory)};     // the caller's own memory
//   if (auto closed = out.close(); !closed) ...  // the destructor flushes too, but cannot tell whether it worked
//
#ifndef SLUICE_BUFFERED_BUF_WRITER_HPP
#define SLUICE_BUFFERED_BUF_WRITER_HPP

#include <sluice/detail/closable.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/write_buffer.hpp>

namespace sluice {

template <writer W>
class line_writer;

/// Collects small writes into large ones.
///
/// A request of at least the capacity, when nothing is pending, goes straight to the inner writer. One that does not
/// fit behind what is pending is one vectored write where the inner writer has it. After a failed write exactly what
/// was not accepted is pending still, and a retry sends exactly that. The buffer is allocated on first use.
///
/// The destructor and move assignment write as well as they can; what they cannot write the lost_bytes_hook is told of.
/// Where the inner writer threw, they write nothing: nobody knows what it had accepted.
template <writer W>
class buf_writer {
 public:
  explicit buf_writer(W&& inner, std::size_t capacity = default_buffer_size)
      : buffer_(buffer_capacity{capacity, capacity}), inner_(std::forward<W>(inner)) {}
  buf_writer(W&& inner, buffer_capacity capacity) : buffer_(capacity), inner_(std::forward<W>(inner)) {}

  /// Buffers in `memory`, which must outlive the writer and not be empty.
  buf_writer(W&& inner, std::span<std::byte> memory) : buffer_(memory), inner_(std::forward<W>(inner)) {}

  buf_writer(buf_writer&&) = default;
  buf_writer& operator=(buf_writer&& other) {
    if (this != &other) {
      buffer_.finish(sink());
      buffer_ = std::move(other.buffer_);
      inner_ = std::move(other.inner_);
    }
    return *this;
  }
  ~buf_writer() { buffer_.finish(sink()); }

  /// Accepts all of `in` where it fits or the inner writer takes it; at least one byte. After an error nothing of `in`
  /// was accepted.
  result<std::size_t> write_some(std::span<const std::byte> in) { return buffer_.write_some(sink(), in); }

  /// At least `n` writable bytes in place: all the free space. `n` up to the stated maximum, else `buffer_too_small`.
  result<std::span<std::byte>> prepare(std::size_t n) { return buffer_.prepare(sink(), n); }

  /// What is free behind what is pending; empty before the first use.
  std::span<std::byte> free_space() const noexcept { return buffer_.free_space(); }

  void commit(std::size_t n) noexcept { buffer_.commit(n); }

  /// Passes on all that is pending, and flushes the inner writer if it holds anything itself.
  [[nodiscard]] result<void> flush() { return buffer_.flush(sink()); }

  /// Flushes, then closes the inner writer where it can be closed. After an error of the flush nothing is closed, and
  /// what could not be written is pending still. Once the inner writer is closed, a write is `bad_file_descriptor`.
  [[nodiscard]] result<void> close() {
    if (auto flushed = flush(); !flushed) return flushed;
    if constexpr (detail::closable<W>) {
      buffer_.shut();
      return inner_.get().close();
    } else {
      return {};
    }
  }

  /// Flushes, then has the inner writer bring everything to the disk, as its own `sync` does with these arguments.
  /// After an error of the flush nothing was synced.
  template <class... Level>
    requires requires(std::remove_reference_t<W>& w, Level... level) {
      { w.sync(level...) } -> std::same_as<result<void>>;
    }
  [[nodiscard]] result<void> sync(Level... level) {
    if (auto flushed = flush(); !flushed) return flushed;
    return inner_.get().sync(level...);
  }

  /// Flushes, then goes on with another writer in the same memory. The one before is let go, and closed only if its
  /// destructor does that. After an error of the flush everything is as it was, `inner` untouched.
  [[nodiscard]] result<void> reset(W&& inner) {
    if (auto flushed = flush(); !flushed) return flushed;
    buffer_.restart();
    inner_ = detail::held<W>(std::forward<W>(inner));
    return {};
  }

  /// What was accepted and not passed on yet.
  std::span<const std::byte> pending() const noexcept { return buffer_.pending(); }

  /// Bytes that the buffer holds at most, as it is now.
  std::size_t capacity() const noexcept { return buffer_.capacity(); }

  std::optional<fd_endpoint> kernel_endpoint()
    requires kernel_writer<W>
  {
    auto endpoint = sluice::kernel_endpoint(inner_.get());
    if (endpoint && !buffer_.pending().empty()) {
      endpoint->buffered += buffer_.pending().size();
      endpoint->fresh = false;
    }
    return endpoint;
  }

  void kernel_advanced(std::uintmax_t n)
    requires kernel_writer<W>
  {
    sluice::kernel_advanced(inner_.get(), n);
  }

  /// Bytes from the beginning to where the next one goes, what is pending included.
  result<std::uintmax_t> position()
    requires seekable<W>
  {
    auto at = sluice::position(inner_.get());
    if (at) *at += buffer_.pending().size();
    return at;
  }

  /// Flushes, then moves the inner writer.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin)
    requires seekable<W>
  {
    if (auto flushed = flush(); !flushed) return fail(flushed.error());
    return sluice::seek(inner_.get(), offset, from);
  }

  auto& inner() noexcept { return inner_.get(); }

  /// What `into_inner` hands back: the stream, and the bytes that were accepted and not passed on.
  struct parts {
    W inner;                           ///< what was wrapped
    std::vector<std::byte> unwritten;  ///< accepted and not passed on
  };

  /// No I/O: flush() first to have nothing left over.
  parts into_inner() && {
    auto unwritten = buffer_.release();
    return {inner_.release(), std::move(unwritten)};
  }

 private:
  friend class line_writer<W>;

  detail::sink_ref sink() noexcept { return detail::as_sink(inner_.get()); }

  detail::write_buffer buffer_;
  detail::held<W> inner_;
};

template <writer W>
buf_writer(W&&) -> buf_writer<W>;
template <writer W>
buf_writer(buf_writer<W>&) -> buf_writer<buf_writer<W>&>;  // not a copy
template <writer W>
buf_writer(W&&, std::size_t) -> buf_writer<W>;
template <writer W>
buf_writer(W&&, buffer_capacity) -> buf_writer<W>;
template <writer W>
buf_writer(W&&, std::span<std::byte>) -> buf_writer<W>;

}  // namespace sluice

#endif
