// SPDX-License-Identifier: BSL-1.0
//
// sluice copy: bytes arrive, whatever the two sides are.
#include "run.hpp"
#include "support/sanitized.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace sluice::test {
namespace {

off_t offset_of(const descriptor& file) { return ::lseek(file.get(), 0, SEEK_CUR); }

TEST(copy, file_to_file) {
  const temporary_folder folder;
  for (const std::size_t size : {0U, 1U, 4096U, 262144U, 1000003U}) {
    const std::string bytes = pattern(size);
    const std::string from = file_in(folder, "from", bytes);
    expect_quiet(run({"copy", from, folder / "to"}), 0);
    EXPECT_TRUE(folder.read("to") == bytes) << size;
  }
}

TEST(copy, with_each_kernel_policy_and_buffer) {
  const temporary_folder folder;
  const std::string bytes = pattern(700001);
  const std::string from = file_in(folder, "from", bytes);
  for (const char* policy : {"automatic", "never", "aliasing"}) {
    for (const char* buffer : {"1", "7", "64K", "2MiB"}) {
      // A small buffer would take its time over all of it.
      const std::size_t size = std::string(buffer).size() == 1 ? 3001 : bytes.size();
      const std::string expected = bytes.substr(0, size);
      const std::string limit = "--bytes=" + std::to_string(size);
      const outcome into_pipe = run({"copy", limit, "--kernel", policy, std::string("--buffer=") + buffer, from, "-"});
      expect_quiet(into_pipe, 0);
      EXPECT_TRUE(into_pipe.out == expected) << policy << buffer;
      expect_quiet(run({"copy", from, folder / "to", "--kernel", policy, "--buffer", buffer, limit}), 0);
      EXPECT_TRUE(folder.read("to") == expected) << policy << buffer;
    }
  }
}

TEST(copy, of_standard_input_to_standard_output) {
  const std::string bytes = pattern(300000);
  const outcome result = run({"copy", "-", "-"}, {.input = bytes});
  expect_quiet(result, 0);
  EXPECT_TRUE(result.out == bytes);
}

TEST(copy, an_empty_source_makes_an_empty_file) {
  const temporary_folder folder;
  expect_quiet(run({"copy", "/dev/null", folder / "to"}), 0);
  EXPECT_EQ(folder.read("to"), "");
  expect_quiet(run({"copy", "-", folder / "too"}, {.input = ""}), 0);
  EXPECT_EQ(folder.read("too"), "");
}

TEST(copy, a_new_file_gets_the_permissions_that_the_umask_leaves) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  expect_quiet(run({"copy", from, folder / "to"}, {.before_exec = [] { ::umask(027); }}), 0);
  EXPECT_EQ(status_of(folder / "to").st_mode & 07777U, 0640U);
}

TEST(copy, keeps_the_permissions_of_a_file_that_exists) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const std::string to = file_in(folder, "to", "older text");
  ::chmod(to.c_str(), 0600);
  expect_quiet(run({"copy", from, to}), 0);
  EXPECT_EQ(status_of(to).st_mode & 07777U, 0600U);
}

// libuv PR 1551: an old tail stayed behind the new bytes.
TEST(copy, over_a_longer_file_leaves_no_old_tail) {
  const temporary_folder folder;
  const std::string bytes = pattern(1000);
  const std::string from = file_in(folder, "from", bytes);
  const std::string to = file_in(folder, "to", std::string(4 << 20, 'Y'));
  expect_quiet(run({"copy", from, to}), 0);
  EXPECT_TRUE(folder.read("to") == bytes);
  expect_quiet(run({"copy", "/dev/null", to}), 0);
  EXPECT_EQ(folder.read("to"), "");
}

TEST(copy, appends) {
  const temporary_folder folder;
  const std::string bytes = pattern(100000);
  const std::string from = file_in(folder, "from", bytes);
  const std::string to = file_in(folder, "to", "head ");
  expect_quiet(run({"copy", "--append", from, to}), 0);
  EXPECT_TRUE(folder.read("to") == "head " + bytes);
  expect_quiet(run({"copy", from, folder / "new", "--append"}), 0);
  EXPECT_TRUE(folder.read("new") == bytes);
}

