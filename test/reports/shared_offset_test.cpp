// SPDX-License-Identifier: BSL-1.0
//
// Descriptors that are not ours alone: what the next program finds there (uutils/coreutils#7666, oven-sh/bun#36758,
// facebook/hhvm#2453, oven-sh/bun#41685).
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

// ( a -n 3; b ) < file
TEST(shared_offset, stands_right_behind_what_a_bounded_copy_took) {
  const temporary_folder folder;
  const std::string text = some_text(200'000);
  for (const std::size_t n : {std::size_t{0}, std::size_t{3}, std::size_t{5000}, std::size_t{100'000}}) {
    for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
      const handle file = file_with(folder / "from", text);
      const handle next(::dup(file.get()));
      bytes_writer first;
      EXPECT_EQ(show(copy_n(fd_ref(file.get()), first, n, {.kernel = kernel})), std::to_string(n));
      EXPECT_EQ(offset_of(next.get()), static_cast<off_t>(n));
      two_ends pipe = make_pipe_ends(1 << 20);
      EXPECT_EQ(show(copy_n(fd_ref(file.get()), fd_ref(pipe.writer.get()), n, {.kernel = kernel})), std::to_string(n));
      EXPECT_EQ(offset_of(next.get()), static_cast<off_t>(2 * n));
      EXPECT_TRUE(everything(next.get()) == text.substr(2 * n));
    }
  }
  two_ends pipe = make_pipe_ends();
  write_text(pipe.writer.get(), "abcdef");
  pipe.writer.reset();
  bytes_writer first;
  EXPECT_EQ(show(copy_n(fd_ref(pipe.reader.get()), first, 3)), "3");
  EXPECT_EQ(everything(pipe.reader.get()), "def");
}

TEST(shared_offset, of_the_destination_is_where_the_copy_begins) {
  const temporary_folder folder;
  const handle to = file_with(folder / "to", "before", O_RDWR);
  const handle other(::dup(to.get()));
  ::lseek(other.get(), 2, SEEK_SET);
  EXPECT_EQ(show(copy(span_reader("input"), fd_ref(to.get()))), "5");
  EXPECT_EQ(content_of(folder / "to"), "beinput");
  EXPECT_EQ(offset_of(other.get()), 7);
}

TEST(shared_offset, a_file_that_somebody_else_opened_is_not_cut) {
  const temporary_folder folder;
  const std::string text = some_text(200'000);
  const handle from = file_with(folder / "from", text);
  for (const std::uintmax_t n : {5U, 70'000U}) {
    for (const sparse_policy sparse : {sparse_policy::automatic, sparse_policy::never, sparse_policy::always}) {
      ::lseek(from.get(), 0, SEEK_SET);
      const std::string old(100'000, 'o');
      const handle to = file_with(folder / "to", old, O_RDWR);
      const fault cut({.call = "ftruncate"});
      EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(to.get()), n, {.sparse = sparse})), std::to_string(n));
      EXPECT_EQ(cut.calls(), 0U);
      EXPECT_TRUE(content_of(folder / "to") == text.substr(0, n) + old.substr(n));
    }
  }
}

// What belongs to others is not prepared for the copy either.
TEST(shared_offset, no_flag_is_set_and_nothing_is_allocated_ahead) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", some_text(200'000));
  const handle log = file_with(folder / "log", "old", O_WRONLY | O_APPEND);
  two_ends socket = make_socket_pair();
  make_roomy(socket.writer.get());
  const call_counter calls;
  for (const int to : {log.get(), socket.writer.get()}) {
    ::lseek(from.get(), 0, SEEK_SET);
    EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(to), 150'000)), "150000");
  }
  EXPECT_EQ(calls["set_flags"] + calls["fallocate"] + calls["ftruncate"] + calls["setsockopt"], 0U);
}

// libuv/libuv#1551, JuliaLang/julia#8741: the old tail of a longer file stayed behind the copy.
TEST(shared_offset, a_file_that_is_made_anew_has_no_old_tail) {
  const temporary_folder folder;
  folder.write("to", std::string(4 << 20, 'Y'));
  folder.write("from", some_text(1000));
  auto from = file::open(folder / "from");
  auto to = file::create(folder / "to");
  ASSERT_TRUE(from && to);
  EXPECT_EQ(show(copy(*from, *to)), "1000");
  ASSERT_TRUE(to->close());
  EXPECT_EQ(folder.read("to"), some_text(1000));
}

// uutils/coreutils#5080: what is inherited can be opened by its name.
TEST(shared_offset, a_descriptor_by_its_name_is_a_source) {
  const temporary_folder folder;
  two_ends pipe = make_pipe_ends();
  write_text(pipe.writer.get(), "foo");
  pipe.writer.reset();
  const handle regular = file_with(folder / "from", "foobar");
  ::lseek(regular.get(), 3, SEEK_SET);
  for (const int fd : {pipe.reader.get(), regular.get()}) {
    auto from = file::open("/dev/fd/" + std::to_string(fd));
    ASSERT_TRUE(from);
    bytes_writer to;
    const auto copied = copy(*from, to);
    // Linux opens a file anew, from its beginning, and joins a pipe where it stands.
    EXPECT_EQ(show(copied), fd == regular.get() ? "6" : "3");
  }
}

}  // namespace
}  // namespace sluice
