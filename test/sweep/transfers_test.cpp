// SPDX-License-Identifier: BSL-1.0
//
// The k-th call of a copy that moves bytes fails once, falls short, or says end too early: for every pair of kinds,
// every policy, every chunk size and every k.
//
#include "walk.hpp"

namespace sluice::test {
namespace {

using pair = std::tuple<source_kind, target_kind>;

class copy_sweep : public testing::TestWithParam<pair> {};

// Returns whether there was a k-th call.
bool fails_and_falls_short(stage& on, const setting& s, std::size_t k) {
  point p = s.at;
  p.k = k;
  bool inside_kernel = false;
  for (const int error : errors_for(s, k)) {
    p.what = deed::error;
    p.error = error;
    const outcome o = check(on, p);
    if (!o.hit) return false;
    inside_kernel = inside_kernel || o.last_hit.inside_kernel;
  }
  p.error = 0;
  if (inside_kernel) {
    p.what = deed::zero;
    check(on, p);
  }
  if ((k + s.number) % 3 == 0) {
    p.what = deed::cut;
    check(on, p);
  }
  return true;
}

TEST_P(copy_sweep, any_transfer_fails_once_or_falls_short) {
  const auto [from, to] = GetParam();
  stage on;
  if (!on.has(from) || !on.has(to)) GTEST_SKIP() << "only one file system to be had";
  each_setting(from, to, [&](const setting& s) {
    for (std::size_t k = 1; !HasFailure() && fails_and_falls_short(on, s, k); ++k) ASSERT_LT(k, most_calls);
  });
}

std::string name_of_pair(const testing::TestParamInfo<pair>& p) {
  const auto from = static_cast<std::size_t>(std::get<0>(p.param));
  const auto to = static_cast<std::size_t>(std::get<1>(p.param));
  return std::string(source_names.at(from)) + "_to_" + target_names.at(to);
}

INSTANTIATE_TEST_SUITE_P(all, copy_sweep,
                         testing::Combine(testing::ValuesIn(all_sources()), testing::ValuesIn(all_targets())),
                         name_of_pair);

}  // namespace
}  // namespace sluice::test
