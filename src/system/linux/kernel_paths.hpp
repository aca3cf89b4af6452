// SPDX-License-Identifier: BSL-1.0
//
// The kernel paths, one file each. A new one is added here, in kernel_move.cpp and in the table of the selector.
//
#ifndef SLUICE_SRC_SYSTEM_LINUX_KERNEL_PATHS_HPP
#define SLUICE_SRC_SYSTEM_LINUX_KERNEL_PATHS_HPP

#include "../../copy/kernel_paths.hpp"
#include "calls.hpp"

#include <algorithm>

namespace sluice::detail::sys {

step clone_step(const kernel_pair& pair, std::uintmax_t max);
step copy_file_range_step(const kernel_pair& pair, std::uintmax_t max);
step sendfile_step(const kernel_pair& pair, std::uintmax_t max);
step splice_step(const kernel_pair& pair, std::uintmax_t max);

/// Makes sure that `pipe` is open: the thread's spare one where there is one, else a new one of 1 MiB, if that may be.
bool acquire(private_pipe& pipe) noexcept;

/// At most this much is asked of one call: more than 0x7ffff000 bytes is never moved (sendfile(2)), and some C
/// libraries cut a larger answer to int (sourceware bug 33245).
inline constexpr std::uintmax_t largest_request = std::uintmax_t{1} << 30;

inline std::size_t request(std::uintmax_t max) noexcept {
  return static_cast<std::size_t>(std::min(max, largest_request));
}

/// The offset of the source in the form that a call takes. It moves on here only; the stream is told of what passed.
class source_offset {
 public:
  explicit source_offset(const kernel_pair& pair) noexcept
      : at_(static_cast<off64_t>(pair.from_offset.value_or(0))), is_own_(!pair.from_offset) {}

  /// Null where it is the descriptor's own.
  off64_t* get() noexcept { return is_own_ ? nullptr : &at_; }

 private:
  off64_t at_;
  bool is_own_;
};

/// What poll(2) says at this moment; 0 where it has nothing to say.
short poll_now(int fd, short events) noexcept;

/// Whether that is anything.
bool ready(int fd, short events) noexcept;

/// Whether a call failed because of a socket's connection. A socket tells such an error once: the read that comes after
/// would find a mere end of the stream, and the write a broken pipe. So this is final, and does not give way.
inline bool is_connection_error(const std::optional<std::error_code>& code) noexcept {
  if (!code || code->category() != std::system_category()) return false;
  switch (code->value()) {
    case ECONNRESET:
    case ECONNABORTED:
    case ECONNREFUSED:
    case ETIMEDOUT:
    case ENOTCONN:
    case ENETDOWN:
    case ENETRESET:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH: return true;
    default: return false;
  }
}

/// The answer to a call that moved `n` bytes or failed with errno.
inline step answer(ssize_t n) noexcept {
  if (n > 0) return step::moved(static_cast<std::uintmax_t>(n));
  if (n == 0) return step::ended();
  return step::gives_way(last_error());
}

}  // namespace sluice::detail::sys

#endif
