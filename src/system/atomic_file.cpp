// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/atomic_file.hpp>

#include "system/linux/transfer.hpp"

#include <limits.h>

#include <array>
#include <atomic>
#include <chrono>
#include <utility>

namespace sluice {

namespace {

namespace sys = detail::sys;

std::string folder_of(const std::string& target) {
  const std::size_t slash = target.rfind('/');
  return slash == 0 ? "/" : target.substr(0, slash);
}

// `.NAME.XXXXXX` beside the target; another one each time. Whether it is free the call that takes it will tell.
std::string temporary_name(const std::string& target) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  constexpr std::size_t longest = NAME_MAX - 8;
  static std::atomic<std::uint64_t> calls{0};
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  std::uint64_t seed = (now + ++calls) * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(::getpid());
  const std::size_t slash = target.rfind('/');
  std::string name = target.substr(0, slash + 1) + '.' + target.substr(slash + 1, longest) + '.';
  for (int i = 0; i != 6; ++i, seed /= digits.size()) name += digits[seed % digits.size()];
  return name;
}

std::string descriptor_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// How often a random name is tried that turns out to be taken.
constexpr int attempts = 100;

// As many as the kernel follows in a path.
constexpr int most_links = 40;

// The absolute path of what is to be replaced, links followed, also one that leads to nothing; its folder has to exist.
result<std::string> resolve(std::string path) {
  if (path.find('\0') != std::string::npos) return sys::fail_with(EINVAL);
  std::array<char, PATH_MAX> found;
  for (int links = 0; links != most_links; ++links) {
    if (sys::calls.real_path(path.c_str(), found.data()) == 0) return std::string(found.data());
    if (errno != ENOENT) return fail(sys::last_error());

    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    const std::string name = path.substr(folder.size());
    if (name.empty()) return sys::fail_with(ENOENT);
    const ssize_t size = sys::calls.readlink(path.c_str(), found.data(), found.size());
    if (size >= 0) {
      const std::string link(found.data(), static_cast<std::size_t>(size));
      path = link.starts_with('/') ? link : folder + link;
      continue;
    }
    if (errno != ENOENT && errno != EINVAL) return fail(sys::last_error());
    if (errno == EINVAL) continue;  // it has come in between, and is no link

    if (sys::calls.real_path(folder.empty() ? "." : folder.c_str(), found.data()) != 0) return fail(sys::last_error());
    std::string target(found.data());
    if (target.back() != '/') target += '/';
    return target + name;
  }
  return sys::fail_with(ELOOP);
}

int open_new(const std::string& path, int flags, unsigned permissions) {
  return sys::retry(
      [&] { return sys::calls.open(path.c_str(), flags | O_RDWR | O_CLOEXEC, static_cast<mode_t>(permissions)); });
}

// A file without a name, or -1. It is of use only where it can be given one, and that goes by /proc.
int open_unnamed(const std::string& folder, unsigned permissions) {
  const int fd = open_new(folder, O_TMPFILE, permissions);
  struct stat64 status;
  if (fd < 0 || sys::calls.lstat(descriptor_path(fd).c_str(), &status) == 0) return fd;
  sys::calls.close(fd);
  return -1;
}

}  // namespace

