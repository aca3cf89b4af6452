// SPDX-License-Identifier: BSL-1.0
//
// File systems for one test: in a mount namespace of the process's own, so that nobody else sees them and nothing stays
// when it ends, however it ends.
//
//   std::string why;
//   auto small = mounted::tmpfs(1 << 20, why);           // in a user namespace too where the process is not root
//   auto disk = mounted::image("xfs", 320 << 20, why);   // "xfs", "btrfs", "ext4": needs root, a loop device, mkfs
//   if (!disk) GTEST_SKIP() << why;
//   std::string path = *disk / "name";
//
//   auto device = loop_device::over(std::move(fd), why);  // a block device over a file; device->fd()
//   std::uintmax_t shared = shared_bytes(fd);             // of blocks that other files have too, as FIEMAP tells
//
// The process moves into its namespace with the first of them, before it starts a thread.
//
#ifndef SLUICE_TEST_SUPPORT_MOUNTED_HPP
#define SLUICE_TEST_SUPPORT_MOUNTED_HPP

#include "support/temporary_folder.hpp"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

namespace mounted_detail {

inline std::string because(std::string_view what) { return std::string(what) + ": " + std::strerror(errno); }

inline std::string enter_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return because("no mount namespace of its own");
  if (user != 0) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  }
  // What is mounted from here on does not show outside.
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return because("no private mounts");
  return {};
}

inline const std::string& own_namespace() {
  static const std::string why = enter_namespace();
  return why;
}

}  // namespace mounted_detail

/// A block device over a file. The kernel lets go of the file when the last descriptor of the device is closed.
class loop_device {
 public:
  static std::unique_ptr<loop_device> over(int file, std::string& why) {
    const int control = ::open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    if (control < 0) {
      why = mounted_detail::because("/dev/loop-control");
      return nullptr;
    }
    std::unique_ptr<loop_device> made;
    // Another process may take the free one first.
    for (int i = 0; i != 100 && !made; ++i) {
      const int number = ::ioctl(control, LOOP_CTL_GET_FREE);
      if (number < 0) {
        why = mounted_detail::because("no free loop device");
        break;
      }
      std::string path = "/dev/loop" + std::to_string(number);
      const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
      if (fd < 0) {
        why = mounted_detail::because(path);
        break;
      }
      loop_config config{};
      config.fd = static_cast<__u32>(file);
      config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
      if (::ioctl(fd, LOOP_CONFIGURE, &config) == 0) {
        made.reset(new loop_device(fd, std::move(path)));
      } else {
        why = mounted_detail::because("LOOP_CONFIGURE");
        const bool taken = errno == EBUSY;
        ::close(fd);
        if (!taken) break;
      }
    }
    ::close(control);
    return made;
  }

  ~loop_device() { ::close(fd_); }
  loop_device(const loop_device&) = delete;
  loop_device& operator=(const loop_device&) = delete;

  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

 private:
  loop_device(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
};

class mounted {
 public:
  static std::unique_ptr<mounted> tmpfs(std::uintmax_t bytes, std::string& why) {
    std::unique_ptr<mounted> made(new mounted);
    const std::string options = "size=" + std::to_string(bytes);
    return made->mount_from("tmpfs", "tmpfs", options.c_str(), why) ? std::move(made) : nullptr;
  }

  /// `bytes` at least 300 MiB for XFS, and 110 MiB for btrfs. XFS is made with shared blocks (reflink).
  static std::unique_ptr<mounted> image(const std::string& kind, std::uintmax_t bytes, std::string& why) {
    if (::geteuid() != 0) {
      why = "mounting " + kind + " needs root";
      return nullptr;
    }
    std::unique_ptr<mounted> made(new mounted);
    const std::string file = made->folder_ / "image";
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ::ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
      why = mounted_detail::because("no image file");
      return nullptr;
    }
    const std::string options = kind == "xfs" ? " -q -m reflink=1 " : " -q ";
    const std::string command = "PATH=$PATH:/usr/sbin:/sbin mkfs." + kind + options + file + " >/dev/null 2>&1";
    std::unique_ptr<loop_device> device;
    if (std::system(command.c_str()) != 0)
      why = "mkfs." + kind + " is missing or fails";
    else
      device = loop_device::over(fd, why);
    ::unlink(file.c_str());  // the device has it open; so it does not outlive a crash
    ::close(fd);
    if (!device || !made->mount_from(device->path(), kind, nullptr, why)) return nullptr;
    return made;
  }

  ~mounted() {
    if (is_mounted_) ::umount2(point_.c_str(), MNT_DETACH);
  }
  mounted(const mounted&) = delete;
  mounted& operator=(const mounted&) = delete;

  friend std::string operator/(const mounted& m, std::string_view name) { return m.point_ + '/' + std::string(name); }

 private:
  mounted() : point_(folder_ / "mounted") { ::mkdir(point_.c_str(), 0700); }

  bool mount_from(const std::string& source, const std::string& kind, const char* options, std::string& why) {
    if (why = mounted_detail::own_namespace(); !why.empty()) return false;
    is_mounted_ = ::mount(source.c_str(), point_.c_str(), kind.c_str(), 0, options) == 0;
    if (!is_mounted_) why = mounted_detail::because("mounting " + kind);
    return is_mounted_;
  }

  temporary_folder folder_;
  std::string point_;
  bool is_mounted_ = false;
};

inline std::uintmax_t shared_bytes(int fd) {
  constexpr unsigned most = 512;
  std::vector<std::uint64_t> memory((sizeof(fiemap) + most * sizeof(fiemap_extent)) / 8 + 1);
  auto* const map = reinterpret_cast<fiemap*>(memory.data());
  map->fm_length = FIEMAP_MAX_OFFSET;
  map->fm_flags = FIEMAP_FLAG_SYNC;
  map->fm_extent_count = most;
  std::uintmax_t sum = 0;
  if (::ioctl(fd, FS_IOC_FIEMAP, map) != 0) return sum;
  const auto* const extents = reinterpret_cast<const fiemap_extent*>(map + 1);
  for (unsigned i = 0; i != map->fm_mapped_extents; ++i) {
    if ((extents[i].fe_flags & FIEMAP_EXTENT_SHARED) != 0) sum += extents[i].fe_length;
  }
  return sum;
}

}  // namespace sluice::test

#endif
