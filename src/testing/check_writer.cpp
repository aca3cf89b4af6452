// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/check_writer.hpp>

#include "testing/writer_trials.hpp"

namespace sluice::detail {
namespace {

struct observe_other {
  writer_subject* other;
  std::vector<std::byte> operator()(any_writer&) const { return other->observed(); }
};

// The handle refers to the subject, which therefore comes first and goes last.
struct erased_subject : private std::unique_ptr<writer_subject>, public writer_subject_of<any_writer, observe_other> {
  explicit erased_subject(std::unique_ptr<writer_subject> subject)
      : unique_ptr(std::move(subject)), writer_subject_of([this] { return get()->erased(); }, observe_other{get()}) {}
};

void check_erased(writer_trials& plain) {
  writer_factory factory = plain.factory();
  factory.name = at_place(factory.name, "behind any_writer");
  factory.make = [&plain](inner_sink& inner) -> std::unique_ptr<writer_subject> {
    return std::make_unique<erased_subject>(plain.factory().make(inner));
  };
  contract_report found;
  writer_trials trials(factory, plain.options(), found);
  for (const writing_way w : trials.ways({1, 7, 64, 5000}))
    trials.make(name_of(w), [&](writer_trials::trial& t) { run(t.writer, w); });
  check_walks(trials);
  for (contract_violation v : found.violations()) {
    v.rule = contract_rule::erased_alike;
    plain.report().add(std::move(v));
  }
}

}  // namespace

void check_writer(const writer_factory& factory, const check_options& options, contract_report& report) {
  writer_trials trials(factory, options, report);
  if (!trials.can().incomplete.empty())
    report.add({contract_rule::complete_capability, factory.name, std::string(trials.can().incomplete),
                "not all of it, or other types"});
  // Each part builds on those before it: what breaks there would be told here as something else.
  using part = void (*)(writer_trials&);
  for (const part check :
       {check_plain_writes, check_capabilities, check_walks, check_moves, check_faults_below, check_erased}) {
    if (!report) return;
    check(trials);
  }
}

}  // namespace sluice::detail
