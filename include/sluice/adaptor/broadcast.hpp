// SPDX-License-Identifier: BSL-1.0
//
// One stream of bytes to several writers.
//
//   enum class broadcast_policy { stop_at_failure, drop_failing };
//   struct broadcast_options { broadcast_policy on_failure; };
//   template <writer... Ws> class broadcast_writer;
//   broadcast(w1, w2, ...)      broadcast({.on_failure = ...}, w1, w2, ...)      w1 | broadcast(w2, ...)
//
#ifndef SLUICE_ADAPTOR_BROADCAST_HPP
#define SLUICE_ADAPTOR_BROADCAST_HPP

#include <sluice/detail/observed_stream.hpp>
#include <sluice/detail/would_block.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace sluice {

/// What becomes of a broadcast when one of its writers fails.
enum class broadcast_policy : unsigned char {
  stop_at_failure,  ///< the first writer that fails ends the write; the next write tries that writer again
  drop_failing,     ///< a writer that fails gets nothing more; the write fails when none is left
};

/// What a broadcast does with a writer that fails.
struct broadcast_options {
  broadcast_policy on_failure = broadcast_policy::stop_at_failure;  ///< the write fails, or goes on without it
};

/// Gives each byte to every writer. What it accepts is what all of them have; one that is ahead of the others is given
/// only what it has not had yet, when the caller offers the rest again. So after a short write or an error, the caller
/// goes on with the bytes that follow the accepted ones, as with any writer.
///
/// A writer that would block has not failed: it is never dropped. There is no kernel endpoint, since one descriptor is
/// not several, and no buffer of its own. The writers are types held by value, or references.
template <writer... Ws>
  requires(sizeof...(Ws) != 0)
class broadcast_writer {
  static constexpr std::size_t count = sizeof...(Ws);

 public:
  /// Writes to each of them; an lvalue is referred to, an rvalue is owned.
  constexpr explicit broadcast_writer(broadcast_options options, Ws&&... writers)
      : writers_(detail::held<Ws>(std::forward<Ws>(writers))...), options_(options) {}

  /// One write to each writer that lacks some of `b`; returns how much of `b` all of them have now. Errors: a writer's,
  /// `write_zero` included, told by the next call where bytes were accepted in this one; see `error(i)`.
  result<std::size_t> write_some(std::span<const std::byte> b) {
    const const_buffer whole(b);
    return write_pieces(std::span(&whole, 1));
  }

  result<std::size_t> write_some(std::span<const const_buffer> pieces)
    requires(vectored_writer<Ws> && ...)
  {
    return write_pieces(pieces);
  }

  /// Flushes the writers that are left, one after the other; with `stop_at_failure` no further than the first that
  /// fails. Errors: a writer's, of which `drop_failing` tells the last one only when none is left.
  [[nodiscard]] result<void> flush() {
    const std::error_code failure = each([](auto& w, account&) {
      const result<void> flushed = flush_one(w);
      return flushed ? std::error_code() : flushed.error();
    });
    if (failure) return fail(failure);
    return {};
  }

  /// What the `i`-th writer has accepted, in bytes.
  constexpr std::uintmax_t accepted(std::size_t i) const noexcept { return accounts_[i].accepted; }

  /// What all writers that are left have accepted.
  constexpr std::uintmax_t accepted() const noexcept { return accepted_; }

  /// The `i`-th writer's error in the last call that came to it; none where that succeeded, or had nothing new for it.
  /// For good if it was dropped.
  constexpr std::error_code error(std::size_t i) const noexcept { return accounts_[i].error; }

  /// Whether writer i has failed for good, and gets nothing more.
  constexpr bool is_dropped(std::size_t i) const noexcept { return accounts_[i].dropped; }

  /// Writer I.
  template <std::size_t I>
  constexpr auto& target() noexcept {
    return std::get<I>(writers_).get();
  }

