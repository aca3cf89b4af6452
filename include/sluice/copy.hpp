// SPDX-License-Identifier: BSL-1.0
//
// Copying from a reader to a writer.
//
//   std::expected<std::uintmax_t, copy_error> copy(reader&& from, writer&& to, const copy_options& = {});
//   std::expected<std::uintmax_t, copy_error> copy_n(reader&& from, writer&& to, std::uintmax_t n,
//                                                    const copy_options& = {});
//   copy_plan explain(reader&& from, writer&& to, const copy_options& = {});
//   struct copy_handled { std::uintmax_t bytes; bool done; };    // what a stream's own copy_to or copy_from answers
//
// A stream that knows better defines one of
//   std::expected<copy_handled, copy_error> copy_to(W& to, std::uintmax_t max_bytes);      // in a reader
//   std::expected<copy_handled, copy_error> copy_from(R& from, std::uintmax_t max_bytes);  // in a writer
// It moves what it can and never calls copy itself; unless it says done, copy goes on from there.
//
#ifndef SLUICE_COPY_HPP
#define SLUICE_COPY_HPP

#include <sluice/concepts.hpp>
#include <sluice/copy_options.hpp>
#include <sluice/detail/copy_engine.hpp>
#include <sluice/write.hpp>

namespace sluice {

/// The answer of a stream's own copy_to or copy_from.
struct copy_handled {
  std::uintmax_t bytes = 0;  ///< moved and accepted by the writer
  bool done = false;         ///< the source has ended, or max_bytes have moved; else copy goes on
};

/// A reader that has a way of its own to get its bytes into a W.
template <class R, class W>
concept copies_to =
    reader<R> && requires(std::remove_reference_t<R>& r, std::remove_reference_t<W>& w, std::uintmax_t n) {
      { r.copy_to(w, n) } -> std::same_as<std::expected<copy_handled, copy_error>>;
    };

/// A writer that has a way of its own to take its bytes from an R.
template <class W, class R>
concept copies_from =
    writer<W> && requires(std::remove_reference_t<R>& r, std::remove_reference_t<W>& w, std::uintmax_t n) {
      { w.copy_from(r, n) } -> std::same_as<std::expected<copy_handled, copy_error>>;
    };

namespace detail {

/// Offers the copy to the streams' own overrides and tells the engine what they did; then the engine goes on.
template <class R, class W>
std::expected<void, copy_error> offer_handoff(R& from, W& to, copy_engine& engine, const copy_options& options) {
  if constexpr (copies_to<R, W> || copies_from<W, R>) {
    if (engine.handoff_offered()) return {};
    if (const auto why = ended(options)) return std::unexpected(copy_error{*why, engine.bytes(), copy_side::none, {}});
    std::expected<copy_handled, copy_error> answer;
    if constexpr (copies_to<R, W>)
      answer = from.copy_to(to, engine.remaining());
    else
      answer = to.copy_from(from, engine.remaining());
    engine.handed_off(answer ? answer->bytes : answer.error().bytes, answer && answer->done);
    if (!answer) return std::unexpected(std::move(answer.error()));
  }
  return {};
}

template <class R, class W>
std::expected<std::uintmax_t, copy_error> run_copy(R& from, W& to, std::uintmax_t limit, const copy_options& options) {
  copy_engine engine(limit, options);
  if (auto offered = offer_handoff(from, to, engine, options); !offered) {
    if (options.report) *options.report = engine.report();
    return std::unexpected(std::move(offered.error()));
  }
  return engine.run_to_end(unwrapped_source(from), unwrapped_sink(to), options);
}

// The one write of a source in memory did not do: a short one, waiting, and cutting it into messages are left to the
// engine.
template <class R, class W>
[[gnu::noinline]] std::expected<std::uintmax_t, copy_error> go_on_after_write(R& from, W& to,
                                                                              result<std::size_t> written) {
  if (!written && written.error() != std::errc::operation_would_block && written.error() != std::errc::message_size)
    return std::unexpected(copy_error{written.error(), 0, copy_side::writer, {}});
  const std::size_t first = written.value_or(0);
  consume(from, first);
  auto rest = run_copy(from, to, unbounded, default_copy_options());
  if (rest)
    *rest += first;
  else
    rest.error().bytes += first;
  return rest;
}

}  // namespace detail

/// Copies until the source ends; returns how many bytes the writer has accepted.
///
/// The path is chosen from the types and then from the descriptors: a stream's own override, one write of a source in
/// memory, what the reader has buffered, clone / copy_file_range / sendfile / splice where both sides are descriptors,
/// the larger of both sides' buffers, a scratch buffer. `options.report` tells which were taken. The first round passes
/// through memory, so that a small file costs one read and one write: see docs/copy-paths.md.
///
/// A destination that `file::create` has opened is empty by then: where it might be the source by another name, open it
/// with `{.write = true, .create = true}`, so that copy can refuse it, and `resize` it afterwards.
///
/// Errors: `copy_error`, with the side that failed and what was taken and not accepted. `same_file` where both are one
/// regular file; `cancelled` by the stop token and `timed_out` by the deadline, on no side; `write_zero`, `bad_count`
/// for streams that break the contract. With would_block::wait, a stream that would block and shows no descriptor that
/// can be waited for (a file or a character device cannot) is an error too. An exception of a stream passes through; a
/// `copier` then keeps what was in flight, a `copy` cannot.
template <reader R, writer W>
[[nodiscard]] std::expected<std::uintmax_t, copy_error> copy(R&& from, W&& to, const copy_options& options) {
  return detail::run_copy(from, to, unbounded, options);
}

template <reader R, writer W>
[[nodiscard]] std::expected<std::uintmax_t, copy_error> copy(R&& from, W&& to) {
  if constexpr (in_memory_reader<R> && !copies_to<R, W> && !copies_from<W, R>) {
    const std::span<const std::byte> all = window(from);
    if (detail::write_in_place(to, all)) {
      consume(from, all.size());
      return all.size();
    }
    const result<std::size_t> written = write_some(to, all);
    if (written && *written == all.size()) [[likely]] {
      consume(from, all.size());
      return all.size();
    }
    return detail::go_on_after_write(from, to, written);
  } else {
    return detail::run_copy(from, to, unbounded, detail::default_copy_options());
  }
}

/// Copies exactly `n` bytes, and takes no more than that from the source. Errors: as copy; `unexpected_eof` on the
/// reader's side where the source ends before.
template <reader R, writer W>
[[nodiscard]] std::expected<std::uintmax_t, copy_error> copy_n(
    R&& from, W&& to, std::uintmax_t n, const copy_options& options = detail::default_copy_options()) {
  auto copied = detail::run_copy(from, to, n, options);
  if (copied && *copied < n) [[unlikely]]
    return std::unexpected(copy_error{io_errc::unexpected_eof, *copied, copy_side::reader, {}});
  return copied;
}

/// Says which path would move the bulk of the bytes, and why. Moves nothing and flushes nothing; costs a few fstat(2),
/// an fcntl(2) and an lseek(2) where the descriptors are unknown.
template <reader R, writer W>
copy_plan explain(R&& from, W&& to, const copy_options& options = detail::default_copy_options()) {
  if constexpr (copies_to<R, W> || copies_from<W, R>)
    return {.first = copy_path::handoff, .then = {}, .reason = "the stream brings its own copy"};
  else if constexpr (in_memory_reader<R>)
    return {.first = copy_path::memory, .then = {}, .reason = "the source is in memory: one write"};
  else
    return detail::explain(detail::unwrapped_source(from), detail::unwrapped_sink(to), options);
}

}  // namespace sluice

#endif
