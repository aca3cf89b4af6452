// SPDX-License-Identifier: BSL-1.0
//
// A reader that passes what it delivers to a writer as well.
//
//   template <reader R, writer W> class tee_reader;
//   tee(r, w)      r | tee(w)
//
#ifndef SLUICE_ADAPTOR_TEE_HPP
#define SLUICE_ADAPTOR_TEE_HPP

#include <sluice/copy_options.hpp>
#include <sluice/detail/observed_stream.hpp>

#include <cstring>
#include <vector>

namespace sluice {

/// Delivers what another reader delivers, as soon as a writer has accepted it, and no byte before: each read is one
/// read of `R` and one write to `W`. It goes at the pace of the slower of the two, and queues nothing.
///
/// What was read and then not accepted is kept, at most one request's worth, and offered to the writer again by the
/// next read, before anything else is read. So nothing is lost by a failure, and a read that is called again goes on.
/// It never flushes the writer.
///
/// There is no kernel endpoint, since the bytes go two ways, and no window, since consuming cannot fail and writing
/// can.
template <reader R, writer W>
class tee_reader {
 public:
  constexpr tee_reader(R&& inner, W&& target) : inner_(std::forward<R>(inner)), target_(std::forward<W>(target)) {}

  /// Reads up to `b.size()` bytes; returns as many as the writer has accepted, which may be fewer than were read. 0 at
  /// the end of the reader. Errors: the reader's; the writer's, `write_zero` included. `failed_side()` tells whose.
  result<std::size_t> read_some(std::span<std::byte> b) {
    if (b.empty()) return std::size_t{0};
    if (!kept().empty()) return deliver_kept(b);
    // Before the read, so that no bytes are lost for want of memory.
    kept_.reserve(b.size());
    const result<std::size_t> n = sluice::read_some(inner_.get(), b);
    if (!n) return failed(copy_side::reader, n.error());
    if (*n == 0) return n;
    const std::span<const std::byte> all = b.first(*n);
    try {
      const result<std::size_t> accepted = offer(all);
      keep(all.subspan(accepted.value_or(0)));
      return accepted;
    } catch (...) {
      keep(all);
      throw;
    }
  }

  /// What is kept, and the reader's hint.
  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<R>
  {
    std::optional<std::uintmax_t> hint = sluice::size_hint(inner_.get());
    if (hint) *hint += kept().size();
    return hint;
  }

  /// Whose the last error was; `none` before the first.
  constexpr copy_side failed_side() const noexcept { return failed_side_; }

  /// What was read and not accepted by the writer. Valid until the next read.
  std::span<const std::byte> kept() const noexcept { return std::span(kept_).subspan(delivered_); }

  constexpr std::remove_reference_t<R>& inner() noexcept { return inner_.get(); }
  /// The writer that gets a copy of every byte.
  constexpr std::remove_reference_t<W>& target() noexcept { return target_.get(); }

  /// Gives back the reader, which goes on after the bytes that were read: those that are `kept()` have to be taken
  /// first.
  constexpr R into_inner() && { return inner_.release(); }

 private:
  result<std::size_t> failed(copy_side side, std::error_code code) noexcept {
    failed_side_ = side;
    return fail(code);
  }

  // There is room for it.
  void keep(std::span<const std::byte> rest) noexcept {
    kept_.assign(rest.begin(), rest.end());
    delivered_ = 0;
  }

  result<std::size_t> offer(std::span<const std::byte> bytes) {
    const result<std::size_t> n = sluice::write_some(target_.get(), bytes);
    if (!n) return failed(copy_side::writer, n.error());
    if (*n == 0) return failed(copy_side::writer, io_errc::write_zero);
    return n;
  }

  result<std::size_t> deliver_kept(std::span<std::byte> b) {
    const result<std::size_t> n = offer(kept().first(std::min(kept().size(), b.size())));
    if (!n) return n;
    std::memcpy(b.data(), kept().data(), *n);
    delivered_ += *n;
    return n;
  }

  detail::held<R> inner_;
  detail::held<W> target_;
  std::vector<std::byte> kept_;
  std::size_t delivered_ = 0;  // of what is kept
  copy_side failed_side_ = copy_side::none;
};

template <class R, class W>
tee_reader(R&&, W&&) -> tee_reader<R, W>;

namespace detail {

struct tee_fn {
  template <reader R, writer W>
  constexpr tee_reader<R, W> operator()(R&& r, W&& w) const {
    return {std::forward<R>(r), std::forward<W>(w)};
  }

  template <writer W>
  constexpr auto operator()(W&& w) const {
    return closure(bound<tee_fn, W>{held<W>(std::forward<W>(w))});
  }
};

}  // namespace detail

/// `tee(r, w)` and `r | tee(w)`: `r`, with `w` getting all that is delivered, as a `tee_reader`.
inline constexpr detail::tee_fn tee{};

}  // namespace sluice

#endif
