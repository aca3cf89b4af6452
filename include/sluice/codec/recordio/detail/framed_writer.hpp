// SPDX-License-Identifier: BSL-1.0
//
// What the writers of the formats without chunks have in common.
//
//   template <writer W, auto Write> class framed_writer;
//
#ifndef SLUICE_CODEC_RECORDIO_DETAIL_FRAMED_WRITER_HPP
#define SLUICE_CODEC_RECORDIO_DETAIL_FRAMED_WRITER_HPP

#include <sluice/codec/recordio/record_stream.hpp>
#include <sluice/detail/closable.hpp>
#include <sluice/detail/held.hpp>
#include <sluice/detail/sink_ops.hpp>

namespace sluice::detail {

/// What one call of Write has done: without an error it wrote all of the record, and `begun` tells whether some bytes
/// of it were accepted.
struct frame_written {
  std::error_code error = {};
  bool begun = false;
};

/// A record_writer of `W`. Write(sink_ref, record) writes one record.
template <writer W, auto Write>
class framed_writer {
 public:
  explicit framed_writer(W&& inner) : inner_(std::forward<W>(inner)) {}

  /// Writes a record at once: its frame and its bytes in one call where `W` is vectored. Nothing is copied; small
  /// records want a buffer behind. Errors: `limit_exceeded` for one that the format cannot hold; those of `W`. Where
  /// some of the record was accepted they are final, as there is no way back; else the record may be written again.
  [[nodiscard]] result<void> write(std::span<const std::byte> record) {
    if (error_) return fail(error_);
    const frame_written done = Write(as_sink(inner_.get()), record);
    if (!done.error) {
      ++records_;
      return {};
    }
    if (done.begun) error_ = done.error;
    return fail(done.error);
  }

  /// Flushes `W`.
  [[nodiscard]] result<void> flush() { return as_sink(inner_.get()).flush(); }

  /// Flushes `W`, then closes it where it can be closed.
  [[nodiscard]] result<void> close() {
    if (auto done = flush(); !done) return done;
    if constexpr (closable<W>) return inner_.get().close();
    return {};
  }

  /// Records that were written.
  std::uintmax_t records() const noexcept { return records_; }

  auto& inner() noexcept { return inner_.get(); }

 private:
  held<W> inner_;
  std::error_code error_;
  std::uintmax_t records_ = 0;
};

}  // namespace sluice::detail

#endif
