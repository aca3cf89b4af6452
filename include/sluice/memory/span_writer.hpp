// SPDX-License-Identifier: BSL-1.0
//
// Writes into memory of a fixed size.
//
//   class span_writer;     // span_writer w{room};  ...  w.written()
//
#ifndef SLUICE_MEMORY_SPAN_WRITER_HPP
#define SLUICE_MEMORY_SPAN_WRITER_HPP

#include <sluice/concepts.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <span>

namespace sluice {

/// Writes into bytes that somebody else owns and keeps alive. Models buffered_writer; nothing is
/// held back, so `flush` does nothing. No operation allocates.
class span_writer {
 public:
  constexpr span_writer() noexcept = default;
  /// Writes into this memory, from its beginning, until it is full.
  constexpr span_writer(std::span<std::byte> room) noexcept : room_(room) {}

  /// Takes as many bytes as there is room for. Errors: `std::errc::no_space_on_device` where there
  /// is none.
  result<std::size_t> write_some(std::span<const std::byte> b) noexcept {
    const std::size_t n = std::min(b.size(), remaining());
    if (n == 0) {
      if (b.empty()) return std::size_t{0};
      return fail(std::make_error_code(std::errc::no_space_on_device));
    }
    std::memcpy(room_.data() + used_, b.data(), n);
    used_ += n;
    return n;
  }

  /// All the room that is left. Errors: `buffer_too_small` where that is less than `n` bytes.
  result<std::span<std::byte>> prepare(std::size_t n) noexcept {
    if (n > remaining()) return fail(io_errc::buffer_too_small);
    return room_.subspan(used_);
  }

  /// All the room that is left.
  constexpr std::span<std::byte> free_space() const noexcept { return room_.subspan(used_); }

  /// Counts the first `n` prepared bytes as written.
  constexpr void commit(std::size_t n) noexcept {
    assert(n <= remaining());
    used_ += n;
  }

  [[nodiscard]] result<void> flush() noexcept { return {}; }

  /// The bytes written so far.
  constexpr std::span<std::byte> written() const noexcept { return room_.first(used_); }

  /// How many bytes there is room for.
  constexpr std::size_t remaining() const noexcept { return room_.size() - used_; }

 private:
  std::span<std::byte> room_;
  std::size_t used_ = 0;
};

}  // namespace sluice

#endif
