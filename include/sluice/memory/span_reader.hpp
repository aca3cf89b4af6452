// SPDX-License-Identifier: BSL-1.0
//
// Reads from memory.
//
//   class span_reader;     // span_reader r{"text"};  span_reader r{bytes};
//
#ifndef SLUICE_MEMORY_SPAN_READER_HPP
#define SLUICE_MEMORY_SPAN_READER_HPP

#include <sluice/buffer.hpp>
#include <sluice/concepts.hpp>
#include <sluice/detail/offsets.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace sluice {

/// Reads bytes that somebody else owns and keeps alive. Models buffered_reader (the window is the
/// whole rest), in_memory_reader, skippable, seekable and size_hinted. No operation does I/O or
/// allocates, and only `seek` can fail.
class span_reader {
 public:
  static constexpr bool in_memory = true;

  constexpr span_reader() noexcept = default;
  /// Reads these bytes, which have to outlive it.
  constexpr span_reader(std::span<const std::byte> data) noexcept : data_(data) {}
  /// The same, of text.
  span_reader(std::string_view text) noexcept : data_(as_bytes(text)) {}

  /// Copies the next bytes, as many as there are and fit; 0 at the end.
  result<std::size_t> read_some(std::span<std::byte> b) noexcept {
    const std::size_t n = std::min(b.size(), remaining());
    if (n != 0) std::memcpy(b.data(), data_.data() + offset_, n);
    offset_ += n;
    return n;
  }

  /// The whole rest.
  constexpr std::span<const std::byte> buffered() const noexcept { return data_.subspan(offset_); }

  /// The whole rest, which is fewer than `n` bytes near the end. Never fails.
  result<std::span<const std::byte>> fill(std::size_t /*n*/) noexcept { return buffered(); }

  /// Moves on by `n` bytes, `n <= remaining()`.
  constexpr void consume(std::size_t n) noexcept {
    assert(n <= remaining());
    offset_ += n;
  }

  /// Moves on by up to `n` bytes; returns by how many, fewer only at the end.
  result<std::uintmax_t> skip(std::uintmax_t n) noexcept {
    const std::uintmax_t passed = std::min<std::uintmax_t>(n, remaining());
    offset_ += static_cast<std::size_t>(passed);
    return passed;
  }

  /// Moves to `offset` bytes from `from`; returns the new position. Errors:
  /// `std::errc::invalid_argument` outside of [0, size of the memory]; the position is then kept.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin) noexcept {
    const std::size_t base = from == whence::begin ? 0 : from == whence::current ? offset_ : data_.size();
    const auto to = detail::moved_within(base, offset, data_.size());
    if (!to) return fail(std::make_error_code(std::errc::invalid_argument));
    offset_ = static_cast<std::size_t>(*to);
    return offset_;
  }

  /// The bytes delivered so far, counted from the beginning of the memory.
  result<std::uintmax_t> position() const noexcept { return offset_; }

  /// Exactly `remaining()`.
  constexpr std::optional<std::uintmax_t> size_hint() const noexcept { return remaining(); }

  /// The bytes not yet delivered.
  constexpr std::size_t remaining() const noexcept { return data_.size() - offset_; }

 private:
  std::span<const std::byte> data_;
  std::size_t offset_ = 0;
};

}  // namespace sluice

#endif
