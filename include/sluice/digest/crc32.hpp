// SPDX-License-Identifier: BSL-1.0
//
// CRC-32 and CRC-32C. Component crc.
//
//   class crc32;                                        // of Ethernet, gzip, zip and PNG
//   class crc32c;                                       // of iSCSI, SCTP, ext4 and RecordIO
//     void update(std::span<const std::byte>);
//     std::uint32_t value() const;
//     void reset();
//   std::uint32_t crc32_of(std::span<const std::byte>);
//   std::uint32_t crc32c_of(std::span<const std::byte>);
//
// They find accidents, and no malice: whoever can change the bytes can keep the checksum.
//
#ifndef SLUICE_DIGEST_CRC32_HPP
#define SLUICE_DIGEST_CRC32_HPP

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// The checksum of IEEE 802.3 and RFC 1952: polynomial 0x04C11DB7, reflected, all ones before and after. Of no bytes
/// it is 0.
class crc32 {
 public:
  /// Takes in the next bytes, any number of them.
  void update(std::span<const std::byte> b) noexcept;

  /// The checksum of all bytes so far; more may follow.
  std::uint32_t value() const noexcept { return value_; }

  /// Begins anew.
  void reset() noexcept { value_ = 0; }

 private:
  std::uint32_t value_ = 0;
};

/// The checksum of RFC 3720: Castagnoli's polynomial 0x1EDC6F41, reflected, all ones before and after. Of no bytes it
/// is 0.
class crc32c {
 public:
  /// Takes in the next bytes, any number of them.
  void update(std::span<const std::byte> b) noexcept;

  /// The checksum of all bytes so far; more may follow.
  std::uint32_t value() const noexcept { return ~register_; }

  /// Begins anew.
  void reset() noexcept { register_ = ~std::uint32_t{0}; }

 private:
  std::uint32_t register_ = ~std::uint32_t{0};
};

/// The checksum of bytes that are all there.
inline std::uint32_t crc32_of(std::span<const std::byte> b) noexcept {
  crc32 sum;
  sum.update(b);
  return sum.value();
}
/// CRC-32C of the bytes.
inline std::uint32_t crc32c_of(std::span<const std::byte> b) noexcept {
  crc32c sum;
  sum.update(b);
  return sum.value();
}

}  // namespace sluice

#endif
