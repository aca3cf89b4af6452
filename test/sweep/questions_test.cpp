// SPDX-License-Identifier: BSL-1.0
//
// The k-th call of a copy that asks or prepares something fails once: clone_range, poll, pipe2, F_SETPIPE_SZ, fstat,
// lseek, ftruncate, fallocate, F_GETFL, getsockopt. The copy takes another way, or says so.
//
#include "walk.hpp"

namespace sluice::test {
namespace {

class copy_sweep_questions : public testing::TestWithParam<source_kind> {};

TEST_P(copy_sweep_questions, any_fails_once) {
  stage on;
  if (!on.has(GetParam())) GTEST_SKIP() << "only one file system to be had";
  for (const target_kind to : all_targets()) {
    if (!on.has(to)) continue;
    each_setting(GetParam(), to, [&](const setting& s) {
      // What is asked does not depend much on the size of the pieces.
      if (!long_form() && s.at.chunk != chunks.at(s.number / chunks.size() % chunks.size())) return;
      for (std::size_t k = 1; !HasFailure(); ++k) {
        ASSERT_LT(k, most_calls);
        point p = s.at;
        p.what = deed::question_error;
        p.k = k;
        bool hit = false;
        for (const int error : errors_for(s, k)) {
          p.error = error;
          hit = check(on, p).hit;
          if (!hit) break;
        }
        if (!hit) break;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(all, copy_sweep_questions, testing::ValuesIn(all_sources()), name_of);

}  // namespace
}  // namespace sluice::test
