// SPDX-License-Identifier: BSL-1.0
//
// What lines, split and chunks have in common: an input range over a buffered reader.
//
//   template <buffered_reader R, class Cursor> class element_view;
//
// A cursor finds the elements: start(source) goes to the first of the reader's window. When the view has consumed that,
// next() goes to the one behind it where it is in sight; where not, find(source) reads. element() is what the range
// delivers, length() how many bytes of the reader it takes up, 0 where there is none. unstarted() is a cursor with the
// same options, which has to be started.
//
#ifndef SLUICE_VIEW_DETAIL_ELEMENT_VIEW_HPP
#define SLUICE_VIEW_DETAIL_ELEMENT_VIEW_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/source_ops.hpp>

#include <range/v3/range_fwd.hpp>

#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>

namespace sluice::detail {

/// As `held`; but a reference may still be missing, since range-v3 asks its views for a default constructor.
template <class S>
class viewed : public held<S> {
 public:
  using held<S>::held;
  static constexpr bool exists() noexcept { return true; }
};

template <class S>
class viewed<S&> {
 public:
  viewed() = default;
  explicit viewed(S& stream) noexcept : stream_(std::addressof(stream)) {}

  S& get() const noexcept { return *stream_; }
  bool exists() const noexcept { return stream_ != nullptr; }

 private:
  S* stream_ = nullptr;
};

/// The elements of a reader, one after the other, in place: each lies in the reader's buffer and is valid until the
/// iterator moves on.
///
/// The reader belongs to the view as long as that lives. Once the view is gone, or at its end, the reader stands right
/// behind the last element that was delivered, that is, whose iterator was dereferenced or incremented: so a loop may
/// stop early and somebody else go on. An element that was only found stays in the reader. `begin()` goes on there,
/// too.
///
/// `begin()` and the increment read, as little as they can. Where that fails they throw `std::system_error`, or, in
/// the form with `std::error_code&`, set it and arrive at the end; a clean end leaves it zero. The reader then stands
/// at the beginning of the element that was not complete, and `begin()` tries again.
///
/// `R` is a reader type, held by value, or a reference to one. A view that refers is copyable, hence a view to range-v3
/// also; a copy begins where the reader stands. One that owns is as movable as its reader; range-v3 takes it as an
/// lvalue. Moving a view invalidates its iterators.
template <buffered_reader R, class Cursor>
class element_view : public std::ranges::view_base, public ::ranges::view_base {
 public:
  class iterator;

  /// An empty range.
  element_view() = default;

  element_view(R&& reader, Cursor cursor, std::error_code* error = nullptr)
      : reader_(std::forward<R>(reader)), cursor_(cursor), error_(error) {}

  element_view(const element_view& other)
    requires std::copy_constructible<viewed<R>>
      : reader_(other.reader_), cursor_(other.cursor_.unstarted()), error_(other.error_) {}

  element_view(element_view&& other) noexcept
      : reader_(std::move(other.reader_)),
        cursor_(std::exchange(other.cursor_, other.cursor_.unstarted())),
        error_(other.error_),
        delivered_(std::exchange(other.delivered_, false)) {}

  element_view& operator=(element_view other) noexcept {
    std::swap(reader_, other.reader_);
    std::swap(cursor_, other.cursor_);
    std::swap(error_, other.error_);
    std::swap(delivered_, other.delivered_);
    return *this;
  }

  ~element_view() { leave(); }

  iterator begin() {
    leave();
    if (error_) error_->clear();
    if (reader_.exists()) check(cursor_.start(source()));
    return iterator(*this);
  }

  std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// The reader, or the buffer that was put before it. It stands behind the last element that was consumed.
  std::remove_reference_t<R>& inner() noexcept { return reader_.get(); }

 private:
  source_ref source() noexcept { return as_source(reader_.get()); }

  void leave() noexcept {
    if (std::exchange(delivered_, false)) sluice::consume(reader_.get(), cursor_.length());
    cursor_ = cursor_.unstarted();
  }

  void step() {
    sluice::consume(reader_.get(), cursor_.length());
    delivered_ = false;
    if (!cursor_.next()) [[unlikely]]
      check(cursor_.find(source()));
  }

  void check(const result<void>& found) {
    if (found) return;
    if (!error_) throw_system_error(found.error());
    *error_ = found.error();
  }

  viewed<R> reader_;
  Cursor cursor_;
  std::error_code* error_ = nullptr;
  bool delivered_ = false;  // the current element
};

template <buffered_reader R, class Cursor>
class element_view<R, Cursor>::iterator {
 public:
  // The five types of old, without which range-v3 cannot count along.
  using iterator_category = std::input_iterator_tag;
  using value_type = typename Cursor::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = void;

  iterator() = default;

  value_type operator*() const noexcept {
    view_->delivered_ = true;
    return view_->cursor_.element();
  }

  iterator& operator++() {
    view_->step();
    return *this;
  }
  void operator++(int) { view_->step(); }

  bool operator==(std::default_sentinel_t) const noexcept { return view_->cursor_.length() == 0; }

 private:
  friend element_view;
  explicit iterator(element_view& view) noexcept : view_(&view) {}

  element_view* view_ = nullptr;
};

/// The view of `r`: itself where it is buffered, else behind a buffer.
template <class Cursor, reader R>
auto view_elements(R&& r, Cursor cursor, buffer_capacity capacity, std::error_code* error) {
  if constexpr (buffered_reader<R>)
    return element_view<R, Cursor>(std::forward<R>(r), cursor, error);
  else
    return element_view<buf_reader<R>, Cursor>(buf_reader<R>(std::forward<R>(r), capacity), cursor, error);
}

}  // namespace sluice::detail

#endif
