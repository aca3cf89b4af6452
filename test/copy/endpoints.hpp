// SPDX-License-Identifier: BSL-1.0
//
// Descriptors to copy between, made past the library that is under test.
//
//   handle fd(::open(...));                 // closes it
//   two_ends p = make_pipe_ends(1 << 20);   // p.reader, p.writer
//   two_ends s = make_socket_pair();        // what is written to s.writer is read from s.reader
//   handle f = file_with(path, text); handle f = new_file(path);
//   std::string some_text(n);               // no short run of it repeats
//   std::string everything(fd);             // reads to the end
//   feeder f(std::move(fd), text);          // a thread that writes it all and closes
//   collector c(fd);                        // a thread that reads to the end; c.text()
//
#ifndef SLUICE_TEST_COPY_ENDPOINTS_HPP
#define SLUICE_TEST_COPY_ENDPOINTS_HPP

#include <sluice/copy.hpp>

#include "support/streams.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace sluice::test {

class handle {
 public:
  handle() = default;
  explicit handle(int fd) : fd_(fd) {
    if (fd < 0) throw std::system_error(errno, std::system_category(), "no descriptor");
  }
  handle(handle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~handle() { reset(); }

  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct two_ends {
  handle reader;
  handle writer;
};

inline std::string some_text(std::size_t n, std::uint32_t seed = 1) { return support::text(support::pattern(n, seed)); }

inline two_ends make_pipe_ends(int size = 0, int flags = 0) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | flags) != 0) throw std::runtime_error("pipe2");
  if (size != 0) ::fcntl(ends[1], F_SETPIPE_SZ, size);
  return {handle(ends[0]), handle(ends[1])};
}

// Room for some hundred kilobytes, so that a test can fill it without a thread.
inline void make_roomy(int fd) {
  const int wanted = 1 << 20;
  if (::setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &wanted, sizeof wanted) != 0)
    ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
}

inline two_ends make_socket_pair(int type = SOCK_STREAM) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
  make_roomy(ends[0]);
  make_roomy(ends[1]);
  return {handle(ends[0]), handle(ends[1])};
}

inline two_ends make_tcp_pair() {
  const handle listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listening.get(), raw, size) != 0 || ::listen(listening.get(), 1) != 0 ||
      ::getsockname(listening.get(), raw, &size) != 0)
    throw std::runtime_error("listen");
  handle client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(client.get(), raw, size) != 0) throw std::runtime_error("connect");
  return {handle(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC)), std::move(client)};
}

// A pseudo-terminal that changes no byte: what is written to one end is read from the other.
struct terminal {
  handle master;
  handle slave;

  terminal() : master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    char name[64];
    if (::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0 ||
        ::ptsname_r(master.get(), name, sizeof name) != 0)
      throw std::runtime_error("pty");
    slave = handle(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    ::tcgetattr(slave.get(), &settings);
    ::cfmakeraw(&settings);
    ::tcsetattr(slave.get(), TCSANOW, &settings);
  }
};

inline void write_text(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n <= 0) throw std::runtime_error("write");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

template <typename F = decltype([](std::size_t) {})>
std::string everything(int fd, F tell_size = {}) {
  std::string all;
  char piece[65536];
  for (;;) {
    const ssize_t n = ::read(fd, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(piece, static_cast<std::size_t>(n));
    tell_size(all.size());
  }
}

inline handle file_with(const std::string& path, std::string_view text, int flags = O_RDONLY) {
  const handle made(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  write_text(made.get(), text);
  return handle(::open(path.c_str(), flags | O_CLOEXEC));
}

inline handle new_file(const std::string& path, int flags = O_WRONLY) {
  return handle(::open(path.c_str(), flags | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

inline handle memory_file(std::string_view text = {}) {
  handle made(::memfd_create("sluice", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  write_text(made.get(), text);
  ::lseek(made.get(), 0, SEEK_SET);
  return made;
}

inline std::string content_of(const std::string& path) {
  const handle fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return everything(fd.get());
}

inline off_t offset_of(int fd) { return ::lseek(fd, 0, SEEK_CUR); }

/// A folder on a tmpfs, which is another file system than that of the temporary folder; empty where there is none.
class memory_folder {
 public:
  memory_folder() {
    std::string made = "/dev/shm/sluice-XXXXXX";
    if (::mkdtemp(made.data()) != nullptr) path_ = made;
  }
  ~memory_folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  memory_folder(const memory_folder&) = delete;
  memory_folder& operator=(const memory_folder&) = delete;

  explicit operator bool() const { return !path_.empty(); }
  friend std::string operator/(const memory_folder& folder, std::string_view name) {
    return folder.path_ + '/' + std::string(name);
  }

 private:
  std::string path_;
};

/// Writes a text from a thread of its own, then closes. Stops early where nobody reads any more.
class feeder {
 public:
  feeder(handle to, std::string text)
      : thread_([fd = std::move(to), content = std::move(text)] {
          sigset_t set;
          sigemptyset(&set);
          sigaddset(&set, SIGPIPE);
          ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
          std::string_view left = content;
          while (!left.empty()) {
            const ssize_t n = ::write(fd.get(), left.data(), left.size());
            if (n <= 0) return;
            left.remove_prefix(static_cast<std::size_t>(n));
          }
        }) {}

 private:
  std::jthread thread_;
};

/// Reads to the end from a thread of its own.
class collector {
 public:
  explicit collector(int fd)
      : thread_([this, fd] { text_ = everything(fd, [this](std::size_t size) { size_ = size; }); }) {}

  /// Waits until so many bytes are there, for five seconds at most.
  void await(std::size_t size) const {
    for (int i = 0; size_ < size && i != 5000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  const std::string& text() {
    if (thread_.joinable()) thread_.join();
    return text_;
  }

 private:
  std::string text_;
  std::atomic<std::size_t> size_ = 0;
  std::jthread thread_;
};

inline std::uintmax_t sum_of(const copy_report& report) {
  std::uintmax_t sum = 0;
  for (const auto& share : report.shares) sum += share.bytes;
  return sum;
}

/// The count, or the error as a text that names everything.
inline std::string show(const std::expected<std::uintmax_t, copy_error>& copied) {
  if (copied) return std::to_string(*copied);
  const copy_error& e = copied.error();
  return e.code.message() + ", side " + std::to_string(static_cast<int>(e.side)) + ", bytes " +
         std::to_string(e.bytes) + ", unwritten " + std::to_string(e.unwritten.size());
}

}  // namespace sluice::test

#endif
