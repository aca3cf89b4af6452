// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/faulty_stream.hpp>

#include "testing/reader_trials.hpp"
#include "testing/words.hpp"

namespace sluice::detail {
namespace {

using trial = reader_trials::trial;

// Short reads of many sizes, and a cut at every byte.
void short_reads_below(reader_trials& trials) {
  const auto one = [&](const std::string& where, const faults& what) {
    for (const way w : trials.ways({1, 7, 64, 5000}))
      trials.make(where + ", " + name_of(w), what, contract_rule::short_calls_below, [&](trial& t) {
        if (run(t.reader, w) == went::ended) t.reader.end();
      });
  };
  for (const std::size_t most : {1U, 2U, 3U, 5U, 7U, 8U, 16U, 63U})
    one("inner reads of " + number(most), short_reads(most));
  for (std::uint32_t seed = 1; seed <= 4; ++seed) one("inner reads of random sizes " + number(seed), grinding(seed));
  const std::size_t size = trials.input().size();
  const std::size_t stride = 1 + size / 512;
  for (std::size_t split = 1; split < size && trials.report(); split += stride)
    for (const way w : trials.ways({13}))
      trials.make("inner reads cut at byte " + number(split) + ", " + name_of(w), {.splits = {split}},
                  contract_rule::short_calls_below, [&](trial& t) { run(t.reader, w); });
  for (std::uint32_t i = 0; i < trials.options().walks; ++i) {
    const std::uint32_t seed = trials.options().seed + i;
    trials.make("inner reads of random sizes, random walk " + number(seed), grinding(seed),
                contract_rule::short_calls_below, [&](trial& t) { walk(t, seed); });
  }
}

struct outcome {
  std::size_t told = 0;  // failures that were not buffer_too_small or the like
  std::error_code error;
  went how = went::on;
};

// Reads to the end, and on after each failure; not for ever where neither side makes progress.
outcome run_through(trial& t, way w) {
  constexpr int patience = 100;
  outcome out;
  int idle = 0;
  std::uintmax_t progress = 0;
  while (idle < patience) {
    out.how = run(t.reader, w);
    if (out.how != went::failed) return out;
    ++out.told;
    out.error = t.reader.error();
    const std::uintmax_t now = t.reader.at() + t.inner.plan().bytes();
    idle = now == progress ? idle + 1 : 0;
    progress = now;
    // A buffer may keep an error until the bytes before it are taken.
    if (idle == 1 && t.reader.held() != 0 && t.reader.consume(t.reader.held()) == went::broken) {
      out.how = went::broken;
      return out;
    }
  }
  out.how =
      t.reader.broken(contract_rule::nothing_lost, name_of(w), "to go on after a failure, as the inner reader does",
                      "it fails for ever: " + out.error.message());
  return out;
}

// The inner reader's k-th call fails. Returns whether there was one.
bool one_failure(reader_trials& trials, way w, faults what, std::string where) {
  bool reached = false;
  const check_options& options = trials.options();
  trials.make(where + ", " + name_of(w), what, contract_rule::nothing_lost, [&](trial& t) {
    t.reader.let_fail();
    outcome out;
    if (options.recovers) {
      out = run_through(t, w);
    } else {
      out.how = run(t.reader, w);
      if (out.how == went::failed) out = {1, t.reader.error(), went::failed};
    }
    reached = t.inner.plan().failed() != 0;
    if (!reached || out.how == went::broken) return;
    t.reader.judge_by(contract_rule::error_told);
    if (out.told == 0)
      t.reader.broken(contract_rule::error_told, "inner failure", what.error.message(), "no error");
    else if (options.same_error && out.error != what.error)
      t.reader.broken(contract_rule::error_told, "inner failure", what.error.message(), out.error.message());
  });
  return reached;
}

void failures_below(reader_trials& trials) {
  const std::size_t most = 1 + trials.input().size() / 12;
  for (const way w : trials.ways({1, 7, 64})) {
    for (std::size_t k = 1; trials.report(); ++k) {
      const faults what{.most = most, .fail_at = k};
      if (!one_failure(trials, w, what, "inner call " + number(k) + " fails")) break;
    }
  }
  // At each byte, so that what fails is also a call in the middle of what the wrapper is after.
  for (std::size_t at = 0; at < trials.input().size() && trials.report(); at += 1 + trials.input().size() / 512)
    for (const way w : trials.ways({9}))
      one_failure(trials, w, {.fail_at_byte = at}, "the inner reader fails after byte " + number(at));
}

// Would block some times before each call: how often that is told is the wrapper's affair.
void waits_below(reader_trials& trials) {
  if (!trials.options().recovers) return;
  for (const std::size_t most : {1U, 6U, 64U}) {
    for (const way w : trials.ways({1, 7, 64})) {
      faults what = interrupted(2);
      what.most = most;
      trials.make("the inner reader is never ready at once, " + name_of(w), what, contract_rule::nothing_lost,
                  [&](trial& t) {
                    t.reader.let_fail();
                    run_through(t, w);
                  });
    }
  }
}

void over_counting_below(reader_trials& trials) {
  for (const std::size_t excess : {1U, 1000U}) {
    for (const way w : trials.ways({1, 7, 64, 5000})) {
      faults what = over_counting(excess);
      trials.make("the inner reader claims " + number(excess) + " bytes too many, " + name_of(w), what,
                  contract_rule::bad_count_refused, [&](trial& t) {
                    t.reader.let_fail();
                    t.reader.let_over_count();
                    if (run(t.reader, w) == went::ended && t.inner.plan().bytes() != 0)
                      t.reader.broken(contract_rule::bad_count_refused, name_of(w), "an error", "the end");
                  });
    }
  }
}

}  // namespace

void check_faults_below(reader_trials& trials) {
  if (!trials.factory().wraps) return;
  using part = void (*)(reader_trials&);
  for (const part check : {short_reads_below, failures_below, waits_below, over_counting_below})
    if (trials.report()) check(trials);
}

}  // namespace sluice::detail
