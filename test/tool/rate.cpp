// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --rate. That it is no faster than it may be can be asserted; that it is no slower can't.
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>

#include <chrono>
#include <string>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

TEST(rate, is_not_exceeded) {
  const temporary_folder folder;
  const std::string bytes = pattern(40000);
  const std::string from = file_in(folder, "from", bytes);
  for (const arguments& options :
       {arguments{"--rate=100000"}, {"--rate", "100000/s"}, {"--rate=97K", "--kernel=never"}}) {
    arguments words{"copy", from, folder / "to"};
    words.insert(words.end(), options.begin(), options.end());
    const clock::time_point start = clock::now();
    expect_quiet(run(words), 0);
    // 0.4 s, less the first piece, which goes at once.
    EXPECT_GT(clock::now() - start, 300ms);
    EXPECT_TRUE(folder.read("to") == bytes);
  }
}

TEST(rate, is_that_of_all_sources_together) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "0123456789");
  const clock::time_point start = clock::now();
  expect_quiet(run({"copy", "--rate=100", from, "-", from, folder / "to"}, {.input = "abcdefghij"}), 0);
  EXPECT_GT(clock::now() - start, 200ms);
  EXPECT_EQ(folder.read("to"), "0123456789abcdefghij0123456789");
}

TEST(rate, changes_nothing_else) {
  const temporary_folder folder;
  const std::string bytes = pattern(300000);
  const std::string from = file_in(folder, "from", bytes);
  const outcome piped =
      run({"copy", "--rate=2MiB/s", "--skip=5", "--bytes=250000", "--report=json", "-", "-"}, {.input = bytes});
  EXPECT_EQ(piped.status, 0);
  EXPECT_TRUE(piped.out == bytes.substr(5, 250000));
  EXPECT_TRUE(is_valid_json(piped.err)) << piped.err;
  EXPECT_TRUE(piped.err.starts_with(R"({"version":1,"bytes":250000,)")) << piped.err;
  expect_quiet(run({"copy", "--rate=1G", from, folder / "to"}), 0);
  EXPECT_TRUE(folder.read("to") == bytes);
  const outcome digested = run({"copy", "--rate=2M", "--digest=crc32", from, folder / "to"});
  EXPECT_EQ(digested.err, run({"copy", "--digest=crc32", from, folder / "to"}).err);
  expect_failure(run({"copy", "--rate=1M", from, "/dev/full"}), 1,
                 "/dev/full: No space left on device (writing; 0 bytes copied)");
}

TEST(rate, keeps_holes) {
  const temporary_folder folder;
  const std::string from = folder / "from";
  const descriptor file = open_file(from, O_RDWR | O_CREAT);
  ASSERT_EQ(::pwrite(file.get(), "middle", 6, 1 << 20), 6);
  ASSERT_EQ(::ftruncate(file.get(), (2 << 20) + 11), 0);
  expect_quiet(run({"copy", "--rate=10M", from, folder / "to"}), 0);
  EXPECT_TRUE(folder.read("to") == folder.read("from"));
}

TEST(rate, a_copy_that_waits_for_its_time_can_be_stopped) {
  const clock::time_point start = clock::now();
  child tool({"copy", "--rate=1", "-", "-"}, {.input = std::string(1000, 'x')});
  EXPECT_EQ(tool.read_output(1), "x");
  tool.send(SIGINT);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGINT);
  EXPECT_TRUE(result.err.starts_with("sluice: stopped by SIGINT (")) << result.err;
  EXPECT_LT(clock::now() - start, 30s);
}

}  // namespace
}  // namespace sluice::test
