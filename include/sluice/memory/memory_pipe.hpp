// SPDX-License-Identifier: BSL-1.0
//
// A pipe in memory, from one thread to another.
//
//   memory_pipe make_memory_pipe(std::size_t capacity, memory_pipe_options = {});
//   struct memory_pipe { memory_pipe_reader reader; memory_pipe_writer writer; };
//
//   auto [from, to] = make_memory_pipe(64_KiB);
//   std::jthread producer([to = std::move(to)]() mutable { write_all(to, text); });   // its end is the stream's end
//
#ifndef SLUICE_MEMORY_MEMORY_PIPE_HPP
#define SLUICE_MEMORY_MEMORY_PIPE_HPP

#include <sluice/result.hpp>
#include <sluice/wait_options.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace sluice {

namespace detail {
class memory_channel;
}

/// How long each side of a pipe may wait for the other. With `would_block::fail` it does not wait.
struct memory_pipe_options {
  wait_options reader = {};  ///< of the end that is read
  wait_options writer = {};  ///< of the end that is written
};

struct memory_pipe;

/// Makes a pipe that holds up to `capacity` bytes, at least 1. Each side belongs to one thread at a time.
memory_pipe make_memory_pipe(std::size_t capacity, memory_pipe_options options = {});

/// The side that bytes come out of. It has no window: the bytes go round in the buffer, and a window of several could
/// lie on both sides of its border.
class memory_pipe_reader {
 public:
  memory_pipe_reader(memory_pipe_reader&&) noexcept;
  memory_pipe_reader& operator=(memory_pipe_reader&&) noexcept;
  ~memory_pipe_reader();

  /// Waits for a byte, then takes what is there, up to `b.size()`. 0 once the writer has been closed or destroyed and
  /// all has been read. Errors: what the writer was closed with; `io_errc::cancelled`, `timed_out` and
  /// `operation_would_block` from waiting; `bad_file_descriptor` after `close()`.
  result<std::size_t> read_some(std::span<std::byte> b);

  /// Reads no more: the writer fails with `broken_pipe` from now on. The destructor does the same.
  void close() noexcept;

 private:
  friend memory_pipe make_memory_pipe(std::size_t capacity, memory_pipe_options options);
  memory_pipe_reader(std::shared_ptr<detail::memory_channel> channel, wait_options wait) noexcept;

  std::shared_ptr<detail::memory_channel> channel_;
  wait_options wait_;
};

/// The side that bytes go into.
class memory_pipe_writer {
 public:
  memory_pipe_writer(memory_pipe_writer&&) noexcept;
  memory_pipe_writer& operator=(memory_pipe_writer&&) noexcept;
  ~memory_pipe_writer();

  /// Waits for room for a byte, then accepts what there is room for. Errors: `broken_pipe` once the reader is gone;
  /// `io_errc::cancelled`, `timed_out` and `operation_would_block` from waiting; `bad_file_descriptor` after `close()`.
  result<std::size_t> write_some(std::span<const std::byte> b);

  /// The end of the stream, for the reader after all that was written. The destructor does the same.
  result<void> close() noexcept;

  /// The same, with an error in the place of the end: each read fails with it once the bytes before it are read.
  void close_with(std::error_code code) noexcept;

 private:
  friend memory_pipe make_memory_pipe(std::size_t capacity, memory_pipe_options options);
  memory_pipe_writer(std::shared_ptr<detail::memory_channel> channel, wait_options wait) noexcept;

  std::shared_ptr<detail::memory_channel> channel_;
  wait_options wait_;
};

/// The two ends of a pipe in memory.
struct memory_pipe {
  memory_pipe_reader reader;  ///< for one thread
  memory_pipe_writer writer;  ///< for another
};

}  // namespace sluice

#endif
