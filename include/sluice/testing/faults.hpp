// SPDX-License-Identifier: BSL-1.0
//
// What goes wrong with the calls of a stream under test.
//
//   struct faults { most, chunks, seed, splits, fail_at, fail_at_byte, failures, every, error, untold, excess,
//                   between };
//   inline constexpr std::size_t forever;
//   class fault_plan;            // what the next call may do, by these faults
//
// The kit's names are in namespace sluice itself: a namespace sluice::testing would be ambiguous with that of
// GoogleTest wherever both are used.
//
#ifndef SLUICE_TESTING_FAULTS_HPP
#define SLUICE_TESTING_FAULTS_HPP

#include <sluice/kernel_endpoint.hpp>
#include <sluice/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice {

/// For `faults::failures`: the stream does not recover.
inline constexpr std::size_t forever = std::numeric_limits<std::size_t>::max();

/// Calls are counted from 1, bytes from 0; a request for 0 bytes is no call. All that is set holds at once: the
/// smallest size counts. By default nothing goes wrong.
struct faults {
  /// How many bytes one call moves at most; not 0.
  std::size_t most = std::numeric_limits<std::size_t>::max();

  /// The first call moves at most `chunks[0]` bytes, the next `chunks[1]` and so on, then from the beginning again. A
  /// size of 0 counts as 1.
  std::vector<std::size_t> chunks = {};

  /// Not 0: each call moves a random number of bytes, from 1 to `most`, or to 64 where that is unlimited. The same seed
  /// makes the same numbers everywhere.
  std::uint32_t seed = 0;

  /// No call moves bytes from both sides of such a position, in bytes from the first that was moved.
  std::vector<std::uintmax_t> splits = {};

  /// The first call that fails; 0: none, unless by `fail_at_byte`.
  std::size_t fail_at = 0;

  /// So many bytes are moved, then the next call fails.
  std::uintmax_t fail_at_byte = unbounded;

  /// How many calls fail in a row, each without moving anything; then the stream goes on.
  std::size_t failures = 1;

  /// Not 0: after so many calls that moved bytes, `failures` calls fail again, and so on. With 1 and an error of
  /// operation_would_block it is a descriptor that is never ready at once.
  std::size_t every = 0;

  /// What a failing call answers. A zero code stands for an answer of 0: a writer that accepts nothing, a reader that
  /// ends early.
  std::error_code error = std::make_error_code(std::errc::io_error);

  /// A failing call moves so many bytes all the same, and does not tell; no correct stream does.
  std::size_t untold = 0;

  /// Not 0: a call that moves bytes claims so many more than it was asked for; no correct stream does.
  std::size_t excess = 0;

  /// Called before each call but the first: it may sleep, or let another party go on.
  std::function<void()> between = {};
};

/// Decides what each call does. A stream asks `next` how many bytes it may move, and answers what `moved` makes of the
/// number that it did move.
class fault_plan {
 public:
  /// Makes the faults that were asked for, one call after another.
  explicit fault_plan(faults what = {}) : faults_(std::move(what)), random_(faults_.seed) {}

  /// How many of the bytes that are asked for the call may move; 0 where it answers 0. Errors: the one it fails with;
  /// it moves `untold(request)` bytes before it says so.
  result<std::size_t> next(std::size_t request);

  /// What a call claims that was asked for `request` bytes and has moved `n`.
  std::size_t moved(std::size_t n, std::size_t request) noexcept;

  /// Bytes of a request that move without being told.
  std::size_t untold(std::size_t request) const noexcept { return std::min(faults_.untold, request); }

  /// The calls so far.
  std::size_t calls() const noexcept { return calls_; }

  /// The bytes moved so far.
  std::uintmax_t bytes() const noexcept { return bytes_; }

  /// The calls that have failed.
  std::size_t failed() const noexcept { return failed_; }

 private:
  bool fails() noexcept;
  std::size_t cut(std::size_t n, std::uintmax_t position) const noexcept;

  faults faults_;
  std::size_t calls_ = 0;
  std::size_t failed_ = 0;
  std::size_t in_a_row_ = 0;  // failures that are still to come
  std::size_t since_ = 0;     // calls that moved bytes since the last failure
  std::size_t turn_ = 0;      // how many of the chunks were used
  std::uintmax_t bytes_ = 0;
  std::uint32_t random_;
};

}  // namespace sluice

#endif
