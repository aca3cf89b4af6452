// SPDX-License-Identifier: BSL-1.0
//
// The narrow door between the copy and the operating system: questions about descriptors, and one call that moves bytes
// between two of them. What stands behind it is in src/system/.
//
#ifndef SLUICE_SRC_COPY_KERNEL_PATHS_HPP
#define SLUICE_SRC_COPY_KERNEL_PATHS_HPP

#include <sluice/detail/copy_engine.hpp>

#include "step.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace sluice::detail {

/// Whether a descriptor of this kind can be waited for.
inline bool is_pollable(fd_kind kind) noexcept {
  using enum fd_kind;
  return kind == pipe || kind == socket || kind == message_socket || kind == terminal || kind == other;
}

/// Two descriptors, for one call.
struct kernel_pair {
  int from = -1;
  int to = -1;
  fd_kind from_kind = fd_kind::unknown;
  fd_kind to_kind = fd_kind::unknown;
  std::optional<std::uintmax_t> from_offset = {};  // where a regular source is read; without one, at its own offset
  private_pipe* pipe = nullptr;
  bool through_private_pipe = false;
  std::size_t write_size = std::numeric_limits<std::size_t>::max();  // what a private pipe may pass on in one step
};

/// Moves up to `max` bytes, max > 0, on one of the kernel paths: one piece, one or two system calls.
/// EINTR is retried; EAGAIN is reader_blocked or writer_blocked; every other error gives way.
step kernel_move(copy_path path, const kernel_pair& pair, std::uintmax_t max);

/// Passes on what the private pipe holds, up to `max` bytes of it.
step pipe_to_writer(const kernel_pair& pair, std::size_t max);

/// Reads what the private pipe holds into `memory`; the count. Less than there is and fits only where the pipe cannot
/// be read, for the reason in `why`.
std::size_t pipe_to_memory(private_pipe& pipe, std::span<std::byte> memory, std::error_code& why) noexcept;

/// Closes our ends of a pipe that another process made and has too.
void leave_to_parent(private_pipe& pipe) noexcept;

/// Closes the pipe, or keeps it for the next copy in this thread where it is empty.
void give_back(private_pipe& pipe) noexcept;

/// The size of a regular file, and how many bytes of it are allocated. One fstat(2).
struct file_size {
  std::uintmax_t size = 0;
  std::uintmax_t allocated = 0;
};
std::optional<file_size> size_of(int fd) noexcept;

/// The descriptor's offset. One lseek(2).
std::optional<std::uintmax_t> offset_of(int fd) noexcept;

/// Both; `offset` is that of the descriptor where there is none.
struct file_extent {
  std::uintmax_t size = 0;
  std::uintmax_t offset = 0;

  std::uintmax_t left() const noexcept { return size > offset ? size - offset : 0; }
};
std::optional<file_extent> extent_of(int fd, std::optional<std::uintmax_t> offset = {}) noexcept;

/// Whether the descriptor is in append mode now; that can change at any time.
bool appends(int fd) noexcept;

/// Writes what fits of the pieces, one of them not empty, into a pipe or a stream socket at this moment, without
/// waiting and without SIGPIPE. Errors: `operation_would_block`; `operation_not_supported` where the kernel cannot do
/// that; those of write(2).
result<std::size_t> write_now(int fd, fd_kind kind, std::span<const const_buffer> pieces);

/// How many bytes a write to a blocking descriptor may have so that it does not block once poll(2) says writable.
std::size_t unblocked_write_size(int fd, fd_kind kind) noexcept;

/// Looks at what comes next in a sparse source, at the descriptor's own offset, which the look moves. A hole, up to
/// `max` bytes of it, becomes a hole in the destination: the step says how long it was. Data moves nothing, and `data`
/// says how much there is before the next hole.
step skip_hole(const kernel_pair& pair, std::uintmax_t max, std::uintmax_t& data);

/// Makes the next `length` bytes of the regular destination a hole, and moves its offset behind it.
bool make_hole(int fd, std::uintmax_t length) noexcept;

}  // namespace sluice::detail

#endif
