// SPDX-License-Identifier: BSL-1.0
//
// The buffer of a writer: the free space between two pointers, and the slow paths that make room.
//
#ifndef SLUICE_DETAIL_WRITE_BUFFER_HPP
#define SLUICE_DETAIL_WRITE_BUFFER_HPP

#include <sluice/buffer_capacity.hpp>
#include <sluice/detail/sink_ops.hpp>

#include <cstring>
#include <memory>
#include <vector>

namespace sluice::detail {

class write_buffer {
 public:
  explicit write_buffer(buffer_capacity capacity) noexcept;
  explicit write_buffer(std::span<std::byte> memory) noexcept;
  write_buffer(write_buffer&& other) noexcept;
  write_buffer& operator=(write_buffer&& other) noexcept;
  ~write_buffer() = default;

  std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - pos_); }
  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t maximum() const noexcept { return maximum_; }
  std::span<const std::byte> pending() const noexcept { return {start_, pos_}; }

  /// What would fill the room goes the slow way with what does not fit: it may be of the whole capacity, which gains
  /// nothing by a copy.
  result<std::size_t> write_some(sink_ref to, std::span<const std::byte> in) {
    if (in.size() < room() && !in.empty()) [[likely]] {
      std::memcpy(pos_, in.data(), in.size());
      pos_ += in.size();
      return in.size();
    }
    return write_some_slow(to, in);
  }

  result<std::span<std::byte>> prepare(sink_ref to, std::size_t n) {
    if (room() >= n && n != 0) [[likely]]
      return std::span(pos_, end_);
    return prepare_slow(to, n);
  }

  std::span<std::byte> free_space() const noexcept { return {pos_, end_}; }

  void commit(std::size_t n) noexcept { pos_ += n; }

  /// Writes what is pending and `in` behind it, in one call of the inner writer where that can be; how much of `in` was
  /// accepted, at least a byte. After an error nothing of `in` was.
  result<std::size_t> write_behind_pending(sink_ref to, std::span<const std::byte> in);

  /// Writes the first `n` bytes of what is pending, and moves the rest to the front.
  result<void> drain_first(sink_ref to, std::size_t n);

  /// Makes sure that there is memory.
  void allocate();

  /// Takes as much of `in` as there is room for; how much.
  std::size_t keep(std::span<const std::byte> in);

  /// Writes what is pending, and flushes the inner writer if it has a buffer too. After an error what was not accepted
  /// is pending still.
  result<void> flush(sink_ref to);

  /// The last chance: writes what is pending, and tells the lost_bytes_hook of what cannot be written. Where the inner
  /// writer threw the last time, nobody knows what it had accepted, and nothing is written a second time.
  void finish(sink_ref to) noexcept;

  /// Takes nothing more: what comes fails with bad_file_descriptor. Nothing is pending.
  void shut() noexcept;

  /// Takes bytes again, after `shut` too. Nothing may be pending.
  void restart() noexcept;

  /// What is pending; leaves the buffer empty.
  std::vector<std::byte> release();

 private:
  [[gnu::hot, gnu::noinline]] result<std::size_t> write_some_slow(sink_ref to, std::span<const std::byte> in);
  [[gnu::hot, gnu::noinline]] result<std::span<std::byte>> prepare_slow(sink_ref to, std::size_t n);
  static result<std::size_t> write_through(sink_ref to, std::span<const std::byte> in);
  result<std::size_t> write_joined(sink_ref to, std::span<const std::byte> in);
  [[gnu::hot]] result<void> drain(sink_ref to);
  void accepted(std::size_t n) noexcept;
  void append(std::span<const std::byte> in) noexcept;
  void reallocate(std::size_t capacity);

  std::byte* pos_ = nullptr;  // the free space: [pos_, end_)
  std::byte* end_ = nullptr;
  std::byte* start_ = nullptr;   // pending: [start_, pos_)
  std::byte* memory_ = nullptr;  // null until first used
  std::size_t capacity_;
  std::size_t maximum_;
  std::unique_ptr<std::byte[]> owned_;  // empty where the memory is the caller's
  bool shut_ = false;                   // closed
  bool in_doubt_ = false;               // the inner writer is at work on what is pending, or has thrown over it
};

}  // namespace sluice::detail

#endif
