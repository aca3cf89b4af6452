// SPDX-License-Identifier: BSL-1.0
//
// sluice copy over TCP and Unix sockets.
#include <sluice/system/socket.hpp>

#include "peer.hpp"
#include "run.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace sluice::test {
namespace {

void write_whole(socket& to, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const result<std::size_t> n = to.write_some(bytes);
    ASSERT_TRUE(n) << n.error().message();
    bytes = bytes.subspan(*n);
  }
}

/// Waits until somebody listens at the Unix socket: its file is there before that.
void wait_for_listener(const std::string& path) {
  for (int i = 0; i < 5000; ++i) {
    const std::string all = read_file("/proc/net/unix");
    const std::size_t at = all.find(" " + path + "\n");
    if (at != std::string::npos) {
      const std::size_t begin = all.rfind('\n', at) + 1;
      // The fourth word is the flags, and 0x10000 is __SO_ACCEPTCON.
      if (all.substr(begin, at - begin).find(" 00010000 ") != std::string::npos) return;
    }
    ::usleep(1000);
  }
  ADD_FAILURE() << "nobody listens at " << path;
}

std::string here(const listener& l) { return "tcp:127.0.0.1:" + std::to_string(l.port()); }

TEST(sockets, to_a_tcp_server) {
  const temporary_folder folder;
  const std::string bytes = pattern(3000000);
  listener server = *listener::listen_tcp("127.0.0.1", 0);
  for (const char* kernel : {"--kernel=automatic", "--kernel=never"}) {
    std::string got;
    std::thread peer([&] {
      socket connection = *server.accept();
      got = read_to_end(connection);
    });
    expect_quiet(run({"copy", kernel, file_in(folder, "from", bytes), here(server)}), 0);
    peer.join();
    EXPECT_TRUE(got == bytes);
  }
}

TEST(sockets, from_a_tcp_server) {
  const temporary_folder folder;
  const std::string bytes = pattern(3000000);
  listener server = *listener::listen_tcp("127.0.0.1", 0);
  for (const std::string& to : {folder / "to", std::string("-")}) {
    std::thread peer([&] {
      socket connection = *server.accept();
      write_whole(connection, std::as_bytes(std::span(bytes)));
    });
    const outcome result = run({"copy", here(server), to});
    expect_quiet(result, 0);
    peer.join();
    EXPECT_TRUE((to == "-" ? result.out : folder.read("to")) == bytes);
  }
}

TEST(sockets, from_and_to_a_unix_server) {
  const temporary_folder folder;
  const std::string bytes = pattern(1000000);
  const std::string at = folder / "socket";
  listener server = *listener::listen_unix(at);
  std::string got;
  std::thread peer([&] {
    socket first = *server.accept();
    got = read_to_end(first);
    (void)first.close();
    socket second = *server.accept();
    write_whole(second, std::as_bytes(std::span(bytes)));
  });
  expect_quiet(run({"copy", "-", "unix:" + at}, {.input = bytes}), 0);
  expect_quiet(run({"copy", "unix:" + at, folder / "to"}), 0);
  peer.join();
  EXPECT_TRUE(got == bytes);
  EXPECT_TRUE(folder.read("to") == bytes);
}

TEST(sockets, between_two_tools_by_tcp) {
  const temporary_folder folder;
  const std::string bytes = pattern(2000000);
  const std::string from = file_in(folder, "from", bytes);
  child receiver({"copy", "tcp-listen:127.0.0.1:0", folder / "to"});
  const std::string port = announced_port(receiver);
  expect_quiet(run({"copy", from, "tcp:127.0.0.1:" + port}), 0);
  EXPECT_EQ(receiver.wait().status, 0);
  EXPECT_TRUE(folder.read("to") == bytes);

  child sender({"copy", from, "tcp-listen:127.0.0.1:0"});
  const outcome received = run({"copy", "tcp:127.0.0.1:" + announced_port(sender), "-"});
  expect_quiet(received, 0);
  EXPECT_TRUE(received.out == bytes);
  EXPECT_EQ(sender.wait().status, 0);
}

