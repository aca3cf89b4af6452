// SPDX-License-Identifier: BSL-1.0
#include <sluice/view/detail/record_cursor.hpp>

#include <algorithm>

namespace sluice::detail {

// The window begins with the current record. What was scanned of it before need not be scanned again.
void record_cursor::look_at(std::span<const std::byte> window) noexcept {
  const auto scanned = std::min(static_cast<std::size_t>(scanned_ - record_), window.size());
  record_ = window.data();
  window_end_ = record_ + window.size();
  scanned_ = record_ + scanned;
}

result<void> record_cursor::too_long() noexcept {
  length_ = 0;
  return fail(io_errc::limit_exceeded);
}

// More of the current record, of which no part that is in the window is a terminator.
result<void> record_cursor::read(source_ref from) {
  const auto held = static_cast<std::size_t>(window_end_ - record_);
  // A carriage return at the end may yet turn out to belong to the terminator.
  const bool open = rule_.with_carriage_return && held != 0 && window_end_[-1] == std::byte{'\r'};
  if (held - (open ? 1U : 0U) > rule_.max_length) return too_long();

  const auto window = from.fill(held + 1);
  if (!window) return window.error() == io_errc::buffer_too_small ? too_long() : fail(window.error());
  look_at(*window);
  ended_ = window->size() <= held;
  return {};
}

// The last one, which has no terminator.
result<void> record_cursor::take_rest() noexcept {
  const auto rest = static_cast<std::size_t>(window_end_ - record_);
  if (rest > rule_.max_length) return too_long();
  take(rest, rest);
  return {};
}

result<void> record_cursor::find(source_ref from) {
  length_ = 0;
  while (!marks_.any()) {
    if (scanned_ == window_end_) {
      if (ended_) return take_rest();
      if (const auto more = read(from); !more) return more;
    }
    scanned_ = marks_.look(scanned_, window_end_, rule_.terminator);
  }
  return take_mark() ? result<void>() : too_long();
}

}  // namespace sluice::detail
