// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/contract.hpp>

#include <algorithm>
#include <ostream>
#include <utility>

namespace sluice {
namespace {

struct rule_words {
  std::string_view name;
  std::string_view meaning;
};

rule_words words_of(contract_rule rule) noexcept {
  using enum contract_rule;
  switch (rule) {
    case complete_capability:
      return {"complete_capability", "the members of a capability are all there, with the right types and noexcept"};
    case no_needless_error: return {"no_needless_error", "a call fails only where something has failed"};
    case no_exception: return {"no_exception", "failures are returned, not thrown"};
    case empty_request: return {"empty_request", "a request for 0 bytes answers 0 and has no effect"};
    case request_bound:
      return {"request_bound",
              "no more is moved, or claimed, than was asked for; nothing is written outside of the request"};
    case same_bytes:
      return {"same_bytes", "the bytes are the right ones, in order, each once, whatever the size of the requests"};
    case pieces_as_one: return {"pieces_as_one", "a vectored call moves the same bytes, whatever the pieces"};
    case ways_agree: return {"ways_agree", "the calls may be mixed in any order"};
    case position_tells:
      return {"position_tells", "position() counts what was delivered or accepted, and changes nothing"};
    case seek_moves: return {"seek_moves", "seek() goes where it says, and the stream goes on from there"};
    case valid_endpoint: return {"valid_endpoint", "the descriptor is open"};
    case endpoint_in_step:
      return {"endpoint_in_step", "the descriptor stands where the stream does, after what is told to be buffered"};
    case kernel_accounted:
      return {"kernel_accounted", "after kernel_advanced(n) the stream goes on behind these n bytes"};
    case moves_whole: return {"moves_whole", "an object that is moved takes its bytes along"};
    case erased_alike: return {"erased_alike", "behind any_reader or any_writer it is the same stream"};
    case zero_is_the_end: return {"zero_is_the_end", "0 for a request of some bytes means the end of the stream"};
    case end_is_final: return {"end_is_final", "after the end there is nothing but the end"};
    case fill_reaches: return {"fill_reaches", "fill(n) shows at least n bytes, fewer only at the end"};
    case fill_shows_next: return {"fill_shows_next", "it shows the bytes that come next, and the window is the same"};
    case window_stable: return {"window_stable", "looking at the window changes nothing"};
    case consume_moves:
      return {"consume_moves", "consume(n) drops the first n bytes of the window and keeps the others"};
    case whole_in_memory: return {"whole_in_memory", "the window of a reader in memory is all that is left"};
    case skip_counts: return {"skip_counts", "skip(n) passes up to n bytes, none only at the end, and tells how many"};
    case hint_tells: return {"hint_tells", "size_hint() is what is left; a warning, as it is only a hint"};
    case accepts_some:
      return {"accepts_some", "a request of some bytes is accepted in part, or fails; it is never answered 0"};
    case request_not_kept: return {"request_not_kept", "the memory of a request is not used after the call"};
    case prepare_reaches: return {"prepare_reaches", "prepare(n) gives at least n bytes"};
    case commit_counts: return {"commit_counts", "what was committed is accepted, and nothing else is"};
    case flush_passes_on: return {"flush_passes_on", "after flush() everything accepted has arrived"};
    case short_calls_below:
      return {"short_calls_below", "short reads and partial writes of the inner stream lose and repeat nothing"};
    case error_told: return {"error_told", "a failure of the inner stream is told"};
    case nothing_lost: return {"nothing_lost", "after a failure nothing is lost or repeated"};
    case bad_count_refused:
      return {"bad_count_refused", "a count of the inner stream that is too large is not believed"};
    case zero_refused: return {"zero_refused", "an inner writer that accepts nothing is an error, and no endless loop"};
  }
  return {};
}

void print(std::string& text, std::string_view kind, const contract_violation& v) {
  const rule_words words = words_of(v.rule);
  text.append(kind).append(words.name).append(": ").append(words.meaning);
  text.append("\n  where:    ").append(v.where);
  text.append("\n  expected: ").append(v.expected);
  text.append("\n  found:    ").append(v.found).append("\n");
}

}  // namespace

std::string_view name_of(contract_rule rule) noexcept { return words_of(rule).name; }

bool contract_report::broke(contract_rule rule) const noexcept {
  return std::ranges::find(violations_, rule, &contract_violation::rule) != violations_.end();
}

void contract_report::add(contract_violation violation) {
  constexpr std::ptrdiff_t most_of_a_rule = 3;
  if (std::ranges::count(violations_, violation.rule, &contract_violation::rule) < most_of_a_rule)
    violations_.push_back(std::move(violation));
}

std::string contract_report::text() const {
  std::string text;
  for (const contract_violation& v : violations_) print(text, "broken: ", v);
  for (const contract_violation& w : warnings_) print(text, "warning: ", w);
  if (text.empty()) text = "keeps the contract\n";
  return text;
}

std::ostream& operator<<(std::ostream& out, const contract_report& report) { return out << report.text(); }

}  // namespace sluice
