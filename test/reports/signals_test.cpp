// SPDX-License-Identifier: BSL-1.0
//
// A copy in a storm of signals: Rust's copy lets EINTR out of its splice path; and a handler may come at any time
// (bit-team/backintime#1003).
//
#include "support/signals.hpp"

#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <chrono>
#include <tuple>

namespace sluice {
namespace {

using namespace test;
using namespace std::chrono_literals;

enum class end { file, pipe, unix_socket, tcp };
constexpr const char* kernels[] = {"automatic", "never", "aliasing"};
constexpr std::array end_names{"file", "pipe", "unix_socket", "tcp"};

two_ends open_ends(end kind) {
  return kind == end::pipe ? make_pipe_ends() : kind == end::tcp ? make_tcp_pair() : make_socket_pair();
}

class signals : public testing::TestWithParam<std::tuple<end, end, kernel_policy>> {};

TEST_P(signals, interrupt_nothing_for_good) {
  const auto [from_kind, to_kind, kernel] = GetParam();
  const temporary_folder folder;
  const std::string text = some_text(500'000);
  two_ends in;
  two_ends out;
  std::jthread slow;
  std::jthread late;
  std::string got;
  if (from_kind == end::file) {
    in.reader = file_with(folder / "from", text);
  } else {
    in = open_ends(from_kind);
    // Pauses, so that the copy is caught waiting.
    slow = std::jthread([&] {
      for (std::size_t at = 0; at < text.size(); at += 50'000) {
        ::poll(nullptr, 0, 2);
        write_text(in.writer.get(), std::string_view(text).substr(at, 50'000));
      }
      in.writer.reset();
    });
  }
  if (to_kind == end::file) {
    out.writer = new_file(folder / "to");
  } else {
    out = open_ends(to_kind);
    late = std::jthread([&, fd = out.reader.get()] {
      ::poll(nullptr, 0, 10);
      got = everything(fd);
    });
  }
  int interruptions = 0;
  std::expected<std::uintmax_t, copy_error> copied;
  {
    const signal_storm storm(200us);
    copied = copy(fd_ref(in.reader.get()), fd_ref(out.writer.get()), {.kernel = kernel});
    interruptions = signal_storm::count();
  }
  out.writer.reset();
  if (late.joinable()) late.join();
  if (to_kind == end::file) got = content_of(folder / "to");
  EXPECT_EQ(show(copied), "500000");
  EXPECT_TRUE(got == text);
  if (from_kind != end::file) {
    EXPECT_GT(interruptions, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(all, signals,
                         testing::Combine(testing::Values(end::file, end::pipe, end::unix_socket, end::tcp),
                                          testing::Values(end::file, end::pipe, end::unix_socket, end::tcp),
                                          testing::Values(kernel_policy::automatic, kernel_policy::never,
                                                          kernel_policy::aliasing)),
                         [](const auto& p) {
                           return std::string(end_names.at(static_cast<std::size_t>(std::get<0>(p.param)))) + "_to_" +
                                  end_names.at(static_cast<std::size_t>(std::get<1>(p.param))) + "_" +
                                  kernels[static_cast<std::size_t>(std::get<2>(p.param))];
                         });

// A watched copy waits in poll(2) instead, with a timeout that must not begin anew for ever.
TEST(signals_and, progress_go_on_together) {
  two_ends in = make_pipe_ends();
  const std::string text = some_text(100'000);
  std::jthread slow([&] {
    for (std::size_t at = 0; at < text.size(); at += 10'000) {
      ::poll(nullptr, 0, 5);
      write_text(in.writer.get(), std::string_view(text).substr(at, 10'000));
    }
    in.writer.reset();
  });
  int ticks = 0;
  string_writer to;
  const signal_storm storm(200us);
  EXPECT_EQ(show(copy(fd_ref(in.reader.get()), to,
                      {.on_progress = [&](std::uintmax_t) { ++ticks; }, .progress_interval = 1ms})),
            "100000");
  EXPECT_GT(ticks, 1);
  EXPECT_EQ(to.str(), text);
}

// RLIMIT_FSIZE (Perl/perl5#9436): what was written is counted, and the reason named.
TEST(signals_and, the_limit_of_a_files_size) {
  const temporary_folder folder;
  const std::string text = some_text(300'000);
  struct sigaction ignore{};
  struct sigaction before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignore, &before);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
    for (const bool from_pipe : {false, true}) {
      two_ends in;
      std::optional<feeder> fed;
      if (from_pipe) {
        in = make_pipe_ends();
        fed.emplace(std::move(in.writer), text);
      } else {
        in.reader = file_with(folder / "from", text);
      }
      const handle to = new_file(folder / "to");
      rlimit small = old;
      small.rlim_cur = 100'000;
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
      const auto copied = copy(fd_ref(in.reader.get()), fd_ref(to.get()), {.kernel = kernel});
      ::setrlimit(RLIMIT_FSIZE, &old);
      in.reader.reset();
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code, std::errc::file_too_large) << show(copied);
      EXPECT_EQ(copied.error().side, copy_side::writer);
      EXPECT_EQ(copied.error().bytes, 100'000U);
      EXPECT_TRUE(content_of(folder / "to") == text.substr(0, 100'000));
    }
  }
  ::sigaction(SIGXFSZ, &before, nullptr);
}

}  // namespace
}  // namespace sluice
