// SPDX-License-Identifier: BSL-1.0
//
// What the preloaded library and the test that preloads it have in common.
//
//   SLUICE_PRELOAD_FAULTS  what is to happen to which calls; nothing where it is empty or not set
//   SLUICE_PRELOAD_TRACE   path of a file of sizeof(call_trace) zeros, in which the calls are counted as they are made
//
//   faults = fault { "," fault }
//   fault  = call "@" first [ "x" times ] "=" action    the first call it happens to, from 1; how many in a row
//   times  = number | "*"                               1 where it is not given; "*": for good
//   action = "e" errno                                  fails
//          | "n" bytes                                  moves at most so many bytes
//          | "r" answer                                 answers that, without a call
//
//   read@2=e5             the second read fails with EIO
//   splice@1x*=n7         no splice moves more than 7 bytes
//   copy_file_range@1=r0  the first copy_file_range says end
//
// Calls on descriptor 2 are neither counted nor changed: messages get through. close is made before it fails, and so is
// a connect that is interrupted.
//
#ifndef SLUICE_TEST_SUPPORT_PRELOAD_TRACE_HPP
#define SLUICE_TEST_SUPPORT_PRELOAD_TRACE_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::test::preload {

enum class call : unsigned char {
  open,
  close,
  read,
  write,
  readv,
  writev,
  pread,
  pwrite,
  pwritev2,
  send,
  sendmsg,
  lseek,
  fstat,
  get_flags,
  set_flags,
  set_pipe_size,
  ftruncate,
  fallocate,
  fsync,
  fdatasync,
  poll,
  pipe2,
  eventfd,
  clone_range,
  copy_file_range,
  sendfile,
  splice,
  socket,
  connect,
  bind,
  listen,
  accept4,
  shutdown,
  getsockopt,
  getsockname,
};

inline constexpr std::array<std::string_view, 35> call_names{
    "open",   "close",     "read",  "write",  "readv",     "writev",      "pread",           "pwrite",      "pwritev2",
    "send",   "sendmsg",   "lseek", "fstat",  "get_flags", "set_flags",   "set_pipe_size",   "ftruncate",   "fallocate",
    "fsync",  "fdatasync", "poll",  "pipe2",  "eventfd",   "clone_range", "copy_file_range", "sendfile",    "splice",
    "socket", "connect",   "bind",  "listen", "accept4",   "shutdown",    "getsockopt",      "getsockname",
};
static_assert(call_names.size() == static_cast<std::size_t>(call::getsockname) + 1);

struct call_count {
  std::atomic<std::uint64_t> calls;
  std::atomic<std::uint64_t> changed;  ///< of them by a fault
  std::atomic<std::uint64_t> largest;  ///< number of bytes asked for in one
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared between two processes");

struct call_trace {
  std::array<call_count, call_names.size()> of;

  const call_count& operator[](call c) const { return of[static_cast<std::size_t>(c)]; }
};

}  // namespace sluice::test::preload

#endif
