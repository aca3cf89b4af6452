// SPDX-License-Identifier: BSL-1.0
//
// From one length-prefixed message to the next in the window of a buffered reader; all that reads is compiled.
//
#ifndef SLUICE_CODEC_DETAIL_MESSAGE_CURSOR_HPP
#define SLUICE_CODEC_DETAIL_MESSAGE_CURSOR_HPP

#include <sluice/codec/detail/varint_bits.hpp>
#include <sluice/detail/source_ops.hpp>
#include <sluice/memory/bytes.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace sluice {

struct delimited_options {
  /// Bytes of a message; a longer one is `limit_exceeded`. A bound, so that nobody is made to wait for, or to keep,
  /// what a hostile length claims.
  std::size_t max_size = std::size_t{64} << 20;
};

namespace detail {

/// The length of the message at the beginning of `window`, where all of it is there and that is seen at a glance; else
/// of size 0.
inline seen_varint whole_message(std::span<const std::byte> window, std::size_t max_size) noexcept {
  if (window.size() < varint_bytes) [[unlikely]]
    return {0, 0};
  const seen_varint length = first_varint(window.data());
  if (length.value > std::min(max_size, window.size() - length.size)) [[unlikely]]
    return {0, 0};
  return length;
}

class message_cursor {
 public:
  using message = std::span<const std::byte>;

  explicit message_cursor(const delimited_options& options) noexcept : max_size_(options.max_size) {}

  message_cursor(message_cursor&& other) noexcept
      : max_size_(other.max_size_),
        delivered_(std::exchange(other.delivered_, 0)),
        awaited_(std::exchange(other.awaited_, std::nullopt)),
        arrived_(other.arrived_),
        gathered_(std::move(other.gathered_)) {}
  message_cursor& operator=(message_cursor&& other) noexcept {
    max_size_ = other.max_size_;
    delivered_ = std::exchange(other.delivered_, 0);
    awaited_ = std::exchange(other.awaited_, std::nullopt);
    arrived_ = other.arrived_;
    gathered_ = std::move(other.gathered_);
    return *this;
  }
  ~message_cursor() = default;

  /// How much of the window the last message was, which is to be consumed now.
  std::size_t leave() noexcept { return std::exchange(delivered_, 0); }

  /// The message at the beginning of the window, where it is seen at a glance; of a null pointer where not.
  message take(message window) noexcept {
    if (awaited_) [[unlikely]]
      return {};
    const seen_varint length = whole_message(window, max_size_);
    return length.size != 0 ? deliver(window, length) : message();
  }

  /// The next message, wherever it is.
  result<std::optional<message>> find(source_ref from);

 private:
  message deliver(message window, seen_varint length) noexcept {
    delivered_ = length.size + static_cast<std::size_t>(length.value);
    return window.subspan(length.size, static_cast<std::size_t>(length.value));
  }

  result<std::optional<message>> fill(source_ref from, seen_varint length);
  result<std::optional<message>> gather(source_ref from);

  std::size_t max_size_;
  std::size_t delivered_ = 0;           // of the window
  std::optional<std::size_t> awaited_;  // the size of the message that is being gathered
  std::size_t arrived_ = 0;             // of that message
  bytes gathered_;                      // the last message that did not fit the window, or room for what arrives of it
};

}  // namespace detail

}  // namespace sluice

#endif
