// SPDX-License-Identifier: BSL-1.0
#include "facts.hpp"

#include "calls.hpp"

#include <limits>
#include <utility>

namespace sluice::detail {

namespace {

// A socket that does not say that it is a stream is read and written whole messages at a time: the careful way.
fd_kind socket_kind(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  const bool told = sys::calls.getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
  return told && type == SOCK_STREAM ? fd_kind::socket : fd_kind::message_socket;
}

fd_kind kind_of(int fd, mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return fd_kind::regular_file;
    case S_IFIFO: return fd_kind::pipe;
    case S_IFSOCK: return socket_kind(fd);
    case S_IFCHR: return sys::calls.isatty(fd) == 1 ? fd_kind::terminal : fd_kind::character_device;
    case S_IFBLK: return fd_kind::block_device;
    case S_IFDIR: return fd_kind::directory;
    default: return fd_kind::other;
  }
}

bool reaches(int fd, off64_t from, std::uintmax_t n) {
  const auto room = static_cast<std::uintmax_t>(std::numeric_limits<off64_t>::max() - from);
  return n <= room && has_byte(fd, from + static_cast<off64_t>(n) - 1) == presence::there;
}

}  // namespace

void learn_facts(int fd, fd_facts& facts) {
  struct stat64 status;
  if (sys::status_of(fd, status) == 0) learn_facts(fd, status, facts);
}

void learn_facts(int fd, const struct stat64& status, fd_facts& facts) {
  facts.kind = kind_of(fd, status.st_mode);
  facts.device = status.st_dev;
  facts.inode = status.st_ino;
  facts.identified = true;
}

presence has_byte(int fd, off64_t offset) {
  std::byte b;
  const ssize_t n = sys::retry([&] { return sys::calls.pread(fd, &b, 1, offset); });
  return n == 1 ? presence::there : n == 0 ? presence::absent : presence::unclear;
}

result<off64_t> skip_target(int fd, fd_facts& facts, off64_t from, std::uintmax_t n) {
  if (facts.sized && reaches(fd, from, n)) return from + static_cast<off64_t>(n);

  struct stat64 status;
  if (sys::status_of(fd, status) != 0) return fail(sys::last_error());
  learn_facts(fd, status, facts);
  // Without a size it may be a file whose bytes are gone once they were looked at, as tracefs has them.
  if (facts.kind != fd_kind::regular_file || status.st_size == 0) return fail(io_errc::unsupported);
  if (!std::exchange(facts.sized, true) && reaches(fd, from, n)) return from + static_cast<off64_t>(n);

  if (from >= status.st_size) {
    if (has_byte(fd, from) != presence::absent) return fail(io_errc::unsupported);
    return from;
  }
  if (has_byte(fd, status.st_size - 1) != presence::there || has_byte(fd, status.st_size) != presence::absent)
    return fail(io_errc::unsupported);
  return status.st_size;
}

}  // namespace sluice::detail
