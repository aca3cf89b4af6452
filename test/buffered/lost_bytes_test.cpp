// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/buffered/lost_bytes.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

namespace {

using namespace sluice;
using support::recording_writer;

struct loss {
  std::size_t bytes;
  std::error_code why;
};

std::vector<loss> losses;

void remember(std::size_t bytes, std::error_code why) noexcept { losses.push_back({bytes, why}); }

class lost_bytes : public testing::Test {
 protected:
  lost_bytes() : before_(set_lost_bytes_hook(&remember)) { losses.clear(); }
  ~lost_bytes() override { set_lost_bytes_hook(before_); }

 private:
  lost_bytes_hook before_;
};

// Accepts `left` bytes, then is full.
struct small_device {
  std::size_t left = 0;
  result<std::size_t> write_some(std::span<const std::byte> b) {
    if (left == 0) return fail(std::make_error_code(std::errc::no_space_on_device));
    const std::size_t n = std::min(left, b.size());
    left -= n;
    return n;
  }
};

TEST(lost_bytes_hook, is_none_at_first_and_gives_the_one_before) {
  EXPECT_EQ(set_lost_bytes_hook(&remember), nullptr);
  EXPECT_EQ(set_lost_bytes_hook(nullptr), &remember);
  EXPECT_EQ(set_lost_bytes_hook(nullptr), nullptr);
}

TEST(lost_bytes_hook, is_not_needed) {
  buf_writer out(small_device{}, 8);
  EXPECT_TRUE(out.write_some(as_bytes("abc")));
}

TEST_F(lost_bytes, a_destructor_tells_how_many_and_why) {
  for (std::size_t left = 0; left <= 5; ++left) {
    losses.clear();
    {
      buf_writer out(small_device{left}, 8);
      EXPECT_TRUE(out.write_some(as_bytes("abcde")));
    }
    ASSERT_EQ(losses.size(), left < 5 ? 1U : 0U);
    if (left == 5) continue;
    EXPECT_EQ(losses[0].bytes, 5 - left);
    EXPECT_EQ(losses[0].why, std::errc::no_space_on_device);
  }
}

TEST_F(lost_bytes, a_move_assignment_tells_too) {
  {
    buf_writer out(small_device{2}, 8);
    EXPECT_TRUE(out.write_some(as_bytes("abcde")));
    out = buf_writer(small_device{10}, 8);
    ASSERT_EQ(losses.size(), 1U);
    EXPECT_EQ(losses[0].bytes, 3U);
    EXPECT_TRUE(out.write_some(as_bytes("abcde")));
  }
  EXPECT_EQ(losses.size(), 1U);
}

TEST_F(lost_bytes, nothing_is_told_where_nothing_is_lost) {
  {
    recording_writer inner;
    buf_writer flushed(inner, 8);
    EXPECT_TRUE(flushed.write_some(as_bytes("abc")));
    EXPECT_TRUE(flushed.flush());
    buf_writer pending(inner, 8);
    EXPECT_TRUE(pending.write_some(as_bytes("abc")));
    buf_writer moved(std::move(pending));
    buf_writer unused(small_device{}, 8);
    buf_writer taken_apart(small_device{}, 8);
    EXPECT_TRUE(taken_apart.write_some(as_bytes("abc")));
    EXPECT_EQ(std::move(taken_apart).into_inner().unwritten.size(), 3U);
  }
  EXPECT_TRUE(losses.empty());
}

TEST_F(lost_bytes, a_failed_flush_is_no_loss_until_the_writer_goes) {
  {
    buf_writer out(small_device{}, 8);
    EXPECT_TRUE(out.write_some(as_bytes("abc")));
    EXPECT_FALSE(out.flush());
    EXPECT_FALSE(out.close());
    EXPECT_TRUE(losses.empty());
  }
  EXPECT_EQ(losses.size(), 1U);
}

TEST_F(lost_bytes, a_writer_that_accepts_nothing_loses_them) {
  {
    EXPECT_TRUE(buf_writer(recording_writer{.chunk = 0}, 8).write_some(as_bytes("abc")));
  }
  ASSERT_EQ(losses.size(), 1U);
  EXPECT_EQ(losses[0].bytes, 3U);
  EXPECT_EQ(losses[0].why, io_errc::write_zero);
}

struct thrower {
  result<std::size_t> write_some(std::span<const std::byte>) { throw std::runtime_error("no"); }
};

TEST_F(lost_bytes, what_an_exception_left_in_doubt_counts_as_lost) {
  {
    buf_writer in_the_destructor(thrower{}, 8);
    EXPECT_TRUE(in_the_destructor.write_some(as_bytes("abc")));
  }
  ASSERT_EQ(losses.size(), 1U);
  EXPECT_EQ(losses[0].bytes, 3U);
  EXPECT_EQ(losses[0].why, std::errc::io_error);
  {
    buf_writer before(thrower{}, 8);
    EXPECT_TRUE(before.write_some(as_bytes("abcd")));
    EXPECT_THROW((void)before.flush(), std::runtime_error);
  }
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_EQ(losses[1].bytes, 4U);
  EXPECT_EQ(losses[1].why, std::errc::io_error);
}

TEST_F(lost_bytes, each_of_nested_writers_tells_of_its_own) {
  {
    buf_writer out(buf_writer(small_device{1}, 4), 8);
    EXPECT_TRUE(out.write_some(as_bytes("abc")));
  }
  ASSERT_EQ(losses.size(), 1U) << "the inner one accepted what it then could not write";
  EXPECT_EQ(losses[0].bytes, 2U);
}

}  // namespace
