// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/fd_stream.hpp>

#include "support/descriptors.hpp"
#include "support/faults.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace sluice {
namespace {

using test::bytes_of;
using test::fault;
using test::is_open_descriptor;

static_assert(reader<fd_stream> && writer<fd_stream>);
static_assert(vectored_reader<fd_stream> && vectored_writer<fd_stream>);
static_assert(kernel_reader<fd_stream> && kernel_writer<fd_stream>);
static_assert(seekable<fd_stream> && skippable<fd_stream> && size_hinted<fd_stream>);
static_assert(!std::is_copy_constructible_v<fd_stream> && !std::is_copy_assignable_v<fd_stream>);
static_assert(std::is_nothrow_move_constructible_v<fd_stream> && std::is_nothrow_move_assignable_v<fd_stream>);
static_assert(!std::is_convertible_v<fd_stream&, fd_ref&>, "an owner must not be copied as a borrower by accident");
static_assert(!std::is_convertible_v<int, fd_stream>);

fd_stream null_device() { return fd_stream(::open("/dev/null", O_RDWR | O_CLOEXEC)); }

TEST(fd_stream, starts_closed) {
  fd_stream s;
  EXPECT_FALSE(s.is_open());
  EXPECT_EQ(s.fd(), -1);
  EXPECT_FALSE(s.kernel_endpoint());
  std::byte b[1];
  EXPECT_EQ(s.read_some(b).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(s.write_some(b).error(), std::errc::bad_file_descriptor);
  EXPECT_TRUE(s.close());
}

TEST(fd_stream, destructor_closes) {
  int fd = -1;
  {
    fd_stream s = null_device();
    fd = s.fd();
    EXPECT_TRUE(is_open_descriptor(fd));
  }
  EXPECT_FALSE(is_open_descriptor(fd));
}

TEST(fd_stream, closing_twice_succeeds_and_closes_once) {
  fd_stream s = null_device();
  const int fd = s.fd();
  const fault closes({.call = "close"});
  EXPECT_TRUE(s.close());
  EXPECT_FALSE(s.is_open());
  EXPECT_FALSE(is_open_descriptor(fd));
  EXPECT_TRUE(s.close());
  EXPECT_EQ(closes.calls(), 1U);
}

TEST(fd_stream, close_reports_the_error_and_is_not_retried) {
  for (const int error : {EIO, EINTR, EDQUOT}) {
    fd_stream s = null_device();
    const int fd = s.fd();
    const fault closes({.call = "close", .error = error, .perform = true});
    const auto closed = s.close();
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error(), std::error_code(error, std::system_category()));
    EXPECT_FALSE(s.is_open());
    EXPECT_TRUE(s.close());
    EXPECT_EQ(closes.calls(), 1U);
    EXPECT_FALSE(is_open_descriptor(fd));
  }
}

TEST(fd_stream, moves) {
  fd_stream a = null_device();
  const int fd = a.fd();
  ASSERT_EQ(a.kind(), fd_kind::character_device);
  fd_stream b = std::move(a);
  EXPECT_FALSE(a.is_open());  // NOLINT(bugprone-use-after-move): the state is specified
  EXPECT_FALSE(a.kernel_endpoint());
  EXPECT_EQ(b.fd(), fd);
  EXPECT_EQ(b.kernel_endpoint()->kind, fd_kind::character_device) << "what is known moves along";
}

TEST(fd_stream, move_assignment_closes_what_was_held) {
  fd_stream a = null_device();
  fd_stream b = null_device();
  const int fd_a = a.fd();
  const int fd_b = b.fd();
  a = std::move(b);
  EXPECT_FALSE(is_open_descriptor(fd_a));
  EXPECT_EQ(a.fd(), fd_b);
  EXPECT_FALSE(b.is_open());  // NOLINT(bugprone-use-after-move)
  fd_stream& same = a;
  a = std::move(same);
  EXPECT_EQ(a.fd(), fd_b);
  EXPECT_TRUE(is_open_descriptor(fd_b));
}

TEST(fd_stream, release_gives_the_descriptor_away) {
  fd_stream s = null_device();
  const int fd = s.release();
  EXPECT_FALSE(s.is_open());
  EXPECT_TRUE(s.close());
  EXPECT_TRUE(is_open_descriptor(fd));
  EXPECT_EQ(s.release(), -1);
  ::close(fd);
}

TEST(fd_stream, a_reused_object_asks_for_the_kind_again) {
  fd_stream s = null_device();
  EXPECT_EQ(s.kind(), fd_kind::character_device);
  ASSERT_TRUE(s.close());
  EXPECT_EQ(s.kind(), fd_kind::unknown);
  s = fd_stream(::open("/", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(s.kind(), fd_kind::directory);
}

TEST(fd_stream, knows_what_it_was_told) {
  const fd_facts facts{.kind = fd_kind::character_device, .identified = true, .device = 7, .inode = 9};
  fd_stream s(null_device().release(), facts);
  const auto endpoint = s.kernel_endpoint();
  EXPECT_EQ(endpoint->kind, fd_kind::character_device);
  EXPECT_EQ(endpoint->facts->inode, 9U);
}

TEST(fd_stream, switches_non_blocking) {
  fd_stream s = null_device();
  const fault sets({.call = "set_flags"});
  EXPECT_TRUE(s.set_non_blocking(true));
  EXPECT_NE(::fcntl(s.fd(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_TRUE(s.set_non_blocking(true));
  EXPECT_EQ(sets.calls(), 1U);
  EXPECT_TRUE(s.set_non_blocking(false));
  EXPECT_EQ(::fcntl(s.fd(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(::fcntl(s.fd(), F_GETFL) & O_ACCMODE, O_RDWR) << "other flags stay";
  EXPECT_EQ(fd_stream().set_non_blocking(true).error(), std::errc::bad_file_descriptor);
}

}  // namespace
}  // namespace sluice
