// SPDX-License-Identifier: BSL-1.0
//
// To be preloaded into a program: system calls that fail, fall short or are counted. See trace.hpp.
#include "trace.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace {

using sluice::test::preload::call;
using sluice::test::preload::call_names;
using sluice::test::preload::call_trace;

struct fault {
  call which = call::open;
  std::uint64_t first = 0;
  std::uint64_t times = 1;
  char action = 'e';  // 0: none
  long value = 0;
};

constexpr std::size_t most_faults = 8;
fault faults[most_faults];
std::size_t fault_count = 0;

call_trace own_trace;
call_trace* trace = &own_trace;

// What comes before ours runs, as the start of a sanitizer does, is none of our business.
bool armed = false;

[[noreturn]] void misuse(const char* text) {
  static const char message[] = "SLUICE_PRELOAD_FAULTS is wrong here: ";
  (void)!::write(2, message, sizeof message - 1);
  (void)!::write(2, text, ::strlen(text));
  ::_exit(125);
}

fault parse(const char*& text) {
  const char* const start = text;
  const char* const at = ::strchr(text, '@');
  if (at == nullptr) misuse(start);
  const std::string_view name(text, static_cast<std::size_t>(at - text));
  const auto* const found = std::find(call_names.begin(), call_names.end(), name);
  if (found == call_names.end()) misuse(start);
  fault made{.which = static_cast<call>(found - call_names.begin())};
  char* end = nullptr;
  made.first = ::strtoull(at + 1, &end, 10);
  if (end[0] == 'x' && end[1] == '*') {
    made.times = UINT64_MAX;
    end += 2;
  } else if (end[0] == 'x') {
    made.times = ::strtoull(end + 1, &end, 10);
  }
  if (end[0] != '=' || ::strchr("enr", end[1]) == nullptr || end[1] == '\0') misuse(start);
  made.action = end[1];
  made.value = ::strtol(end + 2, &end, 10);
  if (*end != '\0' && *end != ',') misuse(start);
  text = *end == ',' ? end + 1 : end;
  return made;
}

[[gnu::constructor]] void arm() {
  if (const char* text = ::getenv("SLUICE_PRELOAD_FAULTS")) {
    while (*text != '\0') {
      if (fault_count == most_faults) misuse(text);
      faults[fault_count++] = parse(text);
    }
  }
  if (const char* path = ::getenv("SLUICE_PRELOAD_TRACE")) {
    const int fd = ::open64(path, O_RDWR | O_CLOEXEC);
    void* const shared = ::mmap(nullptr, sizeof(call_trace), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);
    if (shared == MAP_FAILED) misuse(path);
    trace = static_cast<call_trace*>(shared);
  }
  armed = true;
}

/// What is to happen to this call, which is counted.
fault count(call which, int fd, std::size_t size = 0) {
  fault none{.which = which, .action = '\0'};
  if (!armed || fd == STDERR_FILENO) return none;
  auto& counted = trace->of[static_cast<std::size_t>(which)];
  const std::uint64_t n = counted.calls.fetch_add(1) + 1;
  if (size > counted.largest.load()) counted.largest.store(size);
  for (std::size_t i = 0; i != fault_count; ++i) {
    const fault& f = faults[i];
    if (f.which != which || n < f.first || n - f.first >= f.times) continue;
    counted.changed.fetch_add(1);
    return f;
  }
  return none;
}

/// Makes a call that moves bytes: `make(n)` asks for n of them.
template <class Make>
ssize_t move(call which, int fd, std::size_t size, Make make) {
  const fault f = count(which, fd, size);
  switch (f.action) {
    case 'e': errno = static_cast<int>(f.value); return -1;
    case 'r': return f.value;
    case 'n': return make(std::min(size, static_cast<std::size_t>(f.value)));
    default: return make(size);
  }
}

/// Makes a call that moves none.
template <class Make>
auto act(call which, int fd, Make make) -> decltype(make()) {
  const fault f = count(which, fd);
  if (f.action == 'r') return static_cast<decltype(make())>(f.value);
  if (f.action != 'e') return make();
  if (which == call::close) make();
  errno = static_cast<int>(f.value);
  return -1;
}

