// SPDX-License-Identifier: BSL-1.0
//
// Bytes that arrive one after another, nobody knows how many.
//
#ifndef SLUICE_SRC_GROWING_BYTES_HPP
#define SLUICE_SRC_GROWING_BYTES_HPP

#include <sluice/detail/resize_for_overwrite.hpp>
#include <sluice/memory/bytes.hpp>

#include <cstdint>
#include <span>

namespace sluice::detail {

/// The memory of a large allocation of `old_size` bytes made larger or smaller, with its content: in place, or by
/// moving its pages, where the system can do that. With null and 0, a new one. Throws std::bad_alloc; `memory` is then
/// as it was.
void* reallocate_large(void* memory, std::size_t old_size, std::size_t size);

/// A vector over a large allocation of exactly `size` bytes, size >= large_allocation, all of which count. Owns it.
bytes adopt_large(void* memory, std::size_t size);

/// One block that grows: by little while it is small, then by doubling a mapping, of which the part that nothing was
/// written to costs nothing.
class growing_bytes {
 public:
  growing_bytes() = default;
  growing_bytes(const growing_bytes&) = delete;
  growing_bytes& operator=(const growing_bytes&) = delete;
  ~growing_bytes() { deallocate_large(data_, capacity_); }

  std::size_t size() const noexcept { return size_; }
  std::span<const std::byte> content() const noexcept { return {data_, size_}; }

  /// The room behind the content, at least one byte, in a block with room for `most` > 0 more at most. May move the
  /// content.
  std::span<std::byte> room(std::uintmax_t most);
  void commit(std::size_t n) noexcept { size_ += n; }

  /// Puts these bytes before the content, in a new block that is fit to become large.
  void put_first(std::span<const std::byte> head, std::span<const std::byte> then, std::uintmax_t most);

  /// The content, at least large_allocation of it, without a copy.
  bytes take();

 private:
  void reallocate(std::size_t capacity);
  void append(std::span<const std::byte> b) noexcept;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace sluice::detail

#endif
