// SPDX-License-Identifier: BSL-1.0
#include "facts.hpp"

#include "calls.hpp"

namespace sluice::detail {

namespace {

fd_kind kind_of(int fd, mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return fd_kind::regular_file;
    case S_IFIFO: return fd_kind::pipe;
    case S_IFSOCK: return fd_kind::socket;
    case S_IFCHR: return sys::calls.isatty(fd) == 1 ? fd_kind::terminal : fd_kind::character_device;
    case S_IFBLK: return fd_kind::block_device;
    case S_IFDIR: return fd_kind::directory;
    default: return fd_kind::other;
  }
}

}  // namespace

void learn_facts(int fd, fd_facts& facts) {
  struct stat64 status;
  if (sys::calls.fstat(fd, &status) == 0) learn_facts(fd, status, facts);
}

void learn_facts(int fd, const struct stat64& status, fd_facts& facts) {
  facts.kind = kind_of(fd, status.st_mode);
  facts.device = status.st_dev;
  facts.inode = status.st_ino;
  facts.identified = true;
}

}  // namespace sluice::detail
