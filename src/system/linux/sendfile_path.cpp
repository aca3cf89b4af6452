// SPDX-License-Identifier: BSL-1.0
//
// sendfile(2): from a file to a socket, or to a file on another file system.
//
// The count must be exact when the destination is a TCP socket: where it is larger than what is left, some kernels hold
// the last piece back for 200 ms (golang/go#45256). The caller sees to that.
//
#include "kernel_paths.hpp"

namespace sluice::detail::sys {

step sendfile_step(const kernel_pair& pair, std::uintmax_t max) {
  source_offset from(pair);
  step done = answer(retry([&] { return calls.sendfile(pair.to, pair.from, from.get(), request(max)); }));
  // A file never blocks: EAGAIN speaks of the destination, where that can be waited for.
  if (would_block_error(done.code) && is_pollable(pair.to_kind)) done.what = step::outcome::writer_blocked;
  if (is_connection_error(done.code)) done.what = step::outcome::writer_failed;
  return done;
}

}  // namespace sluice::detail::sys
