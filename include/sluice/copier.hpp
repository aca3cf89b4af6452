// SPDX-License-Identifier: BSL-1.0
//
// A copy as an object, for event loops.
//
//   struct copy_step { std::uintmax_t bytes; bool done; int fd; readiness wait_for; };
//   template <reader R, writer W> class copier {
//     copier(R&&, W&&, copy_options = {});
//     std::expected<copy_step, copy_error> run();
//     std::vector<std::byte> release();
//   };
//
//   copier relay{client, server};               // both non-blocking
//   for (;;) {
//     auto step = relay.run();
//     if (!step || step->done) break;
//     wait_until(step->fd, step->wait_for);     // epoll, Asio, io_uring
//   }
//
#ifndef SLUICE_COPIER_HPP
#define SLUICE_COPIER_HPP

#include <sluice/copy.hpp>
#include <sluice/detail/held.hpp>

namespace sluice {

/// The same copy as `copy`, in pieces: it returns instead of waiting and keeps what is in flight between calls, the
/// content of a private pipe included. Lvalue streams are held by reference, rvalues by value: `copier relay{a, b}` of
/// two sockets is a `copier<socket&, socket&>`.
/// `options.report` points to something that outlives the copier; each run fills it with what all of them have moved.
/// Not for use by two threads at once. Destroying a copier drops what is in flight: call `release()` to have it.
template <reader R, writer W>
class copier {
 public:
  explicit copier(R&& from, W&& to, copy_options options = {})
      : from_(std::forward<R>(from)),
        to_(std::forward<W>(to)),
        options_(std::move(options)),
        engine_(unbounded, options_) {}

  /// Bounds the copy: at most `max_bytes` are taken from the source.
  copier(R&& from, W&& to, std::uintmax_t max_bytes, copy_options options)
      : from_(std::forward<R>(from)),
        to_(std::forward<W>(to)),
        options_(std::move(options)),
        engine_(max_bytes, options_) {}

  /// Copies until the source ends (`done`), or a side would block: then the step names the descriptor and what to wait
  /// for. The descriptors should be non-blocking: a read or write of a blocking one may block as ever. The stop token
  /// and the deadline are looked at; `on_would_block` is not, as this never waits.
  /// After an error what was taken and not accepted stays in flight, and the error's `unwritten` is empty: run() again
  /// tries again, release() hands it out. After a stop every run is `cancelled`. After the end it is `done` again.
  std::expected<copy_step, copy_error> run() {
    if (auto offered = detail::offer_handoff(from_.get(), to_.get(), engine_, options_); !offered)
      return std::unexpected(std::move(offered.error()));
    return engine_.run(detail::unwrapped_source(from_.get()), detail::unwrapped_sink(to_.get()), options_);
  }

  /// Gives up: what was taken from the source and not accepted by the writer, in order.
  std::vector<std::byte> release() { return engine_.release(); }

  /// Bytes that the writer has accepted so far.
  std::uintmax_t bytes() const noexcept { return engine_.bytes(); }

  /// The reader.
  auto& source() noexcept { return from_.get(); }
  /// The writer.
  auto& destination() noexcept { return to_.get(); }

 private:
  detail::held<R> from_;
  detail::held<W> to_;
  copy_options options_;
  detail::copy_engine engine_;
};

template <class R, class W>
copier(R&&, W&&) -> copier<R, W>;
template <class R, class W>
copier(R&&, W&&, copy_options) -> copier<R, W>;
template <class R, class W>
copier(R&&, W&&, std::uintmax_t, copy_options) -> copier<R, W>;

}  // namespace sluice

#endif
