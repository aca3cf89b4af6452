// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --atomic: DST appears whole or not at all.
#include "preload.hpp"
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {
namespace {

using preload::call;
using names = std::vector<std::string>;

class atomic_option : public ::testing::Test {
 protected:
  /// Passes when the folder holds these and nothing else.
  void expect_names(names expected) const {
    names found = names_in(folder);
    std::ranges::sort(found);
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected);
  }

  temporary_folder folder;
  const std::string bytes = pattern(300001);
  const std::string from = file_in(folder, "from", bytes);
  const std::string to = folder / "to";
};

TEST_F(atomic_option, makes_a_file) {
  for (const arguments& more : {arguments{}, {"--kernel=never"}, {"--sync"}, {"--rate=100M"}, {"--sparse=always"}}) {
    ::unlink(to.c_str());
    arguments words{"copy", "--atomic", from, to};
    words.insert(words.end(), more.begin(), more.end());
    expect_quiet(run(words, {.before_exec = [] { ::umask(027); }}), 0);
    EXPECT_TRUE(folder.read("to") == bytes);
    EXPECT_EQ(status_of(to).st_mode & 07777U, 0640U);
    expect_names({"from", "to"});
  }
}

TEST_F(atomic_option, replaces_a_file_and_keeps_its_permissions) {
  file_in(folder, "to", "old");
  ::chmod(to.c_str(), 0604);
  const descriptor old = open_file(to, O_RDONLY);
  expect_quiet(run({"copy", "--atomic", from, to}), 0);
  EXPECT_TRUE(folder.read("to") == bytes);
  EXPECT_EQ(status_of(to).st_mode & 07777U, 0604U);
  expect_names({"from", "to"});
  // Who has it open keeps what was there.
  char some[8] = {};
  EXPECT_EQ(::read(old.get(), some, sizeof some), 3);
  EXPECT_EQ(std::string(some), "old");
}

TEST_F(atomic_option, replaces_a_file_in_the_working_folder) {
  file_in(folder, "to", "old");
  expect_quiet(run({"copy", "--atomic", "--sync", "from", "to"},
                   {.before_exec = [&] { (void)!::chdir(folder.path().c_str()); }}),
               0);
  EXPECT_TRUE(folder.read("to") == bytes);
  expect_names({"from", "to"});
}

TEST_F(atomic_option, replaces_what_a_link_leads_to) {
  ASSERT_EQ(::mkdir((folder / "inner").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("inner/file", to.c_str()), 0);
  for (int time = 0; time != 2; ++time) {  // the link leads to nothing first
    expect_quiet(run({"copy", "--atomic", from, to}), 0);
    EXPECT_TRUE(folder.read("inner/file") == bytes);
    expect_names({"from", "inner", "to"});
    file_in(folder, "inner/file", "old");
  }
  struct stat link{};
  ASSERT_EQ(::lstat(to.c_str(), &link), 0);
  EXPECT_TRUE(S_ISLNK(link.st_mode));
}

TEST_F(atomic_option, takes_a_name_of_any_length) {
  const std::string longest = folder / std::string(255, 'x');
  expect_quiet(run({"copy", "--atomic", from, longest}), 0);
  EXPECT_EQ(status_of(longest).st_size, 300001);
}

// Nothing is emptied before it has been read.
TEST_F(atomic_option, lets_the_destination_be_a_source) {
  const std::string head = file_in(folder, "head", "head ");
  expect_quiet(run({"copy", "--atomic", head, from, from}), 0);
  EXPECT_TRUE(folder.read("from") == "head " + bytes);
  expect_quiet(run({"copy", "--atomic", "--bytes=4", from, from}), 0);
  EXPECT_EQ(folder.read("from"), "head");
}

TEST_F(atomic_option, shows_nothing_before_the_end) {
  for (const bool exists : {false, true}) {
    if (exists) file_in(folder, "to", "old");
    pipe_pair in = make_pipe();
    child tool({"copy", "--atomic", "--progress=0.05", "-", to}, {.input_fd = in.reader.get()});
    ASSERT_EQ(::write(in.writer.get(), "new", 3), 3);
    tool.read_errors_until([](const std::string& text) { return text.find("sluice: 3 bytes") != std::string::npos; });
    EXPECT_EQ(exists ? folder.read("to") : "", exists ? "old" : "");
    EXPECT_EQ(::access(to.c_str(), F_OK) == 0, exists);
    in.writer.reset();
    EXPECT_EQ(tool.wait().status, 0);
    EXPECT_EQ(folder.read("to"), "new");
    expect_names({"from", "to"});
    ::unlink(to.c_str());
  }
}

TEST_F(atomic_option, leaves_nothing_behind_when_it_is_stopped) {
  for (const int signal : {SIGINT, SIGTERM}) {
    file_in(folder, "to", "old");
    pipe_pair in = make_pipe();
    child tool({"copy", "--atomic", "--progress=0.05", "-", to}, {.input_fd = in.reader.get()});
    ASSERT_EQ(::write(in.writer.get(), "new", 3), 3);
    tool.read_errors_until([](const std::string& text) { return text.find("sluice: 3 bytes") != std::string::npos; });
    tool.send(signal);
    EXPECT_EQ(tool.wait().signal, signal);
    EXPECT_EQ(folder.read("to"), "old");
    expect_names({"from", "to"});
  }
}

TEST_F(atomic_option, leaves_nothing_behind_when_it_fails) {
  expect_failure(run({"copy", "--atomic", from, "/proc/self/mem", to}), 1,
                 "/proc/self/mem: Input/output error (reading; 300001 bytes copied)");
  expect_names({"from"});
  file_in(folder, "to", "old");
  EXPECT_EQ(run({"copy", "--atomic", from, "/proc/self/mem", to}).status, 1);
  EXPECT_EQ(run({"copy", "--atomic", folder / "missing", to}).status, 1);
  EXPECT_EQ(run({"copy", "--atomic", from, folder / "missing", to}).status, 1);
  EXPECT_EQ(folder.read("to"), "old");
  expect_names({"from", "to"});
}

TEST_F(atomic_option, tells_that_the_last_step_has_failed) {
  pipe_pair in = make_pipe();
  child tool({"copy", "--atomic", "--progress=0.05", "-", to}, {.input_fd = in.reader.get()});
  ASSERT_EQ(::write(in.writer.get(), "new", 3), 3);
  tool.read_errors_until([](const std::string& text) { return text.find("sluice: 3 bytes") != std::string::npos; });
  ASSERT_EQ(::mkdir(to.c_str(), 0700), 0);
  in.writer.reset();
  const outcome result = tool.wait();
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.err.ends_with("sluice: " + to + ": Is a directory (replacing; 3 bytes copied)\n")) << result.err;
  expect_names({"from", "to"});
}

// Every call of each kind that the copy makes, and what stands there afterwards: the old file or the whole new one.
TEST_F(atomic_option, leaves_the_old_or_the_new_file_whatever_call_fails) {
  if (const std::string why = preload_faults::why_not(); !why.empty()) GTEST_SKIP() << why;
  const temporary_folder elsewhere;
  preload_faults trace(elsewhere);
  for (const arguments& mode : {arguments{}, {"--kernel=never", "--sync"}}) {
    arguments words{"copy", "--atomic", from, to};
    words.insert(words.end(), mode.begin(), mode.end());
    file_in(folder, "to", "old");
    EXPECT_EQ(run(words, {.environment = trace.environment()}).status, 0);
    std::vector<std::pair<call, std::size_t>> calls;
    for (const call c : {call::open, call::read, call::write, call::pwritev2, call::lseek, call::fstat,
                         call::copy_file_range, call::fsync, call::fdatasync, call::close})
      for (std::size_t k = 1; k <= std::min<std::size_t>(trace.calls(c), 6); ++k) calls.emplace_back(c, k);
    std::size_t changed = 0;
    for (const auto& [c, k] : calls) {
      const std::string fault =
          std::string(preload::call_names[static_cast<std::size_t>(c)]) + "@" + std::to_string(k) + "=e5";
      file_in(folder, "to", "old");
      const outcome result = run(words, {.environment = trace.environment(fault)});
      changed += trace.changed(c);
      const std::string found = folder.read("to");
      if (result.status == 0)
        EXPECT_TRUE(found == bytes) << fault;
      else
        EXPECT_TRUE(result.status == 1 && (found == "old" || found == bytes)) << fault << result.err;
      expect_names({"from", "to"});
    }
    EXPECT_GT(changed, calls.size() / 2);
  }
}

TEST_F(atomic_option, syncs_the_file_before_it_is_renamed) {
  if (const std::string why = preload_faults::why_not(); !why.empty()) GTEST_SKIP() << why;
  preload_faults trace(folder);
  const auto syncs = [&](const arguments& mode) {
    arguments words{"copy", "--atomic", from, to};
    words.insert(words.end(), mode.begin(), mode.end());
    expect_quiet(run(words, {.environment = trace.environment()}), 0);
    return std::pair(trace.calls(call::fdatasync), trace.calls(call::fsync));
  };
  EXPECT_EQ(syncs({}), std::pair(2UL, 0UL)) << "the file and its folder";
  EXPECT_EQ(syncs({"--sync=data"}), std::pair(2UL, 0UL));
  EXPECT_EQ(syncs({"--sync"}), std::pair(0UL, 2UL));
  expect_failure(run({"copy", "--atomic", from, to}, {.environment = trace.environment("fdatasync@1=e28")}), 1,
                 to + ": No space left on device (replacing; 300001 bytes copied)");
}

TEST_F(atomic_option, refuses_what_cannot_be_replaced) {
  for (const auto& [words, wrong] : {
           std::pair{arguments{"copy", "--atomic", from, "-"}, "--atomic: DST has to be a path"},
           {arguments{"copy", "--atomic", from, "tcp:127.0.0.1:1"}, "--atomic: DST has to be a path"},
           {arguments{"copy", "--atomic", "--append", from, to}, "--atomic: a file that is replaced can't be appended"},
       }) {
    const outcome result = run(words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(count_lines(result.err), 1U) << result.err;
    EXPECT_NE(result.err.find(wrong), std::string::npos) << result.err;
  }
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {fifo, std::string("/dev/null")})
    expect_failure(run({"copy", "--atomic", from, path}), 1,
                   path + ": only a regular file can be replaced (opening; 0 bytes copied)");
  expect_failure(run({"copy", "--atomic", from, folder.path()}), 1,
                 folder.path() + ": Is a directory (opening; 0 bytes copied)");
  expect_failure(run({"copy", "--atomic", from, folder / "no/to"}), 1,
                 folder / "no/to" + ": No such file or directory (opening; 0 bytes copied)");
  expect_names({"fifo", "from"});
}

TEST_F(atomic_option, is_explained) {
  file_in(folder, "to", "old");
  const outcome result = run({"explain", "--atomic", from, to});
  expect_quiet(result, 0);
  EXPECT_NE(result.out.find("destination:  " + to + ", regular file, would be replaced\n"), std::string::npos)
      << result.out;
  EXPECT_EQ(folder.read("to"), "old");
  EXPECT_EQ(run({"explain", "--atomic", from, "/dev/null"}).status, 1);
}

}  // namespace
}  // namespace sluice::test
