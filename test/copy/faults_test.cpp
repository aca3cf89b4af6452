// SPDX-License-Identifier: BSL-1.0
//
// Faults of peers, writers and kernels that once got past a copy.
//
#include "support/faults.hpp"

#include <sluice/copier.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/system/fd_ref.hpp>

#include "endpoints.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/ioctl.h>
#include <sys/wait.h>

namespace sluice {
namespace {

using namespace test;

std::string name_of(const testing::TestParamInfo<kernel_policy>& policy) {
  return policy.param == kernel_policy::never ? "never" : "automatic";
}

class copy_reset : public testing::TestWithParam<kernel_policy> {};

INSTANTIATE_TEST_SUITE_P(all, copy_reset, testing::Values(kernel_policy::automatic, kernel_policy::never), name_of);

// A socket tells a reset once. Where splice(2) is told, the read after it finds what looks like the end.
TEST_P(copy_reset, of_the_source_is_not_its_end) {
  two_ends connection = make_tcp_pair();
  const std::string text = some_text(300'000);
  std::thread peer([&] {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = ::write(connection.writer.get(), text.data() + at, text.size() - at);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
    int unread = 1;
    while (unread != 0) {
      if (::ioctl(connection.writer.get(), TIOCOUTQ, &unread) != 0) return;
      std::this_thread::yield();
    }
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(connection.writer.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    connection.writer.reset();
  });
  const temporary_folder folder;
  const handle to = new_file(folder / "to");
  const auto copied = copy(fd_ref(connection.reader.get()), fd_ref(to.get()), {.kernel = GetParam()});
  peer.join();
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, std::errc::connection_reset);
  EXPECT_EQ(copied.error().side, copy_side::reader);
  const std::string arrived = content_of(folder / "to");
  EXPECT_EQ(arrived.size(), copied.error().bytes);
  EXPECT_EQ(arrived, text.substr(0, arrived.size()));
}

// A kernel, or a pipe, that cannot be written to without waiting is written to in pieces that fit.
TEST(copy_faults, a_pipe_that_refuses_to_be_written_to_at_once) {
  const fault refused{fault_plan{.call = "pwritev2", .times = always, .error = EOPNOTSUPP}};
  const std::string text = some_text(50'000);
  two_ends pipe = make_pipe_ends(1 << 20);
  span_reader from(text);
  std::stop_source stop;
  copier relay{from, fd_ref(pipe.writer.get()), copy_options{.stop = stop.get_token()}};
  for (int i = 0; i != 100; ++i) {
    const auto step = relay.run();
    ASSERT_TRUE(step);
    if (step->done) break;
  }
  EXPECT_EQ(relay.bytes(), text.size());
  pipe.writer.reset();
  EXPECT_EQ(everything(pipe.reader.get()), text);
}

TEST(copy_faults, messages_stay_whole_where_the_destination_has_no_descriptor) {
  two_ends in = make_socket_pair(SOCK_SEQPACKET);
  std::string all;
  for (std::uint32_t i = 1; i != 4; ++i) {
    const std::string message = some_text(1000, i);
    ASSERT_EQ(::send(in.writer.get(), message.data(), message.size(), 0), 1000);
    all += message;
  }
  in.writer.reset();
  string_writer to;
  EXPECT_EQ(copy(fd_ref(in.reader.get()), to).value_or(0), 3000U);
  EXPECT_EQ(to.str(), all);
}

// A kernel that does not tell what a descriptor is may have messages there.
TEST(copy_faults, messages_stay_whole_where_fstat_is_refused) {
  for (const bool to_socket : {false, true}) {
    two_ends in = make_socket_pair(SOCK_SEQPACKET);
    std::string all;
    for (std::uint32_t i = 1; i != 9; ++i) {
      const std::string message = some_text(3000, i);
      ASSERT_EQ(::send(in.writer.get(), message.data(), message.size(), 0), 3000);
      all += message;
    }
    in.writer.reset();
    two_ends out = make_socket_pair(SOCK_SEQPACKET);
    string_writer text;
    std::expected<std::uintmax_t, copy_error> copied;
    {
      const fault refused({.call = "fstat", .times = always, .error = EACCES});
      fd_ref from(in.reader.get());
      copied = to_socket ? copy(from, fd_ref(out.writer.get())) : copy(from, text);
    }
    out.writer.reset();
    EXPECT_EQ(show(copied), "24000");
    EXPECT_TRUE((to_socket ? everything(out.reader.get()) : text.str()) == all);
  }
}

// A file system in user space can answer EINTR to both.
TEST(copy_faults, an_interrupted_question_is_asked_again) {
  const temporary_folder folder;
  const std::string text = some_text(200'000);
  for (const std::string_view call : {"fstat", "lseek"}) {
    std::size_t hits = 1;
    for (std::size_t k = 1; hits != 0; ++k) {
      SCOPED_TRACE(std::string(call) + " call " + std::to_string(k));
      const handle from = file_with(folder / "from", text);
      const handle to = new_file(folder / "to");
      copy_report report;
      const fault interrupted({.call = call, .at = k, .error = EINTR});
      EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.report = &report})), "200000");
      for (const auto& share : report.shares) EXPECT_NE(share.gave_way, std::errc::interrupted);
      EXPECT_TRUE(content_of(folder / "to") == text);
      hits = interrupted.hits();
    }
  }
}

TEST(copy_faults, a_file_goes_to_a_message_socket_in_messages_that_fit) {
  const temporary_folder folder;
  const std::string text = some_text(1'000'000);
  const handle from = file_with(folder / "from", text);
  two_ends out = make_socket_pair(SOCK_SEQPACKET);
  collector received(out.reader.get());
  EXPECT_EQ(copy(fd_ref(from.get()), fd_ref(out.writer.get())).value_or(0), text.size());
  out.writer.reset();
  EXPECT_TRUE(received.text() == text);
}

struct bounded_pipe {
  fd_ref inner;
  std::uintmax_t left;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    if (left == 0) return fail(std::make_error_code(std::errc::no_space_on_device));
    const auto n = inner.write_some(b.first(std::min<std::uintmax_t>(b.size(), left)));
    left -= n.value_or(0);
    return n;
  }
  std::optional<fd_endpoint> kernel_endpoint() {
    auto endpoint = inner.kernel_endpoint();
    endpoint->max_bytes = left;
    return endpoint;
  }
  void kernel_advanced(std::uintmax_t n) { left -= n; }
};

