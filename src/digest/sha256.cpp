// SPDX-License-Identifier: BSL-1.0
#include <sluice/digest/sha256.hpp>

// The low-level functions are deprecated in favour of EVP, which allocates, and fails where the configuration of
// OpenSSL 3 loads no provider with this digest. These can do neither, and run the same code underneath.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace sluice {

namespace {

SHA256_CTX* inside(std::byte* state) noexcept { return reinterpret_cast<SHA256_CTX*>(state); }

}  // namespace

void sha256::reset() noexcept {
  static_assert(sizeof(SHA256_CTX) <= sizeof state_ && alignof(SHA256_CTX) <= alignof(sha256));
  state_ = {};
  (void)::SHA256_Init(inside(state_.data()));
}

void sha256::update(std::span<const std::byte> b) noexcept {
  if (!b.empty()) (void)::SHA256_Update(inside(state_.data()), b.data(), b.size());
}

std::array<std::byte, 32> sha256::value() const noexcept {
  sha256 ended = *this;
  std::array<std::byte, 32> hash;
  (void)::SHA256_Final(reinterpret_cast<unsigned char*>(hash.data()), inside(ended.state_.data()));
  return hash;
}

}  // namespace sluice
