// SPDX-License-Identifier: BSL-1.0
//
// The order in which the sweep goes through its dimensions.
//
// Both forms take every pair of kinds with every policy and every chunk size, and every k from the first call to the
// last. What rotates with the number of the setting, which counts pairs, policies and chunks, is besides which side is
// slow, or both:
//
//   short form   two variants for each setting (wrappers, watcher, driver, sparse policy, clone): one without wrappers,
//                and one of all 1620 by a stride that has no factor in common with that; for each k two of the 13 errnos,
//                the (k + setting)-th and the sixth after it. As 13 is a prime and the settings of a pair are 12 in a
//                row, over the pairs each errno meets each k, and so each call and each path. Under a sanitizer one
//                errno for each k, and fewer calls are cut to the chunk.
//   long form    (SLUICE_LONG_TESTS) each pair of wrappers with each driver, watched and not; all 13 errnos for those
//                of the short form, two for the others.
//
// One call in three is also cut short, and each that moves bytes inside the kernel says end too early.
//
#ifndef SLUICE_TEST_SWEEP_WALK_HPP
#define SLUICE_TEST_SWEEP_WALK_HPP

#include "one_copy.hpp"
#include "support/sanitized.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::test {

/// One setting of the sweep, to be run for each k.
struct setting {
  point at;
  std::size_t number = 0;  // what rotates, rotates with it
  bool thorough = false;   // all errnos
};

inline constexpr std::size_t most_calls = 400;

/// Whether a wrapper makes a difference for the kind.
constexpr bool suits(source_kind k, source_wrap w) {
  if (k == source_kind::span) return w != source_wrap::buffered && w != source_wrap::own;
  if (k == source_kind::user) return w != source_wrap::own;
  if (k == source_kind::zero) return w == source_wrap::limited || w == source_wrap::buffered;
  return true;
}

constexpr bool suits(target_kind k, target_wrap w) {
  if (k == target_kind::string) return w == target_wrap::none || w == target_wrap::erased;
  if (k == target_kind::user) return w != target_wrap::own;
  return true;
}

inline std::vector<std::pair<variant, bool>> variants_for(source_kind from, target_kind to, std::size_t number) {
  std::vector<std::pair<variant, bool>> all;
  variant plain = variant_at(30 * (number * 7 % (variant_count / 30)));
  if (from == source_kind::zero) plain.in = source_wrap::limited;
  all.emplace_back(plain, long_form());
  all.emplace_back(variant_at(number * 389 % variant_count), long_form());
  if (!long_form()) return all;
  for (std::size_t n = 0; n != 6 * 5 * 3 * 2; ++n) {
    variant v = variant_at((number + n) * 389 % variant_count);
    v.in = static_cast<source_wrap>(n % 6);
    v.out = static_cast<target_wrap>(n / 6 % 5);
    v.how = static_cast<driver>(n / 30 % 3);
    v.watched = n / 90 == 0 ? watch::nobody : (number + n) % 2 == 0 ? watch::progress : watch::stop;
    if (suits(from, v.in) && suits(to, v.out)) all.emplace_back(v, false);
  }
  return all;
}

/// Calls `f` with each setting of a pair.
template <class F>
void each_setting(source_kind from, target_kind to, F f) {
  const std::size_t pair = static_cast<std::size_t>(from) * target_names.size() + static_cast<std::size_t>(to);
  std::size_t number = pair * policies.size() * chunks.size();
  for (const kernel_policy policy : policies) {
    for (const std::size_t chunk : chunks) {
      std::size_t side = number;
      for (const auto& [how, thorough] : variants_for(from, to, number)) {
        point p{.from = from, .to = to, .policy = policy, .chunk = chunk, .how = how};
        p.side = static_cast<slow>(side++ % slow_names.size());
        f(setting{p, number, thorough});
        if (testing::Test::HasFailure()) return;
      }
      ++number;
    }
  }
}

/// The errnos for the k-th call.
inline std::vector<int> errors_for(const setting& s, std::size_t k) {
  std::vector<int> chosen;
  const std::size_t step = s.thorough ? 1 : 6;
  const std::size_t count = s.thorough ? errnos.size() : sanitized ? 1 : 2;
  for (std::size_t i = 0; i != count; ++i) chosen.push_back(errnos.at((k + s.number + i * step) % errnos.size()));
  return chosen;
}

/// Runs one point; a complaint is a failure of the test, which names the point.
inline outcome check(stage& on, const point& p) {
  outcome o = on.run(p);
  if (!o.complaint.empty())
    ADD_FAILURE() << describe(p) << (o.hit ? ", which was " : "") << o.last_hit.call << ":\n  " << o.complaint;
  return o;
}

inline std::vector<source_kind> all_sources() {
  std::vector<source_kind> all;
  for (std::size_t i = 0; i != source_names.size(); ++i) all.push_back(static_cast<source_kind>(i));
  return all;
}

inline std::vector<target_kind> all_targets() {
  std::vector<target_kind> all;
  for (std::size_t i = 0; i != target_names.size(); ++i) all.push_back(static_cast<target_kind>(i));
  return all;
}

inline std::string name_of(const testing::TestParamInfo<source_kind>& p) {
  return source_names.at(static_cast<std::size_t>(p.param));
}

}  // namespace sluice::test

#endif
