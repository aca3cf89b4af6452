// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/pipe.hpp>

#include "system/linux/calls.hpp"

#include <algorithm>
#include <limits>

namespace sluice {

namespace sys = detail::sys;

result<pipe_ends> make_pipe(const pipe_options& options) {
  int ends[2];
  if (sys::calls.pipe2(ends, O_CLOEXEC | (options.non_blocking ? O_NONBLOCK : 0)) != 0) return fail(sys::last_error());
  if (options.size != 0) {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    sys::calls.set_pipe_size(ends[1], static_cast<int>(std::min(options.size, most)));
  }
  return pipe_ends{pipe_reader(fd_stream(ends[0], fd_kind::pipe)), pipe_writer(fd_stream(ends[1], fd_kind::pipe))};
}

}  // namespace sluice
