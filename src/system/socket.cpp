// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/socket.hpp>

#include "system/linux/transfer.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <memory>

namespace sluice {

namespace {

namespace sys = detail::sys;

class resolver_category_type final : public std::error_category {
 public:
  const char* name() const noexcept override { return "getaddrinfo"; }
  std::string message(int code) const override { return ::gai_strerror(code); }
  std::error_condition default_error_condition(int code) const noexcept override {
    switch (code) {
      case EAI_MEMORY: return std::errc::not_enough_memory;
      case EAI_FAMILY: return std::errc::address_family_not_supported;
      default: return {code, *this};
    }
  }
};

struct free_addresses {
  void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};
using address_list = std::unique_ptr<addrinfo, free_addresses>;

result<address_list> resolve(const std::string& host, std::uint16_t port, int flags) {
  if (host.find('\0') != std::string::npos) return sys::fail_with(EINVAL);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  const std::string service = std::to_string(port);
  addrinfo* list = nullptr;
  int code = 0;
  do {
    code = sys::calls.getaddrinfo(host.empty() ? nullptr : host.c_str(), service.c_str(), &hints, &list);
  } while (code == EAI_SYSTEM && errno == EINTR);
  if (code == EAI_SYSTEM) return fail(sys::last_error());
  if (code != 0) return fail(std::error_code(code, resolver_category()));
  return address_list(list);
}

struct unix_address {
  sockaddr_un address{};
  socklen_t size = 0;
  bool has_file = false;
};

result<unix_address> unix_address_of(const std::string& path) {
  unix_address made;
  constexpr std::size_t room = sizeof made.address.sun_path;
  const bool abstract = path.starts_with('@');
  if (path.empty() || path == "@" || path.find('\0') != std::string::npos) return sys::fail_with(EINVAL);
  if (path.size() + (abstract ? 0 : 1) > room) return sys::fail_with(ENAMETOOLONG);
  made.address.sun_family = AF_UNIX;
  std::memcpy(made.address.sun_path, path.data(), path.size());
  // An abstract name starts with a null and is as long as it says; a path ends with one: see unix(7).
  if (abstract) made.address.sun_path[0] = '\0';
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
  made.has_file = !abstract;
  return made;
}

result<fd_stream> open_socket(int family) {
  const int fd = sys::calls.socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(sys::last_error());
  return fd_stream(fd, fd_kind::socket);
}

result<void> set_option(int fd, int level, int option, int value) {
  if (sys::calls.setsockopt(fd, level, option, &value, sizeof value) != 0) return fail(sys::last_error());
  return {};
}

// An interrupted connect goes on by itself, and a second one would be EALREADY: see connect(2). Its end is told by
// poll(2), its outcome by SO_ERROR.
result<void> wait_for_connection(int fd) {
  pollfd waiting{.fd = fd, .events = POLLOUT, .revents = 0};
  if (sys::retry([&] { return sys::calls.poll(&waiting, 1, -1); }) < 0) return fail(sys::last_error());
  int code = 0;
  socklen_t size = sizeof code;
  if (sys::calls.getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0) return fail(sys::last_error());
  if (code != 0) return sys::fail_with(code);
  return {};
}

result<socket> connect_to(const sockaddr* address, socklen_t size) {
  result<fd_stream> stream = open_socket(address->sa_family);
  if (!stream) return fail(stream.error());
  const int fd = stream->fd();
  int answer = sys::calls.connect(fd, address, size);
  if (address->sa_family == AF_UNIX) {
    // This one waits for a place in the backlog, and an interrupted wait leaves nothing under way: poll(2) would call
    // the socket writable though it is not connected.
    while (answer != 0 && errno == EINTR) answer = sys::calls.connect(fd, address, size);
  }
  if (answer != 0) {
    if (errno != EINTR) return fail(sys::last_error());
    if (const result<void> waited = wait_for_connection(fd); !waited) return fail(waited.error());
  }
  return socket(*std::move(stream));
}

result<fd_stream> listen_at(const sockaddr* address, socklen_t size, int backlog) {
  result<fd_stream> stream = open_socket(address->sa_family);
  if (!stream) return stream;
  const int fd = stream->fd();
  if (address->sa_family != AF_UNIX) {
    if (const result<void> set = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1); !set) return fail(set.error());
  }
  if (address->sa_family == AF_INET6) {
    // The default comes from /proc/sys/net/ipv6/bindv6only. Where the system does not have it, neither does it matter.
    const int both = 0;
    sys::calls.setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
  }
  if (sys::calls.bind(fd, address, size) != 0) return fail(sys::last_error());
  if (sys::calls.listen(fd, backlog) != 0) return fail(sys::last_error());
  return stream;
}

result<std::uint16_t> port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (sys::calls.getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return fail(sys::last_error());
  in_port_t port = 0;
  if (address.ss_family == AF_INET6)
    port = reinterpret_cast<const sockaddr_in6&>(address).sin6_port;
  else if (address.ss_family == AF_INET)
    port = reinterpret_cast<const sockaddr_in&>(address).sin_port;
  return ntohs(port);
}

result<void> shut(int fd, int how) {
  if (sys::calls.shutdown(fd, how) != 0) return fail(sys::last_error());
  return {};
}

}  // namespace

