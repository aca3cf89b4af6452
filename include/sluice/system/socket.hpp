// SPDX-License-Identifier: BSL-1.0
//
// Stream sockets, TCP and Unix.
//
//   class socket {                                     // and of fd_stream's members those that fit
//     static result<socket> connect_tcp(const std::string& host, std::uint16_t port);
//     static result<socket> connect_unix(const std::string& path);
//     static result<std::pair<socket, socket>> pair();
//     result<void> shutdown_read();
//     result<void> shutdown_write();
//     result<void> set_no_delay(bool on);
//   };
//   class listener {
//     static result<listener> listen_tcp(const std::string& host, std::uint16_t port, int backlog = 128);
//     static result<listener> listen_unix(const std::string& path, int backlog = 128);
//     result<socket> accept();
//     std::uint16_t port() const;
//     result<void> close();
//   };
//   const std::error_category& resolver_category() noexcept;
//
#ifndef SLUICE_SYSTEM_SOCKET_HPP
#define SLUICE_SYSTEM_SOCKET_HPP

#include <sluice/system/fd_stream.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace sluice {

/// The category of a host name's failure to resolve: the codes of getaddrinfo(3), as EAI_NONAME; its name is
/// "getaddrinfo". What the system failed at on the way (EAI_SYSTEM) is a system error instead.
const std::error_category& resolver_category() noexcept;

/// A connected stream socket. Programs started later do not inherit it.
class socket : private fd_stream {
 public:
  /// A closed socket.
  socket() noexcept = default;

  /// Takes over a descriptor, such as one that the service manager has passed on. No system call.
  explicit socket(fd_stream stream) noexcept : fd_stream(std::move(stream)) {}

  /// Connects to a host, named or numeric (IPv4 or IPv6); an empty one is this machine. Every address of the name is
  /// tried in the order of getaddrinfo(3), each once, until one accepts. Errors: of the last address, those of
  /// socket(2) and connect(2); `resolver_category`'s; `invalid_argument` for a host with a null character in it.
  static result<socket> connect_tcp(const std::string& host, std::uint16_t port);

  /// Connects to the Unix socket at `path`; a path that starts with '@' is a name in the abstract namespace, see
  /// unix(7). Errors: those of socket(2) and connect(2); `filename_too_long`; `invalid_argument` for a path that is
  /// empty or has a null character in it.
  static result<socket> connect_unix(const std::string& path);

  /// Two Unix sockets that are connected with one another. Errors: those of socketpair(2).
  static result<std::pair<socket, socket>> pair();

  using fd_stream::close;
  using fd_stream::fd;
  using fd_stream::is_open;
  using fd_stream::kernel_advanced;
  using fd_stream::kernel_endpoint;
  using fd_stream::kind;
  using fd_stream::read_some;
  using fd_stream::release;
  using fd_stream::set_non_blocking;
  using fd_stream::write_some;

  /// Says that nothing more will be read: `read_some` then delivers what has arrived, and the end of the stream.
  /// Errors: those of shutdown(2), as `not_connected`.
  result<void> shutdown_read();

  /// Says that nothing more will be written, so that the peer sees the end of the stream; reading goes on.
  /// Errors: those of shutdown(2), as `not_connected`.
  result<void> shutdown_write();

  /// Switches TCP_NODELAY: with it, small writes are sent at once, see tcp(7). Errors: those of setsockopt(2), such as
  /// `operation_not_supported` on a Unix socket.
  result<void> set_no_delay(bool on);
};

/// A socket that waits for connections. Programs started later do not inherit it.
class listener : private fd_stream {
 public:
  /// A closed listener.
  listener() noexcept = default;

  listener(listener&& other) noexcept;

  /// Closes what is held now, as the destructor does.
  listener& operator=(listener&& other) noexcept;

  /// Closes the socket, and removes the socket file that `listen_unix` has made. Errors are lost here.
  ~listener();

  /// Listens at the addresses of `host`, the first that can be had; an empty host stands for all addresses of the
  /// machine, IPv6 and IPv4. Port 0 lets the system choose, see `port`. `backlog` is the number of connections that may
  /// wait for `accept`. Sets SO_REUSEADDR, so that a restarted server gets its port back, see socket(7).
  /// Errors: of the last address, those of socket(2), bind(2) and listen(2); `resolver_category`'s; `invalid_argument`
  /// for a host with a null character in it.
  static result<listener> listen_tcp(const std::string& host, std::uint16_t port, int backlog = 128);

  /// Listens at `path`, or at an abstract name that starts with '@'. What is at the path already is never removed: it
  /// is `address_in_use`. Errors: those of socket(2), bind(2) and listen(2); `filename_too_long`; `invalid_argument`
  /// for a path that is empty or has a null character in it.
  static result<listener> listen_unix(const std::string& path, int backlog = 128);

  /// Waits for a connection. One that its peer has given up before it was accepted is passed over. Errors: those of
  /// accept(2), such as `too_many_files_open`; `operation_would_block` on a non-blocking listener.
  result<socket> accept();

  /// The TCP port, 0 for a Unix socket. No system call.
  std::uint16_t port() const noexcept { return port_; }

  /// Closes the socket and removes its own socket file, if that is still at its path. Closing a closed one succeeds.
  /// Errors: those of close(2); never retried.
  [[nodiscard]] result<void> close();

  using fd_stream::fd;
  using fd_stream::is_open;
  using fd_stream::set_non_blocking;

 private:
  listener(fd_stream stream, std::uint16_t port) noexcept;

  void remove_file() noexcept;

  std::uint16_t port_ = 0;
  std::string path_;  // of the socket file that is ours, and its identity
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace sluice

#endif
