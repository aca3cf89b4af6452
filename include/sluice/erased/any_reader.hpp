// SPDX-License-Identifier: BSL-1.0
//
// A reader of any type, behind one type.
//
//   class any_reader;
//
//   any_reader in{file};                  // an lvalue is referred to
//   any_reader in{std::move(file)};       // an rvalue is owned
//   any_reader in{std::move(file), 64_KiB};
//   void parse(any_reader& in);           // compiled once
//
#ifndef SLUICE_ERASED_ANY_READER_HPP
#define SLUICE_ERASED_ANY_READER_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/concepts.hpp>
#include <sluice/detail/erased_object.hpp>
#include <sluice/detail/source_ops.hpp>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace sluice {

/// Owns a reader of any type, or refers to one, and is always a buffered_reader: a reader without a
/// buffer gets one. Models also vectored_reader, skippable, seekable, size_hinted and kernel_reader;
/// what the wrapped reader cannot do shows when it is asked for. Move only; owned readers of up to six
/// pointers are kept inside, larger ones on the heap.
///
/// The window of the wrapped reader is mirrored here, so that small reads, `buffered` and `consume`
/// cost no indirect call. The wrapped reader is told what was consumed before any other call
/// reaches it, when the handle is moved or destroyed, and by `sync`, which is needed before the
/// wrapped reader is used directly.
///
/// An empty handle (default constructed or moved from) fails with `std::errc::bad_file_descriptor`.
class any_reader {
 public:
  /// An empty handle.
  any_reader() noexcept = default;

  /// Wraps `r`; where that has no buffer, with one of the default size. Allocates for a large
  /// rvalue.
  template <class R>
    requires(!std::same_as<std::remove_cvref_t<R>, any_reader>) && reader<R>
  any_reader(R&& r) {
    if constexpr (!buffered_reader<R>)
      hold<buf_reader<R>>(std::forward<R>(r));
    else if constexpr (std::is_lvalue_reference_v<R>)
      refer(r);
    else
      hold<R>(std::move(r));
  }

  /// The same with a buffer of `buffer_size` bytes.
  template <class R>
    requires(!std::same_as<std::remove_cvref_t<R>, any_reader>) && reader<R> && (!buffered_reader<R>)
  any_reader(R&& r, std::size_t buffer_size) {
    hold<buf_reader<R>>(std::forward<R>(r), buffer_size);
  }

  any_reader(any_reader&& other) noexcept { take(other); }
  any_reader& operator=(any_reader&& other) noexcept;
  ~any_reader() { sync(); }

  /// Whether there is a reader.
  explicit operator bool() const noexcept { return object_.get() != nullptr; }

  /// What is buffered first; where nothing is, as the wrapped reader. Errors: the wrapped reader's.
  result<std::size_t> read_some(std::span<std::byte> b) {
    // An empty request wraps round to the largest number and goes the slow way with the rest.
    if (b.size() - 1 < available()) [[likely]] {
      std::memcpy(b.data(), pos_, b.size());
      pos_ += b.size();
      return b.size();
    }
    return read_some_slow(b);
  }

  /// The same into several pieces, by one call of the wrapped reader where that is vectored.
  result<std::size_t> read_some(std::span<const mutable_buffer> pieces);

  std::span<const std::byte> buffered() noexcept {
    if (pos_ == nullptr) [[unlikely]]
      mirror();
    return {pos_, end_};
  }

  /// As the wrapped reader. Errors: the wrapped reader's, `buffer_too_small` among them.
  result<std::span<const std::byte>> fill(std::size_t n) {
    if (available() >= n && n != 0) [[likely]]
      return std::span(pos_, end_);
    return fill_slow(n);
  }

  void consume(std::size_t n) noexcept {
    assert(n <= available());
    pos_ += n;
  }

  /// Moves past up to `n` bytes; fewer only at the end. Errors: the wrapped reader's;
  /// `unsupported`, with nothing skipped, where it would have to read.
  result<std::uintmax_t> skip(std::uintmax_t n);

  /// As the wrapped reader. Errors: the wrapped reader's; `unsupported`, with nothing moved, where it cannot seek.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin);
  result<std::uintmax_t> position();

  std::optional<std::uintmax_t> size_hint();
  std::optional<fd_endpoint> kernel_endpoint();
  void kernel_advanced(std::uintmax_t n);

  /// How large the buffer is, in bytes.
  std::size_t capacity() noexcept;

  /// Tells the wrapped reader what was consumed, after which it may be used directly until this
  /// handle is used again.
  void sync() noexcept {
    if (pos_ != start_) tell();
    start_ = pos_ = end_ = nullptr;
  }

  /// The wrapped reader, for algorithms that are compiled once. Synchronised, as by `sync`.
  detail::source_ref erased_source() noexcept {
    sync();
    return {object_.get(), ops_};
  }

 private:
  static const detail::source_ops empty_ops;

  template <class T, class... Args>
  void hold(Args&&... args) {
    object_.emplace<T>(std::forward<Args>(args)...);
    ops_ = &detail::source_ops_for<T>;
  }

  template <class R>
  void refer(R& r) noexcept {
    object_.refer(std::addressof(r));
    ops_ = &detail::source_ops_for<R>;
  }

  std::size_t available() const noexcept { return static_cast<std::size_t>(end_ - pos_); }

  void tell() noexcept;
  void mirror() noexcept;
  void take(any_reader& other) noexcept;
  [[gnu::cold]] result<std::size_t> read_some_slow(std::span<std::byte> b);
  [[gnu::cold]] result<std::span<const std::byte>> fill_slow(std::size_t n);

  // The wrapped reader's window as it last was is [start_, end_), and [start_, pos_) of it has been
  // consumed here. All null: the window is not known.
  const std::byte* pos_ = nullptr;
  const std::byte* end_ = nullptr;
  const std::byte* start_ = nullptr;
  const detail::source_ops* ops_ = &empty_ops;
  detail::erased_object object_;
};

}  // namespace sluice

#endif
