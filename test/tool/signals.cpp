// SPDX-License-Identifier: BSL-1.0
//
// sluice copy and signals.
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

namespace sluice::test {
namespace {

// node 947, curl 5594: sluice copy big - | head -c 100
TEST(signals, a_gone_reader_of_standard_output_ends_the_tool_quietly) {
  const temporary_folder folder;
  const std::string big = file_in(folder, "big", pattern(4 << 20));
  for (const char* source : {big.c_str(), "/dev/zero"}) {
    pipe_pair p = make_pipe();
    child tool({"copy", source, "-"}, {.output_fd = p.writer.get()});
    p.writer.reset();
    char some[100];
    EXPECT_EQ(::read(p.reader.get(), some, sizeof some), 100);
    p.reader.reset();
    const outcome result = tool.wait();
    EXPECT_EQ(result.signal, SIGPIPE);
    EXPECT_EQ(result.err, "");
  }
}

TEST(signals, a_gone_reader_is_told_where_sigpipe_is_ignored) {
  pipe_pair p = make_pipe();
  p.reader.reset();
  expect_failure(
      run({"copy", "/dev/zero", "-"}, {.output_fd = p.writer.get(), .before_exec = [] { ::signal(SIGPIPE, SIG_IGN); }}),
      1, "standard output: Broken pipe (writing; 0 bytes copied)");
}

TEST(signals, a_gone_reader_of_a_fifo_is_told) {
  const temporary_folder folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  descriptor reader = open_file(fifo, O_RDONLY | O_NONBLOCK);
  child tool({"copy", "/dev/zero", fifo});
  char c = 0;
  while (::read(reader.get(), &c, 1) != 1) ::usleep(1000);
  reader.reset();
  const outcome result = tool.wait();
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(count_lines(result.err), 1U);
  EXPECT_NE(result.err.find(fifo + ": Broken pipe (writing; "), std::string::npos) << result.err;
}

TEST(signals, a_gone_reader_of_standard_error_does_not_stop_the_copy) {
  const temporary_folder folder;
  const std::string bytes = pattern(100000);
  pipe_pair p = make_pipe();
  p.reader.reset();
  const outcome result = run({"copy", "--progress", "--report", file_in(folder, "from", bytes), folder / "to"},
                             {.error_fd = p.writer.get()});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(folder.read("to") == bytes);
}

TEST(signals, interrupt_and_terminate_stop_a_copy_that_waits_for_its_source) {
  for (const auto& [signal, name] : {std::pair{SIGINT, "SIGINT"}, std::pair{SIGTERM, "SIGTERM"}}) {
    child tool({"copy", "-", "-"}, {.input = "abc", .keep_input_open = true});
    EXPECT_EQ(tool.read_output(3), "abc");
    tool.send(signal);
    const outcome result = tool.wait();
    EXPECT_EQ(result.signal, signal);
    EXPECT_EQ(result.out, "abc");
    EXPECT_EQ(result.err, std::string("sluice: stopped by ") + name + " (3 bytes copied)\n");
  }
}

TEST(signals, interrupt_stops_a_copy_into_a_file) {
  const temporary_folder folder;
  child tool({"copy", "-", folder / "to"}, {.input = "abc", .keep_input_open = true});
  // The bytes are there when the tool waits for more.
  while (::access((folder / "to").c_str(), F_OK) != 0 || status_of(folder / "to").st_size != 3) {
    ::usleep(1000);
  }
  tool.send(SIGINT);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGINT);
  EXPECT_EQ(result.err, "sluice: stopped by SIGINT (3 bytes copied)\n");
  EXPECT_EQ(folder.read("to"), "abc");
}

// sashgorokhov/docker-nginx-webdav 8, and one copy_file_range of two gigabytes: no call may be that long.
TEST(signals, interrupt_stops_a_long_copy_between_two_pieces) {
  const temporary_folder folder;
  const std::string endless = folder / "endless";
  {
    const descriptor file = open_file(endless, O_WRONLY | O_CREAT);
    ASSERT_EQ(::ftruncate(file.get(), off_t{1} << 40), 0);
  }
  child tool({"copy", "--progress=0.02", "--sparse=never", endless, "/dev/null"});
  tool.read_errors_until([](const std::string& text) { return count_lines(text) >= 2; });
  tool.send(SIGINT);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGINT);
  EXPECT_NE(result.err.find("sluice: stopped by SIGINT ("), std::string::npos) << result.err;
}

TEST(signals, interrupt_stops_a_copy_whose_output_is_blocked) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(1 << 20));
  for (const char* kernel : {"--kernel=never", "--kernel=automatic", "--kernel=aliasing"}) {
    const pipe_pair p = make_pipe();
    child tool({"copy", "--progress=0.02", kernel, from, "-"}, {.output_fd = p.writer.get()});
    tool.read_errors_until([](const std::string& text) { return count_lines(text) >= 3; });
    tool.send(SIGINT);
    const outcome result = tool.wait();
    EXPECT_EQ(result.signal, SIGINT);
    EXPECT_NE(result.err.find("sluice: stopped by SIGINT ("), std::string::npos) << result.err;
  }
}

TEST(signals, terminate_kills_a_tool_that_waits_in_open) {
  const temporary_folder folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  child tool({"copy", fifo, folder / "to"});
  ::usleep(20000);
  tool.send(SIGTERM);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"fifo"});
}

TEST(signals, one_that_was_ignored_stays_ignored) {
  child tool({"copy", "-", "-"},
             {.input = "abc", .keep_input_open = true, .before_exec = [] { ::signal(SIGINT, SIG_IGN); }});
  EXPECT_EQ(tool.read_output(3), "abc");
  tool.send(SIGINT);
  tool.send(SIGTERM);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.err, "sluice: stopped by SIGTERM (3 bytes copied)\n");
}

}  // namespace
}  // namespace sluice::test
