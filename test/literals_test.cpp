// SPDX-License-Identifier: BSL-1.0
#include <sluice/literals.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace only_the_literals {

using namespace sluice::literals;

static_assert(0_B == 0);
static_assert(1_B == 1);
static_assert(64_KiB == 65536);
static_assert(1_MiB == 1048576);
static_assert(2_GiB == 2147483648);
static_assert(1024_B == 1_KiB && 1024_KiB == 1_MiB && 1024_MiB == 1_GiB);
static_assert(std::is_same_v<decltype(1_KiB), std::size_t>);

}  // namespace only_the_literals

namespace all_of_sluice {

using namespace sluice;

TEST(literals, come_with_the_namespace) { EXPECT_EQ(3_MiB, std::size_t{3} * 1024 * 1024); }

}  // namespace all_of_sluice
