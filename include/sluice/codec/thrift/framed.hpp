// SPDX-License-Identifier: BSL-1.0
//
// Messages with their length in front: Thrift's framed transport.
//
//   template <reader R> class framed_reader;     // while (or_throw(frames.next_frame())) ...
//   template <writer W> class framed_writer;     // ... frames.end_frame()
//   struct frame_options { std::uint32_t max_frame_size = 16'384'000; };
//
//   thrift::framed_reader frames{in};            // in: a buf_reader of a socket
//   while (or_throw(frames.next_frame())) {
//     thrift::binary_reader message{frames};     // what is wrong in one message does no harm to the next
//     auto request = thrift::read_envelope(message);
//     ...
//   }
//
#ifndef SLUICE_CODEC_THRIFT_FRAMED_HPP
#define SLUICE_CODEC_THRIFT_FRAMED_HPP

#include <sluice/codec/endian.hpp>
#include <sluice/detail/closable.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/skip.hpp>

#include <array>

namespace sluice::thrift {

/// How frames are read and written.
struct frame_options {
  /// Bytes of one frame, without its length; what is longer is `limit_exceeded`. That of Apache Thrift, 2147483647 at
  /// most.
  std::uint32_t max_frame_size = 16'384'000;
};

/// A frame is a big-endian i32 and that many bytes. This reader ends where the frame ends, and goes on with the next
/// after `next_frame`. It has a window where `R` has one, and hints at its size where `R` does: what a frame claims is
/// no proof that it will arrive.
template <reader R>
class framed_reader {
 public:
  static constexpr bool in_memory = in_memory_reader<R>;  ///< as the reader inside, see sluice::in_memory_reader

  explicit framed_reader(R&& inner, const frame_options& options = {})
      : inner_(std::forward<R>(inner)), options_(options) {}

  /// Moves past what is left of the frame, and to the next; false at the end of the stream. A frame may be empty.
  /// Errors: the inner reader's; `truncated` inside a length or a frame; `invalid_data` for a negative length;
  /// `limit_exceeded` for one above the maximum. No frame can be found after an error.
  result<bool> next_frame() {
    if (left_ != 0) {
      const auto passed = sluice::skip(inner_.get(), left_);
      if (!passed) return fail(passed.error());
      const bool all = *passed == left_;
      left_ = 0;
      if (!all) return fail(io_errc::truncated);
    }
    const auto size = read_be<std::uint32_t>(inner_.get());
    if (!size) {
      if (size.error() != io_errc::unexpected_eof) return fail(size.error());
      if (size.error().bytes != 0) return fail(io_errc::truncated);
      return false;
    }
    if (*size > 0x7fff'ffff) return fail(io_errc::invalid_data);
    if (*size > options_.max_frame_size) return fail(io_errc::limit_exceeded);
    left_ = *size;
    return true;
  }

  /// Up to what is left of the frame; 0 at its end. Errors: the inner reader's; `truncated` where it ends before.
  result<std::size_t> read_some(std::span<std::byte> b) {
    b = b.first(std::min(b.size(), left_));
    if (b.empty()) return std::size_t{0};
    const result<std::size_t> n = sluice::read_some(inner_.get(), b);
    if (n && *n == 0) return fail(io_errc::truncated);
    if (n) left_ -= *n;
    return n;
  }

  /// What the inner reader has buffered, up to the end of the frame.
  std::span<const std::byte> buffered() noexcept
    requires buffered_reader<R>
  {
    return in_frame(sluice::window(inner_.get()));
  }

  /// Errors: the inner reader's; `truncated` where it ends before the frame and nothing is left.
  result<std::span<const std::byte>> fill(std::size_t n)
    requires buffered_reader<R>
  {
    if (left_ == 0) return std::span<const std::byte>();
    auto all = sluice::fill(inner_.get(), std::min(n, left_));
    if (!all) return all;
    if (all->empty() && n != 0) return fail(io_errc::truncated);
    *all = in_frame(*all);
    return all;
  }

  void consume(std::size_t n) noexcept
    requires buffered_reader<R>
  {
    sluice::consume(inner_.get(), n);
    left_ -= n;
  }

  /// What is left of the frame, as far as the inner reader knows of so much.
  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<R>
  {
    std::optional<std::uintmax_t> hint = sluice::size_hint(inner_.get());
    if (hint) *hint = std::min<std::uintmax_t>(*hint, left_);
    return hint;
  }

  /// Bytes of the frame that were not read.
  std::size_t remaining() const noexcept { return left_; }

  std::remove_reference_t<R>& inner() noexcept { return inner_.get(); }

 private:
  std::span<const std::byte> in_frame(std::span<const std::byte> all) const noexcept {
    return all.first(std::min(all.size(), left_));
  }

  sluice::detail::held<R> inner_;
  frame_options options_;
  std::size_t left_ = 0;
};

template <reader R>
framed_reader(R&&) -> framed_reader<R>;
template <reader R>
framed_reader(R&&, const frame_options&) -> framed_reader<R>;

/// Collects a message and sends it with its length in front, in one vectored write where `W` has it. A message that was
/// not ended when the writer goes is dropped.
template <writer W>
class framed_writer {
 public:
  explicit framed_writer(W&& inner, const frame_options& options = {})
      : inner_(std::forward<W>(inner)), options_(options) {}

