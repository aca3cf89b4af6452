// SPDX-License-Identifier: BSL-1.0
//
// Passing over bytes of a pipe or a TCP socket inside the kernel. What stands behind it is in src/system/.
//
#ifndef SLUICE_SRC_SKIP_PATH_HPP
#define SLUICE_SRC_SKIP_PATH_HPP

#include <sluice/kernel_endpoint.hpp>
#include <sluice/result.hpp>

namespace sluice::detail {

class kernel_skipper {
 public:
  kernel_skipper() = default;
  kernel_skipper(const kernel_skipper&) = delete;
  kernel_skipper& operator=(const kernel_skipper&) = delete;
  ~kernel_skipper();

  /// Drops up to `max` bytes, max > 0, of those that the descriptor has at this moment; returns how many. 0 is a hint
  /// of the end, which a read has to confirm. EINTR is retried. A blocking socket is waited for by the call itself
  /// where it `may_block`. Errors: `operation_would_block`, else also on a blocking descriptor; those of a broken
  /// connection, which are told only once; `operation_not_supported` for every other reason to go on by reading.
  result<std::uintmax_t> skip(int fd, fd_kind kind, std::uintmax_t max, bool may_block);

 private:
  bool open_null() noexcept;

  int null_ = -1;      // /dev/null
  int dropping_ = -1;  // the socket that is known to drop what it is told to
};

}  // namespace sluice::detail

#endif
