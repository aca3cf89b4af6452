// SPDX-License-Identifier: BSL-1.0
//
// What check_reader and check_writer are told.
//
//   struct check_options;
//
#ifndef SLUICE_TESTING_CHECK_OPTIONS_HPP
#define SLUICE_TESTING_CHECK_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// What check_reader and check_writer try, and what they expect.
struct check_options {
  /// For a reader that wraps another: what the inner reader delivers; empty: what is expected. For a writer: what is
  /// written; empty: some 300 bytes of `sample_bytes`.
  std::span<const std::byte> input = {};

  /// For a writer: what then has to arrive; empty: what was written.
  std::span<const std::byte> expected = {};

  /// After a failure of the inner stream it goes on where it stopped, once that does. Set to false for a stream that
  /// stays failed, such as a decoder that has lost its place.
  bool recovers = true;

  /// A failure of the inner stream is told with its own code.
  bool same_error = true;

  /// How many random walks over all calls, and where they start.
  std::size_t walks = 12;
  std::uint32_t seed = 1;  ///< of all that is random: the same seed, the same trials
};

}  // namespace sluice

#endif