  /// Takes all of it. Errors: `limit_exceeded` where the frame would become too large; those of `end_frame`, where that
  /// failed before.
  result<std::size_t> write_some(std::span<const std::byte> b) {
    if (auto sent = send_rest(); !sent) return fail(sent.error());
    if (b.size() > room()) return fail(io_errc::limit_exceeded);
    return message_.write_some(b);
  }

  /// Errors: as above, `buffer_too_small` in place of `limit_exceeded`.
  result<std::span<std::byte>> prepare(std::size_t n) {
    if (auto sent = send_rest(); !sent) return fail(sent.error());
    if (n > room()) return fail(io_errc::buffer_too_small);
    auto all = message_.prepare(n);
    if (all && all->size() > room()) *all = all->first(room());
    return all;
  }

  void commit(std::size_t n) noexcept { message_.commit(n); }

  /// Ends the frame if it holds anything, and flushes the inner writer. After an error a next call goes on.
  [[nodiscard]] result<void> flush() {
    if (ended_ || !message_.view().empty()) {
      if (auto ended = end_frame(); !ended) return ended;
    }
    if constexpr (sluice::detail::flushable<W>)
      return sluice::flush(inner_.get());
    else
      return {};
  }

  /// Ends the frame, an empty one too, and flushes nothing. Errors: the inner writer's; a next call goes on then.
  result<void> end_frame() {
    ended_ = true;
    std::array<std::byte, 4> size;
    store_be(std::span(size), static_cast<std::uint32_t>(message_.view().size()));
    const auto head = std::span<const std::byte>(size).subspan(std::min(sent_, size.size()));
    const auto rest = message_.view().subspan(sent_ - std::min(sent_, size.size()));
    const std::array<const_buffer, 2> pieces{head, rest};
    const auto done = sluice::write_all(inner_.get(), std::span<const const_buffer>(pieces));
    if (!done) {
      sent_ += static_cast<std::size_t>(done.error().bytes);
      return fail(done.error());
    }
    ended_ = false;
    sent_ = 0;
    bytes memory = message_.take();
    memory.clear();
    message_ = bytes_writer(std::move(memory));
    return {};
  }

  std::remove_reference_t<W>& inner() noexcept { return inner_.get(); }

 private:
  std::size_t room() const noexcept { return options_.max_frame_size - message_.view().size(); }

  // Of a frame that was ended and not accepted as a whole.
  result<void> send_rest() { return ended_ ? end_frame() : result<void>(); }

  sluice::detail::held<W> inner_;
  frame_options options_;
  bytes_writer message_;
  std::size_t sent_ = 0;  // of the length and the message
  bool ended_ = false;
};

template <writer W>
framed_writer(W&&) -> framed_writer<W>;
template <writer W>
framed_writer(W&&, const frame_options&) -> framed_writer<W>;

}  // namespace sluice::thrift

#endif
