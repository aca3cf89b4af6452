// SPDX-License-Identifier: BSL-1.0
//
// The second form of an adaptor of your own: `r | mine(n)` beside `mine(r, n)`.
//
//   adaptor_closure(f)      // stream | adaptor_closure(f)  is  f(stream)
//
#ifndef SLUICE_ADAPTOR_CLOSURE_HPP
#define SLUICE_ADAPTOR_CLOSURE_HPP

#include <sluice/detail/adaptor.hpp>

namespace sluice {

/// Makes `stream | adaptor_closure(f)` call `f` with the stream, as the lvalue or rvalue that it is, and be what that
/// returns. Two of them, or one and an adaptor of the library, compose: `a | b` applies `a`, then `b`. Only streams
/// that `f` takes are taken. `f` is copied or moved into the closure and is called as a const lvalue, or as an rvalue
/// where the closure is one: then it may give up what it has captured.
template <class F>
constexpr auto adaptor_closure(F f) {
  return detail::closure(std::move(f));
}

}  // namespace sluice

#endif
