// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/fd_ref.hpp>

#include "system/linux/facts.hpp"
#include "system/linux/sigpipe_guard.hpp"
#include "system/linux/transfer.hpp"

#include <algorithm>
#include <limits>

namespace sluice {

namespace {

namespace sys = detail::sys;

// Where a write may raise SIGPIPE, and how it is kept from that.
enum class write_form {
  plain,      // it cannot
  message,    // MSG_NOSIGNAL
  no_signal,  // RWF_NOSIGNAL
  guarded,    // by the mask of the thread
};

write_form form_of(int fd, fd_facts& facts) {
  if (facts.kind == fd_kind::unknown) detail::learn_facts(fd, facts);
  switch (facts.kind) {
    case fd_kind::socket:
    case fd_kind::message_socket: return write_form::message;
    case fd_kind::pipe: return facts.plain_write ? write_form::guarded : write_form::no_signal;
    case fd_kind::unknown: return write_form::guarded;
    default: return write_form::plain;
  }
}

// None of these is what a pipe itself says of a write, and EPERM is what some seccomp filters say of a call that they
// do not know. A kernel before 6.18 says EOPNOTSUPP.
bool refuses_flag(int code) noexcept { return code == EOPNOTSUPP || code == EINVAL || code == ENOSYS || code == EPERM; }

template <class Call>
result<std::size_t> guarded(Call call) {
  sys::sigpipe_guard guard;
  const ssize_t n = sys::retry(call);
  return sys::counted_answer(n);
}

[[gnu::hot]] result<std::size_t> write_pieces(int fd, fd_facts& facts, iovec* pieces, int count) {
  const auto plain = [&] {
    return count == 1 ? sys::calls.write(fd, pieces->iov_base, pieces->iov_len) : sys::calls.writev(fd, pieces, count);
  };
  switch (form_of(fd, facts)) {
    case write_form::plain: break;
    case write_form::message:
      return sys::counted_answer(sys::retry([&] {
        if (count == 1) return sys::calls.send(fd, pieces->iov_base, pieces->iov_len, MSG_NOSIGNAL);
        msghdr message{};
        message.msg_iov = pieces;
        message.msg_iovlen = static_cast<std::size_t>(count);
        return sys::calls.sendmsg(fd, &message, MSG_NOSIGNAL);
      }));
    case write_form::no_signal: {
      const ssize_t n = sys::retry([&] { return sys::calls.pwritev2(fd, pieces, count, -1, RWF_NOSIGNAL); });
      if (n >= 0 || !refuses_flag(errno)) return sys::counted_answer(n);
      facts.plain_write = true;
      return guarded(plain);
    }
    case write_form::guarded: return guarded(plain);
  }
  return sys::counted_answer(sys::retry(plain));
}

result<std::uintmax_t> moved_to(int fd, off64_t offset, int from) {
  const off64_t position = sys::seek(fd, offset, from);
  if (position < 0) return fail(sys::last_error());
  return static_cast<std::uintmax_t>(position);
}

// Two calls where the bytes are there, as they mostly are: moves on, then looks for the last byte that was passed.
// False where that one is missing; then nothing has moved.
result<bool> moved_over(int fd, std::uintmax_t n) {
  if (n > static_cast<std::uintmax_t>(std::numeric_limits<off64_t>::max())) return false;
  const auto distance = static_cast<off64_t>(n);
  const off64_t end = sys::seek(fd, distance, SEEK_CUR);
  if (end < 0) return false;
  if (detail::has_byte(fd, end - 1) == detail::presence::there) return true;
  const result<std::uintmax_t> back = moved_to(fd, -distance, SEEK_CUR);
  if (!back) return fail(back.error());
  return false;
}

}  // namespace

fd_kind fd_ref::kind() {
  if (facts_.kind == fd_kind::unknown) detail::learn_facts(fd_, facts_);
  return facts_.kind;
}

result<std::size_t> fd_ref::read_some(std::span<std::byte> b) {
  if (b.empty()) return std::size_t{0};
  const std::size_t n = std::min(b.size(), sys::max_transfer);
  return sys::counted_answer(sys::retry([&] { return sys::calls.read(fd_, b.data(), n); }));
}

result<std::size_t> fd_ref::read_some(std::span<const mutable_buffer> pieces) {
  sys::piece_list list(pieces);
  if (list.size() == 0) return std::size_t{0};
  return sys::counted_answer(sys::retry([&] { return sys::calls.readv(fd_, list.data(), list.count()); }));
}

result<std::size_t> fd_ref::write_some(std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  iovec piece{const_cast<std::byte*>(b.data()), std::min(b.size(), sys::max_transfer)};
  return write_pieces(fd_, facts_, &piece, 1);
}

result<std::size_t> fd_ref::write_some(std::span<const const_buffer> pieces) {
  sys::piece_list list(pieces);
  if (list.size() == 0) return std::size_t{0};
  return write_pieces(fd_, facts_, list.data(), list.count());
}

result<std::uintmax_t> fd_ref::skip(std::uintmax_t n) {
  if (n == 0) return std::uintmax_t{0};
  if (facts_.sized) {
    const result<bool> over = moved_over(fd_, n);
    if (!over) return fail(over.error());
    if (*over) return n;
  }
  if (kind() != fd_kind::regular_file && facts_.kind != fd_kind::unknown) return fail(io_errc::unsupported);

  const result<std::uintmax_t> start = position();
  if (!start) return fail(start.error());
  const result<off64_t> target = detail::skip_target(fd_, facts_, static_cast<off64_t>(*start), n);
  if (!target) return fail(target.error());
  if (static_cast<std::uintmax_t>(*target) == *start) return std::uintmax_t{0};
  const result<std::uintmax_t> end = moved_to(fd_, *target, SEEK_SET);
  if (!end) return fail(end.error());
  return *end - *start;
}

result<std::uintmax_t> fd_ref::seek(std::intmax_t offset, whence from) {
  const int origin = from == whence::begin ? SEEK_SET : from == whence::current ? SEEK_CUR : SEEK_END;
  return moved_to(fd_, offset, origin);
}

result<std::uintmax_t> fd_ref::position() { return moved_to(fd_, 0, SEEK_CUR); }

std::optional<std::uintmax_t> fd_ref::size_hint() {
  if (facts_.kind != fd_kind::regular_file && facts_.kind != fd_kind::unknown) return std::nullopt;

  struct stat64 status;
  if (sys::status_of(fd_, status) != 0) return std::nullopt;
  detail::learn_facts(fd_, status, facts_);
  if (facts_.kind != fd_kind::regular_file || status.st_size == 0) return std::nullopt;

  const result<std::uintmax_t> start = position();
  if (!start) return std::nullopt;
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  return size - std::min(size, *start);
}

std::optional<fd_endpoint> fd_ref::kernel_endpoint() noexcept {
  if (fd_ < 0) return std::nullopt;
  return fd_endpoint{.fd = fd_, .kind = facts_.kind, .facts = &facts_};
}

}  // namespace sluice
