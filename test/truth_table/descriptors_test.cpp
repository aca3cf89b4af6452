// SPDX-License-Identifier: BSL-1.0
//
// Descriptors as a program inherits them: closed, appending, non-blocking, shared with somebody else.
//
#include <sluice/sluice.hpp>

#include "cells.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

namespace sluice {
namespace {

using namespace test;

// Runs it in a process of its own, whose exit status is the line of what was not as it should be.
template <class Body>
int in_a_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

#define SLUICE_OR_LINE(condition) \
  if (!(condition)) return __LINE__

constexpr int all_standard = 3;

int close_the_standard_ones() {
  for (int fd = 0; fd != all_standard; ++fd) ::close(fd);
  return 0;
}

// What is opened next gets the numbers of the standard streams; they are as good as any.
TEST(standard_descriptors, that_were_closed_are_ordinary_numbers) {
  const temporary_folder folder;
  const std::string text = some_text(200'000);
  folder.write("from", text);
  EXPECT_EQ(in_a_child([&] {
              close_the_standard_ones();
              auto from = file::open(folder / "from");
              auto to = file::create(folder / "to");
              SLUICE_OR_LINE(from && to && from->fd() == 0 && to->fd() == 1);
              copy_report report;
              const auto copied = copy(*from, *to, {.report = &report});
              SLUICE_OR_LINE(copied && *copied == text.size());
              SLUICE_OR_LINE(sum_of(report) == text.size());
              SLUICE_OR_LINE(to->close() && from->close());
              auto pipe = make_pipe();
              SLUICE_OR_LINE(pipe && pipe->reader.fd() == 0 && pipe->writer.fd() == 1);
              SLUICE_OR_LINE(write_all(pipe->writer, "through a pipe") && pipe->writer.close());
              auto again = file::create(folder / "piped");
              SLUICE_OR_LINE(again && again->fd() == 1);
              const auto piped = copy(pipe->reader, *again);
              SLUICE_OR_LINE(piped && *piped == 14);
              // A private pipe takes the numbers too.
              auto sockets = make_tcp_pair();
              write_text(sockets.writer.get(), text.substr(0, 100'000));
              sockets.writer.reset();
              auto received = file::create(folder / "received");
              const auto spliced = copy(fd_ref(sockets.reader.get()), *received);
              SLUICE_OR_LINE(spliced && *spliced == 100'000);
              return 0;
            }),
            0);
  EXPECT_TRUE(folder.read("to") == text);
  EXPECT_EQ(folder.read("piped"), "through a pipe");
  EXPECT_TRUE(folder.read("received") == text.substr(0, 100'000));
}

TEST(standard_descriptors, that_are_closed_name_their_side) {
  const temporary_folder folder;
  folder.write("small", "abc");
  folder.write("large", some_text(200'000));
  EXPECT_EQ(
      in_a_child([&] {
        handle to = new_file(folder / "to");
        handle small(::open((folder / "small").c_str(), O_RDONLY));
        handle large(::open((folder / "large").c_str(), O_RDONLY));
        close_the_standard_ones();
        for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
          const auto in = copy(standard_input(), fd_ref(to.get()), {.kernel = kernel});
          SLUICE_OR_LINE(!in && in.error().code == std::errc::bad_file_descriptor);
          SLUICE_OR_LINE(in.error().side == copy_side::reader && in.error().bytes == 0);
          for (const int fd : {small.get(), large.get()}) {
            ::lseek(fd, 0, SEEK_SET);
            const auto out = copy(fd_ref(fd), standard_output(), {.kernel = kernel});
            SLUICE_OR_LINE(!out && out.error().code == std::errc::bad_file_descriptor);
            SLUICE_OR_LINE(out.error().side == copy_side::writer && out.error().bytes == 0);
            // What was read is handed back, or was never taken.
            const auto taken = static_cast<std::size_t>(offset_of(fd));
            SLUICE_OR_LINE(out.error().unwritten.size() == taken);
          }
        }
        return 0;
      }),
      0);
}

// What `>> file` of a shell is: an open file in append mode that several processes share (golang/go#60181).
TEST(inherited_descriptors, in_append_mode_are_appended_to_and_stay_so) {
  const temporary_folder folder;
  const std::string text = some_text(200'000);
  folder.write("from", text);
  for (const bool late : {false, true}) {
    folder.write("log", "before");
    const handle shared(::open((folder / "log").c_str(), O_WRONLY | (late ? 0 : O_APPEND)));
    if (late) ::fcntl(shared.get(), F_SETFL, O_APPEND);
    const int flags = ::fcntl(shared.get(), F_GETFL);
    for (int i = 0; i != 2; ++i) {
      EXPECT_EQ(in_a_child([&] {
                  ::dup2(shared.get(), 1);
                  ::lseek(1, 0, SEEK_SET);
                  const handle from(::open((folder / "from").c_str(), O_RDONLY));
                  const auto copied = copy(fd_ref(from.get()), standard_output());
                  SLUICE_OR_LINE(copied && *copied == text.size());
                  return 0;
                }),
                0);
    }
    EXPECT_EQ(::fcntl(shared.get(), F_GETFL), flags);
    EXPECT_TRUE(folder.read("log") == "before" + text + text);
  }
}

// The other process has made the descriptor non-blocking, and keeps what it has made it.
class shared_non_blocking : public testing::TestWithParam<std::tuple<int, kernel_policy>> {};

two_ends ends_of(int kind) { return kind == 0 ? make_pipe_ends() : kind == 1 ? make_socket_pair() : make_tcp_pair(); }

TEST_P(shared_non_blocking, is_waited_for_and_stays_so) {
  const auto [kind, kernel] = GetParam();
  const std::string text = some_text(1'000'000);
  two_ends in = ends_of(kind);
  two_ends out = ends_of(kind);
  for (const int fd : {in.reader.get(), out.writer.get()}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  const int in_flags = ::fcntl(in.reader.get(), F_GETFL);
  const int out_flags = ::fcntl(out.writer.get(), F_GETFL);
  // Feeds slowly at first, so that the copy finds nothing; reads late, so that it finds no room.
  std::jthread slow([&] {
    ::poll(nullptr, 0, 20);
    write_text(in.writer.get(), std::string_view(text).substr(0, 10));
    ::poll(nullptr, 0, 20);
    write_text(in.writer.get(), std::string_view(text).substr(10));
    in.writer.reset();
  });
  std::string got;
  std::jthread late([&, fd = out.reader.get()] {
    ::poll(nullptr, 0, 60);
    got = everything(fd);
  });
  EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.kernel = kernel})), "1000000");
  EXPECT_EQ(::fcntl(in.reader.get(), F_GETFL), in_flags);
  EXPECT_EQ(::fcntl(out.writer.get(), F_GETFL), out_flags);
  out.writer.reset();
  late.join();
  EXPECT_TRUE(got == text);
}

constexpr std::array kinds{"pipe", "unix_socket", "tcp"};
constexpr std::array kernels{"automatic", "never", "aliasing"};

INSTANTIATE_TEST_SUITE_P(all, shared_non_blocking,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values(kernel_policy::automatic, kernel_policy::never,
                                                          kernel_policy::aliasing)),
                         [](const auto& p) {
                           return std::string(kinds.at(static_cast<std::size_t>(std::get<0>(p.param)))) + "_" +
                                  kernels.at(static_cast<std::size_t>(std::get<1>(p.param)));
                         });

}  // namespace
}  // namespace sluice
