// SPDX-License-Identifier: BSL-1.0
//
// sluice explain: tells, and touches nothing.
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace sluice::test {
namespace {

void expect_explanation(const outcome& result, const std::string& source, const std::string& destination) {
  expect_quiet(result, 0);
  EXPECT_TRUE(result.out.starts_with("source:       " + source + "\ndestination:  " + destination + "\npath:         "))
      << result.out;
  EXPECT_NE(result.out.find("\nbecause:      "), std::string::npos) << result.out;
}

TEST(explain, of_a_file_that_does_not_exist_creates_nothing) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(100000));
  const std::string to = folder / "to";
  expect_explanation(run({"explain", from, to}), from + ", regular file, 100000 bytes",
                     to + ", regular file, would be created");
  expect_explanation(run({"explain", "--append", from, to}), from + ", regular file, 100000 bytes",
                     to + ", regular file, would be created");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"from"});
  const auto go_there = [&] { EXPECT_EQ(::chdir(folder.path().c_str()), 0); };
  expect_explanation(run({"explain", "from", "to"}, {.before_exec = go_there}), "from, regular file, 100000 bytes",
                     "to, regular file, would be created");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"from"});
}

TEST(explain, where_the_folder_has_no_nameless_files) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  // The folder of a character device's file system knows no O_TMPFILE either; nothing is written there.
  const outcome result = run({"explain", from, "/dev/pts/new"});
  if (result.status == 0) {
    EXPECT_NE(result.out.find("note:         judged by a file in the folder for temporary files"), std::string::npos)
        << result.out;
  } else {
    EXPECT_EQ(count_lines(result.err), 1U) << result.err;
  }
}

TEST(explain, follows_a_dangling_link) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  ASSERT_EQ(::symlink("missing/target", (folder / "link").c_str()), 0);
  expect_failure(run({"explain", from, folder / "link"}), 1, folder / "link" + ": No such file or directory (opening)");
  ASSERT_EQ(::symlink("target", (folder / "good").c_str()), 0);
  expect_explanation(run({"explain", from, folder / "good"}), from + ", regular file, 4 bytes",
                     folder / "good" + ", regular file, would be created");
  ASSERT_EQ(::symlink("loop", (folder / "loop").c_str()), 0);
  expect_failure(run({"explain", from, folder / "loop"}), 1,
                 folder / "loop" + ": Too many levels of symbolic links (opening)");
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"from", "good", "link", "loop"}));
}

TEST(explain, of_a_file_that_exists_leaves_it_as_it_is) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const std::string to = file_in(folder, "to", "precious");
  const struct stat before = status_of(to);
  expect_explanation(run({"explain", from, to}), from + ", regular file, 4 bytes",
                     to + ", regular file, would be emptied");
  expect_explanation(run({"explain", from, to, "--append"}), from + ", regular file, 4 bytes",
                     to + ", regular file, would be appended to");
  const struct stat after = status_of(to);
  EXPECT_EQ(folder.read("to"), "precious");
  EXPECT_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
  EXPECT_EQ(before.st_ctim.tv_nsec, after.st_ctim.tv_nsec);
}

TEST(explain, moves_nothing_of_the_standard_streams) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "0123456789");
  const descriptor in = open_file(from, O_RDONLY);
  expect_explanation(run({"explain", "--skip=3", "-", folder / "to"}, {.input_fd = in.get()}),
                     "standard input, regular file", folder / "to" + ", regular file, would be created");
  EXPECT_EQ(::lseek(in.get(), 0, SEEK_CUR), 0);
  expect_explanation(run({"explain", from, "-"}), from + ", regular file, 10 bytes", "standard output, pipe");
}

// Whoever waits at the other side of a FIFO would notice.
TEST(explain, does_not_open_fifos_or_connect) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_explanation(run({"explain", fifo, folder / "to"}), fifo + ", pipe, not opened",
                     folder / "to" + ", regular file, would be created");
  expect_explanation(run({"explain", from, fifo}), from + ", regular file, 4 bytes", fifo + ", pipe, not opened");
  expect_explanation(run({"explain", from, "tcp:localhost:1"}), from + ", regular file, 4 bytes",
                     "tcp:localhost:1, socket, not connected");
  expect_explanation(run({"explain", "unix-listen:" + folder / "s", "-"}),
                     "unix-listen:" + folder / "s" + ", socket, not connected", "standard output, pipe");
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"fifo", "from"}));
}

TEST(explain, tells_what_copy_could_not_open) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  expect_failure(run({"explain", folder / "none", "-"}), 1, folder / "none" + ": No such file or directory (opening)");
  expect_failure(run({"explain", folder.path(), "-"}), 1, folder.path() + ": Is a directory (opening)");
  expect_failure(run({"explain", from, folder.path()}), 1, folder.path() + ": Is a directory (opening)");
  expect_failure(run({"explain", from, folder / "missing/to"}), 1,
                 folder / "missing/to" + ": No such file or directory (opening)");
}

TEST(explain, heeds_the_options) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(1 << 20));
  const outcome never = run({"explain", "--kernel=never", from, folder / "to"});
  expect_quiet(never, 0);
  EXPECT_NE(never.out.find("\npath:         scratch\n"), std::string::npos) << never.out;
  expect_quiet(run({"explain", "--bytes=10", "--skip=5", "--progress", "--sparse=always", from, folder / "to"}), 0);
}

TEST(explain, agrees_with_what_copy_does) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(4 << 20));
  for (const std::string& to : {folder / "to", std::string("/dev/null")}) {
    const outcome plan = run({"explain", "--report=json", from, to});
    expect_quiet(plan, 0);
    const outcome copied = run({"copy", "--report=json", from, to});
    const auto reason = [](const std::string& json) {
      const std::size_t at = json.find("\"reason\":");
      return json.substr(at, json.find("\",", at) - at);
    };
    EXPECT_EQ(reason(plan.out), reason(copied.err)) << plan.out << copied.err;
  }
}

TEST(explain, as_json) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const outcome result = run({"explain", "--report=json", from, folder / "to"});
  expect_quiet(result, 0);
  EXPECT_EQ(count_lines(result.out), 1U);
  EXPECT_TRUE(is_valid_json(result.out)) << result.out;
  EXPECT_TRUE(result.out.starts_with("{\"version\":1,\"path\":\"")) << result.out;
}

}  // namespace
}  // namespace sluice::test
