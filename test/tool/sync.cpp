// SPDX-License-Identifier: BSL-1.0
//
// sluice copy --sync
#include "preload.hpp"
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace sluice::test {
namespace {

using preload::call;

class sync_option : public ::testing::Test {
 protected:
  temporary_folder folder;
  const std::string from = file_in(folder, "from", "text");
  const std::string to = folder / "to";
};

class sync_calls : public sync_option {
 protected:
  void SetUp() override {
    if (const std::string why = preload_faults::why_not(); !why.empty()) GTEST_SKIP() << why;
  }
  preload_faults trace{folder};
};

TEST_F(sync_calls, are_one_for_the_file_and_one_for_its_folder) {
  for (const char* option : {"--sync", "--sync=all"}) {
    expect_quiet(run({"copy", option, from, to}, {.environment = trace.environment()}), 0);
    EXPECT_EQ(trace.calls(call::fsync), 2U);
    EXPECT_EQ(trace.calls(call::fdatasync), 0U);
  }
  expect_quiet(run({"copy", "--sync=data", from, to}, {.environment = trace.environment()}), 0);
  EXPECT_EQ(trace.calls(call::fsync), 0U);
  EXPECT_EQ(trace.calls(call::fdatasync), 1U);
  expect_quiet(run({"copy", from, to}, {.environment = trace.environment()}), 0);
  EXPECT_EQ(trace.calls(call::fsync) + trace.calls(call::fdatasync), 0U);
}

TEST_F(sync_calls, are_one_for_standard_output_whose_folder_is_unknown) {
  const descriptor out = open_file(to, O_WRONLY | O_CREAT);
  expect_quiet(run({"copy", "--sync", from, "-"}, {.output_fd = out.get(), .environment = trace.environment()}), 0);
  EXPECT_EQ(trace.calls(call::fsync), 1U);
  EXPECT_EQ(folder.read("to"), "text");
}

TEST_F(sync_calls, come_once_for_several_sources) {
  expect_quiet(run({"copy", "--sync=data", from, from, to}, {.environment = trace.environment()}), 0);
  EXPECT_EQ(trace.calls(call::fdatasync), 1U);
}

TEST_F(sync_calls, are_left_out_after_a_failed_copy) {
  EXPECT_EQ(run({"copy", "--sync", from, "/proc/self/mem", to}, {.environment = trace.environment()}).status, 1);
  EXPECT_EQ(trace.calls(call::fsync), 0U);
}

TEST_F(sync_calls, that_fail_make_the_copy_fail) {
  for (const auto& [option, fault] :
       {std::pair{"--sync", "fsync@1=e5"}, {"--sync", "fsync@2=e5"}, {"--sync=data", "fdatasync@1=e5"}}) {
    expect_failure(run({"copy", option, from, to}, {.environment = trace.environment(fault)}), 1,
                   to + ": Input/output error (syncing; 4 bytes copied)");
  }
  const outcome result =
      run({"copy", "--sync", "--report=json", from, to}, {.environment = trace.environment("fsync@1=e5")});
  EXPECT_NE(result.err.find(R"("error":{"side":"destination","doing":"syncing","reason":"EIO: Input/output error"})"),
            std::string::npos)
      << result.err;
}

TEST_F(sync_option, follows_links_to_the_folder_of_the_file) {
  ASSERT_EQ(::mkdir((folder / "inner").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("inner/to", (folder / "link").c_str()), 0);
  expect_quiet(run({"copy", "--sync", from, folder / "link"}), 0);
  EXPECT_EQ(folder.read("inner/to"), "text");
}

TEST_F(sync_option, refuses_what_has_no_disk) {
  for (const char* address : {"tcp:127.0.0.1:1", "unix:x"}) {
    const outcome result = run({"copy", "--sync", from, address});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("--sync: DST has to be a file"), std::string::npos) << result.err;
  }
  expect_failure(run({"copy", "--sync", from, "-"}), 1,
                 "standard output: a pipe can't be synced (opening; 0 bytes copied)");
  expect_failure(run({"copy", "--sync", from, "/dev/null"}), 1,
                 "/dev/null: a character device can't be synced (opening; 0 bytes copied)");
  const outcome wrong = run({"copy", "--sync=some", from, to});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--sync: 'some' is none of all, data"), std::string::npos) << wrong.err;
  const outcome taken = run({"copy", "--sync", "data", from, to});
  EXPECT_EQ(taken.status, 2);
  EXPECT_NE(taken.err.find("as in --sync=data;"), std::string::npos) << taken.err;
}

}  // namespace
}  // namespace sluice::test
