// SPDX-License-Identifier: BSL-1.0
//
// sluice copy between sides that keep it waiting: what has come goes on at once, and waiting costs nothing.
#include "preload.hpp"
#include "run.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::test {
namespace {

/// A terminal that changes no byte: what is written to one end is read from the other.
struct raw_terminal {
  descriptor user{::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
  descriptor tool;

  raw_terminal() {
    EXPECT_EQ(::grantpt(user.get()), 0);
    EXPECT_EQ(::unlockpt(user.get()), 0);
    tool = open_file(::ptsname(user.get()), O_RDWR | O_NOCTTY);
    termios settings{};
    EXPECT_EQ(::tcgetattr(tool.get(), &settings), 0);
    ::cfmakeraw(&settings);
    EXPECT_EQ(::tcsetattr(tool.get(), TCSANOW, &settings), 0);
  }
};

void write_whole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    ASSERT_GT(n, 0);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

// uutils 12188, coreutils PR 260: where splice was missing, what came in pieces was held back.
TEST(live, each_piece_goes_on_before_the_next_one_comes) {
  const temporary_folder folder;
  preload_faults trace(folder);
  for (const bool from_socket : {false, true}) {
    for (const bool to_socket : {false, true}) {
      for (const char* option : {"--kernel=automatic", "--kernel=never", "--kernel=aliasing", "--progress=3600"}) {
        for (const char* fault : {"", "splice@1x*=e38,pwritev2@1x*=e95"}) {
          SCOPED_TRACE(std::string(option) + fault + (from_socket ? " from socket" : "") +
                       (to_socket ? " to socket" : ""));
          pipe_pair in = from_socket ? make_socket_pair() : make_pipe();
          child tool(
              {"copy", option, "-", "-"},
              {.input_fd = in.reader.get(), .output_by_socket = to_socket, .environment = trace.environment(fault)});
          std::string sent;
          for (const std::string& piece : {std::string("x"), std::string("yy"), pattern(50000), std::string("z")}) {
            sent += piece;
            write_whole(in.writer.get(), piece);
            ASSERT_TRUE(tool.read_output(sent.size()) == sent) << sent.size();
          }
          in.writer.reset();
          in.reader.reset();
          EXPECT_EQ(tool.wait().status, 0);
        }
      }
    }
  }
}

TEST(live, each_piece_goes_into_a_file_before_the_next_one_comes) {
  const temporary_folder folder;
  preload_faults trace(folder);
  for (const char* fault : {"", "splice@1x*=e38"}) {
    pipe_pair in = make_pipe();
    child tool({"copy", "-", folder / "to"}, {.input_fd = in.reader.get(), .environment = trace.environment(fault)});
    std::string sent;
    for (const char* piece : {"x", "yy", "zzz"}) {
      sent += piece;
      write_whole(in.writer.get(), piece);
      for (int i = 0; i < 10000 && folder.read("to") != sent; ++i) ::usleep(1000);
      ASSERT_EQ(folder.read("to"), sent);
    }
    in.writer.reset();
    in.reader.reset();
    EXPECT_EQ(tool.wait().status, 0);
  }
}

// golang/go 75304: 100 % of a processor while the output was full. 80977: nor is it to be read and write for that.
TEST(live, a_copy_that_waits_makes_no_calls) {
  if (const std::string why = preload_faults::why_not(); !why.empty()) GTEST_SKIP() << why;
  const temporary_folder folder;
  const std::string file = file_in(folder, "from", pattern(4 << 20));

  struct waiting {
    temporary_folder folder;
    preload_faults trace{folder};
    pipe_pair in;
    pipe_pair out;
    std::string name;
    std::unique_ptr<child> tool;

    std::uint64_t calls() const {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i != preload::call_names.size(); ++i) sum += trace.calls(static_cast<preload::call>(i));
      return sum;
    }
  };
  std::vector<std::unique_ptr<waiting>> all;
  std::vector<std::jthread> feeders;
  for (const char* source : {"idle pipe", "idle socket", "full pipe", "full socket", "file"}) {
    const std::string from = source;
    for (const bool to_socket : {false, true}) {
      for (const char* option : {"--kernel=automatic", "--kernel=never", "--kernel=aliasing", "--progress=3600"}) {
        for (const bool blocking : {true, false}) {
          auto w = std::make_unique<waiting>();
          w->name = from + (to_socket ? " to socket " : " to pipe ") + option + (blocking ? "" : ", O_NONBLOCK");
          w->in = from.ends_with("socket") ? make_socket_pair() : make_pipe();
          w->out = to_socket ? make_socket_pair() : make_pipe();
          if (!blocking) {
            ::fcntl(w->in.reader.get(), F_SETFL, O_NONBLOCK);
            ::fcntl(w->out.writer.get(), F_SETFL, O_NONBLOCK);
          }
          w->tool = std::make_unique<child>(arguments{"copy", option, from == "file" ? file : "-", "-"},
                                            setup{.input_fd = w->in.reader.get(),
                                                  .output_fd = w->out.writer.get(),
                                                  .environment = w->trace.environment()});
          if (from.starts_with("full")) {
            const int to = ::dup(w->in.writer.get());
            feeders.emplace_back([to] {
              const std::string bytes = pattern(1 << 20);
              for (std::size_t n = 0; n < bytes.size();) {
                const ssize_t step = ::write(to, bytes.data(), bytes.size() - n);
                if (step <= 0) break;
                n += static_cast<std::size_t>(step);
              }
              ::close(to);
            });
          }
          all.push_back(std::move(w));
        }
      }
    }
  }

