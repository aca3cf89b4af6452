// SPDX-License-Identifier: BSL-1.0
//
// That the sweep sweeps: it reaches each path, each call and each errno of each call; and that its eye is sharp.
//
#include "walk.hpp"

#include <map>

namespace sluice::test {
namespace {

TEST(copy_sweep_reach, every_kind_is_there) {
  const stage on;
  if (!on.has(source_kind::other_file)) GTEST_SKIP() << "only one file system to be had: two kinds are left out";
  EXPECT_TRUE(on.has(target_kind::other_file));
}

TEST(copy_sweep_reach, every_path) {
  stage on;
  std::map<copy_path, std::size_t> copies;
  std::size_t direct = 0;
  std::size_t by_private_pipe = 0;
  for (const source_kind from : all_sources()) {
    for (const target_kind to : all_targets()) {
      if (!on.has(from) || !on.has(to)) continue;
      each_setting(from, to, [&](const setting& s) {
        const outcome o = check(on, s.at);
        EXPECT_FALSE(o.failed);
        for (std::size_t i = 0; i != copy_path_count; ++i)
          if (o.report.shares[i].bytes != 0) ++copies[static_cast<copy_path>(i)];
        if (o.direct_splices != 0) ++direct;
        if (o.private_splices != 0) ++by_private_pipe;
      });
    }
  }
  for (const copy_path path :
       {copy_path::memory, copy_path::drain, copy_path::fill, copy_path::scratch, copy_path::hole, copy_path::clone,
        copy_path::copy_file_range, copy_path::sendfile, copy_path::splice})
    EXPECT_GE(copies[path], 10U) << name(path);
  EXPECT_GE(direct, 10U);
  EXPECT_GE(by_private_pipe, 10U);
}

// Of the pairs that the kernel can join, with the rotation of the short form.
TEST(copy_sweep_reach, every_errno_of_every_call) {
  if (sanitized) GTEST_SKIP() << "under a sanitizer the sweep is thinner";
  stage on;
  std::map<std::string_view, std::map<int, std::size_t>> hits;
  for (const source_kind from :
       {source_kind::file, source_kind::sparse_file, source_kind::pipe, source_kind::unix_stream, source_kind::user}) {
    for (const target_kind to : {target_kind::file, target_kind::pipe, target_kind::unix_stream, target_kind::user}) {
      each_setting(from, to, [&](const setting& s) {
        if (s.at.chunk == 1) return;
        for (std::size_t k = 1; k != most_calls; ++k) {
          point p = s.at;
          p.what = deed::error;
          p.k = k;
          p.error = errors_for(s, k).front();
          const outcome o = check(on, p);
          if (!o.hit) break;
          ++hits[o.last_hit.call][p.error];
        }
      });
    }
  }
  for (const std::string_view call :
       {"read", "write", "send", "pwritev2", "copy_file_range", "sendfile", "splice", "read_some", "write_some"}) {
    for (const int error : errnos) EXPECT_GE(hits[call][error], 1U) << call << ' ' << error;
  }
}

}  // namespace
}  // namespace sluice::test