// php-src 9779, golang/go 60181: kernel paths refuse O_APPEND, which a shell may have set.
TEST(copy, to_an_appending_standard_output) {
  const temporary_folder folder;
  const std::string bytes = pattern(600000);
  const std::string from = file_in(folder, "from", bytes);
  const std::string to = file_in(folder, "to", "head ");
  descriptor out = open_file(to, O_WRONLY | O_APPEND);
  expect_quiet(run({"copy", from, "-"}, {.output_fd = out.get()}), 0);
  expect_quiet(run({"copy", "-", "-"}, {.input = "tail", .output_fd = out.get()}), 0);
  EXPECT_TRUE(folder.read("to") == "head " + bytes + "tail");
}

// oven-sh/bun PR 36758: a descriptor that was handed over is not truncated.
TEST(copy, never_truncates_standard_output) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "new");
  const std::string to = file_in(folder, "to", "0123456789");
  descriptor out = open_file(to, O_RDWR);
  expect_quiet(run({"copy", from, "-"}, {.output_fd = out.get()}), 0);
  EXPECT_EQ(folder.read("to"), "new3456789");
  EXPECT_EQ(offset_of(out), 3);
}

// facebook/hhvm 2453: the position of the destination counts.
TEST(copy, begins_at_the_offset_of_standard_output) {
  const temporary_folder folder;
  const std::string bytes = pattern(500000);
  const std::string from = file_in(folder, "from", bytes);
  descriptor out = open_file(folder / "to", O_RDWR | O_CREAT);
  ASSERT_EQ(::write(out.get(), "be", 2), 2);
  expect_quiet(run({"copy", from, "-"}, {.output_fd = out.get()}), 0);
  EXPECT_TRUE(folder.read("to") == "be" + bytes);
  EXPECT_EQ(offset_of(out), 500002);
}

// uutils 7666, 3008: ( sluice copy --bytes 3 - a; sluice copy --bytes 3 - b ) < f
TEST(copy, leaves_a_shared_offset_behind_the_bytes_it_used) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "abcdefghij");
  descriptor in = open_file(from, O_RDONLY);
  expect_quiet(run({"copy", "--bytes", "3", "-", folder / "a"}, {.input_fd = in.get()}), 0);
  EXPECT_EQ(offset_of(in), 3);
  expect_quiet(run({"copy", "--bytes", "3", "-", folder / "b"}, {.input_fd = in.get()}), 0);
  EXPECT_EQ(offset_of(in), 6);
  expect_quiet(run({"copy", "--skip=1", "--bytes=2", "-", folder / "c"}, {.input_fd = in.get()}), 0);
  EXPECT_EQ(offset_of(in), 9);
  expect_quiet(run({"copy", "-", folder / "d"}, {.input_fd = in.get()}), 0);
  EXPECT_EQ(offset_of(in), 10);
  EXPECT_EQ(folder.read("a") + '|' + folder.read("b") + '|' + folder.read("c") + '|' + folder.read("d"),
            "abc|def|hi|j");
}

TEST(copy, takes_no_more_from_a_pipe_than_it_is_told) {
  const temporary_folder folder;
  pipe_pair p = make_pipe();
  ASSERT_EQ(::write(p.writer.get(), "abcdefgh", 8), 8);
  expect_quiet(run({"copy", "--bytes=3", "-", folder / "a"}, {.input_fd = p.reader.get()}), 0);
  const outcome second = run({"copy", "--bytes=4", "-", "-"}, {.input_fd = p.reader.get()});
  expect_quiet(second, 0);
  EXPECT_EQ(folder.read("a"), "abc");
  EXPECT_EQ(second.out, "defg");
  char left = 0;
  EXPECT_EQ(::read(p.reader.get(), &left, 1), 1);
  EXPECT_EQ(left, 'h');
}