const std::error_category& resolver_category() noexcept {
  static const resolver_category_type category;
  return category;
}

result<socket> socket::connect_tcp(const std::string& host, std::uint16_t port) {
  const result<address_list> addresses = resolve(host, port, 0);
  if (!addresses) return fail(addresses.error());
  result<socket> connected = sys::fail_with(EADDRNOTAVAIL);
  for (const addrinfo* a = addresses->get(); a != nullptr && !connected; a = a->ai_next)
    connected = connect_to(a->ai_addr, a->ai_addrlen);
  return connected;
}

result<socket> socket::connect_unix(const std::string& path) {
  const result<unix_address> address = unix_address_of(path);
  if (!address) return fail(address.error());
  return connect_to(reinterpret_cast<const sockaddr*>(&address->address), address->size);
}

result<std::pair<socket, socket>> socket::pair() {
  int ends[2];
  if (sys::calls.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail(sys::last_error());
  return std::pair(socket(fd_stream(ends[0], fd_kind::socket)), socket(fd_stream(ends[1], fd_kind::socket)));
}

result<void> socket::shutdown_read() { return shut(fd(), SHUT_RD); }

result<void> socket::shutdown_write() { return shut(fd(), SHUT_WR); }

result<void> socket::set_no_delay(bool on) { return set_option(fd(), IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0); }

listener::listener(fd_stream stream, std::uint16_t port) noexcept : fd_stream(std::move(stream)), port_(port) {}

listener::listener(listener&& other) noexcept
    : fd_stream(static_cast<fd_stream&&>(other)),
      port_(std::exchange(other.port_, std::uint16_t{0})),
      path_(std::exchange(other.path_, {})),
      device_(other.device_),
      inode_(other.inode_) {}

listener& listener::operator=(listener&& other) noexcept {
  if (this != &other) {
    remove_file();
    fd_stream::operator=(static_cast<fd_stream&&>(other));
    port_ = std::exchange(other.port_, std::uint16_t{0});
    path_ = std::exchange(other.path_, {});
    device_ = other.device_;
    inode_ = other.inode_;
  }
  return *this;
}

listener::~listener() { remove_file(); }

result<listener> listener::listen_tcp(const std::string& host, std::uint16_t port, int backlog) {
  const result<address_list> addresses = resolve(host, port, AI_PASSIVE);
  if (!addresses) return fail(addresses.error());
  result<fd_stream> stream = sys::fail_with(EADDRNOTAVAIL);
  const auto try_addresses = [&](auto suits) {
    for (const addrinfo* a = addresses->get(); a != nullptr && !stream; a = a->ai_next)
      if (suits(a->ai_family)) stream = listen_at(a->ai_addr, a->ai_addrlen, backlog);
  };
  if (host.empty()) {
    // Of the two addresses that stand for all, the IPv6 one takes IPv4 connections as well: see ipv6(7).
    try_addresses([](int family) { return family == AF_INET6; });
    try_addresses([](int family) { return family != AF_INET6; });
  } else {
    try_addresses([](int) { return true; });
  }
  if (!stream) return fail(stream.error());
  const result<std::uint16_t> bound = port_of(stream->fd());
  if (!bound) return fail(bound.error());
  return listener(*std::move(stream), *bound);
}

result<listener> listener::listen_unix(const std::string& path, int backlog) {
  const result<unix_address> address = unix_address_of(path);
  if (!address) return fail(address.error());
  result<fd_stream> stream = listen_at(reinterpret_cast<const sockaddr*>(&address->address), address->size, backlog);
  if (!stream) return fail(stream.error());
  listener made(*std::move(stream), 0);
  struct stat64 status;
  if (address->has_file && sys::calls.lstat(path.c_str(), &status) == 0) {
    made.path_ = path;
    made.device_ = status.st_dev;
    made.inode_ = status.st_ino;
  }
  return made;
}

result<socket> listener::accept() {
  for (;;) {
    const int accepted = sys::calls.accept4(fd(), nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted >= 0) return socket(fd_stream(accepted, fd_kind::socket));
    // ECONNABORTED and EPROTO tell of the connection, not of the listener: see accept(2).
    if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) return fail(sys::last_error());
  }
}

result<void> listener::close() {
  remove_file();
  port_ = 0;
  return fd_stream::close();
}

void listener::remove_file() noexcept {
  if (path_.empty()) return;
  // Another server may have put its own socket there since.
  struct stat64 status;
  if (sys::calls.lstat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_)
    sys::calls.unlink(path_.c_str());
  path_.clear();
}

}  // namespace sluice
