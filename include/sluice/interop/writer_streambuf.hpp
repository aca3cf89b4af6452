// SPDX-License-Identifier: BSL-1.0
//
// A std::streambuf that writes into a writer.
//
//   template <writer W> class writer_streambuf;      // W may be a reference: an lvalue is referred to
//
//   writer_streambuf buffer(w);
//   std::ostream out(&buffer);
//   out << "text";
//   auto done = buffer.finish();
//
// Not part of <sluice/sluice.hpp>: <streambuf> is dear to compile.
//
#ifndef SLUICE_INTEROP_WRITER_STREAMBUF_HPP
#define SLUICE_INTEROP_WRITER_STREAMBUF_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/write_buffer.hpp>

#include <streambuf>
#include <system_error>
#include <utility>

namespace sluice {

namespace detail {

class sink_streambuf : public std::streambuf {
 public:
  /// Why the writer failed; empty while it has not.
  std::error_code error() const noexcept { return error_; }

  /// Writes what is buffered, here and in the writer. After an error what was not accepted is still held, and the next
  /// call tries again. Where output has failed before, it never succeeds: what the ostream was given then is missing.
  /// Errors: the writer's.
  [[nodiscard]] result<void> finish();

 protected:
  explicit sink_streambuf(std::size_t capacity) noexcept : own_(buffer_capacity{capacity, capacity}) {}
  void attach(sink_ref sink) noexcept { sink_ = sink; }

  /// The last chance, see `buf_writer`.
  void abandon() noexcept;

  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* from, std::streamsize n) override;
  int sync() override;

 private:
  void settle() noexcept;
  void refuse(std::error_code why) noexcept;

  sink_ref sink_;
  write_buffer own_;  // for a writer that has no buffer
  std::error_code error_;
  bool refused_ = false;  // bytes did not even get into the buffer, and are gone
};

}  // namespace detail

/// The put area is the free space of a buffered writer, in place; a writer without a buffer gets one of `capacity`
/// bytes. Until `sync` (std::flush) or the next overflow the writer does not know of what is in it.
///
/// An error is the failure that a streambuf can return, and an ostream turns it into badbit; `error()` keeps the code.
/// What is buffered is written by `finish`, whose result tells whether everything has arrived. The destructor writes
/// as well as it can, and what it cannot write the lost_bytes_hook is told of; a buffered writer that is referred to
/// keeps it.
template <writer W>
class writer_streambuf : public detail::sink_streambuf {
 public:
  explicit writer_streambuf(W&& inner, std::size_t capacity = default_buffer_size)
      : sink_streambuf(capacity), inner_(std::forward<W>(inner)) {
    attach(detail::as_sink(inner_.get()));
  }
  ~writer_streambuf() override { abandon(); }

  std::remove_reference_t<W>& inner() noexcept { return inner_.get(); }

 private:
  detail::held<W> inner_;
};

template <class W>
writer_streambuf(W&&) -> writer_streambuf<W>;
template <class W>
writer_streambuf(W&&, std::size_t) -> writer_streambuf<W>;

}  // namespace sluice

#endif
