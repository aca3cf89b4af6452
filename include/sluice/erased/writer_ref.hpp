// SPDX-License-Identifier: BSL-1.0
//
// Refers to a writer of any type. As small as two pointers, to be passed by value.
//
//   class writer_ref;        // void render(writer_ref out);  render(file);
//
#ifndef SLUICE_ERASED_WRITER_REF_HPP
#define SLUICE_ERASED_WRITER_REF_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/sink_ops.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace sluice {

/// Refers to a writer, which must outlive it, and keeps nothing itself: every operation is an
/// indirect call of the writer's own. Models vectored_writer, seekable and kernel_writer; what the
/// writer cannot do shows when it is asked for.
class writer_ref {
 public:
  template <class W>
    requires(!std::same_as<std::remove_cv_t<W>, writer_ref>) && writer<W>
  writer_ref(W& w) noexcept : sink_(detail::as_sink(w)) {}

  result<std::size_t> write_some(std::span<const std::byte> b) { return sink_.write_some(b); }

  /// By one call where the writer is vectored; else the first piece only.
  result<std::size_t> write_some(std::span<const const_buffer> pieces);

  /// Passes on what the writer holds, if anything.
  [[nodiscard]] result<void> flush() { return sink_.flush(); }

  /// Errors: the writer's; `unsupported`, with nothing moved, where it cannot seek.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin) { return sink_.seek(offset, from); }
  result<std::uintmax_t> position() { return sink_.position(); }

  std::optional<fd_endpoint> kernel_endpoint() { return sink_.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) { sink_.kernel_advanced(n); }

  /// The writer, for algorithms that are compiled once.
  detail::sink_ref erased_sink() const noexcept { return sink_; }

 private:
  detail::sink_ref sink_;
};

}  // namespace sluice

#endif
