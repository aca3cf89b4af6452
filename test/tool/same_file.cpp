// SPDX-License-Identifier: BSL-1.0
//
// sluice copy refuses to copy a file onto itself, and leaves it as it is.
// bun PR 43388, perl5 11966, uutils 7165 and 1707: such copies emptied the file, or made it grow for ever.
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace sluice::test {
namespace {

constexpr const char* reason = ": source and destination are the same file (opening; 0 bytes copied)";

class same_file : public ::testing::Test {
 protected:
  void refuses(const arguments& words, const std::string& destination, const setup& how = {}) {
    const outcome result = run(words, how);
    expect_failure(result, 1, destination + reason);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(folder.read("f") == content);
  }

  temporary_folder folder;
  const std::string content = pattern(10000);
  const std::string f = file_in(folder, "f", content);
};

TEST_F(same_file, under_its_own_name) {
  refuses({"copy", f, f}, f);
  refuses({"copy", f, folder / "./f"}, folder / "./f");
  refuses({"copy", "--append", f, f}, f);
  refuses({"copy", "--bytes=3", f, f}, f);
}

TEST_F(same_file, by_a_hard_link) {
  const std::string link = folder / "hard";
  ASSERT_EQ(::link(f.c_str(), link.c_str()), 0);
  refuses({"copy", f, link}, link);
  refuses({"copy", link, f}, f);
}

TEST_F(same_file, by_a_symbolic_link) {
  const std::string link = folder / "soft";
  ASSERT_EQ(::symlink("f", link.c_str()), 0);
  refuses({"copy", f, link}, link);
  refuses({"copy", link, f}, f);
}

TEST_F(same_file, by_appending_standard_output) {
  const descriptor out = open_file(f, O_WRONLY | O_APPEND);
  refuses({"copy", f, "-"}, "standard output", {.output_fd = out.get()});
}

TEST_F(same_file, by_standard_output_at_its_beginning) {
  const descriptor out = open_file(f, O_RDWR);
  refuses({"copy", f, "-"}, "standard output", {.output_fd = out.get()});
}

TEST_F(same_file, by_standard_input) {
  const descriptor in = open_file(f, O_RDONLY);
  refuses({"copy", "-", f}, f, {.input_fd = in.get()});
}

TEST_F(same_file, by_both_standard_streams) {
  const descriptor in = open_file(f, O_RDONLY);
  const descriptor out = open_file(f, O_WRONLY | O_APPEND);
  refuses({"copy", "-", "-"}, "standard output", {.input_fd = in.get(), .output_fd = out.get()});
}

TEST_F(same_file, is_for_regular_files_only) { expect_quiet(run({"copy", "/dev/null", "/dev/null"}), 0); }

TEST_F(same_file, refused_by_explain_too) {
  expect_failure(run({"explain", f, f}), 1, f + ": source and destination are the same file (opening)");
  EXPECT_TRUE(folder.read("f") == content);
}

}  // namespace
}  // namespace sluice::test
