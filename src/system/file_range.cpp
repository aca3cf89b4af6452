// SPDX-License-Identifier: BSL-1.0
#include <sluice/detail/offsets.hpp>
#include <sluice/system/file_range.hpp>

#include "system/linux/facts.hpp"
#include "system/linux/transfer.hpp"

#include <algorithm>

namespace sluice {

namespace sys = detail::sys;

file_range::file_range(int fd, std::uintmax_t offset, std::uintmax_t length) noexcept
    : fd_(fd), begin_(std::min(offset, sys::max_offset)), length_(std::min(length, sys::max_offset - begin_)) {}

result<std::size_t> file_range::read_some(std::span<std::byte> b) {
  const mutable_buffer piece(b);
  return read_some(std::span(&piece, 1));
}

result<std::size_t> file_range::read_some(std::span<const mutable_buffer> pieces) {
  sys::piece_list list(pieces);
  std::uintmax_t left = length_ - at_;
  int count = 0;
  for (; count != list.count() && left != 0; ++count) {
    iovec& piece = list.data()[count];
    piece.iov_len = static_cast<std::size_t>(std::min<std::uintmax_t>(piece.iov_len, left));
    left -= piece.iov_len;
  }
  if (count == 0) return std::size_t{0};
  const auto offset = static_cast<off64_t>(begin_ + at_);
  const auto n = sys::counted_answer(sys::retry([&] {
    return count == 1 ? sys::calls.pread(fd_, list.data()->iov_base, list.data()->iov_len, offset)
                      : sys::calls.preadv(fd_, list.data(), count, offset);
  }));
  if (n) at_ += *n;
  return n;
}

result<std::uintmax_t> file_range::skip(std::uintmax_t n) {
  n = std::min(n, length_ - at_);
  if (n == 0) return std::uintmax_t{0};
  const auto from = static_cast<off64_t>(begin_ + at_);
  const result<off64_t> target = detail::skip_target(fd_, facts_, from, n);
  if (!target) return fail(target.error());
  const auto passed = static_cast<std::uintmax_t>(*target - from);
  at_ += passed;
  return passed;
}

// Where the section ends, or the file before it. Errors: those of fstat(2).
result<std::uintmax_t> file_range::end() {
  struct stat64 status;
  if (sys::status_of(fd_, status) != 0) return fail(sys::last_error());
  if (!S_ISREG(status.st_mode)) return length_;
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  return std::min(length_, size - std::min(size, begin_));
}

result<std::uintmax_t> file_range::seek(std::intmax_t offset, whence from) {
  result<std::uintmax_t> base = from == whence::current ? at_ : 0;
  if (from == whence::end) base = end();
  if (!base) return base;
  const auto to = detail::moved_within(*base, offset, length_);
  if (!to) return sys::fail_with(EINVAL);
  at_ = *to;
  return at_;
}

std::optional<fd_endpoint> file_range::kernel_endpoint() noexcept {
  if (fd_ < 0) return std::nullopt;
  return fd_endpoint{
      .fd = fd_, .kind = facts_.kind, .max_bytes = length_ - at_, .facts = &facts_, .offset = begin_ + at_};
}

std::optional<std::uintmax_t> file_range::size_hint() {
  struct stat64 status;
  if (sys::status_of(fd_, status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return std::nullopt;
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  const std::uintmax_t last = std::min(length_, size - std::min(size, begin_));
  return last - std::min(last, at_);
}

}  // namespace sluice
