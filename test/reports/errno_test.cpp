// SPDX-License-Identifier: BSL-1.0
//
// Whatever a kernel path answers, the bytes arrive: containerd/continuity#135, boostorg/filesystem#184,
// golang/go#40731, golang/go#42334, golang/go#58592, libuv/libuv#2483, libuv/libuv#3069, python/cpython#139416,
// rust-lang/rust#91152 and more. A real fault comes back from read(2) or write(2).
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/descriptors.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace sluice {
namespace {

using namespace test;

enum class pair_of { files, file_and_socket, pipes, socket_and_file, file_and_pipe };

struct outcome {
  std::expected<std::uintmax_t, copy_error> copied;
  std::string arrived;
};

outcome move(pair_of pair, const std::string& text, const copy_options& options, const temporary_folder& folder) {
  two_ends in;
  two_ends out;
  std::optional<feeder> fed;
  std::optional<collector> received;
  if (pair == pair_of::pipes || pair == pair_of::socket_and_file) {
    in = pair == pair_of::pipes ? make_pipe_ends() : make_socket_pair();
    fed.emplace(std::move(in.writer), text);
  } else {
    in.reader = file_with(folder / "from", text);
  }
  if (pair == pair_of::files || pair == pair_of::socket_and_file) {
    out.writer = new_file(folder / "to");
  } else {
    out = pair == pair_of::file_and_socket ? make_socket_pair() : make_pipe_ends();
    received.emplace(out.reader.get());
  }
  outcome o;
  o.copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), options);
  in.reader.reset();
  out.writer.reset();
  o.arrived = received ? received->text() : content_of(folder / "to");
  return o;
}

class any_errno : public testing::TestWithParam<int> {};

TEST_P(any_errno, of_a_kernel_path_gives_way) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  for (const char* call : {"clone_range", "copy_file_range", "sendfile", "splice"}) {
    for (const pair_of pair :
         {pair_of::files, pair_of::file_and_socket, pair_of::pipes, pair_of::socket_and_file, pair_of::file_and_pipe}) {
      for (const std::size_t at : {1U, 2U, 3U}) {
        for (const std::size_t times : {std::size_t{1}, always}) {
          SCOPED_TRACE(std::string(call) + ", pair " + std::to_string(static_cast<int>(pair)) + ", call " +
                       std::to_string(at) + (times == always ? " and later" : ""));
          const fault broken({.call = call, .at = at, .times = times, .error = GetParam()});
          const fault slow({.call = call, .times = always, .shorten = 100'000});
          const outcome o = move(pair, text, {.kernel = kernel_policy::aliasing}, folder);
          EXPECT_EQ(show(o.copied), "500000");
          EXPECT_TRUE(o.arrived == text);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, any_errno,
                         testing::Values(EBADF, EINVAL, EIO, ENODATA, ENOMEM, ENOSYS, EOPNOTSUPP, EPERM, ETXTBSY, EXDEV,
                                         EACCES, EOVERFLOW, ESPIPE, EISDIR, EBUSY),
                         [](const auto& p) { return std::string(::strerrorname_np(p.param)); });

// What one file system or filter refuses says nothing of the next: Rust turns sendfile off after one EPERM.
TEST(no_errno, is_remembered_for_the_next_copy) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  for (const int error : {EPERM, ENOSYS, EOPNOTSUPP, EINVAL, EXDEV}) {
    {
      const fault broken({.call = "sendfile", .times = always, .error = error});
      const fault broken_too({.call = "splice", .times = always, .error = error});
      EXPECT_EQ(show(move(pair_of::file_and_socket, text, {}, folder).copied), "500000");
      EXPECT_EQ(show(move(pair_of::pipes, text, {}, folder).copied), "500000");
    }
    copy_report report;
    EXPECT_EQ(show(move(pair_of::file_and_socket, text, {.report = &report}, folder).copied), "500000");
    EXPECT_EQ(report.main_path(), copy_path::sendfile);
    EXPECT_EQ(show(move(pair_of::pipes, text, {.report = &report}, folder).copied), "500000");
    EXPECT_EQ(report.main_path(), copy_path::splice);
  }
}

// python/cpython#87909: GPFS answers EAGAIN at the end of a regular file, for which nobody can wait.
TEST(no_errno, would_block_of_a_file_is_no_endless_loop) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  for (const char* call : {"clone_range", "copy_file_range", "sendfile"}) {
    const fault broken({.call = call, .at = 2, .times = always, .error = EAGAIN});
    const fault slow({.call = call, .times = always, .shorten = 100'000});
    const outcome o = move(pair_of::files, text, {}, folder);
    EXPECT_EQ(show(o.copied), "500000") << call;
    EXPECT_TRUE(o.arrived == text);
  }
}

// uutils/coreutils#11634: no descriptor is left for the private pipe of a splice.
TEST(no_errno, without_a_descriptor_for_a_pipe_it_is_read_and_written) {
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  std::jthread([&] {  // this thread has no spare pipe
    two_ends in = make_tcp_pair();
    feeder fed(std::move(in.writer), text);
    const handle to = new_file(folder / "to");
    copy_report report;
    std::expected<std::uintmax_t, copy_error> copied;
    {
      const fault none({.call = "pipe2", .times = always, .error = EMFILE});
      copied = copy(fd_ref(in.reader.get()), fd_ref(to.get()), {.report = &report});
    }
    EXPECT_EQ(show(copied), "500000");
    EXPECT_EQ(report[copy_path::splice].bytes, 0U);
    EXPECT_EQ(report[copy_path::splice].gave_way, std::errc::too_many_files_open);
    EXPECT_TRUE(content_of(folder / "to") == text);
  })
      .join();
}

// coreutils/coreutils#277: an error of the source is not the destination's. At the address 0 nothing is mapped.
TEST(no_errno, hides_whose_fault_it_was) {
  const temporary_folder folder;
  const handle from(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
    two_ends pipe = make_pipe_ends();
    const handle to = new_file(folder / "to");
    for (const int fd : {to.get(), pipe.writer.get()}) {
      const auto copied = copy(fd_ref(from.get()), fd_ref(fd), {.kernel = kernel});
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code, std::errc::io_error) << show(copied);
      EXPECT_EQ(copied.error().side, copy_side::reader);
      EXPECT_EQ(copied.error().bytes, 0U);
    }
  }
}

// golang/go#44272, dotnet/runtime#55358, JDK-8269074: files that claim to be empty, some of which only read(2) can
// read.
TEST(no_errno, makes_a_file_of_procfs_empty) {
  const temporary_folder folder;
  for (const char* path : {"/proc/self/cmdline", "/proc/version", "/proc/filesystems", "/proc/self/mounts",
                           "/proc/self/limits", "/proc/cpuinfo"}) {
    const std::string expected = content_of(path);
    ASSERT_FALSE(expected.empty());
    for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
      auto from = file::open(path);
      auto to = file::create(folder / "to");
      ASSERT_TRUE(from && to);
      const auto copied = copy(*from, *to, {.kernel = kernel});
      EXPECT_EQ(show(copied), std::to_string(content_of(folder / "to").size())) << path;
      // The frequency of a processor is another one at each look.
      if (std::string_view(path) != "/proc/cpuinfo") {
        EXPECT_EQ(content_of(folder / "to"), expected) << path;
      }
      EXPECT_FALSE(content_of(folder / "to").empty());
    }
  }
}

}  // namespace
}  // namespace sluice