template <class Function>
auto* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

constexpr int most_pieces = 1024;

/// The pieces of a vectored call, up to a number of bytes.
struct pieces {
  pieces(const iovec* all, std::size_t n) {
    for (; count < static_cast<int>(n) && count < most_pieces; ++count) {
      kept[count] = all[count];
      size += all[count].iov_len;
    }
  }

  void cut(std::size_t limit) {
    for (int i = 0; i < count; ++i) {
      kept[i].iov_len = std::min(kept[i].iov_len, limit);
      limit -= kept[i].iov_len;
      if (limit == 0) count = i + 1;
    }
  }

  iovec kept[most_pieces];
  int count = 0;
  std::size_t size = 0;
};

}  // namespace

extern "C" {

ssize_t read(int fd, void* data, size_t size) {
  return move(call::read, fd, size, [&](size_t n) { return next(&read, "read")(fd, data, n); });
}

ssize_t write(int fd, const void* data, size_t size) {
  return move(call::write, fd, size, [&](size_t n) { return next(&write, "write")(fd, data, n); });
}

ssize_t pread64(int fd, void* data, size_t size, off64_t offset) {
  return move(call::pread, fd, size, [&](size_t n) { return next(&pread64, "pread64")(fd, data, n, offset); });
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  return move(call::pwrite, fd, size, [&](size_t n) { return next(&pwrite64, "pwrite64")(fd, data, n, offset); });
}

ssize_t send(int fd, const void* data, size_t size, int flags) {
  return move(call::send, fd, size, [&](size_t n) { return next(&send, "send")(fd, data, n, flags); });
}

ssize_t readv(int fd, const iovec* all, int n) {
  pieces some(all, static_cast<size_t>(n));
  return move(call::readv, fd, some.size, [&](size_t limit) {
    some.cut(limit);
    return next(&readv, "readv")(fd, some.kept, some.count);
  });
}

ssize_t writev(int fd, const iovec* all, int n) {
  pieces some(all, static_cast<size_t>(n));
  return move(call::writev, fd, some.size, [&](size_t limit) {
    some.cut(limit);
    return next(&writev, "writev")(fd, some.kept, some.count);
  });
}

ssize_t pwritev64v2(int fd, const iovec* all, int n, off64_t offset, int flags) {
  pieces some(all, static_cast<size_t>(n));
  return move(call::pwritev2, fd, some.size, [&](size_t limit) {
    some.cut(limit);
    return next(&pwritev64v2, "pwritev64v2")(fd, some.kept, some.count, offset, flags);
  });
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  pieces some(message->msg_iov, message->msg_iovlen);
  return move(call::sendmsg, fd, some.size, [&](size_t limit) {
    some.cut(limit);
    msghdr changed = *message;
    changed.msg_iov = some.kept;
    changed.msg_iovlen = static_cast<size_t>(some.count);
    return next(&sendmsg, "sendmsg")(fd, &changed, flags);
  });
}

ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {
  return move(call::copy_file_range, from, size,
              [&](size_t n) { return next(&copy_file_range, "copy_file_range")(from, from_at, to, to_at, n, flags); });
}

ssize_t sendfile64(int to, int from, off64_t* offset, size_t size) noexcept {
  return move(call::sendfile, to, size, [&](size_t n) { return next(&sendfile64, "sendfile64")(to, from, offset, n); });
}

ssize_t splice(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {
  return move(call::splice, from, size,
              [&](size_t n) { return next(&splice, "splice")(from, from_at, to, to_at, n, flags); });
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  return act(call::open, -1, [&] { return next(&open, "open")(path, flags, mode); });
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  return act(call::open, -1, [&] { return next(&open64, "open64")(path, flags, mode); });
}

int close(int fd) {
  return act(call::close, fd, [&] { return next(&close, "close")(fd); });
}

off64_t lseek64(int fd, off64_t offset, int from) noexcept {
  return act(call::lseek, fd, [&] { return next(&lseek64, "lseek64")(fd, offset, from); });
}

int fstat(int fd, struct stat* facts) noexcept {
  return act(call::fstat, fd, [&] { return next(&fstat, "fstat")(fd, facts); });
}

int fstat64(int fd, struct stat64* facts) noexcept {
  return act(call::fstat, fd, [&] { return next(&fstat64, "fstat64")(fd, facts); });
}

int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  const auto make = [&] { return next(&fcntl, "fcntl")(fd, command, argument); };
  switch (command) {
    case F_GETFL: return act(call::get_flags, fd, make);
    case F_SETFL: return act(call::set_flags, fd, make);
    case F_SETPIPE_SZ: return act(call::set_pipe_size, fd, make);
    default: return make();
  }
}

int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  const long argument = va_arg(list, long);
  va_end(list);
  const auto make = [&] { return next(&ioctl, "ioctl")(fd, request, argument); };
  return request == FICLONERANGE ? act(call::clone_range, fd, make) : make();
}

