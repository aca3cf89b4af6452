// SPDX-License-Identifier: BSL-1.0
//
// Which path a copy took.
//
//   enum class copy_path { handoff, memory, drain, fill, scratch, hole, clone, copy_file_range, sendfile, splice };
//   std::string_view name(copy_path) noexcept;
//   struct copy_report;
//
#ifndef SLUICE_COPY_REPORT_HPP
#define SLUICE_COPY_REPORT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace sluice {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // g++ 12 takes a scoped enumerator for one that hides a name outside

/// The ways in which a copy moves bytes.
enum class copy_path : unsigned char {
  handoff,          ///< the stream's own copy_to or copy_from
  memory,           ///< the source is in memory: one write
  drain,            ///< lent from the reader's buffer to the writer
  fill,             ///< read straight into the writer's buffer
  scratch,          ///< read into a scratch buffer, and written from there
  hole,             ///< a hole of a sparse file, not moved at all
  clone,            ///< FICLONERANGE: the files share the blocks
  copy_file_range,  ///< copy_file_range(2)
  sendfile,         ///< sendfile(2)
  splice,           ///< splice(2), directly or through a private pipe
};

#pragma GCC diagnostic pop

inline constexpr std::size_t copy_path_count = 10;  ///< how many there are

/// The name of a path, as in the enumeration; stable, for logs and JSON.
std::string_view name(copy_path path) noexcept;

/// What one copy did. Its sums over `bytes` equal the copy's count.
struct copy_report {
  /// What one path has done.
  struct share {
    std::uintmax_t bytes = 0;  ///< moved on this path
    std::uintmax_t calls = 0;  ///< pieces in which they moved: writes, or calls that moved something
    std::error_code gave_way;  ///< why the path was left for another before the end; zero if it was not
  };

  std::array<share, copy_path_count> shares{};  ///< one for each copy_path
  std::string_view reason;                      ///< why the first of the kernel paths was chosen, or why none was

  /// The path that moved the most bytes.
  copy_path main_path() const noexcept {
    copy_path most = copy_path::scratch;
    for (std::size_t i = 0; i < copy_path_count; ++i) {
      if (shares[i].bytes > (*this)[most].bytes) most = static_cast<copy_path>(i);
    }
    return most;
  }

  /// The share of a path.
  share& operator[](copy_path path) noexcept { return shares[static_cast<std::size_t>(path)]; }
  /// The share of a path.
  const share& operator[](copy_path path) const noexcept { return shares[static_cast<std::size_t>(path)]; }
};

}  // namespace sluice

#endif