result<atomic_file> atomic_file::create(const std::string& path, const atomic_options& options) {
  result<std::string> target = resolve(path);
  if (!target) return fail(target.error());

  std::optional<replaced_file> old;
  struct stat64 status;
  if (sys::calls.lstat(target->c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return sys::fail_with(EISDIR);
    if (!S_ISREG(status.st_mode)) return fail(io_errc::unsupported);
    old = replaced_file{status.st_mode & 07777U, status.st_uid, status.st_gid};
  } else if (errno != ENOENT) {
    return fail(sys::last_error());
  }

  // Nobody else may look into what replaces a file that is not for everybody.
  const unsigned permissions = old ? 0600U : options.permissions;
  std::string name;
  // Whatever the reason why there is none without a name (EOPNOTSUPP, EISDIR before Linux 3.11, ENOENT where the file
  // system is behind), one with a name will tell the true one.
  int fd = open_unnamed(folder_of(*target), permissions);
  for (int attempt = 0; fd < 0 && attempt != attempts; ++attempt) {
    name = temporary_name(*target);
    fd = open_new(name, O_CREAT | O_EXCL, permissions);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return fail(sys::last_error());
  return atomic_file(file(opened{}, fd_stream(fd, fd_kind::regular_file), true), *std::move(target), std::move(name),
                     old, options.sync);
}

atomic_file::atomic_file(atomic_file&& other) noexcept
    : file(std::move(other)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      old_(other.old_),
      sync_(other.sync_),
      sync_error_(other.sync_error_),
      in_place_(other.in_place_) {}

atomic_file& atomic_file::operator=(atomic_file&& other) noexcept {
  if (this != &other) {
    abandon();
    file::operator=(std::move(other));
    target_ = std::move(other.target_);
    temporary_ = std::exchange(other.temporary_, {});
    old_ = other.old_;
    sync_ = other.sync_;
    sync_error_ = other.sync_error_;
    in_place_ = other.in_place_;
  }
  return *this;
}

void atomic_file::abandon() noexcept {
  if (!temporary_.empty()) sys::calls.unlink(temporary_.c_str());
  temporary_.clear();
  static_cast<void>(file::close());
}

result<void> atomic_file::take_over_attributes() {
  struct stat64 status;
  const int fd = fd_stream::fd();
  if (sys::status_of(fd, status) != 0) return fail(sys::last_error());
  unsigned mode = old_->mode;
  if (status.st_uid != old_->owner || status.st_gid != old_->group) {
    // The group may be allowed where the owner is not.
    const bool kept = sys::calls.fchown(fd, old_->owner, old_->group) == 0;
    if (!kept && sys::calls.fchown(fd, static_cast<uid_t>(-1), old_->group) != 0 && errno != EPERM)
      return fail(sys::last_error());
    if (!kept) mode &= 0777U;
  }
  if (sys::calls.fchmod(fd, mode) != 0) return fail(sys::last_error());
  return {};
}

// fsync(2) tells an error once and forgets it: what was not written then never will be.
result<void> atomic_file::sync_once(int fd) {
  if (sync_error_) return fail(sync_error_);
  if (sync_ == sync_level::none) return {};
  const auto call = sync_ == sync_level::data ? sys::calls.fdatasync : sys::calls.fsync;
  if (sys::retry([&] { return call(fd); }) != 0) {
    sync_error_ = sys::last_error();
    return fail(sync_error_);
  }
  return {};
}

// Gives the file the name of the target: at once where it is a new one, else by a rename, which alone replaces.
result<void> atomic_file::put_in_place() {
  if (temporary_.empty()) {
    const std::string unnamed = descriptor_path(fd_stream::fd());
    const auto link_as = [&](const std::string& name) {
      return sys::calls.linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (!old_) {
      if (link_as(target_)) return {};
      if (errno != EEXIST) return fail(sys::last_error());
    }
    for (int attempt = 0; temporary_.empty(); ++attempt) {
      std::string name = temporary_name(target_);
      if (link_as(name))
        temporary_ = std::move(name);
      else if (errno != EEXIST || attempt == attempts)
        return fail(sys::last_error());
    }
  }
  if (sys::calls.rename(temporary_.c_str(), target_.c_str()) != 0) return fail(sys::last_error());
  temporary_.clear();
  return {};
}

result<void> atomic_file::commit() {
  if (!is_open()) return sys::fail_with(EBADF);
  if (!in_place_) {
    if (old_) {
      if (auto taken = take_over_attributes(); !taken) return taken;
    }
    if (auto synced = sync_once(fd_stream::fd()); !synced) return synced;
  }
  // Opened before the rename, so that a failure comes while the old file is there.
  fd_stream folder;
  if (sync_ != sync_level::none) {
    const int fd =
        sys::retry([&] { return sys::calls.open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (fd < 0) return fail(sys::last_error());
    folder = fd_stream(fd, fd_kind::directory);
  }
  if (!in_place_) {
    if (auto placed = put_in_place(); !placed) return placed;
    in_place_ = true;
  }
  if (folder.is_open()) {
    if (auto synced = sync_once(folder.fd()); !synced) return synced;
  }
  return file::close();
}

}  // namespace sluice
