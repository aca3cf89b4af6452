// SPDX-License-Identifier: BSL-1.0
//
// sluice copy whose system calls fail, fall short or say end: the tool ends with 0 exactly when every byte has arrived,
// and else names the side and the number of bytes that have. SLUICE_LONG_TESTS=1 tries every errno at every call.
#include "copy_routes.hpp"
#include "support/sanitized.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::test {
namespace {

using preload::call;

constexpr route routes[] = {
    {"file_to_file", source::file, destination::file},
    {"file_to_other_file_system", source::file, destination::other_file_system},
    {"sparse_to_file", source::sparse, destination::file},
    {"file_to_standard_file", source::file, destination::standard_file},
    {"file_to_pipe", source::file, destination::pipe},
    {"file_to_socket", source::file, destination::socket},
    {"file_to_unix", source::file, destination::unix_peer},
    {"file_to_tcp", source::file, destination::tcp_peer},
    {"standard_file_to_pipe", source::standard_file, destination::pipe},
    {"pipe_to_file", source::pipe, destination::file},
    {"pipe_to_pipe", source::pipe, destination::pipe},
    {"pipe_to_socket", source::pipe, destination::socket},
    {"socket_to_file", source::socket, destination::file},
    {"socket_to_pipe", source::socket, destination::pipe},
    {"socket_to_socket", source::socket, destination::socket},
    {"unix_to_file", source::unix_peer, destination::file},
    {"unix_to_unix", source::unix_peer, destination::unix_peer},
    {"tcp_to_file", source::tcp_peer, destination::file},
    {"tcp_listen_to_file", source::tcp_listen, destination::file},
};

constexpr std::array errors{EINTR, EAGAIN, EINVAL, EPERM, EXDEV,   EOPNOTSUPP, ENOSYS,
                            EBADF, EIO,    ENOSPC, EPIPE, ETXTBSY, EOVERFLOW};

// They move bytes.
constexpr std::array moving{call::read, call::readv,   call::write,           call::writev,   call::pwritev2,
                            call::send, call::sendmsg, call::copy_file_range, call::sendfile, call::splice};
constexpr std::array kernel_paths{call::copy_file_range, call::sendfile, call::splice};

/// Whether the tool has another way when the call fails once.
bool is_harmless(call c, int error) {
  using enum call;
  switch (c) {
    case clone_range:
    case copy_file_range:
    case sendfile:
    case splice:
    case pipe2:
    case set_pipe_size:
    case eventfd: return true;
    case pwritev2: return error == EINTR || error == EINVAL || error == ENOSYS || error == EPERM;
    case open:
    case read:
    case readv:
    case write:
    case writev:
    case send:
    case sendmsg:
    case ftruncate:
    case fallocate:
    case poll:
    case connect:
    case accept4: return error == EINTR;
    default: return false;
  }
}

std::string_view name_of(call c) { return preload::call_names[static_cast<std::size_t>(c)]; }

std::string plan(call c, std::size_t k, const std::string& what) {
  return std::string(name_of(c)) + "@" + std::to_string(k) + what;
}

bool thorough() {
  const char* const wanted = ::getenv("SLUICE_LONG_TESTS");
  return wanted != nullptr && *wanted != '\0' && *wanted != '0';
}

/// The short form tries one case of so many; fewer where starting the tool takes ten times as long.
bool is_chosen(std::size_t turn, std::size_t of) { return thorough() || turn % (sanitized ? 4 * of + 1 : of) == 0; }

class faults_from_outside : public copy_routes {};

TEST_P(faults_from_outside, any_call_may_fail) {
  const std::size_t most = thorough() ? sanitized ? 6 : 24 : sanitized ? 2 : 4;
  std::size_t turn = 0;
  std::size_t tried = 0;
  std::size_t changed = 0;
  for (const arguments& mode : modes()) {
    count(mode);
    for_each_call(most, [&](call c, std::size_t k) {
      for (const int error : errors) {
        if (!is_chosen(turn++, 20)) continue;
        const std::string fault = plan(c, k, "=e" + std::to_string(error));
        const int status = check(mode, fault, error);
        if (is_harmless(c, error)) {
          EXPECT_EQ(status, 0) << fault;
        }
        ++tried;
        changed += trace.changed(c);
      }
    });
  }
  // Between pipes and sockets the calls are not always the same.
  EXPECT_GT(changed, tried / 4);
}

TEST_P(faults_from_outside, a_path_may_fail_for_good) {
  std::size_t turn = 0;
  for (const arguments& mode : modes()) {
    count(mode);
    for (const call c : kernel_paths) {
      for (std::size_t k = 1; k <= std::min<std::size_t>(calls(c), thorough() ? 12 : 3); ++k) {
        for (const int error : {EINVAL, EPERM, EXDEV, EOPNOTSUPP, ENOSYS, EBADF, EIO, ENOSPC}) {
          if (!is_chosen(turn++, 5)) continue;
          EXPECT_EQ(check(mode, plan(c, k, "x*=e" + std::to_string(error)), error), 0) << name_of(c) << error;
        }
      }
    }
  }
}

TEST_P(faults_from_outside, a_call_may_fall_short) {
  const std::array chunks{1, 7, 4095, 65536};
  std::size_t turn = 0;
  for (const arguments& mode : modes()) {
    count(mode);
    for (const call c : moving) {
      if (calls(c) == 0) continue;
      for (const int chunk : chunks) {
        if (!is_chosen(turn++, 3)) continue;
        EXPECT_EQ(check(mode, plan(c, 1, "x24=n" + std::to_string(chunk))), 0) << name_of(c) << chunk;
        EXPECT_GE(trace.changed(c), 1U);
      }
    }
  }
}

// gentoo/portage PR 778: copy_file_range said 0 with data left.
TEST_P(faults_from_outside, a_path_may_say_end_in_the_middle) {
  std::size_t turn = 0;
  for (const arguments& mode : modes()) {
    count(mode);
    for (const call c : kernel_paths) {
      for (std::size_t k = 1; k <= std::min<std::size_t>(calls(c), thorough() ? 24 : 4); ++k) {
        for (const char* answer : {"=r0", "x*=r0"}) {
          if (!is_chosen(turn++, 3)) continue;
          EXPECT_EQ(check(mode, plan(c, k, answer)), 0) << name_of(c) << k << answer;
        }
      }
    }
  }
}

TEST_P(faults_from_outside, a_write_may_accept_nothing) {
  std::size_t turn = 0;
  for (const arguments& mode : modes()) {
    count(mode);
    for (const call c : {call::write, call::pwritev2, call::send}) {
      for (std::size_t k = 1; k <= std::min<std::size_t>(calls(c), thorough() ? 12 : 2); ++k) {
        if (!is_chosen(turn++, 1)) continue;
        const int status = check(mode, plan(c, k, "=r0"));
        if (trace.changed(c) != 0) {
          EXPECT_EQ(status, 1) << name_of(c) << k;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, faults_from_outside, ::testing::ValuesIn(routes),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
}  // namespace sluice::test
