// SPDX-License-Identifier: BSL-1.0
//
// Shows every byte that passes through a stream to a function.
//
//   template <class S, class F> class inspect_stream;      // S: a reader or a writer
//   inspect(s, fn)      s | inspect(fn)                    // fn(std::span<const std::byte>)
//
#ifndef SLUICE_ADAPTOR_INSPECT_HPP
#define SLUICE_ADAPTOR_INSPECT_HPP

#include <sluice/detail/observed_stream.hpp>

namespace sluice {

namespace detail {

template <class F>
struct inspector {
  held<F> fn;

  void seen(std::span<const std::byte> bytes) { fn.get()(bytes); }
};

template <class F>
concept inspecting = std::invocable<std::remove_reference_t<F>&, std::span<const std::byte>>;

}  // namespace detail

/// Calls a function with each piece that a reader delivers or a writer accepts: in order, each byte once, bytes that
/// are only buffered when they are consumed or committed. The span is valid during the call. The function must not
/// throw where the stream is buffered, as consuming and committing cannot fail.
///
/// The result is as capable as `S`, without what lets bytes pass unseen: it has no kernel endpoint, and neither skips
/// nor seeks. `S` and `F` are types held by value, or references.
template <detail::stream S, detail::inspecting F>
class inspect_stream : public detail::observed_stream<S, detail::inspector<F>> {
 public:
  constexpr inspect_stream(S&& inner, F&& fn)
      : detail::observed_stream<S, detail::inspector<F>>(std::forward<S>(inner),
                                                         {detail::held<F>(std::forward<F>(fn))}) {}
};

template <class S, class F>
inspect_stream(S&&, F&&) -> inspect_stream<S, F>;

namespace detail {

struct inspect_fn {
  template <stream S, inspecting F>
  constexpr inspect_stream<S, F> operator()(S&& s, F&& fn) const {
    return {std::forward<S>(s), std::forward<F>(fn)};
  }

  template <inspecting F>
  constexpr auto operator()(F&& fn) const {
    return closure(bound<inspect_fn, F>{held<F>(std::forward<F>(fn))});
  }
};

}  // namespace detail

/// `inspect(s, fn)` and `s | inspect(fn)`: `s`, with `fn` seeing what passes, as an `inspect_stream`.
inline constexpr detail::inspect_fn inspect{};

}  // namespace sluice

#endif
