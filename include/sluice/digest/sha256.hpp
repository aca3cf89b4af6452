// SPDX-License-Identifier: BSL-1.0
//
// SHA-256. Component sha256.
//
//   class sha256 {
//     void update(std::span<const std::byte>);
//     std::array<std::byte, 32> value() const;
//     void reset();
//   };
//   std::array<std::byte, 32> sha256_of(std::span<const std::byte>);
//
#ifndef SLUICE_DIGEST_SHA256_HPP
#define SLUICE_DIGEST_SHA256_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// The digest of FIPS 180-4, for up to 2^61 - 1 bytes. It needs no memory beside itself, no configuration of OpenSSL
/// and none of its providers, and cannot fail.
class sha256 {
 public:
  sha256() noexcept { reset(); }

  /// Takes in the next bytes, any number of them.
  void update(std::span<const std::byte> b) noexcept;

  /// The digest of all bytes so far; more may follow.
  std::array<std::byte, 32> value() const noexcept;

  /// Begins anew.
  void reset() noexcept;

 private:
  // OpenSSL's own state, copied as bytes.
  alignas(std::uint32_t) std::array<std::byte, 112> state_;
};

/// The digest of bytes that are all there.
inline std::array<std::byte, 32> sha256_of(std::span<const std::byte> b) noexcept {
  sha256 hash;
  hash.update(b);
  return hash.value();
}

}  // namespace sluice

#endif