TEST(copy_faults, a_bound_of_the_writer_holds_while_somebody_watches) {
  const std::string text = some_text(20'000);
  two_ends pipe = make_pipe_ends();
  bounded_pipe to{fd_ref(pipe.writer.get()), 1000};
  const auto copied = copy(span_reader(text), to, {.on_progress = [](std::uintmax_t) {}});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, std::errc::no_space_on_device);
  EXPECT_EQ(copied.error().bytes, 1000U);
  pipe.writer.reset();
  EXPECT_EQ(everything(pipe.reader.get()), text.substr(0, 1000));
}

TEST(copy_faults, the_longest_progress_interval_is_no_overflow) {
  const std::string text = some_text(2'000'000);
  string_writer to;
  int told = 0;
  const std::vector<std::byte> data = support::to_bytes(text);
  const auto copied =
      copy(support::chunked_reader{.data = data}, to,
           {.on_progress = [&](std::uintmax_t) { ++told; }, .progress_interval = std::chrono::milliseconds::max()});
  EXPECT_TRUE(copied);
  EXPECT_LE(told, 2);
}

struct throws_once {
  std::string& out;
  bool thrown = false;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    if (!std::exchange(thrown, true)) throw std::runtime_error("once");
    out += support::text(b);
    return b.size();
  }
};

TEST(copy_faults, what_a_throwing_writer_did_not_take_is_written_once) {
  const std::string text = some_text(5000);
  const std::vector<std::byte> data = support::to_bytes(text);
  support::chunked_reader from{.data = data};
  std::string out;
  copier relay{from, throws_once{out}, 1000, copy_options{}};
  EXPECT_THROW((void)relay.run(), std::runtime_error);
  const auto step = relay.run();
  ASSERT_TRUE(step);
  EXPECT_TRUE(step->done);
  EXPECT_EQ(out, text.substr(0, 1000));
}

// A copier that waits has a private pipe; after fork(2) so has the child.
TEST(copy_faults, a_child_leaves_the_pipe_to_its_parent) {
  const temporary_folder folder;
  const std::string first = some_text(40'000);
  two_ends in = make_socket_pair();
  ::fcntl(in.reader.get(), F_SETFL, O_NONBLOCK);
  const handle to = new_file(folder / "to");
  copier relay{fd_ref(in.reader.get()), fd_ref(to.get())};
  ASSERT_EQ(::write(in.writer.get(), first.data(), first.size()), static_cast<ssize_t>(first.size()));
  ASSERT_TRUE(relay.run());
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const copier dropped = std::move(relay);
    }
    const std::string other = some_text(150'000, 7);
    two_ends mine = make_socket_pair();
    const handle mine_to = new_file(folder / "child");
    feeder fed(std::move(mine.writer), other);
    const auto copied = copy(fd_ref(mine.reader.get()), fd_ref(mine_to.get()));
    ::_exit(copied == other.size() && content_of(folder / "child") == other ? 0 : 1);
  }
  const std::string second = some_text(150'000, 9);
  feeder fed(std::move(in.writer), second);
  for (;;) {
    const auto step = relay.run();
    ASSERT_TRUE(step);
    if (step->done) break;
    pollfd one{.fd = step->fd, .events = POLLIN, .revents = 0};
    ::poll(&one, 1, 1000);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(content_of(folder / "to") == first + second);
}

}  // namespace
}  // namespace sluice
