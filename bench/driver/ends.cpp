// SPDX-License-Identifier: BSL-1.0
#include "ends.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

namespace sluice::bench {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;
constexpr int pipe_size = 1 << 20;

int checked(int answer, const char* what) {
  if (answer < 0) {
    std::perror(what);
    std::exit(1);
  }
  return answer;
}

struct two_ends {
  int reader;
  int writer;
};

two_ends tcp_pair() {
  const int listener = checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  checked(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), "bind");
  checked(::listen(listener, 1), "listen");
  checked(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  const int writer = checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  checked(::connect(writer, reinterpret_cast<sockaddr*>(&address), size), "connect");
  const int reader = checked(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC), "accept");
  ::close(listener);
  return {reader, writer};
}

two_ends make_pair(end_kind kind) {
  int fds[2];
  switch (kind) {
    case end_kind::tcp: return tcp_pair();
    case end_kind::unix_socket:
      checked(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), "socketpair");
      return {fds[0], fds[1]};
    default:
      checked(::pipe2(fds, O_CLOEXEC), "pipe2");
      checked(::fcntl(fds[1], F_SETPIPE_SZ, pipe_size), "F_SETPIPE_SZ");
      return {fds[0], fds[1]};
  }
}

const std::byte* content() {
  static const auto memory = [] {
    auto bytes = std::make_unique<std::byte[]>(piece);
    std::uint64_t state = 42;
    for (std::size_t i = 0; i != piece; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      bytes[i] = static_cast<std::byte>(state >> 56);
    }
    return bytes;
  }();
  return memory.get();
}

// Whether these bytes are those that are sent, from `offset` on.
bool is_content(std::uintmax_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t begin = static_cast<std::size_t>(offset % piece);
    const std::size_t n = std::min(bytes.size(), piece - begin);
    if (std::memcmp(content() + begin, bytes.data(), n) != 0) return false;
    bytes = bytes.subspan(n);
    offset += n;
  }
  return true;
}

// Reads to the end, in large pieces; `intact`: unless null, set to false if that is not what was sent.
std::uintmax_t read_bytes(int fd, bool* intact) {
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(piece);
  std::uintmax_t total = 0;
  for (ssize_t n; (n = ::read(fd, memory.get(), piece)) > 0; total += static_cast<std::uintmax_t>(n))
    if (intact && !is_content(total, {memory.get(), static_cast<std::size_t>(n)})) *intact = false;
  return total;
}

void write_bytes(int fd, std::uintmax_t bytes) {
  while (bytes != 0) {
    const ssize_t n = ::write(fd, content(), static_cast<std::size_t>(std::min<std::uintmax_t>(bytes, piece)));
    if (n <= 0) return;
    bytes -= static_cast<std::uintmax_t>(n);
  }
}

// A file of random bytes that stays from round to round.
int source_file(const row& work) {
  const std::string path = ends::from_path(work);
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || static_cast<std::uintmax_t>(status.st_size) != work.bytes) {
    const int made = checked(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path.c_str());
    write_bytes(made, work.bytes);
    checked(::fsync(made), "fsync");
    ::close(made);
  }
  return checked(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path.c_str());
}

}  // namespace

ends::ends(const row& work, bool check) : check_(check && work.from != end_kind::none) {
  switch (work.from) {
    case end_kind::none: break;
    case end_kind::null: from_ = checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null"); break;
    case end_kind::file: from_ = source_file(work); break;
    default: {
      const two_ends pair = make_pair(work.from);
      from_ = pair.reader;
      feeder_ = std::thread([fd = pair.writer, bytes = work.bytes] {
        write_bytes(fd, bytes);
        ::close(fd);
      });
    }
  }
  switch (check && work.to == end_kind::null ? end_kind::pipe : work.to) {
    case end_kind::none: break;
    case end_kind::null: to_ = checked(::open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null"); break;
    case end_kind::file:
      written_path_ = to_path(work);
      ::unlink(written_path_.c_str());
      to_ = checked(::open(written_path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666), written_path_.c_str());
      break;
    default: {
      const two_ends pair = make_pair(work.to);
      to_ = pair.writer;
      sink_ = std::thread([this, fd = pair.reader] {
        read_by_sink_ = read_bytes(fd, check_ ? &intact_ : nullptr);
        ::close(fd);
      });
    }
  }
}

ends::~ends() {
  leave_to_child();
  if (feeder_.joinable()) feeder_.join();
  if (sink_.joinable()) sink_.join();
  if (!written_path_.empty()) ::unlink(written_path_.c_str());
}

void ends::leave_to_child() noexcept {
  for (int* fd : {&from_, &to_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
}

std::optional<std::uintmax_t> ends::arrived() {
  if (sink_.joinable()) {
    sink_.join();
    return read_by_sink_;
  }
  if (written_path_.empty()) return std::nullopt;
  if (check_) {
    const int fd = checked(::open(written_path_.c_str(), O_RDONLY | O_CLOEXEC), written_path_.c_str());
    const std::uintmax_t total = read_bytes(fd, &intact_);
    ::close(fd);
    return total;
  }
  struct stat status{};
  checked(::stat(written_path_.c_str(), &status), "stat");
  return static_cast<std::uintmax_t>(status.st_size);
}

}  // namespace sluice::bench