  // Until they have come to rest. Who shows progress looks up now and then.
  const auto count = [&] {
    std::vector<std::uint64_t> counts;
    for (const auto& w : all) counts.push_back(w->calls());
    return counts;
  };
  const auto busy = [&](const std::vector<std::uint64_t>& before, std::uint64_t most) {
    std::string names;
    for (std::size_t i = 0; i != all.size(); ++i) {
      const std::uint64_t n = all[i]->calls() - before[i];
      if (before[i] == 0 || n > most) names += all[i]->name + ": " + std::to_string(n) + " calls\n";
    }
    return names;
  };
  std::string restless = "all";
  for (int i = 0; i < 100 && !restless.empty(); ++i) {
    const auto before = count();
    ::usleep(100000);
    restless = busy(before, 5);
  }
  EXPECT_EQ(restless, "");
  const auto before = count();
  ::sleep(1);
  EXPECT_EQ(busy(before, 50), "");

  // Nobody reads any more: the tools end, and with them whoever feeds them.
  for (const auto& w : all) w->tool->send(SIGKILL);
  for (const auto& w : all) {
    w->in = {};
    w->out = {};
    w->tool->wait();
  }
}

// containerd/rust-extensions 79, golang/go 71375: a terminal that is spliced from held up its reader, and the exit.
TEST(live, what_is_typed_comes_at_once_and_the_tool_can_be_stopped) {
  const temporary_folder folder;
  preload_faults trace(folder);
  for (const char* kernel : {"--kernel=automatic", "--kernel=never", "--kernel=aliasing"}) {
    const raw_terminal t;
    child tool({"copy", kernel, "-", "-"}, {.input_fd = t.tool.get(), .environment = trace.environment()});
    std::string typed;
    for (const char* key : {"a", "b", "\r"}) {
      typed += key;
      write_whole(t.user.get(), key);
      ASSERT_EQ(tool.read_output(typed.size()), typed);
    }
    tool.send(SIGTERM);
    const outcome result = tool.wait();
    EXPECT_EQ(result.signal, SIGTERM);
    EXPECT_EQ(result.err, "sluice: stopped by SIGTERM (3 bytes copied)\n");
    EXPECT_EQ(trace.calls(preload::call::splice) + trace.calls(preload::call::sendfile), 0U);
  }
}

// uutils 2017: cat of a small file was empty, or failed.
TEST(live, to_a_terminal) {
  const temporary_folder folder;
  for (const std::size_t size : {0U, 5U, 100000U}) {
    const std::string bytes = pattern(size);
    const std::string from = file_in(folder, "from", bytes);
    for (const char* option :
         {"--kernel=automatic", "--kernel=never", "--kernel=aliasing", "--sparse=always", "--progress=3600"}) {
      for (const bool piped : {false, true}) {
        raw_terminal t;
        setup how{.output_fd = t.tool.get()};
        if (piped) how.input = bytes;
        child tool({"copy", option, piped ? "-" : from, "-"}, std::move(how));
        std::string got;
        std::thread user([&] {
          char buffer[4096];
          while (got.size() < size) {
            const ssize_t n = ::read(t.user.get(), buffer, sizeof buffer);
            if (n <= 0) return;
            got.append(buffer, static_cast<std::size_t>(n));
          }
        });
        EXPECT_EQ(tool.wait().status, 0) << option << size;
        t.tool.reset();
        user.join();
        EXPECT_TRUE(got == bytes) << option << ", " << got.size() << " of " << size;
      }
    }
  }
}

// backintime 1003: what a handler did in the middle of a write came out twice. The tool has no handlers; a stop and a
// continuation interrupt its calls all the same.
TEST(live, being_stopped_and_continued_changes_nothing) {
  const std::string bytes = pattern(3 << 20);
  for (const char* option : {"--kernel=automatic", "--kernel=never", "--progress=0.01"}) {
    child tool({"copy", option, "-", "-"}, {.input = bytes});
    for (std::size_t n = 1; n < bytes.size(); n += bytes.size() / 20) {
      tool.send(SIGSTOP);
      tool.send(SIGWINCH);
      tool.send(SIGCONT);
      tool.read_output(n);
    }
    const outcome result = tool.wait();
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(result.out == bytes);
  }
}

}  // namespace
}  // namespace sluice::test