TEST(sockets, between_two_tools_by_a_unix_socket) {
  const temporary_folder folder;
  const std::string bytes = pattern(2000000);
  const std::string from = file_in(folder, "from", bytes);
  const std::string at = folder / "socket";
  for (int round = 0; round < 2; ++round) {  // the second finds no file in its way
    child receiver({"copy", "unix-listen:" + at, folder / "to"});
    wait_for_listener(at);
    expect_quiet(run({"copy", from, "unix:" + at}), 0);
    expect_quiet(receiver.wait(), 0);
    EXPECT_TRUE(folder.read("to") == bytes);
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"from", "to"}));
  }
}

TEST(sockets, a_signal_while_waiting_for_a_connection_leaves_no_socket_file) {
  const temporary_folder folder;
  const std::string at = folder / "socket";
  child tool({"copy", "unix-listen:" + at, folder / "to"});
  wait_for_listener(at);
  tool.send(SIGTERM);
  const outcome result = tool.wait();
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.err, "sluice: stopped by SIGTERM (0 bytes copied)\n");
  EXPECT_TRUE(names_in(folder).empty());
}

TEST(sockets, a_file_in_the_way_of_a_listener_stays) {
  const temporary_folder folder;
  const std::string file = file_in(folder, "file", "precious");
  expect_failure(run({"copy", "unix-listen:" + file, "-"}), 1,
                 "unix-listen:" + file + ": Address already in use (opening; 0 bytes copied)");
  EXPECT_EQ(folder.read("file"), "precious");
}

TEST(sockets, a_refused_connection_is_an_opening_error) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "");
  const std::string at = "unix:" + folder / "none";
  expect_failure(run({"copy", from, at}), 1, at + ": No such file or directory (opening; 0 bytes copied)");
  std::string address;
  {
    address = here(*listener::listen_tcp("127.0.0.1", 0));
  }
  expect_failure(run({"copy", address, folder / "to"}), 1, address + ": Connection refused (opening; 0 bytes copied)");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"from"});
}

// The peer's system has taken all the bytes, and the peer throws them away.
TEST(sockets, a_peer_that_goes_without_reading_is_an_error) {
  const temporary_folder folder;
  const std::string from = file_in(folder, "from", "few bytes");
  listener server = *listener::listen_tcp("127.0.0.1", 0);
  std::thread peer([&] {
    socket connection = *server.accept();
    pollfd wanted{.fd = connection.fd(), .events = POLLIN, .revents = 0};
    ::poll(&wanted, 1, 5000);
    (void)connection.close();
  });
  expect_failure(run({"copy", from, here(server)}), 1,
                 here(server) + ": Connection reset by peer (closing; 9 bytes copied)");
  peer.join();
}

// Else the peer would take what it has got for the whole.
TEST(sockets, a_copy_that_fails_resets_the_connection) {
  listener server = *listener::listen_tcp("127.0.0.1", 0);
  std::error_code seen;
  std::thread peer([&] {
    socket connection = *server.accept();
    std::byte some[100];
    const result<std::size_t> n = connection.read_some(some);
    if (!n) seen = n.error();
  });
  expect_failure(run({"copy", "/proc/self/mem", here(server)}), 1,
                 "/proc/self/mem: Input/output error (reading; 0 bytes copied)");
  peer.join();
  EXPECT_EQ(seen, std::errc::connection_reset);
}

TEST(sockets, a_peer_that_goes_in_the_middle_is_an_error) {
  listener server = *listener::listen_tcp("127.0.0.1", 0);
  std::thread peer([&] {
    socket connection = *server.accept();
    std::byte some[100];
    EXPECT_TRUE(connection.read_some(some));
  });
  const outcome result = run({"copy", "/dev/zero", here(server)});
  peer.join();
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(count_lines(result.err), 1U);
  EXPECT_TRUE(result.err.starts_with("sluice: " + here(server) + ": ")) << result.err;
  EXPECT_NE(result.err.find(" (writing; "), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sluice::test