int ftruncate(int fd, off_t size) noexcept {
  return act(call::ftruncate, fd, [&] { return next(&ftruncate, "ftruncate")(fd, size); });
}

int ftruncate64(int fd, off64_t size) noexcept {
  return act(call::ftruncate, fd, [&] { return next(&ftruncate64, "ftruncate64")(fd, size); });
}

int fallocate64(int fd, int mode, off64_t offset, off64_t size) {
  return act(call::fallocate, fd, [&] { return next(&fallocate64, "fallocate64")(fd, mode, offset, size); });
}

int fsync(int fd) {
  return act(call::fsync, fd, [&] { return next(&fsync, "fsync")(fd); });
}

int fdatasync(int fd) {
  return act(call::fdatasync, fd, [&] { return next(&fdatasync, "fdatasync")(fd); });
}

int poll(pollfd* fds, nfds_t n, int milliseconds) {
  return act(call::poll, n == 0 ? -1 : fds->fd, [&] { return next(&poll, "poll")(fds, n, milliseconds); });
}

int pipe2(int* ends, int flags) noexcept {
  return act(call::pipe2, -1, [&] { return next(&pipe2, "pipe2")(ends, flags); });
}

int eventfd(unsigned value, int flags) noexcept {
  return act(call::eventfd, -1, [&] { return next(&eventfd, "eventfd")(value, flags); });
}

int socket(int family, int type, int protocol) noexcept {
  return act(call::socket, -1, [&] { return next(&socket, "socket")(family, type, protocol); });
}

int connect(int fd, const sockaddr* address, socklen_t size) {
  const fault f = count(call::connect, fd);
  const auto make = [&] { return next(&connect, "connect")(fd, address, size); };
  if (f.action != 'e') return make();
  // Interrupted, it goes on by itself; but for a Unix socket nothing is under way then.
  if (f.value == EINTR && address->sa_family != AF_UNIX) make();
  errno = static_cast<int>(f.value);
  return -1;
}

int bind(int fd, const sockaddr* address, socklen_t size) noexcept {
  return act(call::bind, fd, [&] { return next(&bind, "bind")(fd, address, size); });
}

int listen(int fd, int backlog) noexcept {
  return act(call::listen, fd, [&] { return next(&listen, "listen")(fd, backlog); });
}

int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  return act(call::accept4, fd, [&] { return next(&accept4, "accept4")(fd, address, size, flags); });
}

int shutdown(int fd, int how) noexcept {
  return act(call::shutdown, fd, [&] { return next(&shutdown, "shutdown")(fd, how); });
}

int getsockopt(int fd, int level, int name, void* value, socklen_t* size) noexcept {
  return act(call::getsockopt, fd, [&] { return next(&getsockopt, "getsockopt")(fd, level, name, value, size); });
}

int getsockname(int fd, sockaddr* address, socklen_t* size) noexcept {
  return act(call::getsockname, fd, [&] { return next(&getsockname, "getsockname")(fd, address, size); });
}

}  // extern "C"
