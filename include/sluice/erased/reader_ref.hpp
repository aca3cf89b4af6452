// SPDX-License-Identifier: BSL-1.0
//
// Refers to a reader of any type. As small as two pointers, to be passed by value.
//
//   class reader_ref;        // void parse(reader_ref in);  parse(file);
//
#ifndef SLUICE_ERASED_READER_REF_HPP
#define SLUICE_ERASED_READER_REF_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/source_ops.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace sluice {

/// Refers to a reader, which must outlive it, and keeps nothing itself: every operation is an
/// indirect call of the reader's own. Models vectored_reader, skippable, seekable, size_hinted and
/// kernel_reader; what the reader cannot do shows when it is asked for. It is no buffered_reader,
/// as a reader without a buffer could not be given one: put `buffered()` on it, or use any_reader.
class reader_ref {
 public:
  template <class R>
    requires(!std::same_as<std::remove_cv_t<R>, reader_ref>) && reader<R>
  reader_ref(R& r) noexcept : source_(detail::as_source(r)) {}

  result<std::size_t> read_some(std::span<std::byte> b) { return source_.read_some(b); }

  /// By one call where the reader is vectored; else into the first piece only.
  result<std::size_t> read_some(std::span<const mutable_buffer> pieces);

  /// Errors: the reader's; `unsupported`, with nothing skipped, where it cannot skip.
  result<std::uintmax_t> skip(std::uintmax_t n) {
    return source_.ops->skip ? source_.ops->skip(source_.object, n) : fail(io_errc::unsupported);
  }

  /// Errors: the reader's; `unsupported`, with nothing moved, where it cannot seek.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin) { return source_.seek(offset, from); }
  result<std::uintmax_t> position() { return source_.position(); }

  std::optional<std::uintmax_t> size_hint() { return source_.size_hint(); }
  std::optional<fd_endpoint> kernel_endpoint() { return source_.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) { source_.kernel_advanced(n); }

  /// The reader, for algorithms that are compiled once.
  detail::source_ref erased_source() const noexcept { return source_; }

 private:
  detail::source_ref source_;
};

}  // namespace sluice

#endif
