// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/detail/decoder.hpp>
#include <sluice/system/file_range.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::detail {
namespace {

constexpr std::size_t tail_size = 4;

// The last bytes of a file, wherever its descriptor stands.
std::optional<std::array<std::byte, tail_size>> tail_of(const std::optional<fd_endpoint>& source) {
  if (!source || source->offset || source->max_bytes != unbounded) return std::nullopt;
  file_range file(source->fd, 0);
  std::array<std::byte, tail_size> tail;
  if (!file.seek(-static_cast<std::intmax_t>(tail_size), whence::end)) return std::nullopt;
  const auto got = file.read_some(tail);
  if (!got || *got != tail_size) return std::nullopt;
  return tail;
}

}  // namespace

decompress_state::decompress_state(std::unique_ptr<decoder> format, const decompress_options& options) noexcept
    : format_(std::move(format)), left_(options.max_size), members_(options.members), trailing_(options.trailing) {}

std::unexpected<std::error_code> decompress_state::failed(std::error_code why) noexcept {
  error_ = why;
  return fail(why);
}

result<std::size_t> decompress_state::read_some(source_ref from, std::span<std::byte> out) {
  if (out.empty()) return std::size_t{0};
  if (!format_) return fail(std::make_error_code(std::errc::bad_file_descriptor));
  if (error_) return fail(error_);
  if (left_ == 0) {
    // One byte more tells whether the bound has cut anything off.
    std::byte beyond;
    const result<std::size_t> n = advance(from, {&beyond, 1});
    if (n && *n != 0) return failed(io_errc::limit_exceeded);
    return n;
  }
  const result<std::size_t> n =
      advance(from, out.first(static_cast<std::size_t>(std::min<std::uintmax_t>(out.size(), left_))));
  if (n) {
    if (left_ != unbounded) left_ -= *n;
    total_ += *n;
  }
  return n;
}

// Until at least a byte has come out, or all has ended.
result<std::size_t> decompress_state::advance(source_ref from, std::span<std::byte> out) {
  for (;;) {
    if (place_ == place::ended) return std::size_t{0};
    if (place_ == place::behind) {
      if (const auto passed = pass_rest(from); !passed) return fail(passed.error());
      continue;
    }
    if (place_ != place::inside) {
      if (const auto found = find_member(from); !found) return fail(found.error());
      continue;
    }
    std::span<const std::byte> in = from.window();
    if (in.empty() && !more_to_give_) {
      const auto filled = from.fill(1);
      if (!filled) return fail(filled.error());
      if (filled->empty()) {
        if (!format_->may_end()) return failed(io_errc::truncated);
        place_ = place::ended;
        return std::size_t{0};
      }
      in = *filled;
    }
    const decoded step = format_->decode(in, out);
    from.consume(step.consumed);
    more_to_give_ = step.produced == out.size() && !step.member_ended;
    if (step.member_ended) place_ = members_ == members::all ? place::between : place::ended;
    if (step.error) error_ = step.error;
    if (step.produced != 0) return step.produced;
    if (error_) return fail(error_);
    // A step that leaves everything as it was would be repeated for ever.
    if (step.consumed == 0 && !step.member_ended && !in.empty()) return failed(io_errc::invalid_data);
  }
}

// Bytes that may begin a member are taken as they come, as a buffer that holds an error behind a few of them shows no
// more until they are taken; but not where they are to stay in the source if they begin none.
result<void> decompress_state::find_member(source_ref from) {
  const bool stay = place_ != place::first && trailing_ == trailing::leave;
  std::size_t needed = 1;
  for (;;) {
    const auto seen = from.fill(needed);
    if (!seen) return fail(seen.error());
    if (seen->size() < needed) {
      const bool nothing = head_size_ == 0 && seen->empty();
      return no_more_members(nothing ? std::error_code() : io_errc::truncated);
    }
    std::span<const std::byte> start = *seen;
    if (head_size_ != 0) {
      const std::size_t n = std::min(seen->size(), head_.size() - head_size_);
      std::ranges::copy(seen->first(n), head_.begin() + static_cast<std::ptrdiff_t>(head_size_));
      start = std::span(head_).first(head_size_ + n);
    }
    switch (format_->look(start)) {
      case beginning::member: return begin_member();
      case beginning::padding: {
        if (place_ == place::first) return failed(io_errc::invalid_data);
        if (stay) return no_more_members(io_errc::invalid_data);
        const auto other = std::ranges::find_if(*seen, [](std::byte b) { return b != std::byte{0}; });
        from.consume(static_cast<std::size_t>(other - seen->begin()));
        break;
      }
      case beginning::unclear:
        if (stay) {
          needed = seen->size() + 1;
          break;
        }
        if (head_size_ == 0) std::ranges::copy(start, head_.begin());
        head_size_ = start.size();
        from.consume(seen->size());
        break;
      case beginning::other: return no_more_members(io_errc::invalid_data);
    }
  }
}

result<void> decompress_state::begin_member() {
  format_->begin();
  place_ = place::inside;
  more_to_give_ = false;
  if (head_size_ == 0) return {};
  // No format has content among bytes that do not even tell that it is the format.
  std::byte unused;
  const decoded step = format_->decode(std::span(head_).first(std::exchange(head_size_, 0)), {&unused, 1});
  if (step.error) return failed(step.error);
  return {};
}

// `why`: what it is where bytes that begin no member are not allowed; zero where there are none.
result<void> decompress_state::no_more_members(std::error_code why) noexcept {
  if (place_ == place::first) return failed(why ? why : io_errc::truncated);
  if (why && trailing_ == trailing::fail) return failed(why);
  place_ = why && trailing_ == trailing::ignore ? place::behind : place::ended;
  return {};
}

result<void> decompress_state::pass_rest(source_ref from) {
  for (;;) {
    const auto rest = from.fill(1);
    if (!rest) return fail(rest.error());
    if (rest->empty()) break;
    from.consume(rest->size());
  }
  place_ = place::ended;
  return {};
}

std::optional<std::uintmax_t> decompress_state::size_hint(source_ref from) const {
  if (!format_ || place_ != place::first || error_) return std::nullopt;
  const std::span<const std::byte> head = from.window();
  std::optional<std::uintmax_t> hint;
  if (from.ops->in_memory) {
    hint = format_->size_hint({head, head.last(std::min(head.size(), tail_size)), head.size()});
  } else {
    const auto size = from.size_hint();
    const auto tail = size ? tail_of(from.kernel_endpoint()) : std::nullopt;
    hint = tail ? format_->size_hint({head, *tail, *size}) : format_->size_hint({head, {}, 0});
  }
  if (hint) *hint = std::min(*hint, left_);
  return hint;
}

}  // namespace sluice::detail
