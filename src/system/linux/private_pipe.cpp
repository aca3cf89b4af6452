// SPDX-License-Identifier: BSL-1.0
//
// The private pipe of a splice: made when it is needed, enlarged where it may be, and kept for the thread's next copy.
//
#include "kernel_paths.hpp"

#include <utility>

namespace sluice::detail {
namespace {

void close_both(private_pipe& pipe) noexcept {
  if (!pipe.is_open()) return;
  sys::calls.close(pipe.reader);
  sys::calls.close(pipe.writer);
  pipe = {};
}

// Says that the thread's spare pipe has ended: a copier that the thread destroys later, or a copy that a destructor
// makes, must not leave a pipe there. It has no destructor itself, so it may be asked until the thread is gone.
constinit thread_local bool spare_has_ended = false;

// One empty pipe is kept in each thread.
struct spare_pipe {
  private_pipe pipe;

  ~spare_pipe() {
    close_both(pipe);
    spare_has_ended = true;
  }
};

thread_local spare_pipe spare;

}  // namespace

// After fork(2) both processes hold the ends of the same pipe: only the one that made it goes on with it.
void leave_to_parent(private_pipe& pipe) noexcept {
  if (pipe.is_open() && pipe.owner != ::getpid()) close_both(pipe);
}

bool sys::acquire(private_pipe& pipe) noexcept {
  if (pipe.is_open()) return true;
  if (!spare_has_ended) {
    leave_to_parent(spare.pipe);
    pipe = std::exchange(spare.pipe, {});
    if (pipe.is_open()) return true;
  }

  int ends[2];
  if (calls.pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    pipe.refused = true;
    return false;
  }
  pipe = {.reader = ends[0],
          .writer = ends[1],
          .filled = 0,
          .capacity = std::size_t{64} << 10,
          .owner = static_cast<int>(::getpid())};
  // Refused above the limit of an unprivileged user (pipe(7)): then the size stays as it is.
  const int granted = calls.set_pipe_size(pipe.writer, 1 << 20);
  if (granted > 0) pipe.capacity = static_cast<std::size_t>(granted);
  return true;
}

void give_back(private_pipe& pipe) noexcept {
  private_pipe returned = std::exchange(pipe, {});
  leave_to_parent(returned);
  if (returned.filled == 0 && returned.is_open() && !spare_has_ended && !spare.pipe.is_open())
    spare.pipe = returned;
  else
    close_both(returned);
}

std::size_t pipe_to_memory(private_pipe& pipe, std::span<std::byte> memory, std::error_code& why) noexcept {
  std::size_t got = 0;
  while (pipe.filled != 0 && got < memory.size()) {
    const std::size_t wanted = std::min(memory.size() - got, pipe.filled);
    const ssize_t n = sys::retry([&] { return sys::calls.read(pipe.reader, memory.data() + got, wanted); });
    if (n <= 0) {
      why = n < 0 ? sys::last_error() : std::make_error_code(std::errc::io_error);
      break;
    }
    pipe.filled -= static_cast<std::size_t>(n);
    got += static_cast<std::size_t>(n);
  }
  return got;
}

}  // namespace sluice::detail
