// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/file.hpp>

#include "system/linux/facts.hpp"
#include "system/linux/transfer.hpp"

#include <algorithm>
#include <utility>

namespace sluice {

namespace {

namespace sys = detail::sys;

using sys::max_offset;

result<int> open_path(const std::string& path, int flags, unsigned permissions) {
  // The kernel would take what comes before the null for the whole.
  if (path.find('\0') != std::string::npos) return sys::fail_with(EINVAL);
  const int fd =
      sys::retry([&] { return sys::calls.open(path.c_str(), flags | O_CLOEXEC, static_cast<mode_t>(permissions)); });
  if (fd < 0) return fail(sys::last_error());
  return fd;
}

}  // namespace

result<file> file::open(const std::string& path) {
  const result<int> fd = open_path(path, O_RDONLY, 0);
  if (!fd) return fail(fd.error());
  return file(opened{}, fd_stream(*fd), false);
}

result<file> file::open(const std::string& path, const open_options& options) {
  const bool writes = options.write || options.append;
  const bool sensible = (options.read || writes) && (writes || !(options.truncate || options.create)) &&
                        (options.create || !options.exclusive);
  if (!sensible) return sys::fail_with(EINVAL);

  int flags = !writes ? O_RDONLY : options.read ? O_RDWR : O_WRONLY;
  if (options.append) flags |= O_APPEND;
  if (options.truncate) flags |= O_TRUNC;
  if (options.create) flags |= O_CREAT;
  if (options.exclusive) flags |= O_EXCL;
  const result<int> fd = open_path(path, flags, options.permissions);
  if (!fd) return fail(fd.error());

  // What open(2) makes itself is a regular file.
  const fd_kind kind = options.exclusive ? fd_kind::regular_file : fd_kind::unknown;
  return file(opened{}, fd_stream(*fd, kind), options.exclusive && !options.append);
}

result<file> file::create(const std::string& path, unsigned permissions) {
  result<int> fd = open_path(path, O_WRONLY | O_CREAT | O_EXCL, permissions);
  if (fd) {
    // Known to be new and regular without asking, which spares the copy of a small file a call.
    return file(opened{}, fd_stream(*fd, fd_kind::regular_file), true);
  }
  if (fd.error().value() != EEXIST) return fail(fd.error());

  fd = open_path(path, O_WRONLY | O_CREAT | O_TRUNC, permissions);
  if (!fd) return fail(fd.error());
  fd_facts facts;
  struct stat64 status;
  bool empty = false;
  if (sys::status_of(*fd, status) == 0) {
    detail::learn_facts(*fd, status, facts);
    empty = facts.kind == fd_kind::regular_file && status.st_size == 0;
  }
  return file(opened{}, fd_stream(*fd, facts), empty);
}

result<file> file::append(const std::string& path, unsigned permissions) {
  return open(path, {.append = true, .create = true, .permissions = permissions});
}

int file::fd() noexcept {
  fresh_ = false;
  return fd_stream::fd();
}

int file::release() noexcept {
  fresh_ = false;
  return fd_stream::release();
}

result<std::size_t> file::write_some(std::span<const std::byte> b) {
  if (!b.empty()) fresh_ = false;
  return fd_stream::write_some(b);
}

result<std::size_t> file::write_some(std::span<const const_buffer> pieces) {
  if (!pieces.empty()) fresh_ = false;
  return fd_stream::write_some(pieces);
}

result<std::uintmax_t> file::seek(std::intmax_t offset, whence from) {
  fresh_ = false;
  return fd_stream::seek(offset, from);
}

std::optional<fd_endpoint> file::kernel_endpoint() noexcept {
  std::optional<fd_endpoint> endpoint = fd_stream::kernel_endpoint();
  if (endpoint) {
    endpoint->fresh = fresh_;
    endpoint->by_path = by_path_;
  }
  return endpoint;
}

void file::kernel_advanced(std::uintmax_t n) noexcept {
  if (n > 0) fresh_ = false;
}

result<std::size_t> file::read_at(std::uintmax_t offset, std::span<std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (offset > max_offset) return sys::fail_with(EINVAL);
  const std::size_t n = std::min(b.size(), sys::max_transfer);
  return sys::counted_answer(
      sys::retry([&] { return sys::calls.pread(fd_stream::fd(), b.data(), n, static_cast<off64_t>(offset)); }));
}

result<std::size_t> file::write_at(std::uintmax_t offset, std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (offset > max_offset) return sys::fail_with(EINVAL);
  // The flag may have been set after the open, and by others: it belongs to the open file.
  const int flags = sys::calls.get_flags(fd_stream::fd());
  if (flags < 0) return fail(sys::last_error());
  if ((flags & O_APPEND) != 0) return sys::fail_with(EINVAL);
  fresh_ = false;
  const std::size_t n = std::min(b.size(), sys::max_transfer);
  return sys::counted_answer(
      sys::retry([&] { return sys::calls.pwrite(fd_stream::fd(), b.data(), n, static_cast<off64_t>(offset)); }));
}

result<std::uintmax_t> file::size() {
  struct stat64 status;
  if (sys::status_of(fd_stream::fd(), status) != 0) return fail(sys::last_error());
  if (!S_ISREG(status.st_mode)) return fail(io_errc::unsupported);
  return static_cast<std::uintmax_t>(status.st_size);
}

result<void> file::resize(std::uintmax_t size) {
  fresh_ = false;
  return fd_stream::resize(size);
}

result<void> file::sync(sync_level level) {
  if (level == sync_level::none) return {};
  const auto call = level == sync_level::data ? sys::calls.fdatasync : sys::calls.fsync;
  if (sys::retry([&] { return call(fd_stream::fd()); }) != 0) return fail(sys::last_error());
  return {};
}

}  // namespace sluice
