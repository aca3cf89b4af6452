// SPDX-License-Identifier: BSL-1.0
//
// What one step of a path answers.
//
#ifndef SLUICE_SRC_COPY_STEP_HPP
#define SLUICE_SRC_COPY_STEP_HPP

#include <sluice/detail/would_block.hpp>

#include <cstdint>
#include <optional>
#include <system_error>

namespace sluice::detail {

struct step {
  enum class outcome : unsigned char {
    moved,           // bytes passed, and there may be more
    ended,           // the source has ended; from a kernel path a hint only
    gives_way,       // this path cannot go on, for the reason in `code`: the next one takes over where it stopped
    reader_blocked,  // nothing to read for now
    writer_blocked,  // no room to write for now
    reader_failed,
    writer_failed,
  };

  outcome what = outcome::moved;
  std::uintmax_t taken = 0;             // left the source
  std::uintmax_t given = 0;             // accepted by the writer; what was taken and not given is in flight
  std::optional<std::error_code> code;  // optional, since even an empty error_code costs a call to make

  static step moved(std::uintmax_t n) noexcept { return {outcome::moved, n, n, std::nullopt}; }
  static step ended() noexcept { return {outcome::ended, 0, 0, std::nullopt}; }
  static step gives_way(std::error_code why) noexcept { return {outcome::gives_way, 0, 0, why}; }

  /// Adds a step of the same path that came after this one.
  void add(const step& next) noexcept {
    what = next.what;
    taken += next.taken;
    given += next.given;
    code = next.code;
  }
};

}  // namespace sluice::detail

#endif
