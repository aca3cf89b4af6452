// SPDX-License-Identifier: BSL-1.0
//
// A reader over a range.
//
//   template <std::ranges::input_range V> class range_reader;
//   from_range(range)     of bytes or chars, or of pieces of these: strings, spans
//
#ifndef SLUICE_VIEW_FROM_RANGE_HPP
#define SLUICE_VIEW_FROM_RANGE_HPP

#include <sluice/concepts.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <ranges>

namespace sluice {

namespace detail {

template <class T>
concept byte_like = std::same_as<std::remove_cv_t<T>, std::byte> || std::same_as<std::remove_cv_t<T>, char> ||
                    std::same_as<std::remove_cv_t<T>, unsigned char> || std::same_as<std::remove_cv_t<T>, char8_t>;

template <class V>
concept range_of_bytes = std::ranges::input_range<V> && byte_like<std::ranges::range_value_t<V>>;

template <class V>
concept bytes_in_place = range_of_bytes<V> && std::ranges::contiguous_range<V> && std::ranges::sized_range<V>;

template <class V>
concept range_of_pieces = std::ranges::input_range<V> && bytes_in_place<std::ranges::range_reference_t<V>>;

template <bytes_in_place P>
std::span<const std::byte> bytes_of(P&& piece) noexcept {
  return std::as_bytes(std::span(std::ranges::data(piece), std::ranges::size(piece)));
}

/// What an iterator delivered: a reference as a pointer, a value by value.
template <class Reference>
class kept_piece {
 public:
  void keep(Reference&& piece) { piece_.emplace(std::move(piece)); }
  std::span<const std::byte> bytes() const noexcept { return bytes_of(*piece_); }

 private:
  std::optional<std::remove_cvref_t<Reference>> piece_;
};

template <class T>
class kept_piece<T&> {
 public:
  void keep(T& piece) noexcept { piece_ = std::addressof(piece); }
  std::span<const std::byte> bytes() const noexcept { return bytes_of(*piece_); }

 private:
  T* piece_ = nullptr;
};

}  // namespace detail

/// Reads the bytes of a range of bytes or of pieces. `V` is a view; see `from_range`. May be moved until it was read.
///
/// A `std::system_error` that the range throws, as the views of this library do, is an error of the reader, told after
/// the bytes before it; behind it the reader is at its end. Other exceptions pass through.
template <std::ranges::input_range V>
class range_reader {
  static constexpr bool of_pieces = detail::range_of_pieces<V>;
  struct no_piece {};

 public:
  /// Owns the range, or the view of one.
  explicit range_reader(V range) : range_(std::move(range)) {}

  /// Copies until `b` is full or the range ends.
  result<std::size_t> read_some(std::span<std::byte> b) {
    if (b.empty()) return std::size_t{0};
    if (error_) return fail(std::exchange(error_, {}));
    std::size_t done = 0;
    try {
      while (done != b.size() && ready()) done += take(b.subspan(done));
    } catch (const std::system_error& e) {
      ended_ = true;
      if (done == 0) return fail(e.code());
      error_ = e.code();
    }
    return done;
  }

 private:
  /// Whether there is something to take.
  bool ready() {
    if constexpr (of_pieces) {
      while (offset_ == size_) {
        if (!step()) return false;
        piece_.keep(**at_);
        size_ = piece_.bytes().size();
        offset_ = 0;
      }
      return true;
    } else {
      return step();
    }
  }

  /// To the next element, the first time to the first. Where this throws, it was the last step.
  bool step() {
    if (std::exchange(ended_, true)) return false;
    if (at_)
      ++*at_;
    else
      at_.emplace(std::ranges::begin(range_));
    ended_ = *at_ == std::ranges::end(range_);
    return !ended_;
  }

  std::size_t take(std::span<std::byte> b) {
    if constexpr (of_pieces) {
      const std::size_t n = std::min(size_ - offset_, b.size());
      std::memcpy(b.data(), piece_.bytes().data() + offset_, n);
      offset_ += n;
      return n;
    } else {
      b.front() = static_cast<std::byte>(**at_);
      return 1;
    }
  }

  V range_;
  std::optional<std::ranges::iterator_t<V>> at_;
  std::conditional_t<of_pieces, detail::kept_piece<std::ranges::range_reference_t<V>>, no_piece> piece_;
  std::size_t size_ = 0;  // of the piece
  std::size_t offset_ = 0;
  bool ended_ = false;
  std::error_code error_;
};

/// Bytes that lie together are read in place.
template <detail::bytes_in_place V>
class range_reader<V> {
 public:
  static constexpr bool in_memory = true;

  /// Owns the range, or the view of one.
  explicit range_reader(V range) : range_(std::move(range)) {}

  result<std::size_t> read_some(std::span<std::byte> b) {
    const auto rest = buffered();
    const std::size_t n = std::min(b.size(), rest.size());
    if (n != 0) std::memcpy(b.data(), rest.data(), n);
    offset_ += n;
    return n;
  }

  std::span<const std::byte> buffered() noexcept { return detail::bytes_of(range_).subspan(offset_); }
  result<std::span<const std::byte>> fill(std::size_t /*n*/) noexcept { return buffered(); }
  void consume(std::size_t n) noexcept { offset_ += n; }
  std::optional<std::uintmax_t> size_hint() noexcept { return buffered().size(); }

 private:
  V range_;
  std::size_t offset_ = 0;
};

/// A reader over a range of bytes (`std::byte`, `char`, `unsigned char`, `char8_t`), or of pieces of these, each a
/// contiguous range: strings, spans. Each byte is copied once, straight to where it is wanted; a contiguous range of
/// bytes is an in-memory reader, and not copied at all. An lvalue range is referred to, an rvalue is owned.
template <std::ranges::viewable_range Range>
  requires detail::range_of_bytes<Range> || detail::range_of_pieces<Range>
auto from_range(Range&& range) {
  return range_reader<std::views::all_t<Range>>(std::views::all(std::forward<Range>(range)));
}

}  // namespace sluice

#endif
