// SPDX-License-Identifier: BSL-1.0
//
// A writer that compresses what it is given for another one.
//
//   template <writer W> class compress_writer;      // what gzip(w), zstd(w) and so on return
//
//   auto out = file::create(path) | gzip();
//   ... write_all(out, ...) ...
//   if (auto closed = out.close(); !closed) ...     // finishes, flushes, closes the file
//
#ifndef SLUICE_COMPRESS_COMPRESS_WRITER_HPP
#define SLUICE_COMPRESS_COMPRESS_WRITER_HPP

#include <sluice/buffered/buf_writer.hpp>
#include <sluice/compress/detail/encoder.hpp>

namespace sluice {

/// Compresses into the buffer of `W`, or into one of its own where `W` has none. What was written comes out by and by,
/// after `flush` all of it; the end of the member is written by `finish` or `close`.
///
/// After a failure of `W` nothing is lost: what is compressed and was not accepted is pending still, a write that is
/// called again goes on, and so do `flush`, `finish` and `close`.
///
/// The destructor and move assignment finish a member that was begun as well as they can, and cannot tell whether it
/// worked. Nothing written and nothing finished, nothing comes out.
template <writer W>
class compress_writer {
 public:
  /// `format` is what the functions that make these writers hand in; `buffer_size`, in bytes, is of the writer's own
  /// buffer, where `W` has none.
  compress_writer(W&& inner, std::unique_ptr<detail::encoder> format, std::size_t buffer_size)
      : sink_(make_sink(std::forward<W>(inner), buffer_size)), progress_(std::move(format)) {}

  compress_writer(compress_writer&&) = default;
  compress_writer& operator=(compress_writer&& other) {
    if (this != &other) {
      progress_.finish_quietly(sink());
      progress_ = std::move(other.progress_);
      sink_ = std::move(other.sink_);
    }
    return *this;
  }
  ~compress_writer() { progress_.finish_quietly(sink()); }

  /// Accepts all of `in` unless `W` fails; then what was compressed before. Errors: those of `W`, where nothing was
  /// accepted.
  result<std::size_t> write_some(std::span<const std::byte> in) { return progress_.write_some(sink(), in); }

  /// Passes on all that was written, in a form that can be decoded up to there, and flushes `W`. It costs compression:
  /// flush where a peer waits.
  [[nodiscard]] result<void> flush() {
    if (auto done = progress_.flush(sink()); !done) return done;
    return sink().flush();
  }

  /// Ends the member and passes it on. What is written afterwards begins another one. Without a byte written the member
  /// is empty; called again it does nothing.
  [[nodiscard]] result<void> finish() {
    if (auto done = progress_.finish(sink()); !done) return done;
    return sink().flush();
  }

  /// Finishes, then closes `W` where it can be closed. After an error nothing is closed, and it may be called again.
  [[nodiscard]] result<void> close() {
    if (auto done = finish(); !done) return done;
    if constexpr (!buffered_writer<W>)
      return sink_.close();
    else if constexpr (detail::closable<W>)
      return sink_.get().close();
    else
      return {};
  }

  /// Bytes that were accepted, before compression.
  std::uintmax_t total() const noexcept { return progress_.total(); }

  auto& inner() noexcept {
    if constexpr (buffered_writer<W>)
      return sink_.get();
    else
      return sink_.inner();
  }

 private:
  using sink_type = std::conditional_t<buffered_writer<W>, detail::held<W>, buf_writer<W>>;

  static sink_type make_sink(W&& inner, std::size_t buffer_size) {
    if constexpr (buffered_writer<W>)
      return sink_type(std::forward<W>(inner));
    else
      return sink_type(std::forward<W>(inner), buffer_size);
  }

  detail::sink_ref sink() noexcept {
    if constexpr (buffered_writer<W>)
      return detail::as_sink(sink_.get());
    else
      return detail::as_sink(sink_);
  }

  sink_type sink_;
  detail::compress_state progress_;
};

}  // namespace sluice

#endif
