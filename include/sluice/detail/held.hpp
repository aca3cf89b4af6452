// SPDX-License-Identifier: BSL-1.0
//
// How an adaptor holds the stream that it wraps: an lvalue by reference, an rvalue by value.
//
//   template <class S> class held;      // held<file> owns, held<file&> refers; both can be moved and assigned
//
#ifndef SLUICE_DETAIL_HELD_HPP
#define SLUICE_DETAIL_HELD_HPP

#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

template <class S>
class held {
 public:
  constexpr explicit held(S&& stream) noexcept(std::is_nothrow_move_constructible_v<S>) : stream_(std::move(stream)) {}

  constexpr S& get() noexcept { return stream_; }
  constexpr const S& get() const noexcept { return stream_; }
  constexpr S release() noexcept(std::is_nothrow_move_constructible_v<S>) { return std::move(stream_); }

 private:
  [[no_unique_address]] S stream_;
};

template <class S>
class held<S&> {
 public:
  constexpr explicit held(S& stream) noexcept : stream_(std::addressof(stream)) {}

  constexpr S& get() const noexcept { return *stream_; }
  constexpr S& release() noexcept { return *stream_; }

 private:
  S* stream_;
};

}  // namespace sluice::detail

#endif
