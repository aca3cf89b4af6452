// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/detail/input.hpp>
#include <sluice/detail/resize_for_overwrite.hpp>
#include <sluice/read.hpp>
#include <sluice/skip.hpp>

#include "wait/waiting.hpp"

#include <algorithm>

namespace sluice::thrift::detail {

void input::show(std::span<const std::byte> window) noexcept {
  shown_ = base_ = pos_ = copied_ = window.data();
  shown_end_ = shown_ + window.size();
  end_ = pos_ + std::min<std::uintmax_t>(window.size(), allowed_);
}

void input::sync() noexcept {
  if (!shown_ || !source_.ops) return;
  if (copy_) copy_->insert(copy_->end(), copied_, pos_);
  allowed_ = still_allowed();
  const auto taken = static_cast<std::size_t>(pos_ - shown_);
  shown_ = shown_end_ = base_ = pos_ = end_ = copied_ = nullptr;
  source_.consume(taken);
}

bool input::refill(std::size_t n) {
  if (failed_) return false;
  if (const auto why = fill(n)) return fail(why);
  return true;
}

// A stream that would block is waited for, as all algorithms do.
std::error_code input::fill(std::size_t n) {
  sync();
  const auto window = sluice::detail::waiting_source(source_, nullptr).fill(n);
  if (!window) return window.error();
  show(*window);
  return {};
}

const std::byte* input::take_slow(std::size_t n) {
  if (failed_) return nullptr;
  if (n > still_allowed()) {
    fail(io_errc::limit_exceeded);
    return nullptr;
  }
  if (source_.ops) {
    const std::error_code why = fill(n);
    if (why == io_errc::buffer_too_small) return gather(n);
    if (why) {
      fail(why);
      return nullptr;
    }
  }
  if (left() < n) {
    fail(io_errc::truncated);
    return nullptr;
  }
  pos_ += n;
  return pos_ - n;
}

// The stream's buffer is smaller than a number.
const std::byte* input::gather(std::size_t n) {
  if (!read_exactly(std::span(scratch_).first(n))) return nullptr;
  return scratch_.data();
}

// Only of the stream, once the window is given back.
bool input::read_exactly(std::span<std::byte> out) {
  const auto done = sluice::detail::read_exactly(source_, out, nullptr);
  if (!done) {
    const std::error_code why = done.error();
    return fail(why == io_errc::unexpected_eof ? make_error_code(io_errc::truncated) : why);
  }
  allowed_ -= out.size();
  if (copy_) copy_->insert(copy_->end(), out.begin(), out.end());
  return true;
}

bool input::get_field_slow(field_header& field) {
  field.id = 0;
  if (!get(field.type)) return false;
  return field.type == ttype::stop || get(field.id);
}

bool input::check_size_slow(std::uint32_t size, std::size_t smallest, bool known) {
  if (size > largest_size) return fail(io_errc::invalid_data);
  if (size > limits_.max_container_size) return fail(io_errc::limit_exceeded);
  if (size == 0) return true;
  if (!known) return fail(io_errc::invalid_data);
  const std::uint64_t bytes = std::uint64_t{size} * smallest;
  if (bytes > still_allowed()) return fail(io_errc::limit_exceeded);
  if (from_memory() && bytes > left()) {
    // The window of a stream in memory is shown when it is first needed.
    if (source_.ops && !refill(1)) return false;
    if (bytes > left()) return fail(io_errc::truncated);
  }
  return true;
}

// The length is in the hands of whoever sent it, so only what is known to be there is made room for at once; else what
// arrives is collected in pieces, and put together once all of it has.
template <class Container>
bool input::get_string_slow(Container& out) {
  out.clear();
  std::uint32_t length = 0;
  if (!get_length(length)) return false;
  if (length > still_allowed()) return fail(io_errc::limit_exceeded);
  const std::span<const std::byte> head(pos_, std::min<std::size_t>(left(), length));
  if (head.size() < length && from_memory() && (!source_.ops || shown_)) return fail(io_errc::truncated);
  const auto put = [&out](std::size_t at) { return reinterpret_cast<std::byte*>(out.data()) + at; };
  if (length <= ahead_of_arrival || length == head.size()) {
    sluice::detail::resize_for_overwrite(out, length);
    std::copy(head.begin(), head.end(), put(0));
    const std::size_t there = head.size();
    pos_ += there;
    if (there == length) return true;
    sync();
    if (read_exactly({put(there), length - there})) return true;
    out.clear();
    return false;
  }
  const auto hint = [&] {
    sync();
    return source_.size_hint().value_or(0);
  }();
  if (hint >= length) {
    sluice::detail::resize_for_overwrite(out, length);
    if (read_exactly({put(0), length})) return true;
    out.clear();
    return false;
  }
  std::vector<bytes> pieces;
  for (std::size_t missing = length; missing != 0;) {
    bytes& piece = pieces.emplace_back(std::min(missing, ahead_of_arrival));
    if (!read_exactly(piece)) return false;
    missing -= piece.size();
  }
  sluice::detail::resize_for_overwrite(out, length);
  std::byte* to = put(0);
  for (const bytes& piece : pieces) to = std::copy(piece.begin(), piece.end(), to);
  return true;
}

template bool input::get_string_slow(std::string&);
template bool input::get_string_slow(bytes&);
template bool input::get_string_slow(std::vector<std::byte>&);

bool input::get_view_slow(std::string_view& out) {
  std::uint32_t length = 0;
  if (!get_length(length) || !widen(length)) return false;
  out = {reinterpret_cast<const char*>(pos_), length};
  pos_ += length;
  return true;
}

// In steps, as a buffer that may grow is to grow by what arrives.
bool input::widen(std::size_t n) {
  if (n > still_allowed()) return fail(io_errc::limit_exceeded);
  while (left() < n) {
    const std::size_t had = left();
    if (!source_.ops) return fail(io_errc::truncated);
    if (!refill(std::min(n, had + ahead_of_arrival))) return false;
    if (left() <= had) return fail(io_errc::truncated);
  }
  return true;
}

bool input::pass_slow(std::uint64_t n) {
  if (failed_) return false;
  if (n > still_allowed()) return fail(io_errc::limit_exceeded);
  if (!source_.ops) return fail(io_errc::truncated);
  if (copy_) return pass_windows(n);
  sync();
  const auto passed = sluice::detail::skip(source_, n, nullptr);
  if (!passed) return fail(passed.error());
  allowed_ -= *passed;
  return *passed == n || fail(io_errc::truncated);
}

bool input::pass_windows(std::uint64_t n) {
  while (n > left()) {
    n -= left();
    pos_ = end_;
    if (!refill(1)) return false;
    if (left() == 0) return fail(io_errc::truncated);
  }
  pos_ += n;
  return true;
}

bool input::peek(std::size_t n, std::span<const std::byte>& seen) {
  if (failed_) return false;
  if (left() < n && source_.ops && !refill(n)) return false;
  seen = {pos_, std::min(left(), n)};
  return true;
}

// The limit of a message does not count: it may be used up exactly where the message ends.
bool input::at_end(bool& ended) {
  if (failed_) return false;
  if (pos_ == shown_end_ && source_.ops && !refill(1)) return false;
  ended = pos_ == shown_end_;
  return true;
}

bool input::find_beginning() {
  bool ended = false;
  return at_end(ended) && (!ended || fail(io_errc::unexpected_eof));
}

}  // namespace sluice::thrift::detail
