// SPDX-License-Identifier: BSL-1.0
#include "facts.hpp"

#include "calls.hpp"

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

}  // namespace sluice::detail
