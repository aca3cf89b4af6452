// SPDX-License-Identifier: BSL-1.0
//
// The delimited messages of a reader, as a range.
//
//   messages(r)   messages(r, options)   messages(r, ec)   messages(r, options, ec)
//   r | messages()   r | messages(options)   r | messages(ec)   r | messages(options, ec)
//
//   for (std::span<const std::byte> message : file | messages()) ...
//
#ifndef SLUICE_CODEC_MESSAGES_HPP
#define SLUICE_CODEC_MESSAGES_HPP

#include <sluice/codec/delimited.hpp>
#include <sluice/detail/adaptor.hpp>

#include <iterator>
#include <ranges>

namespace sluice {

/// The messages that a `delimited_reader` gives, one after the other, each valid until the iterator moves on.
///
/// `begin()` and the increment take the next one, whether it will be looked at or not; `begin()` again goes on behind
/// the last. Where that fails they throw `std::system_error`, or, in the form with `std::error_code&`, set it and
/// arrive at the end; a clean end leaves it zero. After an error that passes, `begin()` tries again.
///
/// An input range and a view of the standard library, as movable as `R`. Moving it invalidates its iterators.
template <reader R>
class messages_view : public std::ranges::view_base {
 public:
  class iterator;

  messages_view(R&& r, const delimited_options& options, std::error_code* error = nullptr)
      : reader_(std::forward<R>(r), options), error_(error) {}

  iterator begin() {
    if (error_) error_->clear();
    step();
    return iterator(*this);
  }
  std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

  /// As of delimited_reader.
  auto& inner() noexcept { return reader_.inner(); }

 private:
  void step() {
    message_.reset();
    const auto next = reader_.next();
    if (next)
      message_ = *next;
    else if (error_)
      *error_ = next.error();
    else
      detail::throw_system_error(next.error());
  }

  delimited_reader<R> reader_;
  std::error_code* error_;
  std::optional<std::span<const std::byte>> message_;
};

/// An input iterator: a message is gone when it moves on.
template <reader R>
class messages_view<R>::iterator {
 public:
  using value_type = std::span<const std::byte>;
  using difference_type = std::ptrdiff_t;

  value_type operator*() const noexcept { return *view_->message_; }
  iterator& operator++() {
    view_->step();
    return *this;
  }
  void operator++(int) { view_->step(); }

  bool operator==(std::default_sentinel_t) const noexcept { return !view_->message_; }

 private:
  friend messages_view;
  explicit iterator(messages_view& view) noexcept : view_(&view) {}

  messages_view* view_;
};

namespace detail {

class messages_fn {
  static auto adaptor(delimited_options options, std::error_code* error) {
    return closure([options, error]<reader R>(R&& r) { return messages_view<R>(std::forward<R>(r), options, error); });
  }

 public:
  template <reader R>
  auto operator()(R&& r, delimited_options options = {}) const {
    return messages_view<R>(std::forward<R>(r), options);
  }
  template <reader R>
  auto operator()(R&& r, std::error_code& error) const {
    return messages_view<R>(std::forward<R>(r), {}, &error);
  }
  template <reader R>
  auto operator()(R&& r, delimited_options options, std::error_code& error) const {
    return messages_view<R>(std::forward<R>(r), options, &error);
  }

  auto operator()(delimited_options options = {}) const { return adaptor(options, nullptr); }
  auto operator()(std::error_code& error) const { return adaptor({}, &error); }
  auto operator()(delimited_options options, std::error_code& error) const { return adaptor(options, &error); }
};

}  // namespace detail

/// The delimited messages of `r` as `std::span<const std::byte>`s, in its buffer where they fit that.
inline constexpr detail::messages_fn messages{};

}  // namespace sluice

#endif
