// SPDX-License-Identifier: BSL-1.0
//
// What sluice copy asks of the kernel, as a library between the two sees it.
#include "preload.hpp"
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

namespace sluice::test {
namespace {

using preload::call;

class requests : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = preload_faults::why_not(); !why.empty()) GTEST_SKIP() << why;
  }

  std::string huge_file() const {
    const descriptor file = open_file(folder / "huge", O_WRONLY | O_CREAT);
    EXPECT_EQ(::ftruncate(file.get(), off_t{5} << 30), 0);
    return folder / "huge";
  }

  static std::string error(const char* which, int code) { return which + std::string("=e") + std::to_string(code); }

  temporary_folder folder;
  preload_faults trace{folder};
};

// sourceware bug 33245: some C libraries cut a larger answer to int. nginx trac 1870: one call ran for a minute.
TEST_F(requests, are_small_enough_to_be_counted_and_to_be_stopped) {
  const std::string huge = huge_file();
  // Each path moves a page, then gives way to the next; the last of them ends it.
  const std::string faults = error("clone_range@1", EOPNOTSUPP) + ",copy_file_range@1=n4096," +
                             error("copy_file_range@2", EINVAL) + ",sendfile@1=n4096," + error("sendfile@2", EINVAL) +
                             "," + error("write@2", EIO) + ",write@1=n4096";
  for (const char* progress : {"--report=text", "--progress=3600"}) {
    const outcome result = run({"copy", "--sparse=never", progress, "--buffer=1M", huge, folder / "to"},
                               {.environment = trace.environment(faults)});
    EXPECT_EQ(result.status, 1) << result.err;
    for (const call c : {call::copy_file_range, call::sendfile, call::read, call::write}) {
      EXPECT_GE(trace.calls(c), 1U) << result.err;
      EXPECT_LE(trace.largest_request(c), std::size_t{16} << 20);
    }
    EXPECT_GE(trace.largest_request(call::copy_file_range), std::size_t{1} << 20);
  }

  const outcome piped =
      run({"copy", "-", folder / "to"}, {.input = pattern(400000), .environment = trace.environment()});
  expect_quiet(piped, 0);
  EXPECT_GE(trace.calls(call::splice), 1U);
  EXPECT_LE(trace.largest_request(call::splice), std::size_t{16} << 20);
}

// node 31908: the short count of a write was taken for success, and the error that came next never seen.
TEST_F(requests, go_on_after_a_short_write_until_the_error_comes) {
  const std::string from = file_in(folder, "from", pattern(300000));
  for (const char* write : {"copy_file_range", "write"}) {
    const std::string again = write == std::string("write") ? "" : ",sendfile@1x*=e28,write@1x*=e28";
    const std::string faults = std::string(write) + "@1=n1000," + error((write + std::string("@2x*")).c_str(), ENOSPC) +
                               again + "," + error("clone_range@1", EOPNOTSUPP);
    const char* kernel = write == std::string("write") ? "--kernel=never" : "--kernel=automatic";
    const outcome result = run({"copy", kernel, from, folder / "to"}, {.environment = trace.environment(faults)});
    expect_failure(result, 1,
                   folder / "to" + ": No space left on device (writing; " + std::to_string(folder.read("to").size()) +
                       " bytes copied)");
    EXPECT_GE(folder.read("to").size(), 1000U);
    EXPECT_TRUE(pattern(300000).starts_with(folder.read("to")));
  }
}

// rust-lang/rust PR 108283: the pages of a file that wait in a pipe change with the file.
TEST_F(requests, lend_no_pages_of_a_file_to_a_pipe_unless_asked) {
  const std::string from = file_in(folder, "from", pattern(300000));
  const outcome result = run({"copy", from, "-"}, {.environment = trace.environment()});
  expect_quiet(result, 0);
  EXPECT_EQ(trace.calls(call::splice) + trace.calls(call::sendfile), 0U);
  EXPECT_EQ(run({"copy", "--kernel=aliasing", from, "-"}, {.environment = trace.environment()}).status, 0);
  EXPECT_GE(trace.calls(call::splice), 1U);
}

TEST_F(requests, are_never_for_no_bytes) {
  const std::string empty = file_in(folder, "empty", "");
  for (const arguments& words :
       {arguments{"copy", empty, "-"}, arguments{"copy", "-", "-"}, arguments{"copy", "--bytes=0", "-", "-"}}) {
    for (const bool by_socket : {false, true}) {
      const outcome result =
          run(words, {.input = "", .output_by_socket = by_socket, .environment = trace.environment()});
      expect_quiet(result, 0);
      for (const call c : {call::write, call::pwritev2, call::send, call::sendmsg, call::writev})
        EXPECT_EQ(trace.calls(c), 0U);
    }
  }
}

}  // namespace
}  // namespace sluice::test
