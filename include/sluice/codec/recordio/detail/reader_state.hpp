// SPDX-License-Identifier: BSL-1.0
//
// Where in a RecordIO stream a reader is.
//
//   class recordio_reader_state;
//
#ifndef SLUICE_CODEC_RECORDIO_DETAIL_READER_STATE_HPP
#define SLUICE_CODEC_RECORDIO_DETAIL_READER_STATE_HPP

#include <sluice/codec/recordio/detail/chunk_contents.hpp>
#include <sluice/codec/recordio/detail/input_window.hpp>
#include <sluice/codec/recordio/policy.hpp>
#include <sluice/codec/recordio/record_stream.hpp>

namespace sluice::detail {

class recordio_reader_state {
 public:
  explicit recordio_reader_state(const recordio_options& options) noexcept : options_(options) {}

  next_record next(source_ref from) {
    if (contents_.left() == 0) [[unlikely]]
      return enter(from);
    return contents_.next();
  }

  bool try_next(std::span<const std::byte>& record) noexcept { return contents_.try_next(record); }

  /// Passes over up to `n` records; how many.
  result<std::uintmax_t> skip_records(source_ref from, std::uintmax_t n);

  const recordio_report& report() const noexcept { return report_; }
  const recordio_chunk& chunk() const noexcept { return chunk_; }

 private:
  // What a look at the next chunk has shown.
  struct found {
    enum class kind : unsigned char { chunk, end, bad } what = kind::chunk;
    std::error_code error = {};
    bool has_extent = false;  // chunk_ tells where a bad one ends
  };

  next_record enter(source_ref from);
  result<bool> advance(source_ref from);
  result<found> look(source_ref from);
  result<bool> pass_over(source_ref from, const found& bad);
  result<bool> skip_bad(source_ref from, const found& bad);
  result<bool> resync(source_ref from, const found& bad);
  result<bool> whole_and_followed(source_ref from, const recordio_chunk& chunk);
  result<bool> find_chunk(source_ref from);
  result<bool> is_chunk(source_ref from);
  void drop(source_ref from, std::uintmax_t n) noexcept;
  void lose(std::uintmax_t bytes, std::uintmax_t records, std::error_code why);

  recordio_options options_;
  input_window window_;
  chunk_contents contents_;
  recordio_chunk chunk_;
  std::uintmax_t offset_ = 0;   // of the first byte in the window
  std::uintmax_t held_ = 0;     // bytes of the chunk that is being delivered
  recordio_loss losing_;        // a stretch that is being passed over
  std::uintmax_t checked_ = 0;  // bytes whose checksums were taken in vain
  bool searching_ = false;
  bool ended_ = false;
  std::error_code error_;
  recordio_report report_;
};

}  // namespace sluice::detail

#endif