  /// `w | broadcast(w2, ...)` is `broadcast(w, w2, ...)`, under the same policy.
  template <writer W>
  friend constexpr auto operator|(W&& first, broadcast_writer&& rest) {
    return std::apply(
        [&](auto&... others) {
          return broadcast_writer<W, Ws...>(rest.options_, std::forward<W>(first),
                                            static_cast<Ws&&>(others.release())...);
        },
        rest.writers_);
  }

 private:
  struct account {
    std::uintmax_t accepted = 0;
    std::error_code error = {};
    bool dropped = false;
  };

  // Calls `use(writer, account)`, which returns an error or none, for each writer that is left, as long as the policy
  // lets it; returns the error that stands in the way of going on.
  template <class F>
  std::error_code each(F use) {
    const bool drop = options_.on_failure == broadcast_policy::drop_failing;
    std::error_code failure;
    std::size_t left = 0;
    const auto one = [&](auto& w, account& a) {
      if (a.dropped) return true;
      a.error = use(w, a);
      a.dropped = a.error && drop && !detail::would_block_error(a.error);
      left += a.dropped ? 0 : 1;
      if (a.error && !a.dropped) failure = a.error;
      return drop || !a.error;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (one(target<I>(), accounts_[I]) && ...);
    }(std::index_sequence_for<Ws...>());
    return left == 0 ? accounts_.back().error : failure;
  }

  result<std::size_t> write_pieces(std::span<const const_buffer> pieces) {
    const std::size_t size = detail::cpo::total_size(pieces);
    if (size == 0) return size;
    if (untold_) return fail(std::exchange(untold_, {}));
    const std::error_code failure = each([&](auto& w, account& a) { return offer(w, a, pieces, size); });
    std::uintmax_t common = size;
    bool any = false;
    for (const account& a : accounts_) {
      if (a.dropped) continue;
      any = true;
      common = std::min(common, a.accepted - accepted_);
    }
    if (!any || common == 0) return fail(failure);
    accepted_ += common;
    untold_ = failure;
    return static_cast<std::size_t>(common);
  }

  template <class W>
  static result<void> flush_one(W& w) {
    if constexpr (detail::flushable<W>) return sluice::flush(w);
    return {};
  }

  // What the writer has not had yet.
  template <class W>
  std::error_code offer(W& w, account& a, std::span<const const_buffer> pieces, std::size_t size) {
    const std::uintmax_t lead = a.accepted - accepted_;
    if (lead >= size) return {};
    const result<std::size_t> n = write_after(w, pieces, static_cast<std::size_t>(lead));
    if (!n) return n.error();
    if (*n == 0) return make_error_code(io_errc::write_zero);
    a.accepted += *n;
    return {};
  }

  template <class W>
  static result<std::size_t> write_after(W& w, std::span<const const_buffer> pieces, std::size_t lead) {
    if constexpr (vectored_writer<W>) {
      if (lead == 0 && pieces.size() > 1) return sluice::write_some(w, pieces);
    }
    while (lead >= pieces.front().size) {
      lead -= pieces.front().size;
      pieces = pieces.subspan(1);
    }
    return sluice::write_some(w, std::span(pieces.front().data, pieces.front().size).subspan(lead));
  }

  std::tuple<detail::held<Ws>...> writers_;
  broadcast_options options_;
  std::array<account, count> accounts_{};
  std::uintmax_t accepted_ = 0;
  std::error_code untold_ = {};  // the failure behind the last short write
};

namespace detail {

struct broadcast_fn {
  template <writer... Ws>
  constexpr broadcast_writer<Ws...> operator()(Ws&&... writers) const {
    return broadcast_writer<Ws...>({}, std::forward<Ws>(writers)...);
  }

  template <writer... Ws>
  constexpr broadcast_writer<Ws...> operator()(broadcast_options options, Ws&&... writers) const {
    return broadcast_writer<Ws...>(options, std::forward<Ws>(writers)...);
  }
};

}  // namespace detail

/// `broadcast(w1, w2, ...)` and `w1 | broadcast(w2, ...)`: all of them at once, as a `broadcast_writer`.
inline constexpr detail::broadcast_fn broadcast{};

}  // namespace sluice

#endif
