// SPDX-License-Identifier: BSL-1.0
//
// Ways for bytes that hold little, and tell exactly how much has passed.
//
//   channel c(medium::tcp);        // non-blocking on both ends, a few kilobytes
//   c.reader(), c.writer()         // descriptors
//   c.accepted()                   // bytes that were written into it so far, by whomever
//   c.taken()                      // bytes that were read from it so far, by whomever
//   c.waiting()                    // bytes that a read would find now
//
// What is told is what the kernel says, past the library that is under test: FIONREAD, SIOCOUTQ, TCP_INFO and offsets.
//
#ifndef SLUICE_TEST_COPIER_CHANNELS_HPP
#define SLUICE_TEST_COPIER_CHANNELS_HPP

#include "copy/endpoints.hpp"
#include "support/temporary_folder.hpp"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <sys/ioctl.h>

#include <cstddef>

namespace sluice::test {

enum class medium : unsigned char { unix_socket, tcp, pipe, file };

inline const char* name_of(medium m) {
  constexpr std::array names{"unix", "tcp", "pipe", "file"};
  return names.at(static_cast<std::size_t>(m));
}

inline void PrintTo(medium m, std::ostream* out) { *out << name_of(m); }

inline void set_option(int fd, int level, int option, int value) {
  if (::setsockopt(fd, level, option, &value, sizeof value) != 0) throw std::runtime_error("setsockopt");
}

// Small segments and buffers: no window is ever so small that a side waits for a timer.
inline two_ends make_small_tcp_pair() {
  constexpr int buffer = 8192;
  constexpr int segment = 1024;
  const handle listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  handle client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  for (const int fd : {listening.get(), client.get()}) {
    set_option(fd, SOL_SOCKET, SO_SNDBUF, buffer);
    set_option(fd, SOL_SOCKET, SO_RCVBUF, buffer * 2);
    set_option(fd, IPPROTO_TCP, TCP_MAXSEG, segment);
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listening.get(), raw, size) != 0 || ::listen(listening.get(), 1) != 0 ||
      ::getsockname(listening.get(), raw, &size) != 0 || ::connect(client.get(), raw, size) != 0)
    throw std::runtime_error("tcp");
  return {handle(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC)), std::move(client)};
}

inline two_ends make_small_unix_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
  for (const int end : ends) set_option(end, SOL_SOCKET, SO_SNDBUF, 1);  // rounded up to a few kilobytes
  return {handle(ends[0]), handle(ends[1])};
}

class channel {
 public:
  explicit channel(medium m) : medium_(m) {
    switch (m) {
      case medium::unix_socket: ends_ = make_small_unix_pair(); break;
      case medium::tcp: ends_ = make_small_tcp_pair(); break;
      case medium::pipe: ends_ = make_pipe_ends(4096); break;
      case medium::file:
        ends_.writer = memory_file();
        ends_.reader =
            handle(::open(("/proc/self/fd/" + std::to_string(ends_.writer.get())).c_str(), O_RDONLY | O_CLOEXEC));
        return;
    }
    for (const int fd : {reader(), writer()}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    if (m == medium::tcp) {
      first_written_ = written_sequence();
      first_received_ = received_sequence();
    }
  }

  medium kind() const { return medium_; }
  int reader() const { return ends_.reader.get(); }
  int writer() const { return ends_.writer.get(); }

  void close_reader() { ends_.reader.reset(); }
  void close_writer() { ends_.writer.reset(); }

  /// The end of a peer that goes away without a word: a reset on TCP, and a close elsewhere.
  static void reset(handle& end, medium m) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    if (m == medium::tcp) ::setsockopt(end.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    end.reset();
  }
  void reset_reader() { reset(ends_.reader, medium_); }
  void reset_writer() { reset(ends_.writer, medium_); }

  /// Writes what fits; the count.
  std::size_t offer(std::string_view text) {
    const ssize_t n = text.empty() ? 0 : ::write(writer(), text.data(), text.size());
    if (n > 0) written_by_test_ += static_cast<std::size_t>(n);
    return n > 0 ? static_cast<std::size_t>(n) : 0;
  }

  /// Reads what there is, `most` bytes of it.
  std::string take(std::size_t most) {
    std::string piece(most, '\0');
    const ssize_t n = ::read(reader(), piece.data(), most);
    piece.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    read_by_test_ += piece.size();
    return piece;
  }

  /// Reads to the end, once the writer is closed.
  std::string rest() {
    ::fcntl(reader(), F_SETFL, ::fcntl(reader(), F_GETFL) & ~O_NONBLOCK);
    return everything(reader());
  }

  /// Of a channel whose reader is the test: how much the copy has got into it.
  std::uintmax_t accepted() const {
    switch (medium_) {
      case medium::file: return static_cast<std::uintmax_t>(offset_of(writer()));
      case medium::tcp: return written_sequence() - first_written_;
      default: return read_by_test_ + waiting();
    }
  }

  /// Of a channel whose writer is the test: how much the copy has got out of it. Needs both ends open, but for a file.
  std::uintmax_t taken() const {
    switch (medium_) {
      case medium::file: return static_cast<std::uintmax_t>(offset_of(reader()));
      case medium::tcp: return received_sequence() - first_received_;
      default: return written_by_test_ - waiting();
    }
  }

  std::size_t waiting() const {
    int n = 0;
    if (::ioctl(reader(), FIONREAD, &n) != 0) throw std::runtime_error("FIONREAD");
    return static_cast<std::size_t>(n);
  }

 private:
  static std::uintmax_t bytes_of(int fd, __u64 tcp_info::* field) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) throw std::runtime_error("TCP_INFO");
    return info.*field;
  }

  // What was acknowledged and what is still to be: read again where an acknowledgement came between.
  std::uintmax_t written_sequence() const {
    for (;;) {
      const auto before = bytes_of(writer(), &tcp_info::tcpi_bytes_acked);
      int unacknowledged = 0;
      if (::ioctl(writer(), SIOCOUTQ, &unacknowledged) != 0) throw std::runtime_error("SIOCOUTQ");
      if (bytes_of(writer(), &tcp_info::tcpi_bytes_acked) == before)
        return before + static_cast<std::uintmax_t>(unacknowledged);
    }
  }

  // What has arrived and was not read: the peer's end counts as a byte that has arrived.
  std::uintmax_t received_sequence() const {
    for (;;) {
      const auto before = bytes_of(reader(), &tcp_info::tcpi_bytes_received);
      const std::size_t unread = waiting();
      pollfd end{.fd = reader(), .events = POLLRDHUP, .revents = 0};
      ::poll(&end, 1, 0);
      if (bytes_of(reader(), &tcp_info::tcpi_bytes_received) == before)
        return before - unread - ((end.revents & POLLRDHUP) != 0 ? 1 : 0);
    }
  }

  medium medium_;
  two_ends ends_;
  std::uintmax_t written_by_test_ = 0;
  std::uintmax_t read_by_test_ = 0;
  std::uintmax_t first_written_ = 0;
  std::uintmax_t first_received_ = 0;
};

}  // namespace sluice::test

#endif
