// SPDX-License-Identifier: BSL-1.0
//
// Many copies at once, and the private pipes that threads and processes do not share.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <barrier>

namespace sluice {
namespace {

using namespace test;

TEST(copy_threads, eight_at_once) {
  constexpr int threads = 8;
  const temporary_folder folder;
  const std::string text = some_text(400'000);
  std::barrier start(threads);
  std::array<bool, threads> right{};
  {
    std::vector<std::jthread> all;
    for (int i = 0; i != threads; ++i) {
      all.emplace_back([&, i] {
        const std::string name = "to" + std::to_string(i);
        start.arrive_and_wait();
        bool good = true;
        for (int turn = 0; turn != 3; ++turn) {
          two_ends in = make_socket_pair();
          two_ends out = make_socket_pair();
          feeder fed(std::move(in.writer), text);
          collector received(out.reader.get());
          good = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get())) == text.size() && good;
          out.writer.reset();
          good = received.text() == text && good;

          const handle from = file_with(folder / ("from" + std::to_string(i)), text);
          const handle to = new_file(folder / name);
          good = copy(fd_ref(from.get()), fd_ref(to.get())) == text.size() && good;
          good = content_of(folder / name) == text && good;
        }
        right.at(static_cast<std::size_t>(i)) = good;
      });
    }
  }
  EXPECT_EQ(right, (std::array<bool, threads>{true, true, true, true, true, true, true, true}));
}

// Copies from socket to socket until `turns` have passed; whether every byte was right.
bool relay(std::uint32_t seed, int turns) {
  for (int i = 0; i != turns; ++i) {
    const std::string text = some_text(200'000, seed + static_cast<std::uint32_t>(i));
    two_ends in = make_socket_pair();
    two_ends out = make_socket_pair();
    feeder fed(std::move(in.writer), text);
    collector received(out.reader.get());
    copy_report report;
    const auto copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.report = &report});
    out.writer.reset();
    if (!copied || *copied != text.size() || received.text() != text) return false;
    if (report[copy_path::splice].bytes == 0) return false;
  }
  return true;
}

// After a copy the thread keeps an empty pipe; a child has a copy of both its ends.
TEST(copy_threads, a_child_process_does_not_share_the_spare_pipe) {
  ASSERT_TRUE(relay(1, 1));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(relay(1000, 20) ? 0 : 1);
  EXPECT_TRUE(relay(2000, 20));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(copy_threads, leaves_no_descriptor_behind) {
  const auto open_now = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = open_now();
  for (int i = 0; i != 3; ++i) std::jthread([] { EXPECT_TRUE(relay(7, 2)); });
  EXPECT_EQ(open_now(), before);
}

}  // namespace
}  // namespace sluice
