// SPDX-License-Identifier: BSL-1.0
//
// The command line: what is wrong ends with 2 and one line that helps.
#include "run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::test {
namespace {

void expect_usage(const arguments& words, const std::string& in_line) {
  const outcome result = run(words);
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(count_lines(result.err), 1U) << result.err;
  EXPECT_TRUE(result.err.starts_with("sluice: ")) << result.err;
  EXPECT_NE(result.err.find(in_line), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--help'"), std::string::npos) << result.err;
}

TEST(command_line, needs_a_command) {
  expect_usage({}, "a command is missing");
  expect_usage({"cpoy", "a", "b"}, "no command 'cpoy'");
  expect_usage({"--nonsense"}, "no command '--nonsense'");
}

TEST(command_line, needs_source_and_destination) {
  for (const char* command : {"copy", "explain"}) {
    expect_usage({command}, "SRC");
    expect_usage({command, "a"}, "DST");
    expect_usage({command, "--nonsense", "a", "b"}, "--nonsense");
    expect_usage({command, "a", "b", "--bytes=c\nd"}, "c\\nd");
  }
}

TEST(command_line, wrong_values_of_options) {
  for (const char* size : {"x", "-1", "1X", "1Kb1", "0x10", "1.5M", "K", "99999999999999999999", "17E", "1 K"}) {
    expect_usage({"copy", std::string("--bytes=") + size, "a", "b"}, "--bytes");
    expect_usage({"copy", std::string("--skip=") + size, "a", "b"}, "--skip");
    expect_usage({"copy", std::string("--buffer=") + size, "a", "b"}, "--buffer");
  }
  expect_usage({"copy", "--buffer=0", "a", "b"}, "--buffer");
  expect_usage({"copy", "--buffer=2G", "a", "b"}, "--buffer");
  expect_usage({"copy", "--kernel=always", "a", "b"}, "automatic, never, aliasing");
  expect_usage({"copy", "--sparse=auto", "a", "b"}, "automatic, never, always");
  expect_usage({"copy", "--report=xml", "a", "b"}, "text, json");
  for (const char* seconds : {"x", "0", "-1", "1s", "nan", "inf", "100000"})
    expect_usage({"copy", std::string("--progress=") + seconds, "a", "b"}, "--progress");
  expect_usage({"copy", "a", "b", "--bytes"}, "--bytes");
  for (const char* rate : {"0", "x", "-1", "1K/m", "/s", "1.5M", "1 K/s"})
    expect_usage({"copy", std::string("--rate=") + rate, "a", "b"}, "--rate");
}

TEST(command_line, sizes_are_powers_of_1024) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(3 << 20));
  const std::vector<std::pair<const char*, std::size_t>> sizes{
      {"0", 0},        {"5", 5},        {"5B", 5},        {"1K", 1024},    {"1k", 1024},
      {"1KiB", 1024},  {"2kb", 2048},   {"64K", 65536},   {"1M", 1 << 20}, {"2MiB", 2 << 20},
      {"1G", 3 << 20}, {"1T", 3 << 20}, {"15E", 3 << 20},
  };
  for (const auto& [text, size] : sizes) {
    expect_quiet(run({"copy", "--bytes", text, from, folder / "to"}), 0);
    EXPECT_EQ(folder.read("to").size(), size) << text;
  }
}

TEST(command_line, the_last_of_repeated_options_counts) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "abcdef");
  expect_quiet(run({"copy", "--bytes=5", from, folder / "to", "--bytes=2"}), 0);
  EXPECT_EQ(folder.read("to"), "ab");
}

TEST(command_line, wrong_addresses) {
  for (const char* address :
       {"tcp:", "tcp:host", "tcp:host:", "tcp:host:x", "tcp:host:0", "tcp:host:65536", "tcp::80", "tcp:::1:80",
        "tcp:host:80:90", "tcp:[]:80", "unix:", "tcp-listen:80", "tcp-listen::x", "unix-listen:"}) {
    expect_usage({"copy", address, "-"}, address);
    expect_usage({"copy", "-", address}, address);
    expect_usage({"explain", "-", address}, address);
  }
}

// The value of these two is optional, so that it has to stand after "=".
TEST(command_line, a_value_that_was_taken_for_the_source_is_told) {
  expect_usage({"copy", "--progress", "5", "a", "b"}, "as in --progress=5;");
  expect_usage({"copy", "--report", "json", "a", "b"}, "as in --report=json;");
  for (const arguments& words : {arguments{"copy", "--progress", "a", "b", "c"}, arguments{"copy", "5", "a", "b"},
                                 arguments{"copy", "--progress=2", "5", "a", "b"}})
    EXPECT_EQ(run(words).err.find(" as in "), std::string::npos);
  const temporary_folder folder;
  expect_failure(run({"copy", "--progress", folder / "5", folder / "to"}), 1,
                 folder / "5" + ": No such file or directory (opening; 0 bytes copied)");
}

TEST(command_line, appending_needs_a_path) {
  expect_usage({"copy", "--append", "/dev/null", "-"}, "--append");
  expect_usage({"copy", "--append", "/dev/null", "unix:x"}, "--append");
}

TEST(command_line, help_and_version) {
  for (const arguments& words : {arguments{"--help"}, arguments{"-h"}, arguments{"copy", "--help"},
                                 arguments{"copy", "a", "-h"}, arguments{"explain", "--help", "a", "b", "c"}}) {
    const outcome result = run(words);
    expect_quiet(result, 0);
    EXPECT_TRUE(result.out.starts_with("Usage: sluice ")) << result.out;
  }
  const outcome version = run({"--version"});
  expect_quiet(version, 0);
  EXPECT_TRUE(version.out.starts_with("sluice ")) << version.out;
  EXPECT_EQ(count_lines(version.out), 1U);
}

TEST(command_line, help_names_every_option) {
  const std::string text = run({"copy", "--help"}).out;
  for (const char* option :
       {"--bytes N", "--skip N", "--append", "--atomic", "--sync", "--rate", "--digest NAME", "--progress", "--report",
        "--kernel", "--sparse", "--buffer", "--help", "tcp:HOST:PORT", "unix:PATH", "tcp-listen:", "unix-listen:"})
    EXPECT_NE(text.find(option), std::string::npos) << option;
}

}  // namespace
}  // namespace sluice::test
