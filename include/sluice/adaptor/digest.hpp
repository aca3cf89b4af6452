// SPDX-License-Identifier: BSL-1.0
//
// Computes a checksum or a hash of what passes through a stream.
//
//   template <class H> concept hasher;                     // h.update(std::span<const std::byte>), h.value()
//   template <class S, class H> class digest_stream;       // S: a reader or a writer
//   digest(s, h)      s | digest(h)
//
#ifndef SLUICE_ADAPTOR_DIGEST_HPP
#define SLUICE_ADAPTOR_DIGEST_HPP

#include <sluice/detail/observed_stream.hpp>

namespace sluice {

/// Takes bytes piece by piece; the value depends on the bytes alone and not on the pieces, and may be asked for at any
/// time.
template <class H>
concept hasher = requires(std::remove_reference_t<H>& h, std::span<const std::byte> b) {
  h.update(b);
  h.value();
};

namespace detail {

template <class H>
struct hash_observer {
  held<H> hash;

  void seen(std::span<const std::byte> bytes) { hash.get().update(bytes); }
};

}  // namespace detail

/// Feeds a hasher with what a reader delivers or a writer accepts: in order, each byte once, bytes that are only
/// buffered when they are consumed or committed.
///
/// The result is as capable as `S`, without what lets bytes pass unseen: it has no kernel endpoint, and neither skips
/// nor seeks. `S` and `H` are types held by value, or references. A hasher whose `update` throws ends the program where
/// the stream is buffered, as consuming and committing cannot fail.
template <detail::stream S, hasher H>
class digest_stream : public detail::observed_stream<S, detail::hash_observer<H>> {
 public:
  constexpr digest_stream(S&& inner, H&& hash)
      : detail::observed_stream<S, detail::hash_observer<H>>(std::forward<S>(inner),
                                                             {detail::held<H>(std::forward<H>(hash))}) {}

  /// The hasher, which has seen every byte that has passed.
  constexpr std::remove_reference_t<H>& hash() noexcept { return this->observer().hash.get(); }

  /// The hasher's value of all that has passed so far.
  constexpr auto value() { return hash().value(); }
};

template <class S, class H>
digest_stream(S&&, H&&) -> digest_stream<S, H>;

namespace detail {

struct digest_fn {
  template <stream S, hasher H>
  constexpr digest_stream<S, H> operator()(S&& s, H&& hash) const {
    return {std::forward<S>(s), std::forward<H>(hash)};
  }

  template <hasher H>
  constexpr auto operator()(H&& hash) const {
    return closure(bound<digest_fn, H>{held<H>(std::forward<H>(hash))});
  }
};

}  // namespace detail

/// `digest(s, h)` and `s | digest(h)`: `s`, with the hasher `h` fed by what passes, as a `digest_stream`.
inline constexpr detail::digest_fn digest{};

}  // namespace sluice

#endif
