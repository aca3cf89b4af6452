// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/delimited.hpp>
#include <sluice/detail/resize_for_overwrite.hpp>
#include <sluice/read.hpp>
#include <sluice/wait_options.hpp>

#include <algorithm>

namespace sluice::detail {
namespace {

constexpr varint_rule length_rule{.bits = 64, .two_complement = false};

// Memory is taken so far ahead of what has arrived.
constexpr std::size_t step = std::size_t{64} << 10;

// How large the memory may be for a message of which `arrived` bytes are there.
std::size_t trusted_size(std::size_t size, std::size_t arrived) noexcept {
  return size - arrived <= std::max(arrived, step) ? size : arrived + std::max(arrived, step);
}

// Makes room for at least a byte behind the `arrived` ones.
template <class Container>
std::span<std::byte> room_behind(Container& c, std::size_t arrived, std::size_t size, source_ref from) {
  if (arrived == c.size()) {
    std::size_t grown = std::min(size, c.capacity());
    if (arrived == 0 || grown == arrived) grown = std::max(grown, trusted_size(size, arrived));
    if (grown > c.capacity() && from.size_hint().value_or(0) >= size - arrived) grown = size;
    c.reserve(grown);
    resize_for_overwrite(c, grown);
  }
  return std::as_writable_bytes(std::span(c.data(), c.size())).subspan(arrived);
}

template <class Container>
std::expected<bool, transfer_error> read_message(source_ref from, Container& message, std::size_t max_size) {
  resize_for_overwrite(message, 0);
  const auto length = read_varint(from, length_rule);
  if (!length) return std::unexpected(length.error());
  if (length->size == 0) return false;
  if (length->value > max_size) return fail(io_errc::limit_exceeded, length->size);
  const auto size = static_cast<std::size_t>(length->value);
  std::size_t arrived = 0;
  while (arrived < size) {
    const std::span<std::byte> room = room_behind(message, arrived, size, from);
    const auto got = read(from, room, nullptr);
    const auto n = static_cast<std::size_t>(got ? *got : got.error().bytes);
    arrived += n;
    if (got && n == room.size()) continue;
    resize_for_overwrite(message, arrived);
    return fail(got ? io_errc::truncated : static_cast<std::error_code>(got.error()), length->size + arrived);
  }
  return true;
}

}  // namespace

std::expected<bool, transfer_error> read_delimited(source_ref from, bytes& message, const delimited_options& options) {
  return read_message(from, message, options.max_size);
}

std::expected<bool, transfer_error> read_delimited(source_ref from, std::string& message,
                                                   const delimited_options& options) {
  return read_message(from, message, options.max_size);
}

std::expected<void, transfer_error> write_delimited(sink_ref to, std::span<const std::byte> message) {
  std::array<std::byte, varint_bytes> length;
  const std::size_t size =
      put_varint_bytes(length.data(), std::uint64_t{message.size()}, unsigned_varint_size(message.size()));
  const std::array pieces{const_buffer(std::span<const std::byte>(length).first(size)), const_buffer(message)};
  return write_all(to, pieces, nullptr);
}

// A descriptor that would block is the caller's affair, who can call again.
result<std::optional<message_cursor::message>> message_cursor::find(source_ref from) {
  if (awaited_) return gather(from);
  const wait_options without{.on_would_block = would_block::fail};
  const auto length = find_varint(from, length_rule, &without);
  if (!length) return fail(length.error());
  if (length->size == 0) return std::nullopt;
  if (length->value > max_size_) return fail(io_errc::limit_exceeded);
  const message window = from.window();
  if (length->value <= window.size() - length->size) return deliver(window, *length);
  return fill(from, *length);
}

// In place where the buffer holds that. One of unknown size is asked for no more than what has arrived allows, as it
// may take all memory at once.
result<std::optional<message_cursor::message>> message_cursor::fill(source_ref from, seen_varint length) {
  const auto size = static_cast<std::size_t>(length.value);
  const std::size_t whole = size + std::min(length.size, static_cast<std::size_t>(-1) - size);
  std::size_t arrived = from.window().size();
  const std::size_t capacity = std::max(from.capacity(), arrived);
  while (whole <= capacity || arrived >= capacity) {
    const std::size_t wanted = whole <= capacity ? whole : trusted_size(whole, arrived);
    const auto window = from.fill(wanted);
    if (!window && window.error() == io_errc::buffer_too_small) break;
    if (!window) return fail(window.error());
    if (window->size() < wanted) return fail(io_errc::truncated);
    if (wanted == whole) return deliver(*window, length);
    arrived = window->size();
  }
  from.consume(length.size);
  awaited_ = size;
  arrived_ = 0;
  resize_for_overwrite(gathered_, 0);
  return gather(from);
}

result<std::optional<message_cursor::message>> message_cursor::gather(source_ref from) {
  while (arrived_ < *awaited_) {
    const auto got = from.read_some(room_behind(gathered_, arrived_, *awaited_, from));
    if (!got) return fail(got.error());
    if (*got == 0) return fail(io_errc::truncated);
    arrived_ += *got;
  }
  awaited_.reset();
  return message(gathered_);
}

}  // namespace sluice::detail
