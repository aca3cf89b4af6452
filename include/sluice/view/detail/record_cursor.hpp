// SPDX-License-Identifier: BSL-1.0
//
// The cursor of lines and split: from one record to the next in the window of a reader.
//
#ifndef SLUICE_VIEW_DETAIL_RECORD_CURSOR_HPP
#define SLUICE_VIEW_DETAIL_RECORD_CURSOR_HPP

#include <sluice/detail/source_ops.hpp>
#include <sluice/view/detail/find_block.hpp>

#include <bit>
#include <string_view>

namespace sluice::detail {

struct record_rule {
  std::byte terminator = std::byte{'\n'};
  bool with_carriage_return = false;  // one before the terminator belongs to it
  bool keep_terminator = false;
  std::size_t max_length = 0;  // bytes, the terminator not counted
};

/// Most steps take a bit from the marks of the block that was looked at last. The rest, and all that reads, is compiled.
class record_cursor {
 public:
  using value_type = std::string_view;

  record_cursor() = default;
  explicit record_cursor(const record_rule& rule) noexcept : rule_(rule) {}

  /// The bytes of the reader that the element takes up, its terminator included; 0 where there is none.
  std::size_t length() const noexcept { return length_; }
  value_type element() const noexcept { return {reinterpret_cast<const char*>(record_), shown_}; }

  /// To the first record of the window.
  result<void> start(source_ref from) {
    record_ = scanned_ = window_end_ = nullptr;
    length_ = 0;
    marks_ = 0;
    ended_ = false;
    look_at(from.window());
    return find(from);
  }

  /// To the record after the current one, which has just been consumed.
  result<void> next(source_ref from) {
    record_ += length_;
    if (marks_ == 0) return find(from);
    return take_mark();
  }

 private:
  result<void> take_mark() {
    const std::byte* const at = block_ + std::countr_zero(marks_);
    marks_ &= marks_ - 1;
    const auto content = static_cast<std::size_t>(at - record_);
    const bool two = rule_.with_carriage_return && content != 0 && at[-1] == std::byte{'\r'};
    return take(content - two, content + 1);
  }

  result<void> take(std::size_t content, std::size_t length) {
    if (content > rule_.max_length) [[unlikely]]
      return too_long();
    length_ = length;
    shown_ = rule_.keep_terminator ? length : content;
    return {};
  }

  void look_at(std::span<const std::byte> window) noexcept;
  [[gnu::noinline]] result<void> find(source_ref from);
  [[gnu::cold, gnu::noinline]] result<void> too_long() noexcept;

  const std::byte* record_ = nullptr;  // where the current record begins
  std::size_t length_ = 0;
  std::size_t shown_ = 0;
  const std::byte* block_ = nullptr;
  std::uint64_t marks_ = 0;             // terminators in the block, those behind us removed
  const std::byte* scanned_ = nullptr;  // up to here every terminator has been taken or marked
  const std::byte* window_end_ = nullptr;
  bool ended_ = false;  // the window is the rest of the stream
  record_rule rule_;
};

}  // namespace sluice::detail

#endif
