// SPDX-License-Identifier: BSL-1.0
//
// Some records of an indexed RecordIO file.
//
//   template <sized_positional_reader F> class recordio_range;     // a record_reader
//
//   recordio_range some{data, index, 50, 100};         // records 50 to 149
//   while (const auto record = or_throw(some.next())) use(*record);
//
#ifndef SLUICE_CODEC_RECORDIO_RANGE_HPP
#define SLUICE_CODEC_RECORDIO_RANGE_HPP

#include <sluice/codec/recordio/detail/chunk_contents.hpp>
#include <sluice/codec/recordio/index.hpp>
#include <sluice/codec/recordio/record_stream.hpp>
#include <sluice/detail/held.hpp>

namespace sluice {
namespace detail {

class recordio_range_state {
 public:
  recordio_range_state(const recordio_index& index, std::intmax_t start, std::intmax_t count,
                       const recordio_options& options) noexcept;

  next_record next(positional_ref from) {
    if (left_here_ == 0) [[unlikely]] {
      const result<bool> entered = enter(from);
      if (!entered) return fail(entered.error());
      if (!*entered) return std::nullopt;
    }
    --left_here_;
    return contents_.next();
  }

  bool try_next(std::span<const std::byte>& record) noexcept {
    if (left_here_ == 0) return false;
    --left_here_;
    record = contents_.next();
    return true;
  }

  std::uintmax_t size() const noexcept { return size_; }
  const recordio_report& report() const noexcept { return report_; }

 private:
  result<bool> enter(positional_ref from);
  result<void> load(positional_ref from, const recordio_chunk& chunk);

  const recordio_index* index_;
  recordio_options options_;
  std::size_t chunk_ = 0;         // the next to be entered
  std::uint32_t first_ = 0;       // record of it that is wanted
  std::uintmax_t left_ = 0;       // records, of chunks that were not entered
  std::uintmax_t left_here_ = 0;  // of the one that was
  std::uintmax_t size_ = 0;
  bytes buffer_;
  chunk_contents contents_;
  std::error_code error_;
  recordio_report report_;
};

}  // namespace detail

/// The records [start, start + count) of a file. Only the chunks that hold them are read, header and payload by one
/// positional read into a buffer that every chunk uses again. The position of the file is left alone: any number of
/// ranges may read one file, each in its thread. The index has to outlive the range.
template <sized_positional_reader F>
class recordio_range {
 public:
  /// A `start` below 0 is 0. A `count` below 0, and one that reaches beyond the end, is as far as the end: so a `start`
  /// there gives no record.
  recordio_range(F&& file, const recordio_index& index, std::intmax_t start, std::intmax_t count,
                 const recordio_options& options = {})
      : file_(std::forward<F>(file)), state_(index, start, count, options) {}

  /// The next record; nothing at the end of the range. Views as those of recordio_reader, and its errors; also
  /// `invalid_data` where the file has another header than the index says. With the policies `skip_chunk` and `resync`
  /// a bad chunk is left out, and its records count as read.
  next_record next() { return state_.next(detail::as_positional(file_.get())); }

  /// The next record where the chunk at hand has one, which costs a compare and two additions; else false, and `next`
  /// goes on. `records` and `copy_records` use it.
  bool try_next(std::span<const std::byte>& record) noexcept { return state_.try_next(record); }

  /// How many records the range has.
  std::uintmax_t size() const noexcept { return state_.size(); }

  /// What was read and what was left out; offsets count from the beginning of the file.
  const recordio_report& report() const noexcept { return state_.report(); }

 private:
  detail::held<F> file_;
  detail::recordio_range_state state_;
};

template <sized_positional_reader F>
recordio_range(F&&, const recordio_index&, std::intmax_t, std::intmax_t) -> recordio_range<F>;
template <sized_positional_reader F>
recordio_range(F&&, const recordio_index&, std::intmax_t, std::intmax_t, const recordio_options&) -> recordio_range<F>;

}  // namespace sluice

#endif
