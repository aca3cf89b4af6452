// SPDX-License-Identifier: BSL-1.0
//
// From the k-th call on one side of a copy fails for good; then it works again.
//
#include "walk.hpp"

namespace sluice::test {
namespace {

class copy_sweep_for_good : public testing::TestWithParam<source_kind> {
 protected:
  void sweep(deed what) {
    stage on;
    if (!on.has(GetParam())) GTEST_SKIP() << "only one file system to be had";
    for (const target_kind to : all_targets()) {
      if (!on.has(to)) continue;
      each_setting(GetParam(), to, [&](const setting& s) {
        if (!long_form() && s.at.chunk != chunks.at(s.number / chunks.size() % chunks.size())) return;
        for (std::size_t k = 1; !HasFailure(); ++k) {
          ASSERT_LT(k, most_calls);
          point p = s.at;
          p.what = what;
          p.k = k;
          // These two are no failures: a copy that waits goes on for as long as they come.
          p.error = errnos.at((k + s.number) % errnos.size());
          if (p.error == EINTR || (p.error == EAGAIN && p.how.how != driver::copy_without_waiting)) p.error = EIO;
          const outcome o = check(on, p);
          if (o.transfers < k) break;
        }
      });
    }
  }
};

TEST_P(copy_sweep_for_good, the_writer_fails) { sweep(deed::target_for_good); }
TEST_P(copy_sweep_for_good, the_reader_fails) { sweep(deed::source_for_good); }

INSTANTIATE_TEST_SUITE_P(all, copy_sweep_for_good, testing::ValuesIn(all_sources()), name_of);

}  // namespace
}  // namespace sluice::test
