// SPDX-License-Identifier: BSL-1.0
//
// Pipes and connections with a thread that fills them.
//
#ifndef SLUICE_BENCH_SUPPORT_CHANNELS_HPP
#define SLUICE_BENCH_SUPPORT_CHANNELS_HPP

#include <sluice/system/fd_stream.hpp>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

namespace sluice::bench {

struct two_ends {
  fd_stream reader;
  fd_stream writer;
};

/// `size`: bytes that the pipe can hold; 0 leaves the system's default.
inline two_ends make_pipe(int size = 0) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  if (size != 0) ::fcntl(ends[1], F_SETPIPE_SZ, size);
  return {fd_stream(ends[0]), fd_stream(ends[1])};
}

/// A TCP connection over the loopback.
inline two_ends make_tcp() {
  fd_stream listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listening.fd(), raw, size) != 0 || ::listen(listening.fd(), 1) != 0 ||
      ::getsockname(listening.fd(), raw, &size) != 0)
    std::abort();
  fd_stream client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(client.fd(), raw, size) != 0) std::abort();
  return {fd_stream(::accept4(listening.fd(), nullptr, nullptr, SOCK_CLOEXEC)), std::move(client)};
}

/// Writes `amount` bytes in pieces of `piece` from a thread of its own, and closes.
class feeder {
 public:
  feeder(fd_stream to, std::uintmax_t amount, std::size_t piece)
      : thread_([to = std::move(to), amount, text = std::string(piece, 'x')]() mutable {
          while (amount != 0) {
            const ssize_t n = ::write(to.fd(), text.data(), std::min<std::uintmax_t>(text.size(), amount));
            if (n <= 0) std::abort();
            amount -= static_cast<std::uintmax_t>(n);
          }
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace sluice::bench

#endif
