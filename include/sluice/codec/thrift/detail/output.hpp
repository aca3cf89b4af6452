// SPDX-License-Identifier: BSL-1.0
//
// Where the next bytes of a message go: the room in a stream's buffer, and the slow paths behind it.
//
#ifndef SLUICE_CODEC_THRIFT_DETAIL_OUTPUT_HPP
#define SLUICE_CODEC_THRIFT_DETAIL_OUTPUT_HPP

#include <sluice/codec/endian.hpp>
#include <sluice/codec/thrift/types.hpp>
#include <sluice/detail/sink_ops.hpp>

#include <string_view>

namespace sluice::thrift::detail {

using sluice::detail::sink_ref;

/// The highest byte first, as all numbers here.
template <fixed_width T>
void store(std::byte* to, T value) noexcept {
  store_be<T>(std::span<std::byte, sizeof(T)>(to, sizeof(T)), value);
}

inline void store_field(std::byte* to, field_header field) noexcept {
  store(to, field.type);
  store(to + 1, field.id);
}

class output {
 public:
  explicit output(sink_ref sink) noexcept : sink_(sink) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  std::error_code error() const noexcept { return error_; }
  [[gnu::cold, gnu::noinline]] bool fail(std::error_code why) noexcept {
    error_ = why;
    return false;
  }

  /// What `fill(std::byte*)` puts down, which is N bytes.
  template <std::size_t N, class Fill>
  bool put(Fill fill) {
    if (room() >= N) [[likely]] {
      // Moved on first: a store of bytes might change anything, and all would be loaded again.
      std::byte* const to = pos_;
      pos_ = to + N;
      fill(to);
      return true;
    }
    std::byte all[N];
    fill(all);
    return put_slow(all);
  }

  template <fixed_width T>
  bool put_number(T value) {
    return put<sizeof(T)>([&](std::byte* to) { store(to, value); });
  }

  /// The size and what is of that size.
  bool put_string(std::span<const std::byte> text) {
    // Neither empty nor more than there is room for, in one compare.
    if (text.size() - 1 < room() && room() - text.size() >= 4) [[likely]] {
      std::byte* const to = pos_;
      pos_ = to + 4 + text.size();
      store(to, static_cast<std::uint32_t>(text.size()));
      std::memcpy(to + 4, text.data(), text.size());
      return true;
    }
    return put_string_slow(text);
  }

  bool put_bytes(std::span<const std::byte> all) {
    if (room() >= all.size() && !all.empty()) [[likely]] {
      std::memcpy(pos_, all.data(), all.size());
      pos_ += all.size();
      return true;
    }
    return put_slow(all);
  }

  /// Room for `n` bytes in one piece where the buffer can have it, to be put down at once with `advance`; null where it
  /// cannot, and that is no error.
  std::byte* try_room(std::size_t n) {
    if (room() >= n) [[likely]]
      return pos_;
    return try_room_slow(n);
  }
  void advance(std::size_t n) noexcept { pos_ += n; }

  /// The size of a container.
  bool check_size(std::size_t size) { return size <= largest_size || fail(io_errc::limit_exceeded); }

  /// Has the stream count what was put.
  void sync() noexcept;
  bool flush();
  void rebind(sink_ref sink) noexcept { sink_ = sink; }

 private:
  // Never more than a string may have.
  std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - pos_); }

  bool put_slow(std::span<const std::byte> all);
  bool put_string_slow(std::span<const std::byte> text);
  std::byte* try_room_slow(std::size_t n);

  std::byte* pos_ = nullptr;  // the next byte goes here
  std::byte* end_ = nullptr;
  std::byte* base_ = nullptr;  // of what the stream has lent
  sink_ref sink_;
  std::error_code error_;
};

}  // namespace sluice::thrift::detail

#endif
