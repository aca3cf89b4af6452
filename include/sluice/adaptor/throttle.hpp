// SPDX-License-Identifier: BSL-1.0
//
// A stream that lets no more than so many bytes a second pass.
//
//   template <class S> class throttle_stream;      // S: a reader or a writer
//   throttle(s, bytes_per_second, burst = 0)      s | throttle(bytes_per_second, burst = 0)
//
#ifndef SLUICE_ADAPTOR_THROTTLE_HPP
#define SLUICE_ADAPTOR_THROTTLE_HPP

#include <sluice/adaptor/limit.hpp>
#include <sluice/detail/observed_stream.hpp>
#include <sluice/detail/token_bucket.hpp>

namespace sluice {

/// Passes everything on to another stream, and sleeps so that in the long run no more than `bytes_per_second` pass.
/// After a pause up to `burst` bytes pass at once; 0 stands for what passes in 50 ms. One call sleeps about 50 ms at
/// most, unless the rate is less than 20 bytes a second or a `fill` or `prepare` asked for more than the burst.
///
/// The result is as capable as `S`. Each request, window and kernel endpoint is cut to what may pass now; asking for
/// the endpoint is what sleeps before the kernel moves bytes. So the window is not the whole rest of a reader in
/// memory. What the inner stream skips by itself passes free; what is skipped by consuming its window counts as read.
template <detail::stream S>
class throttle_stream {
  using inner_type = std::remove_reference_t<S>;

 public:
  throttle_stream(S&& inner, std::uint64_t bytes_per_second, std::uint64_t burst = 0, detail::pace clock = {})
      : inner_(std::forward<S>(inner)), bucket_(bytes_per_second, burst, clock) {}

  constexpr inner_type& inner() noexcept { return inner_.get(); }
  constexpr const inner_type& inner() const noexcept { return inner_.get(); }

  /// Gives back the inner stream.
  constexpr S into_inner() && { return inner_.release(); }

  // What a reader does.

  result<std::size_t> read_some(std::span<std::byte> b)
    requires reader<S>
  {
    if (b.empty()) return std::size_t{0};
    return spend(sluice::read_some(inner_.get(), b.first(std::min(b.size(), bucket_.wait()))));
  }

  result<std::size_t> read_some(std::span<const mutable_buffer> pieces)
    requires vectored_reader<S>
  {
    std::array<mutable_buffer, 16> room;
    if (detail::cpo::total_size(pieces) == 0) return std::size_t{0};
    return spend(sluice::read_some(inner_.get(), cut(pieces, std::span<mutable_buffer>(room))));
  }

  /// What the inner reader has buffered, as far as the last `fill` let it be seen. No sleep.
  std::span<const std::byte> buffered() noexcept
    requires buffered_reader<S>
  {
    const std::span<const std::byte> all = sluice::window(inner_.get());
    return all.first(std::min(all.size(), shown_));
  }

  result<std::span<const std::byte>> fill(std::size_t n)
    requires buffered_reader<S>
  {
    if (const auto have = buffered(); have.size() >= n) return have;
    const std::size_t may = std::max(n, bucket_.wait());
    const result<std::span<const std::byte>> all = sluice::fill(inner_.get(), n);
    // The bytes before an error have to be seen too, as a buffer tells it until they are taken.
    shown_ = std::min(sluice::window(inner_.get()).size(), may);
    if (!all) return all;
    return buffered();
  }

  void consume(std::size_t n) noexcept
    requires buffered_reader<S>
  {
    sluice::consume(inner_.get(), n);
    shown_ -= std::min(n, shown_);
    bucket_.spend(n);
  }

  result<std::uintmax_t> skip(std::uintmax_t n)
    requires skippable<S>
  {
    shown_ = 0;
    return detail::cpo::skip_fn{}(inner_.get(), n);
  }

  std::optional<std::uintmax_t> size_hint()
    requires size_hinted<S>
  {
    return sluice::size_hint(inner_.get());
  }

  // What a writer does.

