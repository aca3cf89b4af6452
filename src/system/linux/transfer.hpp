// SPDX-License-Identifier: BSL-1.0
//
// What the streams over descriptors have in common when they hand a request to the kernel.
//
//   inline constexpr std::size_t max_transfer;
//   inline constexpr std::uintmax_t max_offset;
//   class piece_list;
//   result<std::size_t> counted_answer(ssize_t answer);
//   std::unexpected<std::error_code> fail_with(int code);
//
#ifndef SLUICE_SRC_SYSTEM_LINUX_TRANSFER_HPP
#define SLUICE_SRC_SYSTEM_LINUX_TRANSFER_HPP

#include <sluice/buffer.hpp>
#include <sluice/result.hpp>

#include "calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#ifndef RWF_NOSIGNAL
#define RWF_NOSIGNAL 0x100  // Linux 6.18
#endif

namespace sluice::detail::sys {

/// More than this no call of Linux moves: MAX_RW_COUNT, see read(2).
inline constexpr std::size_t max_transfer = 0x7ffff000;

/// No offset in a file is larger than this.
inline constexpr auto max_offset = static_cast<std::uintmax_t>(std::numeric_limits<off64_t>::max());

/// More pieces than this no vectored call takes: UIO_MAXIOV, the IOV_MAX of Linux.
inline constexpr std::size_t max_pieces = 1024;

inline std::unexpected<std::error_code> fail_with(int code) noexcept {
  return fail(std::error_code(code, std::system_category()));
}

/// The answer of a call that moves bytes, to be taken right after it.
inline result<std::size_t> counted_answer(ssize_t answer) noexcept {
  if (answer < 0) [[unlikely]]
    return fail(last_error());
  return static_cast<std::size_t>(answer);
}

/// The pieces of a vectored request in the form of the kernel, without empty ones and within the limits above.
class piece_list {
 public:
  explicit piece_list(std::span<const mutable_buffer> pieces) noexcept { gather(pieces); }
  explicit piece_list(std::span<const const_buffer> pieces) noexcept { gather(pieces); }

  iovec* data() noexcept { return pieces_; }
  std::size_t size() const noexcept { return size_; }
  int count() const noexcept { return static_cast<int>(size_); }

 private:
  template <class Piece>
  void gather(std::span<const Piece> pieces) noexcept {
    std::size_t room = max_transfer;
    for (const Piece& piece : pieces) {
      if (piece.size == 0) continue;
      if (room == 0 || size_ == max_pieces) break;
      const std::size_t n = std::min(piece.size, room);
      // The kernel has one structure for both directions.
      pieces_[size_++] = {const_cast<std::byte*>(piece.data), n};
      room -= n;
    }
  }

  iovec pieces_[max_pieces];  // not cleared: only the first size_ count
  std::size_t size_ = 0;
};

}  // namespace sluice::detail::sys

#endif
