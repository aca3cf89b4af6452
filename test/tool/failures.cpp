// SPDX-License-Identifier: BSL-1.0
//
// sluice copy that fails: exit status 1, and one line that names the side, the reason and the bytes.
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace sluice::test {
namespace {

// node 24517: the error of opening DST was lost when there was nothing to copy.
TEST(failure, of_opening_the_destination_of_nothing) {
  const temporary_folder folder;
  const std::string empty = file_in(folder, "empty", "");
  const std::string nowhere = folder / "missing/x";
  expect_failure(run({"copy", empty, nowhere}), 1, nowhere + ": No such file or directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", empty, "/"}), 1, "/: Is a directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", "--append", empty, folder.path()}), 1,
                 folder.path() + ": Is a directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", empty, empty + "/x"}), 1, empty + "/x: Not a directory (opening; 0 bytes copied)");
}

TEST(failure, of_opening_the_source_leaves_the_destination_alone) {
  const temporary_folder folder;
  const std::string to = file_in(folder, "to", "precious");
  expect_failure(run({"copy", folder / "none", to}), 1,
                 folder / "none" + ": No such file or directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", folder.path(), to}), 1, folder.path() + ": Is a directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", "", to}), 1, ": No such file or directory (opening; 0 bytes copied)");
  EXPECT_EQ(folder.read("to"), "precious");
  EXPECT_EQ(run({"copy", folder / "none", folder / "new"}).status, 1);
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"to"});
}

TEST(failure, of_opening_what_may_have_been_meant_as_an_address) {
  const temporary_folder folder;
  const setup there{.before_exec = [&] { EXPECT_EQ(::chdir(folder.path().c_str()), 0); }};
  const std::string hint =
      ": No such file or directory; an address starts with tcp:, unix:, tcp-listen: or unix-listen:";
  for (const char* name : {"tpc:host:80", "udp:host:80", "unix_listen:x", "TCP:host:80", "http://host/"}) {
    expect_failure(run({"copy", name, "to"}, there), 1, name + hint + " (opening; 0 bytes copied)");
    expect_failure(run({"explain", name, "to"}, there), 1, name + hint + " (opening)");
  }
  expect_failure(run({"copy", "/dev/null", "http://host/"}, there), 1,
                 "http://host/" + hint + " (opening; 0 bytes copied)");
  for (const char* name : {"none", "./tpc:host:80", "12:30", ":x", "a/b:c"})
    expect_failure(run({"copy", name, "to"}, there), 1,
                   name + std::string(": No such file or directory (opening; 0 bytes copied)"));
  EXPECT_TRUE(names_in(folder).empty());
  // What exists is a file, whatever it is called.
  folder.write("tpc:host:80", "text");
  expect_quiet(run({"copy", "tpc:host:80", "to"}, there), 0);
  EXPECT_EQ(folder.read("to"), "text");
}

TEST(failure, of_a_directory_as_standard_input) {
  const temporary_folder folder;
  const descriptor in = open_file(folder.path(), O_RDONLY | O_DIRECTORY);
  expect_failure(run({"copy", "-", "-"}, {.input_fd = in.get()}), 1,
                 "standard input: Is a directory (reading; 0 bytes copied)");
}

// coreutils 277, curl 13836: /dev/full refuses kernel paths with EINVAL, and only write(2) tells why.
TEST(failure, of_a_full_device) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(300000));
  const std::string line = "/dev/full: No space left on device (writing; 0 bytes copied)";
  expect_failure(run({"copy", from, "/dev/full"}), 1, line);
  expect_failure(run({"copy", "--kernel=never", from, "/dev/full"}), 1, line);
  expect_failure(run({"copy", "--append", from, "/dev/full"}), 1, line);
  expect_failure(run({"copy", "-", "/dev/full"}, {.input = pattern(300000)}), 1, line);
  expect_failure(run({"copy", "/dev/zero", "/dev/full"}), 1, line);
}

TEST(failure, of_a_full_standard_output) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "few bytes");
  const descriptor full = open_file("/dev/full", O_WRONLY);
  const std::string reason = "standard output: No space left on device (writing";
  expect_failure(run({"copy", from, "-"}, {.output_fd = full.get()}), 1, reason + "; 0 bytes copied)");
  expect_failure(run({"copy", "-", "-"}, {.input = "x", .output_fd = full.get()}), 1, reason + "; 0 bytes copied)");
  expect_failure(run({"--help"}, {.output_fd = full.get()}), 1, reason + ")");
  expect_failure(run({"copy", "--help"}, {.output_fd = full.get()}), 1, reason + ")");
  expect_failure(run({"--version"}, {.output_fd = full.get()}), 1, reason + ")");
  expect_failure(run({"explain", from, "/dev/null"}, {.output_fd = full.get()}), 1, reason + ")");
}

