// SPDX-License-Identifier: BSL-1.0
//
// A FILE* over a reader or a writer, for code that wants one.
//
//   template <reader R> class reader_file;           // R may be a reference: an lvalue is referred to
//   template <writer W> class writer_file;
//
//   writer_file out(w);
//   std::fprintf(out.get(), "%d\n", 42);
//   auto done = out.close();
//
// Made of fopencookie(3), which the C libraries of Linux have (glibc, musl); elsewhere these classes do not exist.
// Not part of <sluice/sluice.hpp>.
//
#ifndef SLUICE_INTEROP_STDIO_FILE_HPP
#define SLUICE_INTEROP_STDIO_FILE_HPP

#ifdef __linux__

#include <sluice/concepts.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/sink_ops.hpp>
#include <sluice/detail/source_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <system_error>
#include <utility>

namespace sluice {

namespace detail {

/// What is asked of a stream that seeks; null of one that does not.
struct seek_calls {
  result<std::uintmax_t> (*seek)(void* stream, std::intmax_t offset, whence from) = nullptr;
  result<std::uintmax_t> (*position)(void* stream) = nullptr;
};

template <class S>
constexpr seek_calls seek_calls_for() noexcept {
  if constexpr (seekable<S>)
    return {[](void* s, std::intmax_t offset, whence from) { return sluice::seek(*static_cast<S*>(s), offset, from); },
            [](void* s) { return sluice::position(*static_cast<S*>(s)); }};
  else
    return {};
}

class source_file {
 public:
  source_file(const source_file&) = delete;
  source_file& operator=(const source_file&) = delete;

  /// The FILE, which this object closes; null after `close`.
  std::FILE* get() const noexcept { return file_; }

  /// Why the reader failed; empty while it has not. errno has only what fits into it.
  std::error_code error() const noexcept { return error_; }

  /// Closes the FILE. Closing twice succeeds. Errors: the one that the reader has failed with.
  [[nodiscard]] result<void> close();

 protected:
  source_file() = default;
  ~source_file() = default;

  /// Throws std::bad_alloc where there is no memory for a FILE.
  void open(source_ref source, seek_calls seeks);

 private:
  struct callbacks;

  result<std::size_t> read_some(std::span<std::byte> b);
  result<std::uintmax_t> seek(std::intmax_t offset, whence from);
  void give_back() noexcept;

  std::FILE* file_ = nullptr;
  source_ref source_;
  seek_calls seeks_;
  std::size_t lent_ = 0;  // of the window of a buffered reader, copied into the FILE and not yet consumed
  std::error_code error_;
};

class sink_file {
 public:
  sink_file(const sink_file&) = delete;
  sink_file& operator=(const sink_file&) = delete;

  /// The FILE, which this object closes; null after `close`.
  std::FILE* get() const noexcept { return file_; }

  /// Why the writer failed; empty while it has not. errno has only what fits into it.
  std::error_code error() const noexcept { return error_; }

  /// Has the FILE write what it holds, and the writer as well; fflush(3) alone does not reach the buffer of a writer.
  /// Errors: the first one of the writer, for good.
  [[nodiscard]] result<void> flush();

  /// Flushes and closes the FILE. Closing twice succeeds. Errors: as `flush`.
  [[nodiscard]] result<void> close();

 protected:
  sink_file() = default;
  ~sink_file() = default;

  /// Throws std::bad_alloc where there is no memory for a FILE.
  void open(sink_ref sink, seek_calls seeks);

 private:
  struct callbacks;

  std::size_t write(std::span<const std::byte> b);
  result<void> pass_on(int (*call)(std::FILE*), std::FILE* file);

  std::FILE* file_ = nullptr;
  sink_ref sink_;
  seek_calls seeks_;
  std::error_code error_;
};

}  // namespace detail

/// The FILE reads ahead. `close` gives back what it has read ahead of a reader that has a buffer or can seek; of
/// another it is lost. (With another C library than glibc it always is, as nobody sees its buffer, and with glibc as
/// long as ungetc(3) has put a byte in the place of another.)
///
/// fseek(3) works where the reader seeks. A failure is one of the FILE, see ferror(3); `error()` keeps the code.
template <reader R>
class reader_file : public detail::source_file {
 public:
  explicit reader_file(R&& inner) : inner_(std::forward<R>(inner)) {
    open(detail::as_source(inner_.get()), detail::seek_calls_for<std::remove_reference_t<R>>());
  }
  ~reader_file() { static_cast<void>(close()); }

  std::remove_reference_t<R>& inner() noexcept { return inner_.get(); }

 private:
  detail::held<R> inner_;
};

/// A failure of the writer is one of the FILE, which then drops what it holds. So every later write fails with the same
/// error, and nothing follows a gap. `close` tells of it; the destructor closes as well, and has nobody to tell.
template <writer W>
class writer_file : public detail::sink_file {
 public:
  explicit writer_file(W&& inner) : inner_(std::forward<W>(inner)) {
    open(detail::as_sink(inner_.get()), detail::seek_calls_for<std::remove_reference_t<W>>());
  }
  ~writer_file() { static_cast<void>(close()); }

  std::remove_reference_t<W>& inner() noexcept { return inner_.get(); }

 private:
  detail::held<W> inner_;
};

template <class R>
reader_file(R&&) -> reader_file<R>;
template <class W>
writer_file(W&&) -> writer_file<W>;

}  // namespace sluice

#endif  // __linux__

#endif
