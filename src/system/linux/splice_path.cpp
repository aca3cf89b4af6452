// SPDX-License-Identifier: BSL-1.0
//
// splice(2): directly from a pipe (or a file whose pages may be lent to one), through a private pipe from a socket.
//
// A pipe that goes on for long is emptied into the private pipe as well, which takes no time, before its pages go on to
// a file, a device or a socket, which does: while that lasts, splice holds the lock of the pipe that it reads, and
// whoever fills that pipe would have to wait.
//
// A splice that waits for its source holds the lock of the pipe on the other side, and that pipe's reader with it, even
// if it has data (containerd/rust-extensions#79). So nobody else's pipe is ever spliced into without SPLICE_F_NONBLOCK
// from a source that could wait, and a socket always goes through a private pipe. SPLICE_F_MORE is never given: on the
// last piece to TCP it costs 200 ms (golang/go#10948).
//
#include "kernel_paths.hpp"

namespace sluice::detail::sys {
namespace {

constexpr unsigned flags = SPLICE_F_MOVE | SPLICE_F_NONBLOCK;

ssize_t splice(int from, int to, std::uintmax_t max, off64_t* from_offset = nullptr) noexcept {
  return retry([&] { return calls.splice(from, from_offset, to, nullptr, request(max), flags); });
}

// EAGAIN does not say whom it is about. The source is asked first: where it has nothing, room on the other side is of
// no use; and where its writers are gone that is the end, however full the other side may be. Nothing where both are
// ready.
std::optional<step> who_blocks(const kernel_pair& pair) noexcept {
  const std::error_code code = std::make_error_code(std::errc::operation_would_block);
  if (pair.from_kind == fd_kind::pipe) {
    const short state = poll_now(pair.from, POLLIN);
    if (state == 0) return step{step::outcome::reader_blocked, 0, 0, code};
    if ((state & (POLLIN | POLLHUP)) == POLLHUP) return step::ended();
  }
  if (is_pollable(pair.to_kind) && !ready(pair.to, POLLOUT)) return step{step::outcome::writer_blocked, 0, 0, code};
  return std::nullopt;
}

// Where a side that was not ready has become so since, the call is repeated; if it still moves nothing, read and write
// know better whose fault that is.
step direct(const kernel_pair& pair, std::uintmax_t max) {
  source_offset from(pair);
  for (bool again = false;; again = true) {
    step done = answer(splice(pair.from, pair.to, max, from.get()));
    if (is_connection_error(done.code)) done.what = step::outcome::writer_failed;
    if (!would_block_error(done.code)) return done;
    if (const auto blocked = who_blocks(pair)) return *blocked;
    if (again) return done;
  }
}

}  // namespace

step splice_step(const kernel_pair& pair, std::uintmax_t max) {
  if (!pair.through_private_pipe) return direct(pair, max);

  private_pipe& pipe = *pair.pipe;
  if (!acquire(pipe)) {
    const std::error_code why = last_error();
    if (pair.from_kind != fd_kind::pipe) return step::gives_way(why);
    return direct(pair, std::min<std::uintmax_t>(max, pair.write_size));
  }
  const ssize_t n = splice(pair.from, pipe.writer, std::min<std::uintmax_t>(max, pipe.capacity));
  if (n < 0 && would_block_error(last_error())) return {step::outcome::reader_blocked, 0, 0, last_error()};
  if (n <= 0) {
    step none = answer(n);
    if (is_connection_error(none.code)) none.what = step::outcome::reader_failed;
    return none;
  }
  pipe.filled = static_cast<std::size_t>(n);
  step done = pipe_to_writer(pair, pair.write_size);
  done.taken = static_cast<std::uintmax_t>(n);
  return done;
}

}  // namespace sluice::detail::sys

namespace sluice::detail {

step pipe_to_writer(const kernel_pair& pair, std::size_t max) {
  using namespace sys;
  private_pipe& pipe = *pair.pipe;
  step done;
  while (pipe.filled != 0 && done.given < max) {
    const ssize_t n = splice(pipe.reader, pair.to, std::min<std::uintmax_t>(pipe.filled, max - done.given));
    if (n <= 0) {
      const step why =
          n == 0 ? step::gives_way(std::make_error_code(std::errc::io_error)) : step::gives_way(last_error());
      done.code = why.code;
      done.what = would_block_error(why.code) && is_pollable(pair.to_kind) ? step::outcome::writer_blocked
                  : is_connection_error(why.code)                          ? step::outcome::writer_failed
                                                                           : why.what;
      break;
    }
    pipe.filled -= static_cast<std::size_t>(n);
    done.given += static_cast<std::uintmax_t>(n);
  }
  return done;
}

}  // namespace sluice::detail
