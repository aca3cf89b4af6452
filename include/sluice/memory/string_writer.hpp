// SPDX-License-Identifier: BSL-1.0
//
// Writes into a growing string.
//
//   class string_writer;     // string_writer w;  ...  w.take()
//                            // string_writer w{target};
//
#ifndef SLUICE_MEMORY_STRING_WRITER_HPP
#define SLUICE_MEMORY_STRING_WRITER_HPP

#include <sluice/detail/append_writer.hpp>

#include <string>

namespace sluice {

/// Appends to a string of its own, or to a borrowed one that must outlive it:
/// `string_writer{std::move(s)}` owns, `string_writer{s}` borrows. Models buffered_writer, in
/// place, and vectored_writer.
///
/// Everything is accepted at once, so a borrowed string is complete after every operation but
/// `prepare`: what is written into prepared room may cover the terminating null of a borrowed
/// string, until the next `commit` (of 0 bytes, too) or `flush`. The string doubles as it grows.
/// Throws only std::bad_alloc. Move only.
class string_writer : public detail::append_writer<std::string> {
 public:
  using append_writer::append_writer;

  /// The string. Valid until the next operation.
  const std::string& str() noexcept {
    commit(0);
    return target();
  }
};

}  // namespace sluice

#endif
