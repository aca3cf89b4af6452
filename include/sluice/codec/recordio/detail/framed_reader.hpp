// SPDX-License-Identifier: BSL-1.0
//
// What the readers of the formats without chunks have in common.
//
//   class frame_window;                               // looks at one record after another
//   template <reader R, class Parser> class framed_reader;
//
#ifndef SLUICE_CODEC_RECORDIO_DETAIL_FRAMED_READER_HPP
#define SLUICE_CODEC_RECORDIO_DETAIL_FRAMED_READER_HPP

#include <sluice/codec/recordio/detail/input_window.hpp>
#include <sluice/codec/recordio/record_stream.hpp>
#include <sluice/detail/held.hpp>

namespace sluice {

struct record_options {
  /// Bytes of a record; a longer one is `limit_exceeded`. A bound, so that a few bytes cannot take all memory.
  std::size_t max_record_size = std::size_t{256} << 20;
};

namespace detail {

class frame_window {
 public:
  /// Leaves the record before, and sees `n` bytes of the next: false at a clean end. Errors: `truncated`.
  result<bool> begin(source_ref from, std::size_t n) {
    window_.consume(from, std::exchange(held_, 0));
    if (error_) [[unlikely]]
      return fail(error_);
    const auto seen = window_.need(from, n);
    if (!seen) return fail(seen.error());
    if (*seen >= n) [[likely]]
      return true;
    if (*seen == 0) return false;
    return failed(io_errc::truncated);
  }

  /// Sees `n` bytes. Errors: `truncated`.
  result<void> need(source_ref from, std::size_t n) {
    const auto seen = window_.need(from, n);
    if (!seen) return fail(seen.error());
    if (*seen < n) return failed(io_errc::truncated);
    return {};
  }

  std::span<const std::byte> seen() const noexcept { return window_.seen(); }

  /// `size` bytes from `offset` on are the record, which ends `frame_size` bytes from the beginning.
  std::span<const std::byte> deliver(std::size_t offset, std::size_t size, std::size_t frame_size) noexcept {
    held_ = frame_size;
    return window_.seen().subspan(offset, size);
  }

  /// Is told from now on.
  std::unexpected<std::error_code> failed(std::error_code why) noexcept {
    error_ = why;
    return fail(why);
  }

 private:
  input_window window_;
  std::size_t held_ = 0;  // of the record that was delivered
  std::error_code error_;
};

/// A record_reader of `R`. A parser has next(source_ref).
template <reader R, class Parser>
class framed_reader {
 public:
  explicit framed_reader(R&& inner, const typename Parser::options_type& options = {})
      : inner_(std::forward<R>(inner)), parser_(options) {}

  /// The next record; nothing at the end, which is only where a record has ended. A view, of the reader's window where
  /// that has all of it. Errors: `truncated` where the stream ends inside a record, `limit_exceeded`, and those that
  /// are named above; they are final. An error of `R` comes as it is, and a next call goes on.
  next_record next() { return parser_.next(as_source(inner_.get())); }

  auto& inner() noexcept { return inner_.get(); }

 protected:
  const Parser& parser() const noexcept { return parser_; }

 private:
  held<R> inner_;
  Parser parser_;
};

}  // namespace detail
}  // namespace sluice

#endif