TEST(copy, stops_after_the_bytes_that_it_is_told) {
  const temporary_folder folder;
  const std::string bytes = pattern(3 << 20);
  const std::string from = file_in(folder, "from", bytes);
  for (const std::size_t n : {0U, 1U, 4096U, 1048577U, 3145728U}) {
    expect_quiet(run({"copy", "--bytes", std::to_string(n), from, folder / "to"}), 0);
    EXPECT_TRUE(folder.read("to") == bytes.substr(0, n)) << n;
  }
  const outcome endless = run({"copy", "--bytes=1M", "/dev/zero", "-"});
  expect_quiet(endless, 0);
  EXPECT_TRUE(endless.out == std::string(1 << 20, '\0'));
}

TEST(copy, a_source_that_ends_before_is_no_error) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "abc");
  expect_quiet(run({"copy", "--bytes=1G", from, folder / "to"}), 0);
  EXPECT_EQ(folder.read("to"), "abc");
  const outcome piped = run({"copy", "--bytes=10", "-", "-"}, {.input = "abc"});
  expect_quiet(piped, 0);
  EXPECT_EQ(piped.out, "abc");
}

TEST(copy, skips_in_files_and_pipes) {
  const std::string bytes = pattern(400000);
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", bytes);
  for (const std::size_t n : {0U, 1U, 65537U, 399999U, 400000U, 400001U}) {
    const std::string expected = n < bytes.size() ? bytes.substr(n) : "";
    const std::string option = "--skip=" + std::to_string(n);
    const outcome file = run({"copy", option, from, "-"});
    expect_quiet(file, 0);
    EXPECT_TRUE(file.out == expected) << n;
    const outcome pipe = run({"copy", option, "-", "-"}, {.input = bytes});
    expect_quiet(pipe, 0);
    EXPECT_TRUE(pipe.out == expected) << n;
  }
  EXPECT_EQ(run({"copy", "--skip=10M", from, "-"}).out, "");
}

TEST(copy, skips_in_files_without_a_size) {
  const std::string version = read_file("/proc/version");
  ASSERT_GT(version.size(), 10U);
  const outcome result = run({"copy", "--skip", "10", "/proc/version", "-"});
  expect_quiet(result, 0);
  EXPECT_EQ(result.out, version.substr(10));
}

// dotnet/runtime PR 55358, openjdk/jdk17 PR 128: st_size is 0 there, and not every such file can be spliced.
TEST(copy, from_proc_and_sys) {
  const temporary_folder folder;
  for (const char* path : {"/proc/version", "/proc/self/status", "/proc/self/cmdline", "/proc/filesystems",
                           "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/cpu/online"}) {
    if (::access(path, R_OK) != 0) continue;
    expect_quiet(run({"copy", path, folder / "to"}), 0);
    EXPECT_FALSE(folder.read("to").empty()) << path;
    const outcome piped = run({"copy", path, "-"});
    expect_quiet(piped, 0);
    EXPECT_FALSE(piped.out.empty()) << path;
  }
  expect_quiet(run({"copy", "/proc/self/cmdline", folder / "to"}), 0);
  const std::string words[] = {"sluice", "copy", "/proc/self/cmdline", folder / "to"};
  std::string expected;
  for (const std::string& word : words) expected += word + '\0';
  EXPECT_EQ(folder.read("to"), expected);
}

TEST(copy, from_a_fifo_until_its_writers_close) {
  const temporary_folder folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] {
    const descriptor out = open_file(fifo, O_WRONLY);
    EXPECT_EQ(::write(out.get(), "fifo", 4), 4);
    EXPECT_EQ(::write(out.get(), "data", 4), 4);
  });
  expect_quiet(run({"copy", fifo, folder / "to"}), 0);
  writer.join();
  EXPECT_EQ(folder.read("to"), "fifodata");
}

