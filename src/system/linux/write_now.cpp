// SPDX-License-Identifier: BSL-1.0
//
// A write that takes what fits at this moment and never waits, whatever the descriptor's own mode is: the mode is
// shared with others and not ours to change.
//
#include "kernel_paths.hpp"
#include "transfer.hpp"

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x8  // Linux 4.14; for pipes 6.4
#endif
namespace sluice::detail {

result<std::size_t> write_now(int fd, fd_kind kind, std::span<const const_buffer> pieces) {
  sys::piece_list list(pieces);
  const ssize_t n = sys::retry([&] {
    if (kind != fd_kind::socket)
      return sys::calls.pwritev2(fd, list.data(), list.count(), -1, RWF_NOWAIT | RWF_NOSIGNAL);
    if (list.count() == 1)
      return sys::calls.send(fd, list.data()->iov_base, list.data()->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL);
    msghdr message{};
    message.msg_iov = list.data();
    message.msg_iovlen = list.size();
    return sys::calls.sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  });
  if (n >= 0) return static_cast<std::size_t>(n);
  if (errno == EINVAL || errno == ENOSYS || errno == EPERM)
    return fail(std::make_error_code(std::errc::operation_not_supported));
  return fail(sys::last_error());
}

}  // namespace sluice::detail
