// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/lost_bytes.hpp>
#include <sluice/detail/write_buffer.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace sluice {
namespace {

constinit std::atomic<lost_bytes_hook> installed_hook{nullptr};

}  // namespace

lost_bytes_hook set_lost_bytes_hook(lost_bytes_hook hook) noexcept { return installed_hook.exchange(hook); }

namespace detail {

write_buffer::write_buffer(buffer_capacity capacity) noexcept
    : capacity_(std::max<std::size_t>(capacity.initial, 1)), maximum_(std::max(capacity.maximum, capacity_)) {}

write_buffer::write_buffer(std::span<std::byte> memory) noexcept
    : pos_(memory.data()),
      end_(memory.data() + memory.size()),
      start_(memory.data()),
      memory_(memory.data()),
      capacity_(memory.size()),
      maximum_(memory.size()) {}

write_buffer::write_buffer(write_buffer&& other) noexcept
    : pos_(std::exchange(other.pos_, nullptr)),
      end_(std::exchange(other.end_, nullptr)),
      start_(std::exchange(other.start_, nullptr)),
      memory_(std::exchange(other.memory_, nullptr)),
      capacity_(other.capacity_),
      maximum_(other.maximum_),
      owned_(std::move(other.owned_)),
      shut_(other.shut_),
      in_doubt_(std::exchange(other.in_doubt_, false)) {}

write_buffer& write_buffer::operator=(write_buffer&& other) noexcept {
  if (this != &other) {
    pos_ = std::exchange(other.pos_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    start_ = std::exchange(other.start_, nullptr);
    memory_ = std::exchange(other.memory_, nullptr);
    capacity_ = other.capacity_;
    maximum_ = other.maximum_;
    owned_ = std::move(other.owned_);
    shut_ = other.shut_;
    in_doubt_ = std::exchange(other.in_doubt_, false);
  }
  return *this;
}

// What is pending moves to the front of the new memory.
void write_buffer::reallocate(std::size_t capacity) {
  auto memory = std::make_unique_for_overwrite<std::byte[]>(capacity);
  const std::size_t held = pending().size();
  if (held != 0) std::memcpy(memory.get(), start_, held);
  owned_ = std::move(memory);
  memory_ = start_ = owned_.get();
  pos_ = memory_ + held;
  end_ = memory_ + capacity;
  capacity_ = capacity;
}

void write_buffer::accepted(std::size_t n) noexcept {
  start_ += n;
  if (start_ == pos_) start_ = pos_ = memory_;
}

void write_buffer::append(std::span<const std::byte> in) noexcept {
  if (in.empty()) return;
  std::memcpy(pos_, in.data(), in.size());
  pos_ += in.size();
}

result<void> write_buffer::drain(sink_ref to) {
  while (start_ != pos_) {
    in_doubt_ = true;
    const auto n = to.write_some(pending());
    in_doubt_ = false;
    if (!n) return fail(n.error());
    if (*n == 0) return fail(io_errc::write_zero);
    accepted(*n);
  }
  return {};
}

result<void> write_buffer::flush(sink_ref to) {
  if (auto drained = drain(to); !drained) return drained;
  return to.flush();
}

void write_buffer::finish(sink_ref to) noexcept {
  if (start_ == pos_) return;
  std::error_code why = std::make_error_code(std::errc::io_error);
  if (!in_doubt_) {
    try {
      if (auto drained = drain(to); !drained) why = drained.error();
    } catch (...) {
      // An exception is an error that says no more.
    }
  }
  if (start_ == pos_) return;
  if (const auto hook = installed_hook.load()) hook(pending().size(), why);
  start_ = pos_ = memory_;
  in_doubt_ = false;
}

void write_buffer::shut() noexcept {
  start_ = pos_ = end_ = memory_;
  shut_ = true;
}

void write_buffer::restart() noexcept {
  start_ = pos_ = memory_;
  end_ = memory_ ? memory_ + capacity_ : nullptr;
  shut_ = false;
}

std::vector<std::byte> write_buffer::release() {
  std::vector<std::byte> rest(start_, pos_);
  start_ = pos_ = memory_;
  in_doubt_ = false;
  return rest;
}

result<std::size_t> write_buffer::write_through(sink_ref to, std::span<const std::byte> in) {
  const auto n = to.write_some(in);
  if (n && *n == 0) return fail(io_errc::write_zero);
  return n;
}

// One call with what is pending and `in` behind it; how much of `in` it took. Where the inner writer is not vectored,
// `in` has to fit into the free space, and does not count as pending there.
result<std::size_t> write_buffer::write_joined(sink_ref to, std::span<const std::byte> in) {
  in_doubt_ = true;
  result<std::size_t> n;
  if (to.ops->write_vectored) {
    const std::array pieces{const_buffer(pending()), const_buffer(in)};
    n = to.ops->write_vectored(to.object, pieces);
  } else {
    std::memcpy(pos_, in.data(), in.size());
    n = to.write_some({start_, pos_ + in.size()});
  }
  in_doubt_ = false;
  if (!n) return n;
  if (*n == 0) return fail(io_errc::write_zero);
  const std::size_t of_pending = std::min(*n, pending().size());
  accepted(of_pending);
  return *n - of_pending;
}

result<std::size_t> write_buffer::write_behind_pending(sink_ref to, std::span<const std::byte> in) {
  if (shut_) return fail(std::make_error_code(std::errc::bad_file_descriptor));
  while (start_ != pos_ && (to.ops->write_vectored || in.size() <= room())) {
    const auto taken = write_joined(to, in);
    if (!taken || *taken != 0) return taken;
  }
  if (auto drained = drain(to); !drained) return fail(drained.error());
  return write_through(to, in);
}

result<void> write_buffer::drain_first(sink_ref to, std::size_t n) {
  while (n != 0) {
    in_doubt_ = true;
    const auto written = to.write_some(pending().first(n));
    in_doubt_ = false;
    if (!written) return fail(written.error());
    if (*written == 0) return fail(io_errc::write_zero);
    accepted(*written);
    n -= *written;
  }
  const std::size_t held = pending().size();
  if (held != 0) std::memmove(memory_, start_, held);
  start_ = memory_;
  pos_ = memory_ + held;
  return {};
}

void write_buffer::allocate() {
  if (!memory_) reallocate(capacity_);
}

std::size_t write_buffer::keep(std::span<const std::byte> in) {
  if (in.empty()) return 0;
  allocate();
  const std::size_t n = std::min(in.size(), room());
  append(in.first(n));
  return n;
}

result<std::size_t> write_buffer::write_some_slow(sink_ref to, std::span<const std::byte> in) {
  if (in.empty()) return std::size_t{0};
  if (shut_) return fail(std::make_error_code(std::errc::bad_file_descriptor));
  if (start_ == pos_) {
    if (in.size() >= capacity_) return write_through(to, in);
    if (!memory_) reallocate(capacity_);
    append(in);
    return in.size();
  }
  if (in.size() == room()) {
    append(in);
    return in.size();
  }

  // More than there is room for, behind something: both go in one call where the inner writer can, and of what is left
  // over as much as fits is kept for the next.
  std::size_t taken = 0;
  if (to.ops->write_vectored) {
    const auto n = write_joined(to, in);
    if (!n) return n;
    taken = *n;
  }
  if (taken == 0) {
    if (auto drained = drain(to); !drained) return fail(drained.error());
  }
  const std::size_t left = in.size() - taken;
  if (left < capacity_) {
    append(in.last(left));
    return in.size();
  }
  if (taken != 0) return taken;
  return write_through(to, in);
}

result<std::span<std::byte>> write_buffer::prepare_slow(sink_ref to, std::size_t n) {
  if (shut_) return fail(std::make_error_code(std::errc::bad_file_descriptor));
  if (n > maximum_) return fail(io_errc::buffer_too_small);
  if (n > capacity_) {
    const std::size_t held = pending().size();
    const std::size_t wanted = n > maximum_ - held ? maximum_ : n + held;
    reallocate(std::max(wanted, capacity_ > maximum_ / 2 ? maximum_ : capacity_ * 2));
  } else if (!memory_) {
    reallocate(std::max<std::size_t>(capacity_, 1));
  }
  if (room() < n || room() == 0) {
    if (auto drained = drain(to); !drained) return fail(drained.error());
  }
  return std::span(pos_, end_);
}

}  // namespace detail
}  // namespace sluice
