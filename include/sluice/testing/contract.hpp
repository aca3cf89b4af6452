// SPDX-License-Identifier: BSL-1.0
//
// The rules that a stream keeps, and the report of those that one has broken.
//
//   enum class contract_rule { request_bound, zero_is_the_end, ... };
//   std::string_view name_of(contract_rule);
//   struct contract_violation { contract_rule rule; std::string where, expected, found; };
//   class contract_report;       // EXPECT_TRUE(report) << report;     assert(report);
//
#ifndef SLUICE_TESTING_CONTRACT_HPP
#define SLUICE_TESTING_CONTRACT_HPP

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice {

/// What `check_reader` and `check_writer` look for. <sluice/concepts.hpp> states the contracts.
enum class contract_rule {
  // Every stream.
  complete_capability,  ///< the members of a capability are all there, with the right types and noexcept
  no_needless_error,    ///< a call fails only where something has failed
  no_exception,         ///< failures are returned, not thrown
  empty_request,        ///< a request for 0 bytes answers 0 and has no effect
  request_bound,        ///< no more is moved, or claimed, than was asked for; nothing is written outside of the request
  same_bytes,           ///< the bytes are the right ones, in order, each once, whatever the size of the requests
  pieces_as_one,        ///< a vectored call moves the same bytes, whatever the pieces
  ways_agree,           ///< the calls may be mixed in any order
  position_tells,       ///< position() counts what was delivered or accepted, and changes nothing
  seek_moves,           ///< seek() goes where it says, and the stream goes on from there
  valid_endpoint,       ///< the descriptor is open
  endpoint_in_step,     ///< the descriptor stands where the stream does, after what is told to be buffered
  kernel_accounted,     ///< after kernel_advanced(n) the stream goes on behind these n bytes
  moves_whole,          ///< an object that is moved takes its bytes along
  erased_alike,         ///< behind any_reader or any_writer it is the same stream
  // Every reader.
  zero_is_the_end,  ///< 0 for a request of some bytes means the end of the stream
  end_is_final,     ///< after the end there is nothing but the end
  // Buffered readers.
  fill_reaches,     ///< fill(n) shows at least n bytes, fewer only at the end
  fill_shows_next,  ///< it shows the bytes that come next, and the window is the same
  window_stable,    ///< looking at the window changes nothing
  consume_moves,    ///< consume(n) drops the first n bytes of the window and keeps the others
  whole_in_memory,  ///< the window of a reader in memory is all that is left
  skip_counts,      ///< skip(n) passes up to n bytes, none only at the end, and tells how many
  hint_tells,       ///< size_hint() is what is left; a warning, as it is only a hint
  // Every writer.
  accepts_some,      ///< a request of some bytes is accepted in part, or fails; it is never answered 0
  request_not_kept,  ///< the memory of a request is not used after the call
  prepare_reaches,   ///< prepare(n) gives at least n bytes
  commit_counts,     ///< what was committed is accepted, and nothing else is
  flush_passes_on,   ///< after flush() everything accepted has arrived
  // What wraps another stream.
  short_calls_below,  ///< short reads and partial writes of the inner stream lose and repeat nothing
  error_told,         ///< a failure of the inner stream is told
  nothing_lost,       ///< after a failure nothing is lost or repeated
  bad_count_refused,  ///< a count of the inner stream that is too large is not believed
  zero_refused,       ///< an inner writer that accepts nothing is an error, and no endless loop
};

/// The rule's name as it is spelled above.
std::string_view name_of(contract_rule rule) noexcept;

/// One rule that was broken, at one place.
struct contract_violation {
  contract_rule rule;    ///< which one was broken
  std::string where;     ///< what was done: sizes, the call that failed, the place of the split
  std::string expected;  ///< what had to come of it
  std::string found;     ///< what came
};

/// What a check has found.
class contract_report {
 public:
  /// Whether the stream keeps the contract; warnings do not count.
  explicit operator bool() const noexcept { return violations_.empty(); }

  /// In the order in which they were found; of each rule no more than the first three.
  const std::vector<contract_violation>& violations() const noexcept { return violations_; }

  /// What may be meant so.
  const std::vector<contract_violation>& warnings() const noexcept { return warnings_; }

  /// Whether this rule was broken.
  bool broke(contract_rule rule) const noexcept;

  /// Adds to the report.
  void add(contract_violation violation);
  /// Adds what is no fault, but ought to be looked at.
  void warn(contract_violation warning) { warnings_.push_back(std::move(warning)); }

  /// How many streams were made, and so put to one test each.
  std::size_t trials() const noexcept { return trials_; }
  /// Counts one more.
  void count_trial() noexcept { ++trials_; }

  /// The violations and the warnings, some lines for each.
  std::string text() const;

  /// All violations and warnings, a paragraph each.
  friend std::ostream& operator<<(std::ostream& out, const contract_report& report);

 private:
  std::vector<contract_violation> violations_;
  std::vector<contract_violation> warnings_;
  std::size_t trials_ = 0;
};

}  // namespace sluice

#endif
