// SPDX-License-Identifier: BSL-1.0
//
// Bytes of a reader that are looked at before they are taken.
//
//   class input_window;
//
// A buffered reader's own window serves as far as it goes. Else exactly the bytes that are asked for are read into a
// buffer, which is used again; it grows with what arrives, or at once where a file is known to have that much.
//
#ifndef SLUICE_CODEC_RECORDIO_DETAIL_INPUT_WINDOW_HPP
#define SLUICE_CODEC_RECORDIO_DETAIL_INPUT_WINDOW_HPP

#include <sluice/detail/source_ops.hpp>
#include <sluice/memory/bytes.hpp>

namespace sluice::detail {

class input_window {
 public:
  input_window() = default;
  input_window(input_window&& other) noexcept
      : own_(std::move(other.own_)), begin_(std::exchange(other.begin_, 0)), end_(std::exchange(other.end_, 0)) {
    seen_ = std::exchange(other.seen_, {});
  }
  input_window& operator=(input_window&& other) noexcept {
    own_ = std::move(other.own_);
    begin_ = std::exchange(other.begin_, 0);
    end_ = std::exchange(other.end_, 0);
    seen_ = std::exchange(other.seen_, {});
    return *this;
  }

  /// Brings at least `n` bytes in sight, fewer only at the end of the stream; returns how many are. After an error of
  /// the stream those that were are still there.
  result<std::size_t> need(source_ref from, std::size_t n);

  /// What is in sight. Valid until the next call of anything else.
  std::span<const std::byte> seen() const noexcept { return seen_; }

  /// Takes `n` of the bytes in sight.
  void consume(source_ref from, std::size_t n) noexcept;

  /// Moves past `n` bytes, in sight or not; fewer only at the end.
  result<std::uintmax_t> skip(source_ref from, std::uintmax_t n);

 private:
  bool owns_bytes() const noexcept { return begin_ != end_; }
  result<std::size_t> need_own(source_ref from, std::size_t n);
  std::size_t make_room(source_ref from, std::size_t missing);

  bytes own_;
  std::size_t begin_ = 0;  // in own_, of what was read and not taken
  std::size_t end_ = 0;
  std::span<const std::byte> seen_;
};

}  // namespace sluice::detail

#endif