// node 31908, perl5 9436: a short write before the disk is full, then the error.
TEST(failure, of_a_full_disk_keeps_what_was_copied) {
  const temporary_folder folder;
  // Seen by this process only, and gone with it.
  if (::unshare(CLONE_NEWNS) != 0) GTEST_SKIP() << "no mount namespace: " << std::strerror(errno);
  ASSERT_EQ(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0) << std::strerror(errno);
  const std::string disk = folder / "disk";
  ASSERT_EQ(::mkdir(disk.c_str(), 0700), 0);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1M") != 0) GTEST_SKIP() << "no tmpfs: " << std::strerror(errno);
  const std::string bytes = pattern(5 << 20);
  const std::string from = file_in(folder, "from", bytes);
  const std::string to = disk + "/to";
  const std::string reason = ": No space left on device (writing; 1048576 bytes copied)";

  expect_failure(run({"copy", from, to}), 1, to + reason);
  EXPECT_TRUE(read_file(to) == bytes.substr(0, 1 << 20));
  expect_failure(run({"copy", "--kernel=never", from, to}), 1, to + reason);
  EXPECT_TRUE(read_file(to) == bytes.substr(0, 1 << 20));
  expect_failure(run({"copy", "-", to}, {.input = bytes}), 1, to + reason);
  EXPECT_TRUE(read_file(to) == bytes.substr(0, 1 << 20));
  expect_failure(run({"copy", "/dev/zero", to}), 1, to + reason);
  ::unlink(to.c_str());
  const descriptor out = open_file(to, O_WRONLY | O_CREAT);
  expect_failure(run({"copy", from, "-"}, {.output_fd = out.get()}), 1, "standard output" + reason);
  ::umount2(disk.c_str(), MNT_DETACH);
}

TEST(failure, of_a_file_size_limit_is_told_instead_of_killing) {
  const temporary_folder folder;
  const std::string bytes = pattern(300000);
  const std::string from = file_in(folder, "from", bytes);
  const auto limit_size = [] {
    const rlimit limit{.rlim_cur = 100000, .rlim_max = 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const std::string reason = folder / "to" + ": File too large (writing; 100000 bytes copied)";
  expect_failure(run({"copy", from, folder / "to"}, {.before_exec = limit_size}), 1, reason);
  EXPECT_TRUE(folder.read("to") == bytes.substr(0, 100000));
  expect_failure(run({"copy", "--kernel=never", from, folder / "to"}, {.before_exec = limit_size}), 1, reason);
  expect_failure(run({"copy", "-", folder / "to"}, {.input = bytes, .before_exec = limit_size}), 1, reason);
  EXPECT_TRUE(folder.read("to") == bytes.substr(0, 100000));
}

// coreutils 278: the error of the source must not be blamed on the destination.
TEST(failure, of_reading_names_the_source) {
  const temporary_folder folder;
  expect_failure(run({"copy", "/proc/self/mem", folder / "to"}), 1,
                 "/proc/self/mem: Input/output error (reading; 0 bytes copied)");
  expect_failure(run({"copy", "/proc/self/mem", "-"}), 1,
                 "/proc/self/mem: Input/output error (reading; 0 bytes copied)");
  const descriptor write_only = open_file(folder / "w", O_WRONLY | O_CREAT);
  expect_failure(run({"copy", "-", "-"}, {.input_fd = write_only.get()}), 1,
                 "standard input: Bad file descriptor (reading; 0 bytes copied)");
}

TEST(failure, of_writing_names_standard_output) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(100000));
  const descriptor read_only = open_file("/dev/null", O_RDONLY);
  expect_failure(run({"copy", from, "-"}, {.output_fd = read_only.get()}), 1,
                 "standard output: Bad file descriptor (writing; 0 bytes copied)");
}

TEST(failure, stays_on_one_line_whatever_the_name_is) {
  const temporary_folder folder;
  expect_failure(run({"copy", folder / "a\nb\x1b[31m", "-"}), 1,
                 folder / "a\\nb\\033[31m" + ": No such file or directory (opening; 0 bytes copied)");
}

}  // namespace
}  // namespace sluice::test
