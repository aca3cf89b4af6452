// SPDX-License-Identifier: BSL-1.0
//
// A std::streambuf that reads from a reader.
//
//   template <reader R> class reader_streambuf;      // R may be a reference: an lvalue is referred to
//
//   reader_streambuf buffer(r);
//   std::istream in(&buffer);
//
// Not part of <sluice/sluice.hpp>: <streambuf> is dear to compile.
//
#ifndef SLUICE_INTEROP_READER_STREAMBUF_HPP
#define SLUICE_INTEROP_READER_STREAMBUF_HPP

#include <sluice/concepts.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/offsets.hpp>
#include <sluice/detail/read_buffer.hpp>

#include <streambuf>
#include <system_error>
#include <utility>

namespace sluice {

namespace detail {

class source_streambuf : public std::streambuf {
 public:
  /// Why the reader failed; empty while it has not.
  std::error_code error() const noexcept { return error_; }

 protected:
  explicit source_streambuf(std::size_t capacity) noexcept : own_(buffer_capacity{capacity, capacity}) {}
  void attach(source_ref source) noexcept { source_ = source; }

  /// Tells the reader what was read from its window, which is given up. Returns the bytes that are buffered here only.
  std::size_t settle() noexcept;
  void drop_buffer() noexcept { own_.clear(); }

  int_type underflow() override;
  std::streamsize xsgetn(char* to, std::streamsize n) override;
  int sync() override;

 private:
  bool refill();
  void show(std::span<const std::byte> window) noexcept;

  source_ref source_;
  read_buffer own_;  // for a reader that has no buffer
  std::error_code error_;
  bool waiting_ = false;  // the error came after some bytes and is not thrown yet
};

}  // namespace detail

/// The get area is the window of a buffered reader, in place; a reader without a buffer gets one of `capacity` bytes.
/// A character can be put back as far as the window reaches. Until `sync`, a seek or the next refill the reader does
/// not know what was read from its window: call `pubsync` before it is used directly.
///
/// A streambuf has no way to return an error. One that comes after some bytes of a request waits for the next; then
/// std::ios_base::failure is thrown with its code, which an istream catches and turns into badbit, so that bytes that
/// are missing are not taken for the end. `error()` keeps the code. istream::read takes the short count that comes
/// first for the end and sets eofbit: after it, look at `error()`.
template <reader R>
class reader_streambuf : public detail::source_streambuf {
 public:
  explicit reader_streambuf(R&& inner, std::size_t capacity = default_buffer_size)
      : source_streambuf(capacity), inner_(std::forward<R>(inner)) {
    attach(detail::as_source(inner_.get()));
  }
  ~reader_streambuf() override { settle(); }

  std::remove_reference_t<R>& inner() noexcept { return inner_.get(); }

 protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override {
    if constexpr (seekable<R>) {
      if ((which & std::ios_base::in) == 0) return pos_type(off_type(-1));
      const std::size_t ahead = settle();
      result<std::uintmax_t> to = fail(io_errc::unsupported);
      if (from == std::ios_base::cur && offset == 0) {
        to = sluice::position(inner_.get());
        return to ? pos_type(static_cast<off_type>(*to - ahead)) : pos_type(off_type(-1));
      }
      if (from == std::ios_base::cur)
        to = sluice::seek(inner_.get(), detail::seen_from(ahead, offset), whence::current);
      else
        to = sluice::seek(inner_.get(), offset, from == std::ios_base::beg ? whence::begin : whence::end);
      if (!to) return pos_type(off_type(-1));
      drop_buffer();
      return pos_type(static_cast<off_type>(*to));
    } else {
      return std::streambuf::seekoff(offset, from, which);
    }
  }

  /// Moves to a position that seekoff has told.
  pos_type seekpos(pos_type to, std::ios_base::openmode which) override {
    return seekoff(off_type(to), std::ios_base::beg, which);
  }

 private:
  detail::held<R> inner_;
};

template <class R>
reader_streambuf(R&&) -> reader_streambuf<R>;
template <class R>
reader_streambuf(R&&, std::size_t) -> reader_streambuf<R>;

}  // namespace sluice

#endif
