// SPDX-License-Identifier: BSL-1.0
#include "growing_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::detail {
namespace {

constexpr std::size_t small_step = std::size_t{64} << 10;

}  // namespace

void growing_bytes::reallocate(std::size_t capacity) {
  data_ = static_cast<std::byte*>(reallocate_large(data_, capacity_, capacity));
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
  const std::size_t all = head.size() + then.size() + size_;
  const std::size_t spare = own_mapping - std::min(own_mapping, all);
  growing_bytes joined;
  joined.capacity_ = all + static_cast<std::size_t>(std::min<std::uintmax_t>(spare, most));
  joined.data_ = static_cast<std::byte*>(allocate_large(joined.capacity_));
  joined.append(head);
  joined.append(then);
  joined.append(content());
  std::swap(data_, joined.data_);
  std::swap(size_, joined.size_);
  std::swap(capacity_, joined.capacity_);
}

void growing_bytes::append(std::span<const std::byte> b) noexcept {
  if (!b.empty()) std::memcpy(data_ + size_, b.data(), b.size());
  size_ += b.size();
}

bytes growing_bytes::take() {
  if (size_ != capacity_) reallocate(size_);
  const std::size_t size = std::exchange(size_, 0);
  capacity_ = 0;
  return adopt_large(std::exchange(data_, nullptr), size);
}

}  // namespace sluice::detail