  result<std::size_t> write_some(std::span<const std::byte> b)
    requires writer<S>
  {
    if (b.empty()) return std::size_t{0};
    return spend(sluice::write_some(inner_.get(), b.first(std::min(b.size(), bucket_.wait()))));
  }

  result<std::size_t> write_some(std::span<const const_buffer> pieces)
    requires vectored_writer<S>
  {
    std::array<const_buffer, 16> room;
    if (detail::cpo::total_size(pieces) == 0) return std::size_t{0};
    return spend(sluice::write_some(inner_.get(), cut(pieces, std::span<const_buffer>(room))));
  }

  result<std::span<std::byte>> prepare(std::size_t n)
    requires buffered_writer<S>
  {
    const std::size_t may = std::max(n, bucket_.wait());
    const result<std::span<std::byte>> space = sluice::prepare(inner_.get(), n);
    if (!space) return space;
    return space->first(std::min(space->size(), may));
  }

  void commit(std::size_t n) noexcept
    requires buffered_writer<S>
  {
    sluice::commit(inner_.get(), n);
    bucket_.spend(n);
  }

  [[nodiscard]] result<void> flush()
    requires detail::flushable<S>
  {
    return sluice::flush(inner_.get());
  }

  // What both do.

  /// How large the inner stream's buffer is, in bytes.
  std::size_t capacity() noexcept
    requires detail::has_capacity<inner_type>
  {
    return inner_.get().capacity();
  }

  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin)
    requires seekable<S>
  {
    shown_ = 0;
    return sluice::seek(inner_.get(), offset, from);
  }

  result<std::uintmax_t> position()
    requires seekable<S>
  {
    return sluice::position(inner_.get());
  }

  /// The inner stream's endpoint, with what may pass now as its `allowance`. Sleeps for that, 50 ms at most, where
  /// there is an endpoint to offer; an allowance of 0 leaves the rest of the wait to the next read or write.
  std::optional<fd_endpoint> kernel_endpoint()
    requires detail::has_kernel_endpoint<S>
  {
    std::optional<fd_endpoint> endpoint = sluice::kernel_endpoint(inner_.get());
    if (endpoint) endpoint->allowance = std::min<std::uintmax_t>(endpoint->allowance, bucket_.wait_a_little());
    return endpoint;
  }

  void kernel_advanced(std::uintmax_t n)
    requires detail::has_kernel_endpoint<S>
  {
    bucket_.spend(n);
    sluice::kernel_advanced(inner_.get(), n);
  }

  /// Closes the stream inside, where it can be closed.
  [[nodiscard]] result<void> close()
    requires detail::closable<S>
  {
    return inner_.get().close();
  }

 private:
  template <class Buffer>
  std::span<const Buffer> cut(std::span<const Buffer> pieces, std::span<Buffer> room) {
    const std::size_t may = bucket_.wait();
    return detail::cpo::total_size(pieces) > may ? detail::trim(pieces, may, room) : pieces;
  }

  result<std::size_t> spend(result<std::size_t> n) noexcept {
    if (!n) return n;
    shown_ -= std::min(*n, shown_);
    bucket_.spend(*n);
    return n;
  }

  detail::held<S> inner_;
  detail::token_bucket bucket_;
  std::size_t shown_ = 0;  // of the inner window
};

template <class S, class... Arguments>
throttle_stream(S&&, std::uint64_t, Arguments...) -> throttle_stream<S>;

namespace detail {

struct throttle_fn {
  template <stream S>
  throttle_stream<S> operator()(S&& s, std::uint64_t bytes_per_second, std::uint64_t burst = 0) const {
    return {std::forward<S>(s), bytes_per_second, burst};
  }

  auto operator()(std::uint64_t bytes_per_second, std::uint64_t burst = 0) const {
    return closure([bytes_per_second, burst]<stream S>(S&& s) {
      return throttle_stream<S>(std::forward<S>(s), bytes_per_second, burst);
    });
  }
};

}  // namespace detail

/// `throttle(s, n, burst)` and `s | throttle(n, burst)`: `s` at no more than `n` bytes a second, as a
/// `throttle_stream`.
inline constexpr detail::throttle_fn throttle{};

}  // namespace sluice

#endif
