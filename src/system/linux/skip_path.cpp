// SPDX-License-Identifier: BSL-1.0
//
// Bytes that nobody wants: splice(2) from a pipe to /dev/null moves no byte, and TCP drops what recv(2) is asked for
// with MSG_TRUNC (tcp(7)). Other sockets do not: a Unix stream socket takes the flag for nothing.
//
#include "../../skip_path.hpp"

#include "kernel_paths.hpp"
#include "transfer.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/sysmacros.h>

namespace sluice::detail {
namespace {

std::unexpected<std::error_code> read_instead() noexcept { return sys::fail_with(EOPNOTSUPP); }

// With kernel TLS above it, the socket has bytes to decrypt, and no way to drop them.
bool is_plain_tcp(int fd) noexcept {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  if (sys::calls.getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0 || protocol != IPPROTO_TCP)
    return false;
  char upper[16]{};
  size = sizeof upper;
  return sys::calls.getsockopt(fd, IPPROTO_TCP, TCP_ULP, upper, &size) == 0 && (size == 0 || upper[0] == '\0');
}

}  // namespace

kernel_skipper::~kernel_skipper() {
  if (null_ >= 0) sys::calls.close(null_);
}

// In some containers a plain file stands in for the device, and would be filled.
bool kernel_skipper::open_null() noexcept {
  if (null_ >= 0) return true;
  const int fd = sys::retry([] { return sys::calls.open("/dev/null", O_WRONLY | O_CLOEXEC, 0); });
  if (fd < 0) return false;
  struct stat64 status;
  const bool is_device = sys::status_of(fd, status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
  if (is_device)
    null_ = fd;
  else
    sys::calls.close(fd);
  return is_device;
}

result<std::uintmax_t> kernel_skipper::skip(int fd, fd_kind kind, std::uintmax_t max, bool may_block) {
  ssize_t n = -1;
  if (kind == fd_kind::pipe) {
    if (!open_null()) return read_instead();
    n = sys::retry([&] {
      return sys::calls.splice(fd, nullptr, null_, nullptr, sys::request(max), SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    });
  } else if (kind == fd_kind::socket) {
    if (dropping_ != fd && !is_plain_tcp(fd)) return read_instead();
    dropping_ = fd;
    const int flags = may_block ? MSG_TRUNC : MSG_TRUNC | MSG_DONTWAIT;
    n = sys::retry([&] { return sys::calls.recv(fd, nullptr, sys::request(max), flags); });
  } else {
    return read_instead();
  }
  if (n >= 0) return static_cast<std::uintmax_t>(n);
  const std::error_code why = sys::last_error();
  if (would_block_error(why) || (kind == fd_kind::socket && sys::is_connection_error(why))) return fail(why);
  return read_instead();
}

}  // namespace sluice::detail
