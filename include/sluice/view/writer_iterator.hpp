// SPDX-License-Identifier: BSL-1.0
//
// A buffered writer as an output iterator.
//
//   template <buffered_writer W> class writer_iterator;
//
//   auto out = fmt::format_to(writer_iterator(w), "{} of {}\n", n, total);
//   if (auto told = out.finish(); !told) ...
//
#ifndef SLUICE_VIEW_WRITER_ITERATOR_HPP
#define SLUICE_VIEW_WRITER_ITERATOR_HPP

#include <sluice/write.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

namespace sluice {

/// Writes what is assigned to it into the buffer of `W`, which must outlive it: bytes, chars, and whole pieces of
/// these. Put a `buf_writer` before a writer that has no buffer.
///
/// After an error, which the iterator and all later copies of it remember, nothing more is written. So look at the
/// iterator that the algorithm returns.
template <buffered_writer W>
class writer_iterator {
 public:
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  writer_iterator() = default;
  /// Refers to the writer, which has to outlive it.
  explicit writer_iterator(W& writer) noexcept : writer_(std::addressof(writer)) {}

  writer_iterator& operator=(std::byte b) {
    if (error_) return *this;
    const auto room = sluice::prepare(*writer_, 1);
    if (!room) {
      error_ = room.error();
      return *this;
    }
    room->front() = b;
    sluice::commit(*writer_, 1);
    return *this;
  }
  /// Writes one byte.
  writer_iterator& operator=(char c) { return *this = static_cast<std::byte>(c); }

  /// Writes all of a piece.
  writer_iterator& operator=(std::span<const std::byte> piece) {
    if (error_) return *this;
    if (const auto written = write_all(*writer_, piece); !written) error_ = written.error();
    return *this;
  }
  /// Writes all of a text.
  writer_iterator& operator=(std::string_view piece) { return *this = as_bytes(piece); }

  writer_iterator& operator*() noexcept { return *this; }
  writer_iterator& operator++() noexcept { return *this; }
  writer_iterator& operator++(int) noexcept { return *this; }

  /// Why nothing is written any more; zero where all was accepted.
  std::error_code error() const noexcept { return error_; }

  /// That error, or else the outcome of flushing the writer.
  [[nodiscard]] result<void> finish() {
    if (error_) return fail(error_);
    return sluice::flush(*writer_);
  }

 private:
  W* writer_ = nullptr;
  std::error_code error_;
};

}  // namespace sluice

#endif
