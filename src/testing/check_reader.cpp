// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/check_reader.hpp>

#include "testing/reader_trials.hpp"
#include "testing/words.hpp"

namespace sluice::detail {
namespace {

// The handle refers to the subject, which therefore comes first and goes last.
struct erased_subject : private std::unique_ptr<reader_subject>, public reader_subject_of<any_reader> {
  explicit erased_subject(std::unique_ptr<reader_subject> subject)
      : unique_ptr(std::move(subject)), reader_subject_of([this] { return get()->erased(); }) {}
};

void check_erased(reader_trials& plain) {
  reader_factory factory = plain.factory();
  factory.name += factory.name.empty() ? "behind any_reader" : ", behind any_reader";
  factory.make = [&plain](inner_source& inner) -> std::unique_ptr<reader_subject> {
    return std::make_unique<erased_subject>(plain.factory().make(inner));
  };
  contract_report found;
  reader_trials trials(factory, plain.expected(), plain.options(), found);
  for (const way w : trials.ways({1, 7, 64, 5000})) {
    trials.make(name_of(w), {}, contract_rule::erased_alike, [&](reader_trials::trial& t) {
      if (run(t.reader, w) == went::ended) t.reader.end();
    });
  }
  check_walks(trials);
  for (contract_violation v : found.violations()) {
    v.rule = contract_rule::erased_alike;
    plain.report().add(std::move(v));
  }
}

}  // namespace

void check_reader(const reader_factory& factory, std::span<const std::byte> expected, const check_options& options,
                  contract_report& report) {
  reader_trials trials(factory, expected, options, report);
  if (!trials.can().incomplete.empty())
    report.add({contract_rule::complete_capability, factory.name, std::string(trials.can().incomplete),
                "not all of it, or other types"});
  // Each part builds on those before it: what breaks there would be told here as something else.
  using part = void (*)(reader_trials&);
  for (const part check :
       {check_plain_reads, check_capabilities, check_walks, check_moves, check_faults_below, check_erased}) {
    if (!report) return;
    check(trials);
  }
}

}  // namespace sluice::detail
