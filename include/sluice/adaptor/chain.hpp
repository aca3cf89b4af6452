// SPDX-License-Identifier: BSL-1.0
//
// Several readers, one after the other, as one.
//
//   template <reader... Rs> class chain_reader;
//   chain(r1, r2, ...)      r1 | chain(r2, ...)
//
#ifndef SLUICE_ADAPTOR_CHAIN_HPP
#define SLUICE_ADAPTOR_CHAIN_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/adaptor.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/source_ops.hpp>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

namespace sluice {

/// Delivers all of the first reader, then all of the next, and ends where the last one ends. A part is left for good
/// when a read finds its end; after the last one's end that part is asked again, as a file may have grown.
///
/// The parts are types held by value, or references, and need have nothing in common. The result is buffered, vectored,
/// skippable or size_hinted if all parts are. It offers the kernel endpoint of the part that it is at, if that has one,
/// so that a copy takes for each part the path that suits it, and keeps their order.
template <reader... Rs>
class chain_reader {
  static constexpr std::size_t count = sizeof...(Rs);

 public:
  /// Reads one after the other; an lvalue is referred to, an rvalue is owned.
  constexpr explicit chain_reader(Rs&&... parts) : parts_(detail::held<Rs>(std::forward<Rs>(parts))...) {}

  /// Reads from one part, or from the next where that has ended. Errors: the part's, which is asked again by the next
  /// call.
  result<std::size_t> read_some(std::span<std::byte> b) {
    if (b.empty()) return std::size_t{0};
    if (!joint().empty()) {
      const std::size_t n = std::min(joint().size(), b.size());
      std::memcpy(b.data(), joint().data(), n);
      drop_joint(n);
      return n;
    }
    return read_on(b);
  }

  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires(count != 0 && (vectored_reader<Rs> && ...))
  {
    if (detail::cpo::total_size(pieces) == 0) return std::size_t{0};
    if (joint().empty()) return read_on(pieces);
    for (const mutable_buffer& piece : pieces)
      if (piece.size != 0) return read_some(std::span(piece.data, piece.size));
    return std::size_t{0};
  }

  /// What the present part has buffered, or the bytes that were joined.
  std::span<const std::byte> buffered() noexcept
    requires(count != 0 && (buffered_reader<Rs> && ...))
  {
    if (!joint().empty()) return joint();
    return at_current([](auto& part) { return sluice::window(part); });
  }

  /// Makes `n` bytes visible, fewer only at the end of the last part. Where they lie on both sides of a border, they
  /// are joined in a buffer, which is made only then; otherwise this is the part's own window. Errors: the part's,
  /// `buffer_too_small` included; what was joined before is kept.
  result<std::span<const std::byte>> fill(std::size_t n)
    requires(count != 0 && (buffered_reader<Rs> && ...))
  {
    while (joint().empty()) {
      const result<std::span<const std::byte>> here = fill_here(n);
      if (!here || here->size() >= n || is_last()) return here;
      if (here->empty())
        ++current_;
      else
        join(*here);
    }
    while (joint().size() < n) {
      const std::size_t missing = n - joint().size();
      const result<std::span<const std::byte>> here = fill_here(missing);
      if (!here) return here;
      if (here->empty() && is_last()) break;
      // As much again as there is, as far as it is there: who asks for a little more each time would have all of it
      // copied each time.
      join(here->first(std::min(here->size(), std::max(missing, joint().size()))));
      if (here->size() < missing && !is_last()) ++current_;
    }
    return joint();
  }

  void consume(std::size_t n) noexcept
    requires(count != 0 && (buffered_reader<Rs> && ...))
  {
    if (!joint().empty()) return drop_joint(n);
    at_current([n](auto& part) { sluice::consume(part, n); });
  }

  /// Moves past up to `n` bytes of one part, or of the next where that has ended; 0 at the end of the last one. Errors:
  /// the part's, with nothing passed.
  result<std::uintmax_t> skip(std::uintmax_t n)
    requires(count != 0 && (skippable<Rs> && ...))
  {
    if (n == 0) return n;
    if (const std::size_t joined = joint().size(); joined != 0) {
      const std::size_t passed = static_cast<std::size_t>(std::min<std::uintmax_t>(n, joined));
      drop_joint(passed);
      return passed;
    }
    for (;;) {
      const result<std::uintmax_t> passed = at_current([n](auto& part) { return detail::cpo::skip_fn{}(part, n); });
      if (!passed || *passed != 0 || is_last()) return passed;
      ++current_;
    }
  }

