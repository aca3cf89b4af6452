// SPDX-License-Identifier: BSL-1.0
//
// The cursor of lines and split: from one record to the next in the window of a reader.
//
#ifndef SLUICE_VIEW_DETAIL_RECORD_CURSOR_HPP
#define SLUICE_VIEW_DETAIL_RECORD_CURSOR_HPP

#include <sluice/detail/source_ops.hpp>
#include <sluice/view/detail/byte_marks.hpp>

#include <string_view>

namespace sluice::detail {

struct record_rule {
  std::byte terminator = std::byte{'\n'};
  bool with_carriage_return = false;  // one before the terminator belongs to it
  bool keep_terminator = false;
  std::size_t max_length = 0;  // bytes, the terminator not counted
};

/// Most steps take a mark. The rest, and all that reads, is compiled.
class record_cursor {
 public:
  using value_type = std::string_view;

  record_cursor() = default;
  explicit record_cursor(const record_rule& rule) noexcept : rule_(rule) {}

  record_cursor unstarted() const noexcept { return record_cursor(rule_); }

  std::size_t length() const noexcept { return length_; }
  value_type element() const noexcept { return {reinterpret_cast<const char*>(record_), shown_}; }

  result<void> start(source_ref from) {
    look_at(from.window());
    return find(from);
  }

  bool next() noexcept {
    record_ += length_;
    return take_mark();
  }

  result<void> find(source_ref from);

 private:
  /// The record up to the next mark, where there is one in sight and it is not too long.
  bool take_mark() noexcept {
    if (!marks_.any()) return false;
    const std::byte* const end = marks_.first();
    auto content = static_cast<std::size_t>(end - record_);
    const std::size_t length = content + 1;
    if (content != 0 && end[-1] == std::byte{'\r'} && rule_.with_carriage_return) --content;
    if (content > rule_.max_length) return false;
    marks_.drop_first();
    take(content, length);
    return true;
  }

  void take(std::size_t content, std::size_t length) noexcept {
    length_ = length;
    shown_ = rule_.keep_terminator ? length : content;
  }

  void look_at(std::span<const std::byte> window) noexcept;
  result<void> read(source_ref from);
  result<void> take_rest() noexcept;
  result<void> too_long() noexcept;

  const std::byte* record_ = nullptr;  // the current one, and the window of the reader from there
  const std::byte* window_end_ = nullptr;
  const std::byte* scanned_ = nullptr;  // up to here every terminator has been taken or marked
  byte_marks marks_;
  std::size_t length_ = 0;
  std::size_t shown_ = 0;
  bool ended_ = false;  // the window is the rest of the stream
  record_rule rule_;
};

}  // namespace sluice::detail

#endif
