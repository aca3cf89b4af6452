// SPDX-License-Identifier: BSL-1.0
#include "growing_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::detail {
namespace {

constexpr std::size_t small_step = std::size_t{64} << 10;

void append(std::byte*& end, std::span<const std::byte> b) noexcept {
  if (!b.empty()) std::memcpy(end, b.data(), b.size());
  end += b.size();
}

}  // namespace

void growing_bytes::reallocate(std::size_t capacity) {
  data_ = static_cast<std::byte*>(reallocate_large(data_, capacity));
  capacity_ = capacity;
}

std::span<std::byte> growing_bytes::room(std::uintmax_t most) {
  if (size_ == capacity_) {
    const std::size_t grown = capacity_ < large_allocation ? capacity_ + small_step : 2 * capacity_;
    reallocate(size_ + static_cast<std::size_t>(std::min<std::uintmax_t>(grown - size_, most)));
  }
  return {data_ + size_, capacity_ - size_};
}

void growing_bytes::put_first(std::span<const std::byte> head, std::span<const std::byte> then, std::uintmax_t most) {
  const std::size_t before = head.size() + then.size();
  const std::size_t spare = own_mapping - std::min(own_mapping, before + size_);
  reallocate(before + size_ + static_cast<std::size_t>(std::min<std::uintmax_t>(spare, most)));
  std::memmove(data_ + before, data_, size_);
  std::byte* end = data_;
  append(end, head);
  append(end, then);
  size_ += before;
}

bytes growing_bytes::take() {
  if (size_ != capacity_) reallocate(size_);
  const std::size_t size = std::exchange(size_, 0);
  capacity_ = 0;
  return adopt_large(std::exchange(data_, nullptr), size);
}

}  // namespace sluice::detail