  /// The sum of what the parts from the present one on have left; nothing where one of them does not know.
  std::optional<std::uintmax_t> size_hint()
    requires(count != 0 && (size_hinted<Rs> && ...))
  {
    return rest_hint(std::index_sequence_for<Rs...>());
  }

  /// The present part's, behind the bytes that were joined; nothing where that part has none.
  std::optional<fd_endpoint> kernel_endpoint()
    requires(kernel_reader<Rs> || ...)
  {
    std::optional<fd_endpoint> endpoint = at_current([](auto& part) { return sluice::kernel_endpoint(part); });
    if (endpoint) {
      endpoint->buffered += joint().size();
      if (endpoint->max_bytes != unbounded) endpoint->max_bytes += joint().size();
    }
    return endpoint;
  }

  void kernel_advanced(std::uintmax_t n)
    requires(kernel_reader<Rs> || ...)
  {
    at_current([n](auto& part) { sluice::kernel_advanced(part, n); });
  }

  /// How large the present part's buffer is, in bytes.
  std::size_t capacity() noexcept
    requires(count != 0 && (detail::has_capacity<std::remove_reference_t<Rs>> && ...))
  {
    return at_current([](auto& part) { return part.capacity(); });
  }

  /// The part that is being read, from 0.
  constexpr std::size_t current() const noexcept { return current_; }

  /// Part I.
  template <std::size_t I>
  constexpr auto& part() noexcept {
    return std::get<I>(parts_).get();
  }

 private:
  constexpr bool is_last() const noexcept { return current_ + 1 >= count; }

  template <std::size_t I = 0, class F>
  auto at_current(F&& f) {
    if constexpr (I + 1 < count) {
      if (current_ != I) return at_current<I + 1>(std::forward<F>(f));
    }
    return f(part<I>());
  }

  template <class Request>
  result<std::size_t> read_on(Request b) {
    if constexpr (count == 0) {
      return std::size_t{0};
    } else {
      for (;;) {
        const result<std::size_t> n = at_current([b](auto& part) { return sluice::read_some(part, b); });
        if (!n || *n != 0 || is_last()) return n;
        ++current_;
      }
    }
  }

  result<std::span<const std::byte>> fill_here(std::size_t n) {
    return at_current([n](auto& part) { return sluice::fill(part, n); });
  }

  std::span<const std::byte> joint() const noexcept { return std::span(joint_).subspan(joint_begin_); }

  // Takes the first bytes of the present part's window, once there is room for them.
  void join(std::span<const std::byte> bytes) {
    joint_.erase(joint_.begin(), joint_.begin() + static_cast<std::ptrdiff_t>(joint_begin_));
    joint_begin_ = 0;
    joint_.insert(joint_.end(), bytes.begin(), bytes.end());
    at_current([n = bytes.size()](auto& part) { sluice::consume(part, n); });
  }

  void drop_joint(std::size_t n) noexcept {
    joint_begin_ += n;
    if (joint_begin_ != joint_.size()) return;
    joint_.clear();
    joint_begin_ = 0;
  }

  template <std::size_t... I>
  std::optional<std::uintmax_t> rest_hint(std::index_sequence<I...>) {
    std::optional<std::uintmax_t> sum = joint().size();
    const auto add = [&](std::size_t i, auto& part) {
      if (i < current_ || !sum) return;
      const std::optional<std::uintmax_t> hint = sluice::size_hint(part);
      sum = hint && *hint <= unbounded - *sum ? std::optional(*sum + *hint) : std::nullopt;
    };
    (add(I, part<I>()), ...);
    return sum;
  }

  std::tuple<detail::held<Rs>...> parts_;
  std::size_t current_ = 0;
  std::vector<std::byte> joint_;  // bytes from both sides of a border, for a window that has to show them together
  std::size_t joint_begin_ = 0;
};

template <class... Rs>
chain_reader(Rs&&...) -> chain_reader<Rs...>;

/// `r | chain(r2, ...)` is `chain(r, chain(r2, ...))`.
template <reader R, reader... Rs>
constexpr chain_reader<R, chain_reader<Rs...>> operator|(R&& first, chain_reader<Rs...>&& rest) {
  return chain_reader<R, chain_reader<Rs...>>(std::forward<R>(first), std::move(rest));
}

namespace detail {

struct chain_fn {
  template <reader... Rs>
  constexpr chain_reader<Rs...> operator()(Rs&&... parts) const {
    return chain_reader<Rs...>(std::forward<Rs>(parts)...);
  }
};

}  // namespace detail

/// `chain(r1, r2, ...)` and `r1 | chain(r2, ...)`: all of `r1`, then all of `r2` and so on, as a `chain_reader`.
inline constexpr detail::chain_fn chain{};

}  // namespace sluice

#endif
