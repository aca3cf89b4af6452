// SPDX-License-Identifier: BSL-1.0
//
// Records as a range.
//
//   records(r)   records(r, options)   records(r, ec)   records(r, options, ec)      RecordIO of a reader
//   r | records()   and so on
//   records(f)   records(f, ec)                                                      of a record_reader
//
//   for (std::span<const std::byte> record : file | records()) ...
//
#ifndef SLUICE_CODEC_RECORDIO_RECORDS_HPP
#define SLUICE_CODEC_RECORDIO_RECORDS_HPP

#include <sluice/codec/recordio/reader.hpp>
#include <sluice/detail/adaptor.hpp>

#include <iterator>
#include <ranges>

namespace sluice {

/// The records of `R`, one after the other: an input range. An element is valid until the iterator moves on.
///
/// `begin()` and the increment read. Where that fails they throw `std::system_error`, or, in the form with
/// `std::error_code&`, set it and arrive at the end; a clean end leaves it zero. `begin()` goes on with the next
/// record. Moving a view invalidates its iterators.
template <record_reader R>
class records_view : public std::ranges::view_base {
 public:
  class iterator;

  explicit records_view(R&& from, std::error_code* error = nullptr) : from_(std::forward<R>(from)), error_(error) {}

  iterator begin() {
    if (error_) error_->clear();
    step();
    return iterator(*this);
  }

  std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// The reader of the records, with its report.
  auto& base() noexcept { return from_.get(); }

 private:
  void step() {
    if constexpr (detail::ready_record_reader<R>) {
      if (from_.get().try_next(current_)) [[likely]]
        return;
    }
    next_record next = from_.get().next();
    at_end_ = !next || !*next;
    if (!at_end_) {
      current_ = **next;
    } else if (!next) {
      if (!error_) detail::throw_system_error(next.error());
      *error_ = next.error();
    }
  }

  detail::held<R> from_;
  std::error_code* error_;
  std::span<const std::byte> current_;
  bool at_end_ = false;
};

/// An input iterator: a record is gone when it moves on.
template <record_reader R>
class records_view<R>::iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::span<const std::byte>;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = void;

  iterator() = default;

  value_type operator*() const noexcept { return view_->current_; }

  iterator& operator++() {
    view_->step();
    return *this;
  }
  void operator++(int) { view_->step(); }

  bool operator==(std::default_sentinel_t) const noexcept { return view_->at_end_; }

 private:
  friend records_view;
  explicit iterator(records_view& view) noexcept : view_(&view) {}

  records_view* view_ = nullptr;
};

namespace detail {

class records_fn {
  template <reader R>
  static auto view(R&& r, const recordio_options& options, std::error_code* error) {
    return records_view<recordio_reader<R>>(recordio_reader<R>(std::forward<R>(r), options), error);
  }
  static auto adaptor(const recordio_options& options, std::error_code* error) {
    return closure([options, error]<reader R>(R&& r) { return view(std::forward<R>(r), options, error); });
  }

 public:
  template <reader R>
  auto operator()(R&& r, const recordio_options& options = {}) const {
    return view(std::forward<R>(r), options, nullptr);
  }
  template <reader R>
  auto operator()(R&& r, std::error_code& error) const {
    return view(std::forward<R>(r), {}, &error);
  }
  template <reader R>
  auto operator()(R&& r, const recordio_options& options, std::error_code& error) const {
    return view(std::forward<R>(r), options, &error);
  }

  template <record_reader R>
    requires(!reader<R>)
  auto operator()(R&& from) const {
    return records_view<R>(std::forward<R>(from), nullptr);
  }
  template <record_reader R>
    requires(!reader<R>)
  auto operator()(R&& from, std::error_code& error) const {
    return records_view<R>(std::forward<R>(from), &error);
  }

  auto operator()(const recordio_options& options = {}) const { return adaptor(options, nullptr); }
  auto operator()(std::error_code& error) const { return adaptor({}, &error); }
  auto operator()(const recordio_options& options, std::error_code& error) const { return adaptor(options, &error); }
};

}  // namespace detail

/// The records of `r` as `std::span<const std::byte>`, views of their chunks. An unbuffered reader is read in exactly
/// the pieces that the chunks have.
inline constexpr detail::records_fn records{};

}  // namespace sluice

#endif
