// SPDX-License-Identifier: BSL-1.0
#include "direct_writer.hpp"

#include "../copy/kernel_paths.hpp"
#include "waiter.hpp"

#include <algorithm>

namespace sluice::detail {

result<std::size_t> write_what_fits(sink_ref to, int fd, fd_kind kind, std::span<const std::byte> bytes) {
  if (!waiter::ready(fd, readiness::writable)) return fail(std::make_error_code(std::errc::operation_would_block));
  return to.write_some(bytes.first(std::min(bytes.size(), unblocked_write_size(fd, kind))));
}

result<std::size_t> direct_writer::write_some(std::span<const std::byte> bytes) const {
  const const_buffer piece(bytes);
  return write_some({&piece, 1});
}

result<std::size_t> direct_writer::write_some(std::span<const const_buffer> pieces) const {
  const auto n = write_now(fd, kind, pieces);
  if (n) {
    to.kernel_advanced(*n);
  } else if (n.error() == std::errc::operation_not_supported) {
    *refused = true;
    return write_what_fits(to, fd, kind, {pieces.front().data, pieces.front().size});
  }
  return n;
}

}  // namespace sluice::detail
