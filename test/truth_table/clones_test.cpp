// SPDX-License-Identifier: BSL-1.0
//
// Shared blocks, on the file systems that have them: FIEMAP proves what the report says.
//
#include <sluice/sluice.hpp>

#include "cells.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

class clones : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string why;
    disk = mounted::image(GetParam(), 320U << 20, why);
    if (!disk) GTEST_SKIP() << why;
  }

  std::string at(std::string_view name) const { return *disk / name; }

  handle reader_of(std::string_view name, const std::string& content) const {
    handle made = file_with(at(name), content);
    ::fsync(made.get());
    return made;
  }

  std::uintmax_t shared(std::string_view name) const {
    const handle fd(::open(at(name).c_str(), O_RDONLY | O_CLOEXEC));
    return shared_bytes(fd.get());
  }

  std::unique_ptr<mounted> disk;
};

constexpr std::size_t block = 4096;
constexpr std::size_t large = 64 * block;
constexpr std::size_t odd = large + 1234;  // ends inside a block

TEST_P(clones, a_whole_file_shares_its_blocks) {
  for (const std::size_t size : {large, odd}) {
    const std::string content = some_text(size);
    const handle from = reader_of("from", content);
    const handle to = new_file(at("to"));
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), std::to_string(size));
    EXPECT_EQ(report.main_path(), copy_path::clone) << name(report.main_path());
    EXPECT_EQ(sum_of(report), size);
    EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(size));
    EXPECT_EQ(offset_of(to.get()), static_cast<off_t>(size));
    EXPECT_TRUE(content_of(at("to")) == content);
    EXPECT_GE(shared("to"), large - 16 * block);
    EXPECT_GE(shared("from"), large - 16 * block);
  }
}

TEST_P(clones, through_buffers_and_wrappers) {
  const std::string content = some_text(odd);
  const handle from = reader_of("from", content);
  const handle to = new_file(at("to"));
  fd_ref in(from.get());
  fd_ref out(to.get());
  buf_reader buffered_in(in, 8192);
  buf_writer buffered_out(out, 8192);
  copy_report report;
  EXPECT_EQ(show(copy(counted(buffered_in), buffered_out, {.report = &report})), std::to_string(odd));
  ASSERT_TRUE(buffered_out.flush());
  EXPECT_EQ(report.main_path(), copy_path::clone) << name(report.main_path());
  EXPECT_TRUE(content_of(at("to")) == content);
  EXPECT_GE(shared("to"), large - 16 * block);
}

// From block to block it is a clone; where a side is not at the border of a block the bytes are moved.
TEST_P(clones, need_the_borders_of_blocks) {
  const std::string content = some_text(odd);
  const std::string old = some_text(2 * odd, 5);
  for (const std::size_t from_at : {std::size_t{0}, block, 3 * block, std::size_t{1}, block + 7}) {
    for (const std::size_t to_at : {std::size_t{0}, block, 3 * block, std::size_t{1}, block + 7}) {
      SCOPED_TRACE(std::to_string(from_at) + " to " + std::to_string(to_at));
      // The destination ends where the copy will: a clone of a last piece of a block fits nowhere else.
      const std::size_t length = odd - from_at;
      const std::string before = old.substr(0, to_at);
      const handle from = reader_of("from", content);
      const handle to = file_with(at("to"), before, O_RDWR);
      ::lseek(from.get(), static_cast<off_t>(from_at), SEEK_SET);
      ::lseek(to.get(), static_cast<off_t>(to_at), SEEK_SET);
      copy_report report;
      EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), std::to_string(length));
      EXPECT_TRUE(content_of(at("to")) == before + content.substr(from_at));
      EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(odd));
      EXPECT_EQ(offset_of(to.get()), static_cast<off_t>(to_at + length));
      const bool aligned = from_at % block == 0 && to_at % block == 0;
      EXPECT_EQ(report[copy_path::clone].bytes > length / 2, aligned) << name(report.main_path());
      // Where both are as far from a border, copy_file_range itself clones what comes after it.
      EXPECT_EQ(shared("to") > length / 2, from_at % block == to_at % block);
    }
  }
}

TEST_P(clones, onto_old_bytes_leave_those_around) {
  const std::string content = some_text(large);
  const std::string old = some_text(3 * large, 5);
  const handle from = reader_of("from", content);
  const handle to = file_with(at("to"), old, O_RDWR);
  ::lseek(to.get(), large, SEEK_SET);
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()))), std::to_string(large));
  EXPECT_TRUE(content_of(at("to")) == old.substr(0, large) + content + old.substr(2 * large));
}