TEST(copy, into_a_fifo) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(200000));
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(fifo); });
  expect_quiet(run({"copy", from, fifo}), 0);
  reader.join();
  EXPECT_TRUE(got == folder.read("from"));
}

// Whoever shares the descriptors with us may have made them so; the flags are not ours to change.
TEST(copy, waits_for_non_blocking_streams) {
  const std::string bytes = pattern(300000);
  pipe_pair in = make_pipe();
  pipe_pair out = make_pipe();
  ASSERT_EQ(::fcntl(in.reader.get(), F_SETFL, O_NONBLOCK), 0);
  ASSERT_EQ(::fcntl(out.writer.get(), F_SETFL, O_NONBLOCK), 0);
  child tool({"copy", "-", "-"}, {.input_fd = in.reader.get(), .output_fd = out.writer.get()});
  std::thread feeder([&] {
    ::usleep(20000);
    EXPECT_EQ(::write(in.writer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    in.writer.reset();
  });
  ::usleep(10000);
  std::string got(bytes.size(), '\0');
  for (std::size_t n = 0; n < got.size();) {
    const ssize_t step = ::read(out.reader.get(), got.data() + n, got.size() - n);
    ASSERT_GT(step, 0);
    n += static_cast<std::size_t>(step);
  }
  feeder.join();
  expect_quiet(tool.wait(), 0);
  EXPECT_TRUE(got == bytes);
  EXPECT_NE(::fcntl(in.reader.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(out.writer.get(), F_GETFL) & O_NONBLOCK, 0);
}

// uutils 5080
TEST(copy, from_dev_stdin_and_dev_fd) {
  const temporary_folder folder;
  expect_quiet(run({"copy", "/dev/stdin", folder / "to"}, {.input = "through a pipe"}), 0);
  EXPECT_EQ(folder.read("to"), "through a pipe");
  const std::string from = file_in(folder, "from", "a file");
  const descriptor in = open_file(from, O_RDONLY);
  expect_quiet(run({"copy", "/dev/fd/9", folder / "to"}, {.before_exec = [&] { ::dup2(in.get(), 9); }}), 0);
  EXPECT_EQ(folder.read("to"), "a file");
}

// uutils 11634: no descriptor is left for a private pipe.
TEST(copy, with_no_descriptor_to_spare) {
  if (sanitized) GTEST_SKIP() << "the sanitizers need descriptors of their own";
  const temporary_folder folder;
  const std::string bytes = pattern(300000);
  const std::string from = file_in(folder, "from", bytes);
  for (const rlim_t count : {4U, 5U, 6U}) {
    const auto leave_few = [count] {
      const rlimit limit{.rlim_cur = count, .rlim_max = count};
      ::setrlimit(RLIMIT_NOFILE, &limit);
    };
    const outcome result = run({"copy", from, "-"}, {.before_exec = leave_few});
    expect_quiet(result, 0);
    EXPECT_TRUE(result.out == bytes);
    expect_quiet(run({"copy", "-", folder / "to"}, {.input = bytes, .before_exec = leave_few}), 0);
    EXPECT_TRUE(folder.read("to") == bytes);
    EXPECT_TRUE(run({"copy", "-", "-"}, {.input = bytes, .before_exec = leave_few}).out == bytes);
  }
}

// rsync 642, uutils 14283: only regular files get holes and lengths.
TEST(copy, sparse_options_mean_nothing_to_devices_and_pipes) {
  const temporary_folder folder;
  const std::string bytes = std::string(300000, '\0') + pattern(5000) + std::string(100000, '\0');
  const std::string from = file_in(folder, "from", bytes);
  for (const char* sparse : {"automatic", "never", "always"}) {
    expect_quiet(run({"copy", "--sparse", sparse, from, "/dev/null"}), 0);
    const outcome piped = run({"copy", "--sparse", sparse, from, "-"});
    expect_quiet(piped, 0);
    EXPECT_TRUE(piped.out == bytes) << sparse;
    const outcome reopened = run({"copy", "--sparse", sparse, from, "/dev/stdout"});
    expect_quiet(reopened, 0);
    EXPECT_TRUE(reopened.out == bytes) << sparse;
  }
}

// systemd 22288: a hole at the end cut the copy short.
TEST(copy, keeps_holes) {
  const temporary_folder folder;
  const std::string from = folder / "from";
  {
    const descriptor file = open_file(from, O_RDWR | O_CREAT);
    const std::string block = pattern(4096);
    ASSERT_EQ(::pwrite(file.get(), block.data(), block.size(), 0), 4096);
    ASSERT_EQ(::pwrite(file.get(), block.data(), block.size(), 1 << 20), 4096);
    ASSERT_EQ(::ftruncate(file.get(), 3 << 20), 0);
  }
  const std::string bytes = folder.read("from");
  const auto blocks = status_of(from).st_blocks;
  if (blocks * 512 >= 3 << 20) GTEST_SKIP() << "the file system of " << folder.path() << " has no holes";
  for (const char* sparse : {"automatic", "always", "never"}) {
    expect_quiet(run({"copy", "--sparse", sparse, from, folder / "to"}), 0);
    EXPECT_TRUE(folder.read("to") == bytes) << sparse;
    if (std::string(sparse) != "never") {
      EXPECT_LE(status_of(folder / "to").st_blocks, blocks) << sparse;
    }
  }
  // systemd 28781: the limit ends inside a hole.
  expect_quiet(run({"copy", "--bytes=500000", from, folder / "to"}), 0);
  EXPECT_TRUE(folder.read("to") == bytes.substr(0, 500000));
}

TEST(copy, into_a_file_of_another_file_system) {
  const temporary_folder folder;
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "/dev/shm is not writable";
  if (status_of("/dev/shm").st_dev == status_of(folder.path()).st_dev)
    GTEST_SKIP() << "/dev/shm is on the file system of " << folder.path();
  const std::string bytes = pattern(900000);
  const std::string there = "/dev/shm/sluice-tool-" + std::to_string(::getpid());
  expect_quiet(run({"copy", file_in(folder, "from", bytes), there}), 0);
  expect_quiet(run({"copy", there, folder / "back"}), 0);
  ::unlink(there.c_str());
  EXPECT_TRUE(folder.read("back") == bytes);
}

TEST(copy, of_names_with_odd_characters) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "tcp:a:1", "text");
  expect_quiet(run({"copy", "--", from, folder / "-new\nfile"}), 0);
  EXPECT_EQ(folder.read("-new\nfile"), "text");
  const auto go_there = [&] { EXPECT_EQ(::chdir(folder.path().c_str()), 0); };
  expect_quiet(run({"copy", "--", "-new\nfile", "./tcp:b:2"}, {.before_exec = go_there}), 0);
  EXPECT_EQ(folder.read("tcp:b:2"), "text");
  expect_quiet(run({"copy", "./tcp:b:2", "explain"}, {.before_exec = go_there}), 0);
  expect_quiet(run({"copy", "explain", "copy"}, {.before_exec = go_there}), 0);
  EXPECT_EQ(folder.read("copy"), "text");
}

// Without care the first file we open would become the standard stream that is missing.
TEST(copy, with_standard_streams_closed) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const auto close_all = [] {
    for (const int fd : {0, 1, 2}) ::close(fd);
  };
  EXPECT_EQ(run({"copy", from, folder / "to"}, {.before_exec = close_all}).status, 0);
  EXPECT_EQ(folder.read("to"), "text");
  expect_failure(run({"copy", "-", folder / "to"}, {.before_exec = [] { ::close(0); }}), 1,
                 "standard input: Bad file descriptor (reading; 0 bytes copied)");
  expect_failure(run({"copy", from, "-"}, {.before_exec = [] { ::close(1); }}), 1,
                 "standard output: Bad file descriptor (writing; 0 bytes copied)");
  EXPECT_EQ(folder.read("from"), "text");
}

}  // namespace
}  // namespace sluice::test
