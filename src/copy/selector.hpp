// SPDX-License-Identifier: BSL-1.0
//
// Which kernel paths suit two descriptors: a table, and the look at the descriptors that it needs.
//
#ifndef SLUICE_SRC_COPY_SELECTOR_HPP
#define SLUICE_SRC_COPY_SELECTOR_HPP

#include <sluice/copy_options.hpp>
#include <sluice/kernel_endpoint.hpp>

#include <array>
#include <string_view>

namespace sluice::detail {

/// Kernel paths in the order in which they are tried, none at all where `count` is 0.
struct kernel_choice {
  std::array<copy_path, 3> paths{};
  unsigned char count = 0;
  std::string_view reason;
};

/// The table. Pure: what docs/copy-paths.md shows. `appends`: the destination is in append mode.
kernel_choice choose_kernel_paths(fd_kind from, fd_kind to, bool appends, kernel_policy policy) noexcept;

/// A regular file that has less left than this goes through memory: two calls are dearer than the bytes.
inline constexpr std::uintmax_t small_file = std::uintmax_t{64} << 10;

/// What the descriptors turned out to be.
struct examination {
  bool same_file = false;                  // copying would never end, or overwrite what it has yet to read
  bool sparse = false;                     // the source has holes, and the destination can have them
  bool both_regular = false;               // and the destination takes writes where its offset is
  std::uintmax_t source_left = unbounded;  // by the size of a regular source
  std::uintmax_t source_offset = 0;        // where that is known
  kernel_choice choice;
};

/// Makes sure that both kinds are known, asking fstat(2) where they are not.
fd_kind know_kind(fd_endpoint& endpoint) noexcept;

/// Whether the two are one regular file. Costs nothing where the destination is fresh.
bool one_regular_file(fd_endpoint& from, fd_endpoint& to) noexcept;

/// Whether copying `max` bytes within one file is refused: where it has no end, or the ranges overlap.
bool refuses_same_file(const fd_endpoint& from, const fd_endpoint& to, std::uintmax_t max) noexcept;

/// Looks at both descriptors and chooses. `max`: bytes that the copy may still take.
examination examine(fd_endpoint& from, fd_endpoint& to, std::uintmax_t max, const copy_options& options) noexcept;

}  // namespace sluice::detail

#endif
