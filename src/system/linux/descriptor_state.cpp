// SPDX-License-Identifier: BSL-1.0
//
// What a descriptor says of itself at this moment.
//
#include "kernel_paths.hpp"

#include <algorithm>

namespace sluice::detail {

std::optional<file_size> size_of(int fd) noexcept {
  struct stat64 status;
  if (sys::status_of(fd, status) != 0 || status.st_size < 0) return std::nullopt;
  return file_size{static_cast<std::uintmax_t>(status.st_size), static_cast<std::uintmax_t>(status.st_blocks) * 512};
}

std::optional<std::uintmax_t> offset_of(int fd) noexcept {
  const off64_t offset = sys::seek(fd, 0, SEEK_CUR);
  if (offset < 0) return std::nullopt;
  return static_cast<std::uintmax_t>(offset);
}

std::optional<file_extent> extent_of(int fd, std::optional<std::uintmax_t> offset) noexcept {
  const auto status = size_of(fd);
  if (status && !offset) offset = offset_of(fd);
  if (!status || !offset) return std::nullopt;
  return file_extent{status->size, *offset};
}

bool appends(int fd) noexcept {
  const int flags = sys::calls.get_flags(fd);
  return flags >= 0 && (flags & O_APPEND) != 0;
}

short sys::poll_now(int fd, short events) noexcept {
  pollfd one{.fd = fd, .events = events, .revents = 0};
  return retry([&] { return calls.poll(&one, 1, 0); }) > 0 ? one.revents : short{0};
}

bool sys::ready(int fd, short events) noexcept { return poll_now(fd, events) != 0; }

std::size_t unblocked_write_size(int fd, fd_kind kind) noexcept {
  switch (kind) {
    case fd_kind::pipe: return 4096;  // PIPE_BUF: poll(2) says writable when a slot of a page is free
    case fd_kind::terminal: return 256;
    case fd_kind::socket: {
      // Writable means that at least a third of the send buffer is free (tcp(7), unix(7)).
      int size = 0;
      socklen_t length = sizeof size;
      if (sys::calls.getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) != 0 || size <= 0) return 4096;
      return std::clamp<std::size_t>(static_cast<std::size_t>(size) / 4, 512, std::size_t{256} << 10);
    }
    default: return std::size_t{256} << 10;
  }
}

}  // namespace sluice::detail
