// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/faulty_stream.hpp>

#include "testing/words.hpp"
#include "testing/writer_trials.hpp"

namespace sluice::detail {
namespace {

using trial = writer_trials::trial;

// Partial writes of many sizes, and a cut at every byte.
void partial_writes_below(writer_trials& trials) {
  const auto one = [&](const std::string& where, const faults& what, std::initializer_list<std::size_t> sizes) {
    for (const writing_way w : trials.ways(sizes))
      trials.make(where + ", " + name_of(w), what, contract_rule::short_calls_below,
                  [&](trial& t) { run(t.writer, w); });
  };
  for (const std::size_t most : {1U, 2U, 3U, 5U, 7U, 8U, 16U, 63U})
    one("inner writes of " + number(most), partial_writes(most), {1, 7, 64, 5000});
  for (std::uint32_t seed = 1; seed <= 4; ++seed)
    one("inner writes of random sizes " + number(seed), grinding(seed), {1, 7, 64, 5000});
  for (std::size_t split = 1; split < trials.size() && trials.report(); split += 1 + trials.size() / 512)
    one("inner writes cut at byte " + number(split), {.splits = {split}}, {13});
  for (std::uint32_t i = 0; i < trials.options().walks; ++i) {
    const std::uint32_t seed = trials.options().seed + i;
    trials.make("inner writes of random sizes, random walk " + number(seed), grinding(seed),
                contract_rule::short_calls_below, [&](trial& t) { walk(t, seed); });
  }
}

struct outcome {
  std::size_t told = 0;  // failures
  std::error_code error;
  went how = went::on;
};

// Writes to the end, and on after each failure, but for `patience` failures without progress of either side.
outcome run_through(trial& t, writing_way w, int patience) {
  outcome out;
  std::uintmax_t progress = 0;
  for (int idle = 0; idle < patience;) {
    out.how = run(t.writer, w);
    if (out.how != went::failed) return out;
    ++out.told;
    out.error = t.writer.error();
    const std::uintmax_t now = t.writer.at() + t.inner.plan().bytes();
    idle = now == progress ? idle + 1 : 0;
    progress = now;
  }
  return out;
}

constexpr int long_patience = 100;

void goes_on(trial& t, writing_way w, const outcome& out) {
  if (out.how == went::failed)
    t.writer.broken(contract_rule::nothing_lost, name_of(w), "to go on after a failure, as the inner writer does",
                    "it fails for ever: " + out.error.message());
}

// The inner writer's k-th call fails. Returns whether there was one.
bool one_failure(writer_trials& trials, writing_way w, const faults& what, const std::string& where) {
  bool reached = false;
  const check_options& options = trials.options();
  trials.make(where + ", " + name_of(w), what, contract_rule::nothing_lost, [&](trial& t) {
    t.writer.let_fail();
    const outcome out = run_through(t, w, options.recovers ? long_patience : 1);
    reached = t.inner.plan().failed() != 0;
    if (!reached || out.how == went::broken) return;
    if (options.recovers) goes_on(t, w, out);
    t.writer.judge_by(contract_rule::error_told);
    if (out.told == 0)
      t.writer.broken(contract_rule::error_told, "inner failure", what.error.message(), "no error");
    else if (options.same_error && out.error != what.error)
      t.writer.broken(contract_rule::error_told, "inner failure", what.error.message(), out.error.message());
  });
  return reached;
}

void failures_below(writer_trials& trials) {
  const std::size_t most = 1 + trials.size() / 12;
  for (const writing_way w : trials.ways({1, 7, 64})) {
    for (std::size_t k = 1; trials.report(); ++k) {
      if (!one_failure(trials, w, {.most = most, .fail_at = k}, "inner call " + number(k) + " fails")) break;
    }
  }
  for (std::size_t at = 0; at < trials.size() && trials.report(); at += 1 + trials.size() / 512)
    for (const writing_way w : trials.ways({9}))
      one_failure(trials, w, {.fail_at_byte = at}, "the inner writer fails after byte " + number(at));
}

// The inner writer does not recover: nothing may say that all has arrived.
void failures_for_good_below(writer_trials& trials) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, trials.size() / 2, trials.size() - 1}) {
    for (const writing_way w : trials.ways({1, 7, 64})) {
      const faults full{
          .fail_at_byte = at, .failures = forever, .error = std::make_error_code(std::errc::no_space_on_device)};
      trials.make("the inner writer fails for good after byte " + number(at) + ", " + name_of(w), full,
                  contract_rule::error_told, [&](trial& t) {
                    t.writer.let_fail();
                    run_through(t, w, 3);
                  });
    }
  }
}

// Would block some times before each call: how often that is told is the wrapper's affair.
void waits_below(writer_trials& trials) {
  if (!trials.options().recovers) return;
  for (const std::size_t most : {1U, 6U, 64U}) {
    for (const writing_way w : trials.ways({1, 7, 64})) {
      faults what = interrupted(2);
      what.most = most;
      trials.make("the inner writer is never ready at once, " + name_of(w), what, contract_rule::nothing_lost,
                  [&](trial& t) {
                    t.writer.let_fail();
                    goes_on(t, w, run_through(t, w, long_patience));
                  });
    }
  }
}

void zeros_below(writer_trials& trials) {
  for (std::size_t k = 1; k <= 3; ++k) {
    for (const writing_way w : trials.ways({1, 7, 64})) {
      faults what = accepting_nothing();
      what.fail_at = k;
      what.most = 1 + trials.size() / 12;
      trials.make("the inner writer accepts nothing from call " + number(k) + " on, " + name_of(w), what,
                  contract_rule::zero_refused, [&](trial& t) {
                    t.writer.let_fail();
                    run_through(t, w, 3);
                    if (t.inner.gave_up())
                      t.writer.broken(contract_rule::zero_refused, name_of(w), "an error", "it asks again and again");
                  });
    }
  }
}

void over_counting_below(writer_trials& trials) {
  for (const std::size_t excess : {1U, 1000U}) {
    for (const writing_way w : trials.ways({1, 7, 64, 5000}))
      trials.make("the inner writer claims " + number(excess) + " bytes too many, " + name_of(w), over_counting(excess),
                  contract_rule::bad_count_refused, [&](trial& t) {
                    t.writer.let_fail();
                    t.writer.let_over_count();
                    if (run(t.writer, w) == went::ended)
                      t.writer.broken(contract_rule::bad_count_refused, name_of(w), "an error", "success");
                  });
  }
}

}  // namespace

void check_faults_below(writer_trials& trials) {
  if (!trials.factory().wraps) return;
  using part = void (*)(writer_trials&);
  for (const part check :
       {partial_writes_below, failures_below, failures_for_good_below, waits_below, zeros_below, over_counting_below})
    if (trials.report()) check(trials);
}

}  // namespace sluice::detail
