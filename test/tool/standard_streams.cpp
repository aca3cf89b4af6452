// SPDX-License-Identifier: BSL-1.0
//
// sluice copy with standard streams that it shares with others: ( sluice copy ...; sluice copy ... ) < f >> g
#include "preload.hpp"
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace sluice::test {
namespace {

// uutils 7666, bun PR 41687: the next program saw nothing, or everything twice.
TEST(standard_streams, two_tools_share_an_input_and_an_output) {
  for (const std::size_t size : {10U, 5000U, 40000U, 300000U}) {
    for (const char* kernel : {"--kernel=automatic", "--kernel=never", "--kernel=aliasing"}) {
      for (const std::size_t first : {std::size_t{3}, size / 2, size - 1, size}) {
        SCOPED_TRACE(std::string(kernel) + ", " + std::to_string(first) + " of " + std::to_string(size));
        const temporary_folder folder;
        const std::string bytes = pattern(size);
        const descriptor in = open_file(file_in(folder, "f", bytes), O_RDONLY);
        const descriptor out = open_file(folder / "g", O_WRONLY | O_CREAT);
        const setup shared{.input_fd = in.get(), .output_fd = out.get()};
        expect_quiet(run({"copy", kernel, "--bytes=" + std::to_string(first), "-", "-"}, shared), 0);
        EXPECT_EQ(::lseek(in.get(), 0, SEEK_CUR), static_cast<off_t>(first));
        expect_quiet(run({"copy", kernel, "-", "-"}, shared), 0);
        EXPECT_TRUE(folder.read("g") == bytes);
      }
    }
  }
}

// uutils 3008: more was read than was asked for, and the rest was lost.
TEST(standard_streams, what_a_pipe_or_a_socket_still_has_is_left_to_the_next) {
  const std::string bytes = pattern(60000);
  for (const bool by_socket : {false, true}) {
    for (const char* kernel : {"--kernel=automatic", "--kernel=never"}) {
      pipe_pair in = by_socket ? make_socket_pair() : make_pipe();
      ASSERT_EQ(::write(in.writer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
      in.writer.reset();
      std::string all;
      for (const std::size_t n : {1U, 4096U, 40000U, 60000U}) {
        const outcome piece =
            run({"copy", kernel, "--bytes=" + std::to_string(n), "-", "-"}, {.input_fd = in.reader.get()});
        expect_quiet(piece, 0);
        all += piece.out;
      }
      EXPECT_TRUE(all == bytes) << kernel << by_socket;
    }
  }
}

// uutils 5186: the first file stayed in a buffer while the second went past it to the descriptor.
TEST(standard_streams, one_copy_after_another_stays_in_order) {
  const temporary_folder folder;
  const std::string small = file_in(folder, "small", "head");
  const std::string large = file_in(folder, "large", pattern(300000));
  const std::string version = read_file("/proc/version");
  const std::string expected = "head" + version + pattern(300000) + "through a pipe" + "head";
  for (const int append : {0, O_APPEND}) {
    for (const char* kernel : {"--kernel=automatic", "--kernel=never", "--kernel=aliasing"}) {
      ::unlink((folder / "to").c_str());
      const descriptor out = open_file(folder / "to", O_WRONLY | O_CREAT | append);
      for (const std::string& from : {small, std::string("/proc/version"), large, std::string("-"), small})
        expect_quiet(run({"copy", kernel, from, "-"}, {.input = "through a pipe", .output_fd = out.get()}), 0);
      EXPECT_TRUE(folder.read("to") == expected) << kernel << append;
    }
  }
}

// bun 41685: O_APPEND was cleared on a description that belonged to the shell, and space preallocated behind it.
TEST(standard_streams, flags_stay_as_they_are) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", pattern(300000));
  const descriptor log = open_file(folder / "log", O_WRONLY | O_CREAT | O_APPEND);
  const int before = ::fcntl(log.get(), F_GETFL);
  preload_faults trace(folder);
  for (int i = 0; i < 2; ++i) {
    expect_quiet(run({"copy", from, "-"}, {.output_fd = log.get(), .environment = trace.environment()}), 0);
    EXPECT_EQ(::fcntl(log.get(), F_GETFL), before);
    EXPECT_EQ(trace.calls(preload::call::set_flags), 0U);
    EXPECT_EQ(trace.calls(preload::call::fallocate), 0U);
    EXPECT_EQ(trace.calls(preload::call::ftruncate), 0U);
  }
  EXPECT_TRUE(folder.read("log") == pattern(300000) + pattern(300000));
}

// uutils 5080. "-" goes on where the offset is; the path opens the file anew.
TEST(standard_streams, by_their_path_are_opened_anew) {
  const temporary_folder folder;
  const std::string bytes = pattern(50000);
  const descriptor in = open_file(file_in(folder, "from", bytes), O_RDONLY);
  ASSERT_EQ(::lseek(in.get(), 5, SEEK_SET), 5);
  expect_quiet(run({"copy", "/dev/stdin", folder / "to"}, {.input_fd = in.get()}), 0);
  EXPECT_TRUE(folder.read("to") == bytes);
  expect_quiet(run({"copy", "-", folder / "to"}, {.input_fd = in.get()}), 0);
  EXPECT_TRUE(folder.read("to") == bytes.substr(5));
}

}  // namespace
}  // namespace sluice::test
