// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/standard_streams.hpp>

#include "support/descriptors.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <type_traits>

namespace sluice {
namespace {

using test::bytes_of;
using test::text_of;

static_assert(std::is_same_v<decltype(standard_input()), fd_ref>);

TEST(standard_streams, are_descriptors_0_1_and_2) {
  EXPECT_EQ(standard_input().fd(), 0);
  EXPECT_EQ(standard_output().fd(), 1);
  EXPECT_EQ(standard_error().fd(), 2);
  EXPECT_TRUE(test::is_open_descriptor(2)) << "they are borrowed";
}

TEST(standard_streams, follow_a_redirection) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  for (const int fd : {1, 2}) {
    const int saved = ::dup(fd);
    ASSERT_EQ(::dup2(ends[1], fd), fd);
    fd_ref out = fd == 1 ? standard_output() : standard_error();
    const auto written = out.write_some(bytes_of("x"));
    ::dup2(saved, fd);
    ::close(saved);
    EXPECT_EQ(written, 1U);
    EXPECT_EQ(out.kernel_endpoint()->kind, fd_kind::pipe);
  }
  const int saved = ::dup(0);
  ASSERT_EQ(::dup2(ends[0], 0), 0);
  std::byte got[4];
  const auto n = standard_input().read_some(got);
  if (saved >= 0) ::dup2(saved, 0);
  ::close(saved);
  EXPECT_EQ(n, 2U);
  EXPECT_EQ(text_of(std::span(got).first(2)), "xx");
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace sluice
