// SPDX-License-Identifier: BSL-1.0
#include <sluice/digest/crc32.hpp>

#include <algorithm>

#include <isa-l/crc.h>

namespace sluice {

void crc32::update(std::span<const std::byte> b) noexcept {
  if (b.empty()) return;
  value_ = ::crc32_gzip_refl(value_, reinterpret_cast<const unsigned char*>(b.data()), b.size());
}

void crc32c::update(std::span<const std::byte> b) noexcept {
  // Its length is an int.
  constexpr std::size_t most = std::size_t{1} << 30U;
  while (!b.empty()) {
    const std::size_t n = std::min(b.size(), most);
    // It takes a pointer to what it could change, and only reads.
    auto* const data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(b.data()));
    register_ = ::crc32_iscsi(data, static_cast<int>(n), register_);
    b = b.subspan(n);
  }
}

}  // namespace sluice
