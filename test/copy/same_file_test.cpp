// SPDX-License-Identifier: BSL-1.0
//
// Copying a file onto itself is refused before a byte is written.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace sluice {
namespace {

using namespace test;

struct copy_same_file : testing::TestWithParam<std::size_t> {
  temporary_folder folder;
  std::string path = folder / "file";
  std::string text = some_text(GetParam());

  void SetUp() override { file_with(path, text); }

  handle open(int flags, const std::string& name = "file") const {
    return handle(::open((folder / name).c_str(), flags | O_CLOEXEC));
  }

  void expect_refused(const std::expected<std::uintmax_t, copy_error>& copied) const {
    ASSERT_FALSE(copied) << show(copied);
    EXPECT_EQ(copied.error().code, io_errc::same_file);
    EXPECT_EQ(copied.error().bytes, 0U);
    EXPECT_TRUE(copied.error().unwritten.empty());
    EXPECT_TRUE(content_of(path) == text);
  }

  // With and without buffers, and with the options that change the path.
  void expect_refused(int from, int to) const {
    fd_ref in(from);
    fd_ref out(to);
    expect_refused(copy(in, out));
    for (const kernel_policy kernel : {kernel_policy::never, kernel_policy::aliasing})
      expect_refused(copy(in, out, {.kernel = kernel}));
    expect_refused(copy(in, out, {.sparse = sparse_policy::always}));
    expect_refused(copy(in, out, {.buffer_size = 512}));
    expect_refused(copy(buf_reader(in, 4096), out));
    {
      buf_writer buffered(out, 4096);
      expect_refused(copy(in, buffered));
      expect_refused(copy(buf_reader(in, 4096), buffered));
    }
    expect_refused(copy_n(in, out, text.size() + 1));
    copier relay(in, out);
    const auto step = relay.run();
    ASSERT_FALSE(step);
    EXPECT_EQ(step.error().code, io_errc::same_file);
    EXPECT_TRUE(content_of(path) == text);
  }
};

TEST_P(copy_same_file, by_one_descriptor) {
  const handle fd = open(O_RDWR);
  expect_refused(fd.get(), fd.get());
}

TEST_P(copy_same_file, opened_twice) {
  expect_refused(open(O_RDONLY).get(), open(O_WRONLY).get());
  expect_refused(open(O_RDONLY).get(), open(O_RDWR).get());
}

TEST_P(copy_same_file, by_a_hard_link_and_a_symlink) {
  std::filesystem::create_hard_link(path, folder / "hard");
  std::filesystem::create_symlink(path, folder / "soft");
  expect_refused(open(O_RDONLY).get(), open(O_WRONLY, "hard").get());
  expect_refused(open(O_RDONLY, "soft").get(), open(O_WRONLY).get());
}

TEST_P(copy_same_file, in_append_mode) {
  expect_refused(open(O_RDONLY).get(), open(O_WRONLY | O_APPEND).get());
  const handle late = open(O_WRONLY);
  ::fcntl(late.get(), F_SETFL, O_APPEND);
  expect_refused(open(O_RDONLY).get(), late.get());
}

TEST_P(copy_same_file, at_the_end) {
  const handle to = open(O_RDWR);
  ::lseek(to.get(), 0, SEEK_END);
  expect_refused(open(O_RDONLY).get(), to.get());
}

// What the reader has buffered already does not go into the file either.
TEST_P(copy_same_file, with_something_buffered) {
  for (const int mode : {0, O_APPEND}) {
    const handle from = open(O_RDONLY);
    const handle to = open(O_WRONLY | mode);
    fd_ref in(from.get());
    fd_ref out(to.get());
    buf_reader buffered_in(in, 1000);
    std::byte first;
    ASSERT_EQ(read_some(buffered_in, std::span(&first, 1)), 1U);
    const std::size_t held = buffered_in.buffered().size();
    expect_refused(copy(buffered_in, out));
    EXPECT_EQ(buffered_in.buffered().size(), held);
    expect_refused(copy(buffered_in | counted(), out));
  }
}

TEST_P(copy_same_file, through_the_streams_for_files) {
  file from = or_throw(file::open(path));
  file to = or_throw(file::append(path));
  expect_refused(copy(from, to));
  expect_refused(copy(from | limit(1 << 30), to | counted()));
}

INSTANTIATE_TEST_SUITE_P(sizes, copy_same_file, testing::Values(10, 5000, 200'000));

TEST(copy_same_file_of, disjoint_ranges_are_copied) {
  const temporary_folder folder;
  for (const std::size_t n : {std::size_t{10}, std::size_t{5000}, std::size_t{200'000}}) {
    const std::string text = some_text(2 * n);
    for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
      const handle from = file_with(folder / "file", text);
      const handle to(::open((folder / "file").c_str(), O_WRONLY | O_CLOEXEC));
      ::lseek(to.get(), static_cast<off_t>(n), SEEK_SET);
      EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(to.get()), n, {.kernel = kernel})), std::to_string(n));
      EXPECT_TRUE(content_of(folder / "file") == text.substr(0, n) + text.substr(0, n));
    }
    // To its own end, and to the front.
    const handle from = file_with(folder / "file", text);
    const handle append(::open((folder / "file").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(append.get()), 2 * n)), std::to_string(2 * n));
    EXPECT_TRUE(content_of(folder / "file") == text + text);
  }
}

TEST(copy_same_file_of, overlapping_ranges_are_refused) {
  const temporary_folder folder;
  const std::string text = some_text(1000);
  const handle from = file_with(folder / "file", text);
  const handle to(::open((folder / "file").c_str(), O_WRONLY | O_CLOEXEC));
  ::lseek(to.get(), 99, SEEK_SET);
  const auto copied = copy_n(fd_ref(from.get()), fd_ref(to.get()), 100);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::same_file);
  ::lseek(to.get(), 100, SEEK_SET);
  EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(to.get()), 100)), "100");
}

// The bytes that a writer holds come first, and may be what reaches into the source.
TEST(copy_same_file_of, what_the_writer_holds_counts) {
  const temporary_folder folder;
  const std::string text = some_text(1000);
  const handle from = file_with(folder / "file", text);
  const handle to(::open((folder / "file").c_str(), O_WRONLY | O_CLOEXEC));
  ::lseek(from.get(), 150, SEEK_SET);
  fd_ref out(to.get());
  buf_writer buffered(out, 4096);
  ASSERT_TRUE(write_all(buffered, std::string(100, 'x')));
  const auto copied = copy_n(fd_ref(from.get()), buffered, 100);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::same_file);
  std::ignore = std::move(buffered).into_inner();
}

TEST(copy_same_file_of, what_is_all_buffered_is_copied) {
  const temporary_folder folder;
  const handle from = file_with(folder / "file", some_text(100));
  const handle to(::open((folder / "file").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  fd_ref in(from.get());
  buf_reader buffered(in, 1000);
  ASSERT_TRUE(buffered.fill(100));
  EXPECT_EQ(show(copy_n(buffered, fd_ref(to.get()), 50)), "50");
  EXPECT_EQ(content_of(folder / "file"), some_text(100) + some_text(100).substr(0, 50));
}

TEST(copy_same_file_of, pipes_and_devices_are_no_files) {
  const handle null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_EQ(show(copy(fd_ref(null.get()), fd_ref(null.get()))), "0");
}

}  // namespace
}  // namespace sluice
