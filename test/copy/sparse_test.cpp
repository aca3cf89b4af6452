// SPDX-License-Identifier: BSL-1.0
//
// Holes: they stay holes, trailing ones too, and what they lie over becomes zeros.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr off_t MiB = 1 << 20;

std::uintmax_t allocated(const std::string& path) {
  struct stat status;
  ::stat(path.c_str(), &status);
  return static_cast<std::uintmax_t>(status.st_blocks) * 512;
}

// 4 KiB of data at 0 and at 1 MiB, and 3 MiB in all (systemd#22288).
handle sparse_file(const std::string& path) {
  handle fd = new_file(path, O_RDWR);
  const std::string data = some_text(4096);
  EXPECT_EQ(::pwrite(fd.get(), data.data(), 4096, 0), 4096);
  EXPECT_EQ(::pwrite(fd.get(), data.data(), 4096, MiB), 4096);
  EXPECT_EQ(::ftruncate(fd.get(), 3 * MiB), 0);
  return fd;
}

struct copy_sparse : testing::Test {
  temporary_folder folder;
  handle from = sparse_file(folder / "from");
  std::string content = content_of(folder / "from");
  std::uintmax_t blocks = allocated(folder / "from");

  void SetUp() override {
    if (blocks >= 3 * MiB) GTEST_SKIP() << "the file system has no holes";
  }
};

TEST_F(copy_sparse, holes_stay_holes) {
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::aliasing}) {
    ::lseek(from.get(), 0, SEEK_SET);
    const handle to = new_file(folder / "to");
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.kernel = kernel, .report = &report})), "3145728");
    EXPECT_TRUE(content_of(folder / "to") == content);
    EXPECT_LE(allocated(folder / "to"), blocks + 65536);
    EXPECT_EQ(sum_of(report), 3145728U);
    EXPECT_GE(report[copy_path::hole].bytes + report[copy_path::clone].bytes, 2U << 20);
    EXPECT_EQ(offset_of(to.get()), 3 * MiB);
    EXPECT_EQ(offset_of(from.get()), 3 * MiB);
  }
}

TEST_F(copy_sparse, a_copy_that_must_not_be_sparse_is_not) {
  const handle to = new_file(folder / "to");
  copy_report report;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.sparse = sparse_policy::never, .report = &report})),
            "3145728");
  EXPECT_EQ(report[copy_path::hole].bytes, 0U);
  EXPECT_TRUE(content_of(folder / "to") == content);
}

TEST_F(copy_sparse, zeros_become_holes_where_asked) {
  for (const bool buffered_too : {false, true}) {
    const handle dense = file_with(folder / "dense", content);
    const handle to = new_file(folder / "to");
    copy_report report;
    const copy_options options{.sparse = sparse_policy::always, .report = &report};
    fd_ref in(dense.get());
    EXPECT_EQ(show(buffered_too ? copy(buf_reader(in, 8192), fd_ref(to.get()), options)
                                : copy(in, fd_ref(to.get()), options)),
              "3145728");
    EXPECT_TRUE(content_of(folder / "to") == content);
    EXPECT_EQ(sum_of(report), 3145728U);
    if (!buffered_too) {
      EXPECT_LE(allocated(folder / "to"), blocks + 65536);
    }
  }
}

// A destination that somebody else has opened is never cut, and its old bytes do not show through the holes.
TEST_F(copy_sparse, holes_over_old_bytes_are_zeros) {
  for (const sparse_policy sparse : {sparse_policy::automatic, sparse_policy::always, sparse_policy::never}) {
    ::lseek(from.get(), 0, SEEK_SET);
    const std::string old(5 << 20, 'x');
    const handle to = file_with(folder / "to", old, O_RDWR);
    ::lseek(to.get(), 1000, SEEK_SET);
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.sparse = sparse})), "3145728");
    EXPECT_TRUE(content_of(folder / "to") == old.substr(0, 1000) + content + old.substr(1000 + content.size()));
  }
}

TEST_F(copy_sparse, only_regular_files_get_holes) {
  const handle null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  for (const sparse_policy sparse : {sparse_policy::automatic, sparse_policy::always}) {
    ::lseek(from.get(), 0, SEEK_SET);
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(null.get()), {.sparse = sparse})), "3145728");
    ::lseek(from.get(), 0, SEEK_SET);
    two_ends ends = make_pipe_ends();
    collector received(ends.reader.get());
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(ends.writer.get()), {.sparse = sparse})), "3145728");
    ends.writer.reset();
    EXPECT_TRUE(received.text() == content);
    ::lseek(from.get(), 0, SEEK_SET);
    const handle append = file_with(folder / "to", "old", O_WRONLY | O_APPEND);
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(append.get()), {.sparse = sparse})), "3145728");
    EXPECT_TRUE(content_of(folder / "to") == "old" + content);
  }
}

// systemd#28781: the end of the copy may lie in a hole.
TEST_F(copy_sparse, the_bound_may_lie_in_a_hole) {
  for (const std::uintmax_t n : {500'000U, 1'050'000U, 2'000'000U}) {
    ::lseek(from.get(), 0, SEEK_SET);
    const handle to = new_file(folder / "to");
    EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(to.get()), n)), std::to_string(n));
    EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(n));
    EXPECT_EQ(offset_of(to.get()), static_cast<off_t>(n));
    EXPECT_TRUE(content_of(folder / "to") == content.substr(0, n));
    EXPECT_LE(allocated(folder / "to"), blocks + 65536);
  }
}

TEST_F(copy_sparse, through_buffers) {
  const handle to = new_file(folder / "to");
  fd_ref in(from.get());
  fd_ref out(to.get());
  buf_writer buffered_out(out, 8192);
  ASSERT_TRUE(write_all(buffered_out, "head"));
  EXPECT_EQ(show(copy(buf_reader(in, 8192), buffered_out)), "3145728");
  ASSERT_TRUE(write_all(buffered_out, "tail"));
  ASSERT_TRUE(buffered_out.flush());
  EXPECT_TRUE(content_of(folder / "to") == "head" + content + "tail");
}

TEST_F(copy_sparse, a_hole_that_vanishes_between_two_questions) {
  for (std::size_t k = 1; k <= 12; ++k) {
    ::lseek(from.get(), 0, SEEK_SET);
    const handle to = new_file(folder / "to");
    // SEEK_DATA and SEEK_HOLE may fail with anything, such as EINVAL of a file system that does not know them.
    const fault broken({.call = "lseek", .at = k, .error = EINVAL});
    const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()));
    if (copied) {
      EXPECT_EQ(*copied, 3145728U);
      EXPECT_TRUE(content_of(folder / "to") == content);
    }
  }
}

}  // namespace
}  // namespace sluice
