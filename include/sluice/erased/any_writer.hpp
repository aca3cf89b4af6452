// SPDX-License-Identifier: BSL-1.0
//
// A writer of any type, behind one type.
//
//   class any_writer;
//
//   any_writer out{file};                 // an lvalue is referred to
//   any_writer out{std::move(file)};      // an rvalue is owned
//   void render(any_writer& out);         // compiled once
//
#ifndef SLUICE_ERASED_ANY_WRITER_HPP
#define SLUICE_ERASED_ANY_WRITER_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/erased_object.hpp>
#include <sluice/detail/sink_ops.hpp>

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

/// Owns a writer of any type, or refers to one. Models vectored_writer, seekable and kernel_writer;
/// what the wrapped writer cannot do shows when it is asked for. It adds no buffer, so whether
/// there is one is not known from the type: `flush` passes on what the wrapped writer holds, if
/// anything. Move only; owned writers of up to six pointers are kept inside, larger ones on the
/// heap.
///
/// Where the wrapped writer has a buffer, the free part of it is mirrored here, so that small
/// writes cost no indirect call. The wrapped writer is told what was written before any other call
/// reaches it, when the handle is moved or destroyed, and by `sync`, which is needed before the
/// wrapped writer is used directly.
///
/// An empty handle (default constructed or moved from) fails with `std::errc::bad_file_descriptor`,
/// but for `flush` and `close`, which have nothing to do.
class any_writer {
 public:
  /// An empty handle.
  any_writer() noexcept = default;

  /// Wraps `w`. Allocates for a large rvalue.
  template <class W>
    requires(!std::same_as<std::remove_cvref_t<W>, any_writer>) && writer<W>
  any_writer(W&& w) {
    using type = std::remove_reference_t<W>;
    if constexpr (std::is_lvalue_reference_v<W>)
      object_.refer(std::addressof(w));
    else
      object_.emplace<type>(std::move(w));
    ops_ = &detail::sink_ops_for<type>;
    if constexpr (requires {
                    { w.close() } -> std::same_as<result<void>>;
                  })
      close_ = [](void* object) { return static_cast<type*>(object)->close(); };
  }

  any_writer(any_writer&& other) noexcept { take(other); }

  /// Destroys the writer that was owned before, whose destructor may flush; close it to learn of
  /// errors.
  any_writer& operator=(any_writer&& other) noexcept;
  ~any_writer() { sync(); }

  /// Whether there is a writer.
  explicit operator bool() const noexcept { return object_.get() != nullptr; }

  /// As the wrapped writer. Errors: the wrapped writer's.
  result<std::size_t> write_some(std::span<const std::byte> b) {
    if (b.size() < room() && !b.empty()) [[likely]] {
      std::memcpy(pos_, b.data(), b.size());
      pos_ += b.size();
      return b.size();
    }
    return write_some_slow(b);
  }

  /// The same from several pieces, by one call of the wrapped writer where that is vectored.
  result<std::size_t> write_some(std::span<const const_buffer> pieces);

  /// What is mirrored of the wrapped writer's buffer, and free: for bytes that are then committed. Empty where there
  /// is no buffer, or it has not been looked at since the last call of the wrapped writer.
  std::span<std::byte> free_space() const noexcept { return {pos_, end_}; }
  void commit(std::size_t n) noexcept { pos_ += n; }

  /// Passes on what the wrapped writer holds. Errors: the wrapped writer's.
  [[nodiscard]] result<void> flush();

  /// Closes the wrapped writer where it can be closed, flushes it where not. Errors: the wrapped
  /// writer's.
  [[nodiscard]] result<void> close();

  /// As the wrapped writer. Errors: the wrapped writer's; `unsupported`, with nothing moved, where it cannot seek.
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin);
  result<std::uintmax_t> position();

  std::optional<fd_endpoint> kernel_endpoint();
  void kernel_advanced(std::uintmax_t n);

  /// Tells the wrapped writer what was written, after which it may be used directly until this
  /// handle is used again.
  void sync() noexcept {
    if (pos_ != start_) tell();
    start_ = pos_ = end_ = nullptr;
  }

  /// The wrapped writer, for algorithms that are compiled once. Synchronised, as by `sync`.
  detail::sink_ref erased_sink() noexcept {
    sync();
    return {object_.get(), ops_};
  }

 private:
  static const detail::sink_ops empty_ops;

  std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - pos_); }

  void tell() noexcept;
  /// Whether `n` bytes have room in the wrapped writer's buffer, which is then mirrored.
  result<bool> make_room(std::size_t n);
  void put(const_buffer piece) noexcept;
  void take(any_writer& other) noexcept;
  [[gnu::cold]] result<std::size_t> write_some_slow(std::span<const std::byte> b);

  // What the wrapped writer has prepared is [start_, end_), and [start_, pos_) of it is written and
  // not committed. All null: nothing is prepared.
  std::byte* pos_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* start_ = nullptr;
  const detail::sink_ops* ops_ = &empty_ops;
  result<void> (*close_)(void*) = nullptr;
  detail::erased_object object_;
};

}  // namespace sluice

#endif
