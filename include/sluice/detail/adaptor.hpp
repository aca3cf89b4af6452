// SPDX-License-Identifier: BSL-1.0
//
// What makes `stream | limit(n)` work: an adaptor whose stream is still to come.
//
//   template <class F> class closure;   // closure([n]<reader R>(R&& r) { return ...; })
//
//   stream | closure     calls the function with the stream, as lvalue or rvalue
//   closure | closure    one closure that applies the left one first
//
#ifndef SLUICE_DETAIL_ADAPTOR_HPP
#define SLUICE_DETAIL_ADAPTOR_HPP

#include <sluice/concepts.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sluice::detail {

/// What may stand at the left end of a pipeline. A const stream is none, as reading changes it.
template <class S>
concept stream = reader<S> || writer<S>;

template <class F>
class closure {
 public:
  constexpr explicit closure(F adapt) noexcept(std::is_nothrow_move_constructible_v<F>) : adapt_(std::move(adapt)) {}

  template <stream S>
    requires std::invocable<const F&, S>
  friend constexpr auto operator|(S&& s, const closure& c) {
    return c.adapt_(std::forward<S>(s));
  }

  // A closure that is used once gives up what it captured, such as the writer of a tee.
  template <stream S>
    requires std::invocable<F, S>
  friend constexpr auto operator|(S&& s, closure&& c) {
    return std::move(c.adapt_)(std::forward<S>(s));
  }

  constexpr const F& function() const& noexcept { return adapt_; }
  constexpr F&& function() && noexcept { return std::move(adapt_); }

 private:
  [[no_unique_address]] F adapt_;
};

/// Applies `First`, then `Second` to what comes out.
template <class First, class Second>
struct composed {
  [[no_unique_address]] First first;
  [[no_unique_address]] Second second;

  template <class S>
    requires std::invocable<const First&, S> && std::invocable<const Second&, std::invoke_result_t<const First&, S>>
  constexpr auto operator()(S&& s) const& {
    return second(first(std::forward<S>(s)));
  }

  template <class S>
    requires std::invocable<First, S> && std::invocable<Second, std::invoke_result_t<First, S>>
  constexpr auto operator()(S&& s) && {
    return std::move(second)(std::move(first)(std::forward<S>(s)));
  }
};

template <class T>
inline constexpr bool is_closure = false;
template <class F>
inline constexpr bool is_closure<closure<F>> = true;

template <class A, class B>
  requires is_closure<std::remove_cvref_t<A>> && is_closure<std::remove_cvref_t<B>>
constexpr auto operator|(A&& a, B&& b) {
  using first = std::remove_cvref_t<decltype(std::forward<A>(a).function())>;
  using second = std::remove_cvref_t<decltype(std::forward<B>(b).function())>;
  return closure(composed<first, second>{std::forward<A>(a).function(), std::forward<B>(b).function()});
}

}  // namespace sluice::detail

#endif
