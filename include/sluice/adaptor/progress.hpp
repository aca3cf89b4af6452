// SPDX-License-Identifier: BSL-1.0
//
// Tells a function from time to time how much has passed through a stream.
//
//   struct progress_state { std::uintmax_t bytes; std::optional<std::uintmax_t> total; bool ended; };
//   template <class S> class progress_stream;      // S: a reader, a writer, or both at once
//   template <reader R> using progress_reader = progress_stream<R>;
//   template <writer W> using progress_writer = progress_stream<W>;
//   progress(s, fn, interval = 100 ms)      s | progress(fn, interval = 100 ms)
//
#ifndef SLUICE_ADAPTOR_PROGRESS_HPP
#define SLUICE_ADAPTOR_PROGRESS_HPP

#include <sluice/detail/observed_stream.hpp>

#include <chrono>
#include <functional>

namespace sluice {

/// What the function of `progress` is told.
struct progress_state {
  std::uintmax_t bytes = 0;                            ///< so far
  std::optional<std::uintmax_t> total = std::nullopt;  ///< as the stream's size hint had it, until it proves too small
  bool ended = false;  ///< the end of the stream was seen, or a writer was flushed or closed
};

namespace detail {

using progress_call = std::function<void(const progress_state&)>;

class progress_observer {
  using clock = std::chrono::steady_clock;

 public:
  progress_observer(progress_call call, std::chrono::milliseconds interval)
      : call_(std::move(call)), interval_(interval), last_(clock::now()) {}

  void expect(std::optional<std::uintmax_t> total) noexcept { state_.total = total; }
  const progress_state& state() const noexcept { return state_; }

  void passed(std::uintmax_t n) {
    if (n == 0) return;
    state_.bytes += n;
    state_.ended = false;
    if (state_.total && state_.bytes > *state_.total) state_.total.reset();
    const clock::time_point now = clock::now();
    if (now - last_ < interval_) return;
    last_ = now;
    call_(state_);
  }

  void ended() {
    if (state_.ended) return;
    state_.ended = true;
    call_(state_);
  }

 private:
  progress_call call_;
  clock::duration interval_;
  clock::time_point last_;
  progress_state state_;
};

}  // namespace detail

/// Passes everything on to another stream and calls a function with the bytes so far, no more often than the interval,
/// and once at the end: when the reader has found its end, when the writer has been closed, or when `finish()` says so.
/// The destructor tells nothing. Bytes count as in `counted_stream`; a copy through it takes the kernel paths still.
///
/// The function runs inside the stream's calls. It must not throw where the stream is buffered, as consuming and
/// committing cannot fail.
template <detail::stream S>
class progress_stream : public detail::observed_stream<S, detail::progress_observer> {
  using base = detail::observed_stream<S, detail::progress_observer>;

 public:
  /// `call` must not be empty. The size hint is asked for here, once.
  progress_stream(S&& inner, detail::progress_call call,
                  std::chrono::milliseconds interval = std::chrono::milliseconds(100))
      : base(std::forward<S>(inner), detail::progress_observer(std::move(call), interval)) {
    if constexpr (size_hinted<S>) this->observer().expect(sluice::size_hint(this->inner()));
  }

  /// How far the stream is now.
  const progress_state& state() const noexcept { return this->observer().state(); }

  /// The end of a writer that is not closed through this stream. Tells it once.
  void finish() { this->observer().ended(); }
};

template <class S>
progress_stream(S&&, detail::progress_call) -> progress_stream<S>;
template <class S>
progress_stream(S&&, detail::progress_call, std::chrono::milliseconds) -> progress_stream<S>;

/// A reader that tells how far it is.
template <reader R>
using progress_reader = progress_stream<R>;

/// A writer that tells how far it is.
template <writer W>
using progress_writer = progress_stream<W>;

namespace detail {

struct progress_adaptor_fn {
  template <stream S>
  progress_stream<S> operator()(S&& s, progress_call call,
                                std::chrono::milliseconds interval = std::chrono::milliseconds(100)) const {
    return {std::forward<S>(s), std::move(call), interval};
  }

  auto operator()(progress_call call, std::chrono::milliseconds interval = std::chrono::milliseconds(100)) const {
    return closure([call = std::move(call), interval]<stream S>(S&& s) {
      return progress_stream<S>(std::forward<S>(s), call, interval);
    });
  }
};

}  // namespace detail

/// `progress(s, fn, interval)` and `s | progress(fn, interval)`: `s`, telling `fn` how far it is, as a
/// `progress_stream`.
inline constexpr detail::progress_adaptor_fn progress{};

}  // namespace sluice

#endif
