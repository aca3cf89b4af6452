// SPDX-License-Identifier: BSL-1.0
//
// The empty private pipe that each thread keeps for its next copy: not shared with other threads or a child process,
// and closed with the thread.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "threads/together.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

namespace sluice {
namespace {

using namespace test;

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

TEST(spare_pipe, is_not_shared_between_threads) {
  EXPECT_TRUE(together(8, [](int i) { return relay(static_cast<std::uint32_t>(i) * 100, 3); }));
}

// After a copy the thread keeps an empty pipe; a child has a copy of both its ends.
TEST(spare_pipe, is_not_shared_with_a_child_process) {
  ASSERT_TRUE(relay(1, 1));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(relay(1000, 10) ? 0 : 1);
  EXPECT_TRUE(relay(2000, 10));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(spare_pipe, is_closed_with_its_thread) {
  const auto before = open_descriptors();
  for (int i = 0; i != 3; ++i) std::jthread([] { EXPECT_TRUE(relay(7, 2)); });
  EXPECT_EQ(open_descriptors(), before);
}

// A copier that has moved something through a private pipe, which is empty now.
class busy_copier {
 public:
  busy_copier() {
    ::fcntl(in_.reader.get(), F_SETFL, O_NONBLOCK);
    for (const std::string_view piece : {"first", "second"}) {
      write_text(in_.writer.get(), piece);
      EXPECT_TRUE(relay_.run());
    }
  }

 private:
  two_ends in_ = make_socket_pair();
  two_ends out_ = make_socket_pair();
  fd_ref from_{in_.reader.get()};
  fd_ref to_{out_.writer.get()};
  copier<fd_ref&, fd_ref&> relay_{from_, to_};
};

// Made before the thread's first private pipe, and so destroyed after the spare one: it must not leave its pipe there.
TEST(spare_pipe, is_not_left_behind_by_a_copier_that_outlives_it) {
  const auto before = open_descriptors();
  for (int i = 0; i != 3; ++i) {
    std::jthread([] {
      struct late {
        std::optional<busy_copier> held;
        ~late() { held.reset(); }
      };
      thread_local late outlives;
      outlives.held.emplace();
    });
  }
  EXPECT_EQ(open_descriptors(), before);
}

// A copy in the destructor of something that outlives the spare pipe.
TEST(spare_pipe, is_not_needed_by_a_copy_at_the_end_of_a_thread) {
  static std::atomic<int> right;
  right = 0;
  const auto before = open_descriptors();
  for (int i = 0; i != 3; ++i) {
    std::jthread([] {
      struct late {
        bool armed = false;
        ~late() {
          if (armed && relay(9, 1)) ++right;
        }
      };
      thread_local late outlives;
      outlives.armed = relay(8, 1);
    });
  }
  EXPECT_EQ(right, 3);
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace sluice
