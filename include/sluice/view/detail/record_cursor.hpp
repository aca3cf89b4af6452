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

  record_cursor unstarted() const noexcept { return record_cursor(rule_); }

  std::size_t passed() const noexcept { return static_cast<std::size_t>(record_ - window_); }
  std::size_t length() const noexcept { return length_; }
  value_type element() const noexcept { return {reinterpret_cast<const char*>(record_), shown_}; }

  result<void> start(source_ref from) {
    *this = unstarted();
    look_at(from.window());
    return find(from);
  }

  result<void> next(source_ref from) {
    record_ += length_;
    return marks_ != 0 ? take_mark(from) : find(from);
  }

 private:
  result<void> take_mark(source_ref from) {
    const std::byte* const at = block_ + std::countr_zero(marks_);
    marks_ &= marks_ - 1;
    const auto content = static_cast<std::size_t>(at - record_);
    const bool two = rule_.with_carriage_return && content != 0 && at[-1] == std::byte{'\r'};
    return take(from, content - (two ? 1U : 0U), content + 1);
  }

  result<void> take(source_ref from, std::size_t content, std::size_t length) {
    if (content > rule_.max_length) [[unlikely]]
      return too_long(from);
    length_ = length;
    shown_ = rule_.keep_terminator ? length : content;
    return {};
  }

  void look_at(std::span<const std::byte> window) noexcept;
  void settle(source_ref from) noexcept;
  [[gnu::noinline]] result<void> find(source_ref from);
  [[gnu::cold, gnu::noinline]] result<void> too_long(source_ref from) noexcept;

  const std::byte* window_ = nullptr;  // where the reader stands
  const std::byte* window_end_ = nullptr;
  const std::byte* record_ = nullptr;   // where the current record begins
  const std::byte* scanned_ = nullptr;  // up to here every terminator has been taken or marked
  const std::byte* block_ = nullptr;
  std::uint64_t marks_ = 0;  // terminators in the block, those behind us removed
  std::size_t length_ = 0;
  std::size_t shown_ = 0;
  bool ended_ = false;  // the window is the rest of the stream
  record_rule rule_;
};

}  // namespace sluice::detail

#endif
