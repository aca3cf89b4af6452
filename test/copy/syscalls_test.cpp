// SPDX-License-Identifier: BSL-1.0
//
// Exact numbers of system calls, by the seam and as strace(1) sees them.
//
#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"
#include "zero_to_null.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <sstream>
#include <thread>

namespace sluice {
namespace {

using namespace test;

TEST(copy_syscalls, a_small_file_to_a_new_one) {
  const temporary_folder folder;
  file_with(folder / "from", "abc");
  file from = or_throw(file::open(folder / "from"));
  file to = or_throw(file::create(folder / "to"));
  const call_counter calls;
  const auto copied = copy(from, to);
  EXPECT_EQ(calls["read"], 2U);
  EXPECT_EQ(calls["write"], 1U);
  EXPECT_EQ(calls.total(), 3U);
  EXPECT_EQ(show(copied), "3");
}

TEST(copy_syscalls, memory_to_a_new_file) {
  const temporary_folder folder;
  file to = or_throw(file::create(folder / "to"));
  const call_counter calls;
  const auto copied = copy(span_reader("abc"), to);
  EXPECT_EQ(calls["write"], 1U);
  EXPECT_EQ(calls.total(), 1U);
  EXPECT_EQ(show(copied), "3");
}

// A buffer that is there anyway shows that the source is small; nothing has to be asked.
TEST(copy_syscalls, a_small_file_through_a_wrapper) {
  const temporary_folder folder;
  file_with(folder / "from", "abc");
  for (const std::string_view wrapper : {"buf_reader", "any_reader", "buf_writer"}) {
    SCOPED_TRACE(wrapper);
    file from = or_throw(file::open(folder / "from"));
    file to = or_throw(file::create(folder / "to"));
    const call_counter calls;
    if (wrapper == "buf_reader") {
      EXPECT_EQ(show(copy(buf_reader(from), to)), "3");
    } else if (wrapper == "any_reader") {
      EXPECT_EQ(show(copy(any_reader(from), to)), "3");
    } else {
      buf_writer out(to);
      EXPECT_EQ(show(copy(from, out)), "3");
      EXPECT_TRUE(out.flush());
    }
    EXPECT_EQ(calls["read"], 2U);
    EXPECT_EQ(calls["write"], 1U);
    // Before a writer holds bytes back it is asked, once in the life of the source, whether that may have to wait.
    EXPECT_EQ(calls.total(), wrapper == "buf_writer" ? 4U : 3U);
  }
}

// The rest of a file that is copied from the middle lies on the borders of large folios.
TEST(copy_syscalls, the_first_piece_in_the_kernel_ends_at_64_KiB) {
  const temporary_folder folder;
  const std::string text = some_text(300'000);
  for (const off_t start : {0, 5000, 65536, 100'000}) {
    const handle from = file_with(folder / "from", text);
    const handle to = new_file(folder / "to");
    ::lseek(from.get(), start, SEEK_SET);
    const fault only_one({.call = "copy_file_range", .at = 2, .times = always, .error = EIO});
    const fault no_other({.call = "sendfile", .times = always, .error = EIO});
    copy_report report;
    EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), std::to_string(300'000 - start));
    const std::uintmax_t in_kernel_from = static_cast<std::uintmax_t>(start) + 32768;
    EXPECT_EQ(report[copy_path::copy_file_range].calls, 1U);
    EXPECT_EQ((in_kernel_from + report[copy_path::copy_file_range].bytes) % 65536,
              in_kernel_from % 65536 == 0 ? 300'000U % 65536 : 0U);
    EXPECT_TRUE(content_of(folder / "to") == text.substr(static_cast<std::size_t>(start)));
  }
}

// While a splice waits for its destination it holds the pipe that it reads, and so the pipe's writer.
TEST(copy_syscalls, only_a_pipe_that_goes_on_for_long_gets_a_private_one) {
  for (const std::size_t size : {std::size_t{200'000}, std::size_t{1'000'000}}) {
    const temporary_folder folder;
    const std::string text = some_text(size);
    const handle to = new_file(folder / "to");
    std::size_t pipes = 0;
    std::string arrived;
    std::thread fresh([&] {  // has no spare pipe
      two_ends in = make_pipe_ends(1 << 20);
      write_text(in.writer.get(), text);
      in.writer.reset();
      const fault counted({.call = "pipe2"});
      const auto copied = copy(fd_ref(in.reader.get()), fd_ref(to.get()));
      pipes = counted.calls();
      EXPECT_EQ(show(copied), std::to_string(size));
    });
    fresh.join();
    EXPECT_EQ(pipes, size > 500'000 ? 1U : 0U);
    EXPECT_TRUE(content_of(folder / "to") == text);
  }
}

class copy_zero_to_null : public testing::TestWithParam<std::string_view> {};

TEST_P(copy_zero_to_null, by_the_seam) {
  file zero = or_throw(file::open("/dev/zero"));
  file null = or_throw(file::open("/dev/null", {.write = true}));
  const call_counter calls;
  EXPECT_EQ(zero_to_null(GetParam(), zero, null), 1_MiB);
  EXPECT_EQ(calls["read"] + calls["readv"], 4U);
  EXPECT_EQ(calls["write"] + calls["writev"], 4U);
}

// The calls that strace(1) saw between the two marks, one a line; nothing where it could not look.
std::optional<std::vector<std::string>> traced(const std::vector<std::string>& arguments, std::string& why_not) {
  const temporary_folder folder;
  std::vector<std::string> command{"strace", "-qq", "-e", "signal=none", "-o", folder / "trace", COPY_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // which cannot run under a tracer
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const std::string trace = folder.read("trace");
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 127) {
    why_not = "strace is not installed";
    return std::nullopt;
  }
  if (trace.find("\"begin\"") == std::string::npos) {
    why_not = "strace could not trace: ptrace is forbidden here";
    return std::nullopt;
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
  std::vector<std::string> calls;
  bool inside = false;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"end\"") != std::string::npos) break;
    if (inside) calls.push_back(line);
    if (line.find("\"begin\"") != std::string::npos) inside = true;
  }
  return calls;
}

std::size_t count(const std::vector<std::string>& calls, std::string_view name) {
  return static_cast<std::size_t>(
      std::ranges::count_if(calls, [&](const std::string& line) { return line.starts_with(std::string(name) + "("); }));
}

TEST_P(copy_zero_to_null, by_strace) {
  std::string why_not;
  const auto calls = traced({std::string(GetParam())}, why_not);
  if (!calls) GTEST_SKIP() << why_not;
  EXPECT_EQ(count(*calls, "read") + count(*calls, "readv"), 4U);
  EXPECT_EQ(count(*calls, "write") + count(*calls, "writev"), 4U);
}

INSTANTIATE_TEST_SUITE_P(all, copy_zero_to_null, testing::ValuesIn(wrappings),
                         [](const auto& p) { return std::string(p.param); });

TEST(copy_syscalls, a_small_file_as_strace_sees_it) {
  const temporary_folder folder;
  file_with(folder / "from", "abc");
  std::string why_not;
  const auto calls = traced({"small_file", folder / "from", folder / "to"}, why_not);
  if (!calls) GTEST_SKIP() << why_not;
  ASSERT_EQ(calls->size(), 3U) << testing::PrintToString(*calls);
  EXPECT_TRUE(calls->at(0).starts_with("read("));
  EXPECT_TRUE(calls->at(1).starts_with("write("));
  EXPECT_TRUE(calls->at(2).starts_with("read("));
}

}  // namespace
}  // namespace sluice
