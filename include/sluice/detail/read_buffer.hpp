// SPDX-License-Identifier: BSL-1.0
//
// The buffer of a reader: the window of two pointers, and the slow paths that refill it.
//
#ifndef SLUICE_DETAIL_READ_BUFFER_HPP
#define SLUICE_DETAIL_READ_BUFFER_HPP

#include <sluice/buffer_capacity.hpp>
#include <sluice/detail/source_ops.hpp>

#include <cstring>
#include <memory>
#include <vector>

namespace sluice::detail {

class read_buffer {
 public:
  explicit read_buffer(buffer_capacity capacity) noexcept;
  explicit read_buffer(std::span<std::byte> memory) noexcept;
  read_buffer(read_buffer&& other) noexcept;
  read_buffer& operator=(read_buffer&& other) noexcept;
  ~read_buffer() = default;

  std::span<const std::byte> window() const noexcept { return {pos_, end_}; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - pos_); }
  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t maximum() const noexcept { return maximum_; }
  void consume(std::size_t n) noexcept { pos_ += n; }

  /// Whether an error waits behind what is buffered.
  bool has_pending_error() const noexcept { return static_cast<bool>(pending_error_); }
  std::error_code pending_error() const noexcept { return pending_error_; }

  /// One compare decides: an empty request wraps round to the largest number and goes the slow way with the rest.
  result<std::size_t> read_some(source_ref from, std::span<std::byte> out) {
    if (out.size() - 1 < size()) [[likely]] {
      std::memcpy(out.data(), pos_, out.size());
      pos_ += out.size();
      return out.size();
    }
    return read_some_slow(from, out);
  }

  result<std::span<const std::byte>> fill(source_ref from, std::size_t n) {
    if (size() >= n && n != 0) [[likely]]
      return window();
    return fill_slow(from, n);
  }

  /// That error; it has been told for good once nothing is buffered before it.
  std::error_code tell_error() noexcept;

  /// Moves the window back to what was delivered last, or on: `offset` bytes from the next byte, where that is
  /// buffered.
  bool try_move(std::intmax_t offset) noexcept;

  /// Drops what is buffered, and a waiting error.
  void clear() noexcept;

  /// What is buffered and not delivered; leaves the buffer empty.
  std::vector<std::byte> release();

 private:
  [[gnu::hot, gnu::noinline]] result<std::size_t> read_some_slow(source_ref from, std::span<std::byte> out);
  [[gnu::hot, gnu::noinline]] result<std::span<const std::byte>> fill_slow(source_ref from, std::size_t n);
  [[gnu::hot]] void make_room(std::size_t n);
  void reallocate(std::size_t capacity);

  const std::byte* pos_ = nullptr;  // the window: [pos_, end_)
  const std::byte* end_ = nullptr;
  std::byte* memory_ = nullptr;  // [memory_, memory_ + capacity_), null until first used
  std::size_t capacity_;
  std::size_t maximum_;
  std::unique_ptr<std::byte[]> owned_;  // empty where the memory is the caller's
  std::error_code pending_error_;
};

}  // namespace sluice::detail

#endif
