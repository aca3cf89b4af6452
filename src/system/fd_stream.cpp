// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/fd_stream.hpp>

#include "system/linux/transfer.hpp"

#include <utility>

namespace sluice {

namespace sys = detail::sys;

namespace {

// Where nobody is there to hear of an error.
void close_silently(int fd) noexcept {
  if (fd >= 0) sys::calls.close(fd);
}

}  // namespace

fd_stream::fd_stream(fd_stream&& other) noexcept : fd_ref(other) { static_cast<void>(other.release()); }

fd_stream& fd_stream::operator=(fd_stream&& other) noexcept {
  if (this != &other) {
    close_silently(fd_);
    facts_ = other.facts_;
    fd_ = other.release();
  }
  return *this;
}

fd_stream::~fd_stream() { close_silently(fd_); }

result<void> fd_stream::close() {
  const int fd = release();
  if (fd >= 0 && sys::calls.close(fd) != 0) return fail(sys::last_error());
  return {};
}

int fd_stream::release() noexcept {
  facts_ = {};
  return std::exchange(fd_, -1);
}

result<void> fd_stream::set_non_blocking(bool on) {
  const int flags = sys::calls.get_flags(fd());
  if (flags < 0) return fail(sys::last_error());
  const int wanted = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
  if (wanted != flags && sys::calls.set_flags(fd(), wanted) != 0) return fail(sys::last_error());
  return {};
}

result<void> fd_stream::resize(std::uintmax_t size) {
  if (size > sys::max_offset) return sys::fail_with(EFBIG);
  if (sys::retry([&] { return sys::calls.ftruncate(fd(), static_cast<off64_t>(size)); }) != 0)
    return fail(sys::last_error());
  return {};
}

}  // namespace sluice
