// SPDX-License-Identifier: BSL-1.0
#include "calls.hpp"

#include <linux/fs.h>

#include <cstdlib>

namespace sluice::detail::sys {

#ifdef SLUICE_FAULT_SEAM
constinit call_table calls = real_calls;
#endif

int real_open(const char* path, int flags, mode_t mode) { return ::open64(path, flags, mode); }

int real_get_flags(int fd) { return ::fcntl(fd, F_GETFL); }

int real_set_flags(int fd, int flags) { return ::fcntl(fd, F_SETFL, flags); }

int real_set_pipe_size(int fd, int bytes) { return ::fcntl(fd, F_SETPIPE_SZ, bytes); }

int real_real_path(const char* path, char* resolved) { return ::realpath(path, resolved) != nullptr ? 0 : -1; }

int real_map(void** address, std::size_t length, int protection, int flags, int fd, off64_t offset) {
  void* const memory = ::mmap64(nullptr, length, protection, flags, fd, offset);
  if (memory == MAP_FAILED) return -1;
  *address = memory;
  return 0;
}

int real_remap(void** address, std::size_t old_length, std::size_t length, int flags, void* to) {
  void* const memory = ::mremap(*address, old_length, length, flags, to);
  if (memory == MAP_FAILED) return -1;
  *address = memory;
  return 0;
}

int real_clone_range(int from, int to, off64_t offset, off64_t length, off64_t to_offset) {
  file_clone_range range{};
  range.src_fd = from;
  range.src_offset = static_cast<__u64>(offset);
  range.src_length = static_cast<__u64>(length);
  range.dest_offset = static_cast<__u64>(to_offset);
  return ::ioctl(to, FICLONERANGE, &range);
}

}  // namespace sluice::detail::sys
