// SPDX-License-Identifier: BSL-1.0
//
// One piece of memory in a vectored request.
//
//   struct mutable_buffer { std::byte* data; std::size_t size; };
//   struct const_buffer { const std::byte* data; std::size_t size; };
//   std::span<const std::byte> as_bytes(std::string_view) noexcept;
//
#ifndef SLUICE_BUFFER_HPP
#define SLUICE_BUFFER_HPP

#include <cstddef>
#include <span>
#include <string_view>

namespace sluice {

/// Memory that a vectored read fills; the size is in bytes and may be 0.
struct mutable_buffer {
  std::byte* data = nullptr;  ///< may be null where `size` is 0
  std::size_t size = 0;       ///< bytes

  constexpr mutable_buffer() = default;
  /// The `n` bytes at `d`.
  constexpr mutable_buffer(std::byte* d, std::size_t n) noexcept : data(d), size(n) {}
  /// The bytes of a span.
  constexpr mutable_buffer(std::span<std::byte> s) noexcept : data(s.data()), size(s.size()) {}
  /// The bytes of a span of fixed size.
  template <std::size_t N>
  constexpr mutable_buffer(std::span<std::byte, N> s) noexcept : data(s.data()), size(s.size()) {}
};

/// Memory that a vectored write takes; the size is in bytes and may be 0.
struct const_buffer {
  const std::byte* data = nullptr;  ///< may be null where `size` is 0
  std::size_t size = 0;             ///< bytes

  constexpr const_buffer() = default;
  /// The `n` bytes at `d`.
  constexpr const_buffer(const std::byte* d, std::size_t n) noexcept : data(d), size(n) {}
  /// The bytes of a span.
  constexpr const_buffer(std::span<const std::byte> s) noexcept : data(s.data()), size(s.size()) {}
  /// The bytes of a span of fixed size.
  template <std::size_t N>
  constexpr const_buffer(std::span<const std::byte, N> s) noexcept : data(s.data()), size(s.size()) {}
  /// The bytes of a span of fixed size.
  template <std::size_t N>
  constexpr const_buffer(std::span<std::byte, N> s) noexcept : data(s.data()), size(s.size()) {}
};

/// The characters of `text` as bytes.
inline std::span<const std::byte> as_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

}  // namespace sluice

#endif
