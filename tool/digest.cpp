// SPDX-License-Identifier: BSL-1.0
#include "digest.hpp"

#include <sluice/digest/hex.hpp>
#if SLUICE_TOOL_HAS_CRC
#include <sluice/digest/crc32.hpp>
#endif
#if SLUICE_TOOL_HAS_SHA256
#include <sluice/digest/sha256.hpp>
#endif
#if SLUICE_TOOL_HAS_XXH3
#include <sluice/digest/xxh3.hpp>
#endif

namespace sluice::tool {

template <class D>
struct named_digest::running_of final : running {
  void update(std::span<const std::byte> b) override { hash.update(b); }
  std::string value() const override { return to_hex(hash.value()); }

  static std::unique_ptr<running> begin() { return std::make_unique<running_of>(); }

  D hash;
};

struct named_digest::entry {
  std::string_view name;
  std::string_view component;
  std::unique_ptr<running> (*begin)() = nullptr;  ///< null where the component was not built
};

std::expected<named_digest, std::string> named_digest::find(std::string_view name) {
  static constexpr entry entries[] = {
#if SLUICE_TOOL_HAS_CRC
      {"crc32", "crc", &running_of<crc32>::begin},
      {"crc32c", "crc", &running_of<crc32c>::begin},
#else
      {"crc32", "crc"},
      {"crc32c", "crc"},
#endif
#if SLUICE_TOOL_HAS_XXH3
      {"xxh3", "xxh3", &running_of<xxh3_64>::begin},
#else
      {"xxh3", "xxh3"},
#endif
#if SLUICE_TOOL_HAS_SHA256
      {"sha256", "sha256", &running_of<sha256>::begin},
#else
      {"sha256", "sha256"},
#endif
  };
  std::string all;
  for (const entry& e : entries) {
    if (e.name == name && e.begin != nullptr) return named_digest(e.name, e.begin());
    if (e.name == name)
      return std::unexpected("this build lacks " + std::string(name) + ": it was made without the component " +
                             std::string(e.component));
    all += (all.empty() ? "" : ", ") + std::string(e.name);
  }
  return std::unexpected("'" + std::string(name) + "' is none of " + all);
}

}  // namespace sluice::tool
