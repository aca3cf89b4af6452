// SPDX-License-Identifier: BSL-1.0
//
// XXH3, the fastest of the digests here. Component xxh3.
//
//   class xxh3_64;
//   class xxh3_128;
//     void update(std::span<const std::byte>);
//     std::uint64_t value() const;                        // xxh3_64
//     std::array<std::byte, 16> value() const;            // xxh3_128
//     void reset();
//   std::uint64_t xxh3_64_of(std::span<const std::byte>);
//   std::array<std::byte, 16> xxh3_128_of(std::span<const std::byte>);
//
// Both find accidents, and no malice: whoever can choose the bytes can make two texts with one digest.
//
#ifndef SLUICE_DIGEST_XXH3_HPP
#define SLUICE_DIGEST_XXH3_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

namespace detail {

/// What the two have in common, xxHash's own state inside: it is copied as bytes.
class xxh3_state {
 public:
  xxh3_state() noexcept { reset(); }
  void reset() noexcept;
  void update(std::span<const std::byte> b) noexcept;
  std::uint64_t value_64() const noexcept;
  std::array<std::byte, 16> value_128() const noexcept;

 private:
  alignas(64) std::array<std::byte, 576> state_;
};

}  // namespace detail

/// XXH3 with 64 bits, seed 0 and the default secret, as `xxhsum -H3` prints it.
class xxh3_64 {
 public:
  /// Takes in the next bytes, any number of them.
  void update(std::span<const std::byte> b) noexcept { state_.update(b); }

  /// The digest of all bytes so far; more may follow.
  std::uint64_t value() const noexcept { return state_.value_64(); }

  /// Begins anew.
  void reset() noexcept { state_.reset(); }

 private:
  detail::xxh3_state state_;
};

/// XXH3 with 128 bits, seed 0 and the default secret: the canonical bytes, as `xxhsum -H2` prints them.
class xxh3_128 {
 public:
  /// Takes in the next bytes, any number of them.
  void update(std::span<const std::byte> b) noexcept { state_.update(b); }

  /// The digest of all bytes so far; more may follow.
  std::array<std::byte, 16> value() const noexcept { return state_.value_128(); }

  /// Begins anew.
  void reset() noexcept { state_.reset(); }

 private:
  detail::xxh3_state state_;
};

/// The digest of bytes that are all there.
inline std::uint64_t xxh3_64_of(std::span<const std::byte> b) noexcept {
  xxh3_64 hash;
  hash.update(b);
  return hash.value();
}
/// XXH3 with 128 bits of the bytes.
inline std::array<std::byte, 16> xxh3_128_of(std::span<const std::byte> b) noexcept {
  xxh3_128 hash;
  hash.update(b);
  return hash.value();
}

}  // namespace sluice

#endif
