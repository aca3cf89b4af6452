// SPDX-License-Identifier: BSL-1.0
//
// The capability protocol: how a stream tells the algorithms that its bytes are a descriptor's bytes.
//
//   inline constexpr std::uintmax_t unbounded;
//   enum class fd_kind { unknown, regular_file, pipe, socket, ... };
//   struct fd_facts;
//   struct fd_endpoint { int fd; fd_kind kind; std::uintmax_t max_bytes, allowance; ... };
//
//   std::optional<fd_endpoint> s.kernel_endpoint();   // what a stream, or a wrapper of one, offers
//   void s.kernel_advanced(std::uintmax_t n);         // what it is told when bytes went past it
//
// A wrapper that neither looks at the bytes nor changes them forwards both, and keeps the kernel paths. One that must
// see every byte, such as a digest or a counter of lines, defines neither. One without the other counts for nothing:
// static_assert(sluice::kernel_reader<metered<R>>) makes sure. Both are asked again and again, so a wrapper may go on
// from one descriptor to the next whenever its read_some has found the end of the one before.
//
//   template <class R> struct metered {
//     R& inner; std::uintmax_t count = 0;
//     sluice::result<std::size_t> read_some(std::span<std::byte> b) { ...count += n...; }
//     auto kernel_endpoint() { return sluice::kernel_endpoint(inner); }
//     void kernel_advanced(std::uintmax_t n) { count += n; sluice::kernel_advanced(inner, n); }
//   };
//
#ifndef SLUICE_KERNEL_ENDPOINT_HPP
#define SLUICE_KERNEL_ENDPOINT_HPP

#include <cstdint>
#include <limits>
#include <optional>

namespace sluice {

/// No bound on a number of bytes.
inline constexpr std::uintmax_t unbounded = std::numeric_limits<std::uintmax_t>::max();

/// What a descriptor refers to, as fstat(2) tells it.
enum class fd_kind : unsigned char {
  unknown,  ///< nobody has asked yet
  regular_file,
  pipe,            ///< a pipe or a FIFO
  socket,          ///< a stream socket of any family
  message_socket,  ///< a datagram or seqpacket socket: each write is a message, and a read takes one
  terminal,
  character_device,  ///< any other, such as /dev/null
  block_device,
  directory,
  other,  ///< epoll, eventfd and the like
};

/// What never changes while a descriptor is open. A stream keeps one of these beside its descriptor and lends it
/// in its endpoint, so that the kernel is asked once in the stream's life and not once in every copy.
struct fd_facts {
  fd_kind kind = fd_kind::unknown;  ///< as fstat(2) says
  bool identified = false;          ///< device and inode are filled in
  bool plain_write = false;         ///< the kernel has refused to suppress SIGPIPE for a single write here
  bool sized = false;               ///< a regular file that has told a size; those of procfs and tracefs tell 0
  std::uint64_t device = 0;         ///< st_dev
  std::uint64_t inode = 0;          ///< st_ino
};

/// A stream's offer: "my bytes are this descriptor's bytes, unseen and unchanged, after those that are buffered".
/// The bytes start at the descriptor's current offset, which the kernel moves on as they pass; or at `offset`.
struct fd_endpoint {
  int fd = -1;                      ///< open as long as the stream is
  fd_kind kind = fd_kind::unknown;  ///< unknown is allowed: the algorithms then ask the kernel

  /// At most this many bytes may pass, the buffered ones included; 0 is the end.
  std::uintmax_t max_bytes = unbounded;

  /// At most this many of the descriptor's own bytes may pass before the endpoint is asked for again, as a limited rate
  /// has it. It says nothing of what is left. 0: a read or write of the stream comes first, and does the waiting.
  std::uintmax_t allowance = unbounded;

  /// Bytes in user space that come first: read ahead and not yet delivered (a reader), or accepted and not yet
  /// flushed (a writer). While this is not 0, the descriptor itself must not be touched.
  std::uintmax_t buffered = 0;

  /// The stream opened it by a path; so it is no socket, and what kind it is may be asked late, or not at all.
  bool by_path = false;

  /// The stream made this file anew, or found it empty, and has written nothing since: so no copy into it can
  /// catch up with a source that reads the same file.
  bool fresh = false;

  /// Where the stream keeps what the kernel said of the descriptor; null where it keeps nothing. A wrapper that goes
  /// from one descriptor to another shows the facts of each: they tell them apart where both have the same number.
  /// Valid as long as the stream is.
  fd_facts* facts = nullptr;

  /// Of a reader only: the bytes start here, in bytes from the beginning of a regular file, and the descriptor's own
  /// offset is neither used nor moved. What has passed is told by kernel_advanced alone.
  std::optional<std::uintmax_t> offset = {};

  /// What one step may move.
  constexpr std::uintmax_t max_step() const noexcept { return max_bytes < allowance ? max_bytes : allowance; }
};

}  // namespace sluice

#endif
