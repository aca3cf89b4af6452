// SPDX-License-Identifier: BSL-1.0
//
// Writes into a growing array of bytes.
//
//   class bytes_writer;      // bytes_writer w;  ...  w.take()
//                            // bytes_writer w{target};
//
#ifndef SLUICE_MEMORY_BYTES_WRITER_HPP
#define SLUICE_MEMORY_BYTES_WRITER_HPP

#include <sluice/detail/append_writer.hpp>
#include <sluice/memory/bytes.hpp>

#include <span>

namespace sluice {

/// Appends to a `bytes` of its own, or to a borrowed one that must outlive it:
/// `bytes_writer{std::move(b)}` owns, `bytes_writer{b}` borrows. Models buffered_writer, in place,
/// and vectored_writer.
///
/// Everything is accepted at once, so a borrowed array is complete after every operation; it may be
/// changed between them, but not between `prepare` and `commit`. The array doubles as it grows
/// and new room is not zero-filled. Throws only std::bad_alloc. Move only.
class bytes_writer : public detail::append_writer<bytes> {
 public:
  using append_writer::append_writer;

  /// All that is in the array. Valid until the next operation.
  std::span<const std::byte> view() const noexcept { return target(); }
};

}  // namespace sluice

#endif
