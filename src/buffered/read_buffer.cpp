// SPDX-License-Identifier: BSL-1.0
#include <sluice/detail/read_buffer.hpp>
#include <sluice/detail/would_block.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::detail {
namespace {

// A stream that is read in pieces of this size from the start gains nothing by a buffer.
constexpr std::size_t worth_no_buffer = std::size_t{64} << 10;

bool is_transient(const std::error_code& error) noexcept {
  return would_block_error(error) || error == std::errc::interrupted;
}

}  // namespace

read_buffer::read_buffer(buffer_capacity capacity) noexcept
    : capacity_(std::max<std::size_t>(capacity.initial, 1)), maximum_(std::max(capacity.maximum, capacity_)) {}

read_buffer::read_buffer(std::span<std::byte> memory) noexcept
    : pos_(memory.data()),
      end_(memory.data()),
      memory_(memory.data()),
      capacity_(memory.size()),
      maximum_(memory.size()) {}

read_buffer::read_buffer(read_buffer&& other) noexcept
    : pos_(std::exchange(other.pos_, nullptr)),
      end_(std::exchange(other.end_, nullptr)),
      memory_(std::exchange(other.memory_, nullptr)),
      capacity_(other.capacity_),
      maximum_(other.maximum_),
      owned_(std::move(other.owned_)),
      pending_error_(std::exchange(other.pending_error_, {})) {}

read_buffer& read_buffer::operator=(read_buffer&& other) noexcept {
  if (this != &other) {
    pos_ = std::exchange(other.pos_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    memory_ = std::exchange(other.memory_, nullptr);
    capacity_ = other.capacity_;
    maximum_ = other.maximum_;
    owned_ = std::move(other.owned_);
    pending_error_ = std::exchange(other.pending_error_, {});
  }
  return *this;
}

// What is held moves to the front of the new memory.
void read_buffer::reallocate(std::size_t capacity) {
  auto memory = std::make_unique_for_overwrite<std::byte[]>(capacity);
  const std::size_t held = size();
  if (held != 0) std::memcpy(memory.get(), pos_, held);
  owned_ = std::move(memory);
  pos_ = memory_ = owned_.get();
  end_ = memory_ + held;
  capacity_ = capacity;
}

bool read_buffer::try_move(std::intmax_t offset) noexcept {
  if (offset < memory_ - pos_ || offset > end_ - pos_) return false;
  pos_ += offset;
  return true;
}

void read_buffer::clear() noexcept {
  pos_ = end_ = memory_;
  pending_error_.clear();
}

std::error_code read_buffer::tell_error() noexcept {
  return size() == 0 ? std::exchange(pending_error_, {}) : pending_error_;
}

std::vector<std::byte> read_buffer::release() {
  std::vector<std::byte> rest(pos_, end_);
  clear();
  return rest;
}

// Makes room for a window of n bytes, n <= maximum_: by starting again where it is empty, by moving it to the front, or
// by growing.
void read_buffer::make_room(std::size_t n) {
  const std::size_t held = size();
  if (n > capacity_) {
    reallocate(std::max(n, capacity_ > maximum_ / 2 ? maximum_ : capacity_ * 2));
    return;
  }
  if (!memory_) {
    reallocate(capacity_);
    return;
  }
  if (held != 0) {
    if (static_cast<std::size_t>(memory_ + capacity_ - pos_) >= n) return;
    std::memmove(memory_, pos_, held);
  }
  pos_ = memory_;
  end_ = memory_ + held;
}

result<std::span<const std::byte>> read_buffer::fill_slow(source_ref from, std::size_t n) {
  if (n == 0) return window();
  if (n > maximum_) return fail(io_errc::buffer_too_small);
  make_room(n);
  while (size() < n) {
    if (pending_error_) return fail(tell_error());
    auto* const tail = memory_ + (end_ - memory_);
    const auto got = from.read_some({tail, memory_ + capacity_});
    if (!got) {
      // What arrived before the error is served first, and then the error again: the kernel may tell it only once.
      if (size() != 0 && !is_transient(got.error())) pending_error_ = got.error();
      return fail(got.error());
    }
    if (*got == 0) break;
    end_ += *got;
  }
  return window();
}

result<std::size_t> read_buffer::read_some_slow(source_ref from, std::span<std::byte> out) {
  if (out.empty()) return std::size_t{0};
  if (const std::size_t held = size()) {
    std::memcpy(out.data(), pos_, held);
    pos_ += held;
    return held;
  }
  if (pending_error_) return fail(tell_error());

  // From here on what the buffer held is behind us, and not to be moved back into.
  pos_ = end_ = memory_;
  if (out.size() >= capacity_ || (!memory_ && out.size() >= worth_no_buffer)) return from.read_some(out);

  if (!memory_) reallocate(capacity_);
  if (from.ops->read_vectored) {
    // The request is served in place, and the same call fills the buffer for the next.
    const std::array pieces{mutable_buffer(out), mutable_buffer(memory_, capacity_)};
    const auto got = from.ops->read_vectored(from.object, pieces);
    if (!got || *got <= out.size()) return got;
    end_ = memory_ + (*got - out.size());
    return out.size();
  }
  const auto got = from.read_some({memory_, capacity_});
  if (!got) return got;
  const std::size_t n = std::min(*got, out.size());
  if (n != 0) std::memcpy(out.data(), memory_, n);
  pos_ = memory_ + n;
  end_ = memory_ + *got;
  return n;
}

}  // namespace sluice::detail
