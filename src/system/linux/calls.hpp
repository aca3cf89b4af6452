// SPDX-License-Identifier: BSL-1.0
//
// Every system call that the library makes, in one table.
//
// In the library the table is a constant: a call through it compiles to a direct call. Built with SLUICE_FAULT_SEAM,
// for the tests only, it is a variable, and a test puts functions of its own into it that fail, shorten or count a
// call.
//
#ifndef SLUICE_SRC_SYSTEM_LINUX_CALLS_HPP
#define SLUICE_SRC_SYSTEM_LINUX_CALLS_HPP

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace sluice::detail::sys {

struct call_table {
  int (*open)(const char*, int, mode_t);
  int (*close)(int);
  void* (*realloc)(void*, size_t);
  void* (*aligned_alloc)(size_t, size_t);
  int (*madvise)(void*, size_t, int);
  ssize_t (*read)(int, void*, size_t);
  ssize_t (*write)(int, const void*, size_t);
  ssize_t (*readv)(int, const iovec*, int);
  ssize_t (*writev)(int, const iovec*, int);
  ssize_t (*pread)(int, void*, size_t, off64_t);
  ssize_t (*preadv)(int, const iovec*, int, off64_t);
  ssize_t (*pwrite)(int, const void*, size_t, off64_t);
  ssize_t (*pwritev2)(int, const iovec*, int, off64_t, int);
  ssize_t (*recv)(int, void*, size_t, int);
  ssize_t (*send)(int, const void*, size_t, int);
  ssize_t (*sendmsg)(int, const msghdr*, int);
  off64_t (*lseek)(int, off64_t, int);
  int (*fstat)(int, struct stat64*);
  int (*lstat)(const char*, struct stat64*);
  int (*isatty)(int);
  int (*unlink)(const char*);
  int (*linkat)(int, const char*, int, const char*, int);
  int (*rename)(const char*, const char*);
  ssize_t (*readlink)(const char*, char*, size_t);
  int (*real_path)(const char*, char*);  // realpath(3) into PATH_MAX characters
  int (*fchmod)(int, mode_t);
  int (*fchown)(int, uid_t, gid_t);
  int (*map)(void**, std::size_t, int, int, int, off64_t);     // mmap(2): the address is a result
  int (*remap)(void**, std::size_t, std::size_t, int, void*);  // mremap(2): the address is also a result
  int (*munmap)(void*, std::size_t);
  int (*get_flags)(int);       // fcntl(fd, F_GETFL)
  int (*set_flags)(int, int);  // fcntl(fd, F_SETFL, flags)
  int (*ftruncate)(int, off64_t);
  int (*fallocate)(int, int, off64_t, off64_t);
  int (*fsync)(int);
  int (*fdatasync)(int);
  int (*poll)(pollfd*, nfds_t, int);
  int (*pipe2)(int*, int);
  int (*set_pipe_size)(int, int);  // fcntl(fd, F_SETPIPE_SZ, bytes)
  int (*clone_range)(int, int, off64_t, off64_t,
                     off64_t);  // ioctl(to, FICLONERANGE): from, to, offset, length, to offset
  ssize_t (*copy_file_range)(int, off64_t*, int, off64_t*, size_t, unsigned);
  ssize_t (*sendfile)(int, int, off64_t*, size_t);
  ssize_t (*splice)(int, off64_t*, int, off64_t*, size_t, unsigned);
  int (*socket)(int, int, int);
  int (*socketpair)(int, int, int, int*);
  int (*connect)(int, const sockaddr*, socklen_t);
  int (*bind)(int, const sockaddr*, socklen_t);
  int (*listen)(int, int);
  int (*accept4)(int, sockaddr*, socklen_t*, int);
  int (*shutdown)(int, int);
  int (*getsockopt)(int, int, int, void*, socklen_t*);
  int (*setsockopt)(int, int, int, const void*, socklen_t);
  int (*getsockname)(int, sockaddr*, socklen_t*);
  int (*getaddrinfo)(const char*, const char*, const addrinfo*, addrinfo**);
  int (*sigpending)(sigset_t*);
  int (*pthread_sigmask)(int, const sigset_t*, sigset_t*);
  int (*sigtimedwait)(const sigset_t*, siginfo_t*, const timespec*);
};

// The calls that take variable arguments, or a structure, with the arguments that the library gives.
int real_open(const char* path, int flags, mode_t mode);
int real_get_flags(int fd);
int real_set_flags(int fd, int flags);
int real_set_pipe_size(int fd, int bytes);
int real_real_path(const char* path, char* resolved);
int real_map(void** address, std::size_t length, int protection, int flags, int fd, off64_t offset);
int real_remap(void** address, std::size_t old_length, std::size_t length, int flags, void* to);
int real_clone_range(int from, int to, off64_t offset, off64_t length, off64_t to_offset);

inline constexpr call_table real_calls{
    .open = &real_open,
    .close = &::close,
    .realloc = &::realloc,
    .aligned_alloc = &::aligned_alloc,
    .madvise = &::madvise,
    .read = &::read,
    .write = &::write,
    .readv = &::readv,
    .writev = &::writev,
    .pread = &::pread64,
    .preadv = &::preadv64,
    .pwrite = &::pwrite64,
    .pwritev2 = &::pwritev64v2,
    .recv = &::recv,
    .send = &::send,
    .sendmsg = &::sendmsg,
    .lseek = &::lseek64,
    .fstat = &::fstat64,
    .lstat = &::lstat64,
    .isatty = &::isatty,
    .unlink = &::unlink,
    .linkat = &::linkat,
    .rename = &::rename,
    .readlink = &::readlink,
    .real_path = &real_real_path,
    .fchmod = &::fchmod,
    .fchown = &::fchown,
    .map = &real_map,
    .remap = &real_remap,
    .munmap = &::munmap,
    .get_flags = &real_get_flags,
    .set_flags = &real_set_flags,
    .ftruncate = &::ftruncate64,
    .fallocate = &::fallocate64,
    .fsync = &::fsync,
    .fdatasync = &::fdatasync,
    .poll = &::poll,
    .pipe2 = &::pipe2,
    .set_pipe_size = &real_set_pipe_size,
    .clone_range = &real_clone_range,
    .copy_file_range = &::copy_file_range,
    .sendfile = &::sendfile64,
    .splice = &::splice,
    .socket = &::socket,
    .socketpair = &::socketpair,
    .connect = &::connect,
    .bind = &::bind,
    .listen = &::listen,
    .accept4 = &::accept4,
    .shutdown = &::shutdown,
    .getsockopt = &::getsockopt,
    .setsockopt = &::setsockopt,
    .getsockname = &::getsockname,
    .getaddrinfo = &::getaddrinfo,
    .sigpending = &::sigpending,
    .pthread_sigmask = &::pthread_sigmask,
    .sigtimedwait = &::sigtimedwait,
};

#ifdef SLUICE_FAULT_SEAM
extern call_table calls;
#else
inline constexpr const call_table& calls = real_calls;
#endif

/// errno as an error code; to be taken right after the call that failed.
inline std::error_code last_error() noexcept { return {errno, std::system_category()}; }

/// Repeats a call for as long as a signal interrupts it before anything happened.
template <class Call>
[[gnu::always_inline]] inline auto retry(Call call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) answer = call();
  return answer;
}

/// fstat(2) and lseek(2). A file system in user space can be interrupted in both.
inline int status_of(int fd, struct stat64& status) {
  return retry([&] { return calls.fstat(fd, &status); });
}
inline off64_t seek(int fd, off64_t offset, int whence) {
  return retry([&] { return calls.lseek(fd, offset, whence); });
}

}  // namespace sluice::detail::sys

#endif
