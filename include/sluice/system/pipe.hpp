// SPDX-License-Identifier: BSL-1.0
//
// Pipes.
//
//   struct pipe_options { std::size_t size = 0; bool non_blocking = false; };
//   struct pipe_ends { pipe_reader reader; pipe_writer writer; };
//   result<pipe_ends> make_pipe(const pipe_options& = {});
//   class pipe_reader;   // of fd_stream's members those that read
//   class pipe_writer;   // of fd_stream's members those that write
//
#ifndef SLUICE_SYSTEM_PIPE_HPP
#define SLUICE_SYSTEM_PIPE_HPP

#include <sluice/system/fd_stream.hpp>

#include <utility>

namespace sluice {

/// The end of a pipe or FIFO that is read from. The end of the stream is there when every writer has closed.
class pipe_reader : private fd_stream {
 public:
  /// A closed end.
  pipe_reader() noexcept = default;

  /// Takes over a descriptor, such as that of a FIFO. No system call.
  explicit pipe_reader(fd_stream stream) noexcept : fd_stream(std::move(stream)) {}

  using fd_stream::close;
  using fd_stream::fd;
  using fd_stream::is_open;
  using fd_stream::kernel_advanced;
  using fd_stream::kernel_endpoint;
  using fd_stream::kind;
  using fd_stream::read_some;
  using fd_stream::release;
  using fd_stream::set_non_blocking;
};

/// The end of a pipe or FIFO that is written to. When every reader has closed, a write is `std::errc::broken_pipe`.
class pipe_writer : private fd_stream {
 public:
  /// A closed end.
  pipe_writer() noexcept = default;

  /// Takes over a descriptor, such as that of a FIFO. No system call.
  explicit pipe_writer(fd_stream stream) noexcept : fd_stream(std::move(stream)) {}

  using fd_stream::close;
  using fd_stream::fd;
  using fd_stream::is_open;
  using fd_stream::kernel_advanced;
  using fd_stream::kernel_endpoint;
  using fd_stream::kind;
  using fd_stream::release;
  using fd_stream::set_non_blocking;
  using fd_stream::write_some;
};

/// How a pipe is made.
struct pipe_options {
  /// Wanted capacity in bytes, 0: the system's default of 64 KiB. Advice only: the kernel rounds it up, and an
  /// unprivileged process gets no more than /proc/sys/fs/pipe-max-size.
  std::size_t size = 0;

  /// Sets O_NONBLOCK on both ends.
  bool non_blocking = false;
};

/// Both ends of one pipe.
struct pipe_ends {
  pipe_reader reader;  ///< what is written there comes out here
  pipe_writer writer;  ///< the end to write to
};

/// Makes a pipe that programs started later do not inherit. Errors: those of pipe(2).
/// pipe2(2) with O_CLOEXEC, and fcntl(2) with F_SETPIPE_SZ where a size is wanted.
result<pipe_ends> make_pipe(const pipe_options& options = {});

}  // namespace sluice

#endif
