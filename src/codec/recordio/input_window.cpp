// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/recordio/detail/input_window.hpp>
#include <sluice/read.hpp>
#include <sluice/skip.hpp>

#include <algorithm>
#include <cstring>

namespace sluice::detail {
namespace {

// How far a claim is believed before anything has arrived.
constexpr std::size_t first_step = std::size_t{32} << 10;

// Only a stream that knows its places can know how much is left: others pass on what somebody has written.
bool surely_has(source_ref from, std::size_t n) {
  if (!from.ops->seek) return false;
  const auto left = from.size_hint();
  return left && *left >= n;
}

}  // namespace

result<std::size_t> input_window::need(source_ref from, std::size_t n) {
  if (owns_bytes() || !from.is_buffered()) return need_own(from, n);
  const std::span<const std::byte> window = from.window();
  if (window.size() >= n || from.ops->in_memory) {
    seen_ = window;
    return seen_.size();
  }
  if (n > from.capacity()) return need_own(from, n);
  const auto filled = from.fill(n);
  if (!filled) {
    if (filled.error() == io_errc::buffer_too_small) return need_own(from, n);
    return fail(filled.error());
  }
  seen_ = *filled;
  return seen_.size();
}

result<std::size_t> input_window::need_own(source_ref from, std::size_t n) {
  std::error_code why;
  while (end_ - begin_ < n) {
    const std::size_t want = make_room(from, n - (end_ - begin_));
    const auto arrived = detail::read(from, std::span(own_).subspan(end_, want), nullptr);
    end_ += arrived ? *arrived : static_cast<std::size_t>(arrived.error().bytes);
    if (!arrived) why = arrived.error();
    if (!arrived || *arrived != want) break;
  }
  seen_ = std::span<const std::byte>(own_).subspan(begin_, end_ - begin_);
  if (why && seen_.size() < n) return fail(why);
  return seen_.size();
}

std::size_t input_window::make_room(source_ref from, std::size_t missing) {
  const std::size_t held = end_ - begin_;
  if (held == 0) begin_ = end_ = 0;
  if (own_.size() - end_ >= missing) return missing;
  // Moving what is held costs no more than reading it did.
  if (begin_ >= held) {
    if (held != 0) std::memmove(own_.data(), own_.data() + begin_, held);
    begin_ = 0;
    end_ = held;
    if (own_.size() - end_ >= missing) return missing;
  }
  // A claim that nobody vouches for is believed as far as there is room, then as far as bytes have arrived.
  const bool sure = surely_has(from, missing);
  if (!sure && own_.size() != end_) return own_.size() - end_;
  const std::size_t step = sure ? missing : std::min(missing, std::max(first_step, held));
  if (held == 0) bytes().swap(own_);
  own_.resize(std::max(end_ + step, first_step));
  return std::min(missing, own_.size() - end_);
}

void input_window::consume(source_ref from, std::size_t n) noexcept {
  if (n == 0) return;
  if (owns_bytes())
    begin_ += n;
  else
    from.consume(n);
  seen_ = seen_.subspan(n);
}

result<std::uintmax_t> input_window::skip(source_ref from, std::uintmax_t n) {
  const auto held = static_cast<std::size_t>(std::min<std::uintmax_t>(n, end_ - begin_));
  begin_ += held;
  seen_ = {};
  if (held == n) return n;
  const auto passed = detail::skip(from, n - held, nullptr);
  if (!passed) return fail(passed.error());
  return held + *passed;
}

}  // namespace sluice::detail