TEST_P(clones, keep_holes) {
  const std::string data = some_text(large);
  const handle from = new_file(at("from"), O_RDWR);
  ASSERT_EQ(::pwrite(from.get(), data.data(), large, 0), static_cast<ssize_t>(large));
  ASSERT_EQ(::pwrite(from.get(), data.data(), large, 8 * large), static_cast<ssize_t>(large));
  ASSERT_EQ(::ftruncate(from.get(), 16 * large + 77), 0);
  ::fsync(from.get());
  for (const sparse_policy sparse : {sparse_policy::automatic, sparse_policy::never, sparse_policy::always}) {
    ::lseek(from.get(), 0, SEEK_SET);
    const handle to = new_file(at("to"));
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.sparse = sparse, .report = &report})),
              std::to_string(16 * large + 77));
    EXPECT_EQ(sum_of(report), 16 * large + 77);
    EXPECT_TRUE(content_of(at("to")) == content_of(at("from")));
    struct stat status;
    ::stat(at("to").c_str(), &status);
    if (sparse != sparse_policy::never) {
      EXPECT_LE(static_cast<std::size_t>(status.st_blocks) * 512, 3 * large);
    }
    if (sparse == sparse_policy::automatic) {
      EXPECT_GE(shared("to"), large);
    }
  }
}

// uutils/coreutils#13064: who wants bytes of his own gets them.
TEST_P(clones, are_not_made_where_the_kernel_is_forbidden) {
  const std::string content = some_text(odd);
  const handle from = reader_of("from", content);
  const handle to = new_file(at("to"));
  copy_report report;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.kernel = kernel_policy::never, .report = &report})),
            std::to_string(odd));
  EXPECT_EQ(report[copy_path::clone].bytes + report[copy_path::copy_file_range].bytes, 0U);
  EXPECT_TRUE(content_of(at("to")) == content);
  EXPECT_EQ(shared("to"), 0U);
  EXPECT_EQ(shared("from"), 0U);
}

TEST_P(clones, are_not_worth_it_for_a_small_file) {
  const std::string content = some_text(5000);
  const handle from = reader_of("from", content);
  const handle to = new_file(at("to"));
  copy_report report;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), "5000");
  EXPECT_EQ(report.main_path(), copy_path::scratch);
  EXPECT_TRUE(content_of(at("to")) == content);
}

// A part of a file is no clone of it, whatever moves it.
TEST_P(clones, of_a_part_are_exact) {
  const std::string content = some_text(odd);
  for (const std::size_t n : {large, large - 1, 32 * block, odd}) {
    const handle from = reader_of("from", content);
    const handle to = new_file(at("to"));
    EXPECT_EQ(show(copy_n(fd_ref(from.get()), fd_ref(to.get()), n)), std::to_string(n));
    EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(n));
    EXPECT_EQ(offset_of(to.get()), static_cast<off_t>(n));
    EXPECT_TRUE(content_of(at("to")) == content.substr(0, n));
  }
}

TEST_P(clones, from_another_file_system_are_copies) {
  const temporary_folder outside;
  std::string why;
  const auto memory = mounted::tmpfs(8U << 20, why);
  if (!memory) GTEST_SKIP() << why;
  const std::string content = some_text(odd);
  for (const std::string& path : {*memory / "from", outside / "from"}) {
    const handle from = file_with(path, content);
    const handle to = new_file(at("to"));
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), std::to_string(odd));
    EXPECT_EQ(report.main_path(), copy_path::sendfile) << name(report.main_path());
    EXPECT_TRUE(content_of(at("to")) == content);
    const handle back_from(::open(at("to").c_str(), O_RDONLY | O_CLOEXEC));
    const handle back = new_file(path);
    EXPECT_EQ(show(copy(fd_ref(back_from.get()), fd_ref(back.get()))), std::to_string(odd));
    EXPECT_TRUE(content_of(path) == content);
  }
}

INSTANTIATE_TEST_SUITE_P(on, clones, testing::Values("xfs", "btrfs"),
                         [](const auto& p) { return std::string(p.param); });

// Each subvolume is a device of its own to stat(2), and still they share blocks.
TEST(clones_between, subvolumes_of_btrfs) {
  std::string why;
  const auto disk = mounted::image("btrfs", 320U << 20, why);
  if (!disk) GTEST_SKIP() << why;
  for (const char* one : {"a", "b"}) {
    const std::string command =
        "PATH=$PATH:/usr/sbin:/sbin btrfs subvolume create " + (*disk / one) + " >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0) GTEST_SKIP() << "no btrfs(8) that makes a subvolume";
  }
  const std::string content = some_text(odd);
  const handle from = file_with(*disk / "a/from", content);
  ::fsync(from.get());
  const handle to = new_file(*disk / "b/to");
  copy_report report;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), std::to_string(odd));
  EXPECT_EQ(report.main_path(), copy_path::clone) << name(report.main_path());
  EXPECT_TRUE(content_of(*disk / "b/to") == content);
  const handle seen(::open((*disk / "b/to").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_GE(shared_bytes(seen.get()), large - 16 * block);
}

}  // namespace
}  // namespace sluice
