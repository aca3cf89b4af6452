// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/socket.hpp>

#include "support/descriptors.hpp"
#include "support/faults.hpp"
#include "support/signals.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sluice {
namespace {

using test::bytes_of;
using test::call_counter;
using test::call_table;
using test::fault;
using test::replaced_call;
using test::temporary_folder;

static_assert(reader<socket> && writer<socket> && vectored_reader<socket> && vectored_writer<socket>);
static_assert(kernel_reader<socket> && kernel_writer<socket>);
static_assert(!seekable<socket> && !skippable<socket> && !size_hinted<socket>);
static_assert(!reader<listener> && !writer<listener> && !detail::has_kernel_endpoint<listener>);
static_assert(std::is_nothrow_move_constructible_v<socket> && std::is_nothrow_move_constructible_v<listener>);
static_assert(!std::is_copy_constructible_v<socket> && !std::is_copy_constructible_v<listener>);

std::string read_text(socket& s, std::size_t n) {
  std::string text(n, '?');
  const auto got = s.read_some(std::as_writable_bytes(std::span(text)));
  if (!got) return "error: " + got.error().message();
  text.resize(*got);
  return text;
}

struct tcp_pair {
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  socket client = or_throw(socket::connect_tcp("127.0.0.1", server.port()));
  socket peer = or_throw(server.accept());
};

void expect_connected(socket& a, socket& b) {
  EXPECT_EQ(a.write_some(bytes_of("ping")), 4U);
  EXPECT_EQ(read_text(b, 10), "ping");
  EXPECT_EQ(b.write_some(bytes_of("pong")), 4U);
  EXPECT_EQ(read_text(a, 10), "pong");
}

TEST(socket, tcp) {
  tcp_pair t;
  EXPECT_NE(t.server.port(), 0);
  expect_connected(t.client, t.peer);
  EXPECT_EQ(t.client.kernel_endpoint()->kind, fd_kind::socket);
  EXPECT_EQ(t.peer.kernel_endpoint()->kind, fd_kind::socket);
}

TEST(socket, tcp_at_all_addresses) {
  listener server = or_throw(listener::listen_tcp("", 0));
  for (const std::string host : {"127.0.0.1", "localhost", ""}) {
    socket client = or_throw(socket::connect_tcp(host, server.port()));
    socket peer = or_throw(server.accept());
    expect_connected(client, peer);
  }
}

TEST(socket, pair) {
  auto [a, b] = or_throw(socket::pair());
  expect_connected(a, b);
  EXPECT_EQ(a.kernel_endpoint()->kind, fd_kind::socket);
}

TEST(socket, is_not_inherited) {
  tcp_pair t;
  const auto pair = or_throw(socket::pair());
  for (const int fd : {t.server.fd(), t.client.fd(), t.peer.fd(), pair.first.fd(), pair.second.fd()})
    EXPECT_TRUE(test::is_close_on_exec(fd));
}

TEST(socket, vectored) {
  auto [a, b] = or_throw(socket::pair());
  const std::array<const_buffer, 3> pieces{bytes_of("ab"), const_buffer(), bytes_of("cd")};
  const call_counter calls;
  EXPECT_EQ(a.write_some(pieces), 4U);
  EXPECT_EQ(calls["sendmsg"], 1U);
  EXPECT_EQ(calls.total(), 1U);
  EXPECT_EQ(read_text(b, 10), "abcd");
}

TEST(socket, half_close_is_the_end_for_the_peer_only) {
  tcp_pair t;
  EXPECT_EQ(t.client.write_some(bytes_of("request")), 7U);
  EXPECT_TRUE(t.client.shutdown_write());
  EXPECT_EQ(read_text(t.peer, 10), "request");
  EXPECT_EQ(read_text(t.peer, 10), "");
  EXPECT_EQ(t.peer.write_some(bytes_of("answer")), 6U);
  EXPECT_TRUE(t.peer.close());
  EXPECT_EQ(read_text(t.client, 10), "answer");
  EXPECT_EQ(read_text(t.client, 10), "");
}

TEST(socket, shutdown_read_ends_reading_here) {
  auto [a, b] = or_throw(socket::pair());
  EXPECT_EQ(a.write_some(bytes_of("x")), 1U);
  EXPECT_TRUE(b.shutdown_read());
  EXPECT_EQ(read_text(b, 10), "x");
  EXPECT_EQ(read_text(b, 10), "");
  EXPECT_EQ(socket().shutdown_read().error(), std::errc::bad_file_descriptor);
  socket unconnected(fd_stream(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  EXPECT_EQ(unconnected.shutdown_write().error(), std::errc::not_connected);
}

TEST(socket, without_peer_is_broken_and_raises_nothing) {
  const test::default_sigpipe deadly;
  const std::array<const_buffer, 2> pieces{bytes_of("a"), bytes_of("b")};
  {
    auto [a, b] = or_throw(socket::pair());
    EXPECT_TRUE(b.close());
    EXPECT_EQ(a.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
    EXPECT_EQ(a.write_some(pieces).error(), std::errc::broken_pipe);
    fd_stream untold(a.release());
    EXPECT_EQ(untold.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  }
  tcp_pair t;
  EXPECT_TRUE(t.client.shutdown_write());
  EXPECT_EQ(t.client.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  EXPECT_EQ(t.client.write_some(pieces).error(), std::errc::broken_pipe);
}

TEST(socket, a_peer_that_resets_is_an_error_and_not_the_end) {
  tcp_pair t;
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ASSERT_EQ(::setsockopt(t.peer.fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  EXPECT_TRUE(t.peer.close());
  std::byte b[1];
  EXPECT_EQ(t.client.read_some(b).error(), std::errc::connection_reset);
}

TEST(socket, non_blocking) {
  auto [a, b] = or_throw(socket::pair());
  EXPECT_TRUE(a.set_non_blocking(true));
  std::byte one[1];
  EXPECT_EQ(a.read_some(one).error(), std::errc::operation_would_block);
  const std::vector<std::byte> big(1 << 20);
  while (a.write_some(big)) {
  }
  EXPECT_EQ(a.write_some(big).error(), std::errc::operation_would_block);

  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  EXPECT_TRUE(server.set_non_blocking(true));
  EXPECT_EQ(server.accept().error(), std::errc::operation_would_block);
}

TEST(socket, no_delay) {
  tcp_pair t;
  int value = 0;
  socklen_t size = sizeof value;
  EXPECT_TRUE(t.client.set_no_delay(true));
  ASSERT_EQ(::getsockopt(t.client.fd(), IPPROTO_TCP, TCP_NODELAY, &value, &size), 0);
  EXPECT_NE(value, 0);
  EXPECT_TRUE(t.client.set_no_delay(false));
  auto pair = or_throw(socket::pair());
  EXPECT_EQ(pair.first.set_no_delay(true).error(), std::errc::operation_not_supported);
}

TEST(socket, refused_connection) {
  std::uint16_t port = 0;
  {
    const listener gone = or_throw(listener::listen_tcp("127.0.0.1", 0));
    port = gone.port();
  }
  EXPECT_EQ(socket::connect_tcp("127.0.0.1", port).error(), std::errc::connection_refused);
}

TEST(socket, a_name_that_does_not_resolve) {
  {
    const fault unknown({.call = "getaddrinfo", .answer = EAI_NONAME});
    const auto error = socket::connect_tcp("nowhere.invalid", 1).error();
    EXPECT_EQ(error, std::error_code(EAI_NONAME, resolver_category()));
    EXPECT_STREQ(error.category().name(), "getaddrinfo");
    EXPECT_EQ(error.message(), ::gai_strerror(EAI_NONAME));
    EXPECT_EQ(listener::listen_tcp("nowhere.invalid", 1).error().category(), resolver_category());
  }
  const fault system({.call = "getaddrinfo", .error = EMFILE, .answer = EAI_SYSTEM});
  EXPECT_EQ(socket::connect_tcp("nowhere.invalid", 1).error(), std::errc::too_many_files_open);
  const fault memory({.call = "getaddrinfo", .answer = EAI_MEMORY});
  EXPECT_EQ(socket::connect_tcp("nowhere.invalid", 1).error(), std::errc::not_enough_memory);
  EXPECT_EQ(socket::connect_tcp(std::string("127.0.0.1\0x", 11), 1).error(), std::errc::invalid_argument);
}

TEST(socket, an_interrupted_resolution_is_repeated) {
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  const fault interrupted({.call = "getaddrinfo", .error = EINTR, .answer = EAI_SYSTEM});
  EXPECT_TRUE(socket::connect_tcp("127.0.0.1", server.port()));
  EXPECT_EQ(interrupted.calls(), 2U);
}

// A name with three addresses.
int three_addresses(const char* host, const char* service, const addrinfo* hints, addrinfo** list) {
  addrinfo** end = list;
  for (int i = 0; i != 3; ++i) {
    if (const int code = ::getaddrinfo(host, service, hints, end); code != 0) return code;
    end = &(*end)->ai_next;
  }
  return 0;
}

TEST(socket, tries_every_address_once) {
  const replaced_call resolver(&call_table::getaddrinfo, three_addresses);
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  {
    const fault refused({.call = "connect", .times = 2, .error = ECONNREFUSED});
    EXPECT_TRUE(socket::connect_tcp("127.0.0.1", server.port()));
    EXPECT_EQ(refused.calls(), 3U);
  }
  const fault first({.call = "connect", .times = 2, .error = ECONNREFUSED});
  const fault last({.call = "connect", .at = 3, .error = ENETUNREACH});
  EXPECT_EQ(socket::connect_tcp("127.0.0.1", server.port()).error(), std::errc::network_unreachable);
  const fault taken({.call = "bind", .times = 1, .error = EADDRINUSE});
  EXPECT_TRUE(listener::listen_tcp("127.0.0.1", 0));
  EXPECT_EQ(taken.calls(), 2U);
}

TEST(socket, an_interrupted_tcp_connect_is_waited_for) {
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  const fault interrupted({.call = "connect", .error = EINTR, .perform = true});
  const fault waits({.call = "poll", .times = 2, .error = EINTR});
  socket client = or_throw(socket::connect_tcp("127.0.0.1", server.port()));
  EXPECT_EQ(interrupted.calls(), 1U) << "never connected twice";
  EXPECT_EQ(waits.calls(), 3U);
  socket peer = or_throw(server.accept());
  expect_connected(client, peer);
}

TEST(socket, an_interrupted_tcp_connect_that_fails_later_fails) {
  const fault interrupted({.call = "connect", .error = EINTR, .perform = true});
  const replaced_call outcome(&call_table::getsockopt, [](int, int, int, void* value, socklen_t*) {
    *static_cast<int*>(value) = ECONNREFUSED;
    return 0;
  });
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  EXPECT_EQ(socket::connect_tcp("127.0.0.1", server.port()).error(), std::errc::connection_refused);
}

TEST(socket, unix_path) {
  const temporary_folder folder;
  const std::string path = folder / "socket";
  listener server = or_throw(listener::listen_unix(path));
  EXPECT_EQ(server.port(), 0);
  socket client = or_throw(socket::connect_unix(path));
  socket peer = or_throw(server.accept());
  expect_connected(client, peer);
  EXPECT_TRUE(server.close());
  EXPECT_FALSE(std::filesystem::exists(path)) << "its own file goes";
  EXPECT_TRUE(server.close());
  EXPECT_EQ(socket::connect_unix(path).error(), std::errc::no_such_file_or_directory);
}

TEST(socket, unix_abstract_name) {
  const std::string name = "@sluice-test-" + std::to_string(::getpid());
  listener server = or_throw(listener::listen_unix(name));
  socket client = or_throw(socket::connect_unix(name));
  socket peer = or_throw(server.accept());
  expect_connected(client, peer);
  EXPECT_FALSE(std::filesystem::exists(name));
  EXPECT_EQ(listener::listen_unix(name).error(), std::errc::address_in_use);
}

TEST(socket, unix_paths_that_do_not_fit) {
  const temporary_folder folder;
  const std::string longest(107, 'x');
  EXPECT_EQ(socket::connect_unix(longest).error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(socket::connect_unix(longest + 'x').error(), std::errc::filename_too_long);
  EXPECT_EQ(socket::connect_unix('@' + longest).error(), std::errc::connection_refused);
  EXPECT_EQ(socket::connect_unix('@' + longest + 'x').error(), std::errc::filename_too_long);
  EXPECT_EQ(listener::listen_unix(std::string(1000, 'x')).error(), std::errc::filename_too_long);
  EXPECT_EQ(socket::connect_unix("").error(), std::errc::invalid_argument);
  EXPECT_EQ(socket::connect_unix("@").error(), std::errc::invalid_argument);
  EXPECT_EQ(socket::connect_unix(std::string("a\0b", 3)).error(), std::errc::invalid_argument);
}

TEST(socket, a_unix_listener_removes_only_what_it_made) {
  const temporary_folder folder;
  const std::string path = folder / "socket";
  folder.write("socket", "precious");
  EXPECT_EQ(listener::listen_unix(path).error(), std::errc::address_in_use);
  EXPECT_EQ(folder.read("socket"), "precious");
  std::filesystem::remove(path);
  {
    const listener first = or_throw(listener::listen_unix(path));
    std::filesystem::rename(path, folder / "moved");
    folder.write("socket", "another's");
  }
  EXPECT_EQ(folder.read("socket"), "another's");
}

TEST(socket, a_listener_moves_with_its_file) {
  const temporary_folder folder;
  listener kept;
  EXPECT_EQ(kept.accept().error(), std::errc::bad_file_descriptor);
  {
    listener first = or_throw(listener::listen_unix(folder / "a"));
    kept = std::move(first);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "a"));
  listener moved = std::move(kept);
  EXPECT_TRUE(socket::connect_unix(folder / "a"));
  moved = or_throw(listener::listen_unix(folder / "b"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a")) << "closed by the assignment";
  EXPECT_TRUE(std::filesystem::exists(folder / "b"));
  moved = or_throw(listener::listen_tcp("127.0.0.1", 0));
  EXPECT_NE(moved.port(), 0);
}

// A Unix connect that is interrupted while the backlog is full has begun nothing.
TEST(socket, unix_connect_through_a_storm_of_signals) {
  const temporary_folder folder;
  listener server = or_throw(listener::listen_unix(folder / "socket", 0));
  const socket waiting = or_throw(socket::connect_unix(folder / "socket"));
  const fault connects({.call = "connect"});
  std::vector<socket> peers;
  const test::signal_storm storm;
  std::jthread acceptor([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    peers.push_back(or_throw(server.accept()));
    peers.push_back(or_throw(server.accept()));
  });
  socket client = or_throw(socket::connect_unix(folder / "socket"));
  acceptor.join();
  EXPECT_GT(connects.calls(), 1U);
  expect_connected(client, peers.back());
}

TEST(socket, accept_passes_over_what_is_gone) {
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  const socket client = or_throw(socket::connect_tcp("127.0.0.1", server.port()));
  const fault aborted({.call = "accept4", .error = ECONNABORTED});
  const fault interrupted({.call = "accept4", .at = 2, .error = EINTR});
  EXPECT_TRUE(server.accept());
  EXPECT_EQ(aborted.calls(), 3U);
}

TEST(socket, reports_exhaustion) {
  listener server = or_throw(listener::listen_tcp("127.0.0.1", 0));
  socket client = or_throw(socket::connect_tcp("127.0.0.1", server.port()));
  std::vector<std::error_code> errors;
  {
    const test::descriptor_limit limit(0);
    errors.push_back(server.accept().error());
    errors.push_back(socket::pair().error());
    errors.push_back(socket::connect_unix("@none").error());
    errors.push_back(socket::connect_tcp("127.0.0.1", server.port()).error());
  }
  for (const auto& error : errors) EXPECT_EQ(error, std::errc::too_many_files_open);
  socket peer = or_throw(server.accept());
  expect_connected(client, peer);
}

TEST(socket, failures_leave_no_descriptor_behind) {
  const temporary_folder folder;
  const int next = ::dup(2);
  ::close(next);
  for (const char* call : {"bind", "listen", "getsockname"}) {
    const fault broken({.call = call, .times = test::always, .error = EIO});
    EXPECT_EQ(listener::listen_tcp("127.0.0.1", 0).error(), std::errc::io_error) << call;
  }
  {
    const fault broken({.call = "connect", .times = test::always, .error = EIO});
    EXPECT_EQ(socket::connect_unix("@none").error(), std::errc::io_error);
    EXPECT_EQ(socket::connect_tcp("127.0.0.1", 1).error(), std::errc::io_error);
  }
  const int now = ::dup(2);
  ::close(now);
  EXPECT_EQ(now, next);
}

TEST(socket, a_listener_reports_a_failing_close) {
  const temporary_folder folder;
  listener server = or_throw(listener::listen_unix(folder / "socket"));
  const fault broken({.call = "close", .error = EIO, .perform = true});
  EXPECT_EQ(server.close().error(), std::errc::io_error);
  EXPECT_FALSE(std::filesystem::exists(folder / "socket"));
  EXPECT_TRUE(server.close());
}

}  // namespace
}  // namespace sluice
