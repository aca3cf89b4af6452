// SPDX-License-Identifier: BSL-1.0
//
// Reading to the end: straight into the result where the size is known, else on the stack, and then into memory that
// grows.
//
#include <sluice/detail/resize_for_overwrite.hpp>
#include <sluice/read.hpp>

#include "growing_bytes.hpp"
#include "wait/waiting.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::detail {
namespace {

// A hint is believed up to this; beyond, what arrives decides, which costs no copy either.
constexpr std::uintmax_t largest_hint = std::uintmax_t{1} << 30;

constexpr std::size_t stack_size = std::size_t{64} << 10;

template <class Container>
class gathering {
 public:
  gathering(source_ref from, Container& out, std::uintmax_t max, const wait_options* options) noexcept
      : from_(from), source_(from, options), out_(out), max_(max) {}

  /// Why it has ended before the stream, if so. What has arrived is in `out`.
  std::optional<std::error_code> run() {
    const std::size_t expected = expected_size();
    if (expected != 0) {
      read_known(expected);
      if (why_ || out_.size() < expected) {
        shrink(expected);
        return why_;
      }
    }
    read_unknown();
    join();
    return why_;
  }

 private:
  std::uintmax_t total() const noexcept { return out_.size() + stack_used_ + block_.size(); }

  // 0 where nothing is known.
  std::size_t expected_size() const {
    std::uintmax_t size = from_.size_hint().value_or(0);
    if (from_.is_buffered()) size = std::max<std::uintmax_t>(size, from_.window().size());
    if (size > largest_hint) return 0;
    return static_cast<std::size_t>(std::min(size, max_));
  }

  void read_known(std::size_t expected) {
    reserve_for_overwrite(out_, expected);
    resize_for_overwrite(out_, expected);
    const std::span<std::byte> room = std::as_writable_bytes(std::span(out_.data(), expected));
    std::size_t got = 0;
    while (got < expected) {
      const auto n = source_.read_some(room.subspan(got));
      if (!n) why_ = n.error();
      if (!n || *n == 0) break;
      got += *n;
    }
    resize_for_overwrite(out_, got);
  }

  // Less came than was expected: what is much too large is given back.
  void shrink(std::size_t expected) {
    if (out_.size() < expected / 2 && expected > stack_size) Container(out_.begin(), out_.end()).swap(out_);
  }

  void read_unknown() {
    while (!why_) {
      const std::uintmax_t allowed = max_ - total();
      if (allowed == 0 && from_.is_buffered()) return look_past_the_limit();
      // At the limit, the next byte tells whether there is more.
      const std::uintmax_t most = std::max<std::uintmax_t>(allowed, 1);
      const std::span<std::byte> room = on_stack() ? std::span(stack_).subspan(stack_used_) : block_.room(most);
      const auto n =
          source_.read_some(room.first(static_cast<std::size_t>(std::min<std::uintmax_t>(room.size(), most))));
      if (!n) why_ = n.error();
      if (!n || *n == 0) return;
      if (allowed == 0) why_ = io_errc::limit_exceeded;
      arrived(*n);
    }
  }

  void look_past_the_limit() {
    const auto more = source_.fill(1);
    if (!more)
      why_ = more.error();
    else if (!more->empty())
      why_ = io_errc::limit_exceeded;
  }

  bool on_stack() const noexcept { return stack_used_ < stack_size && block_.size() == 0; }

  // Once there is much in the block, all that came before goes there too: then it is the result.
  void arrived(std::size_t n) {
    if (on_stack()) {
      stack_used_ += n;
      return;
    }
    block_.commit(n);
    if (joined_ || block_.size() < large_allocation) return;
    block_.put_first(std::as_bytes(std::span(out_.data(), out_.size())), std::span(stack_).first(stack_used_),
                     std::max<std::uintmax_t>(max_ - std::min(max_, total()), 1));
    out_ = Container();
    stack_used_ = 0;
    joined_ = true;
  }

  void join() {
    if (stack_used_ + block_.size() == 0) return;
    if constexpr (std::same_as<Container, bytes>) {
      if (joined_) {
        out_ = block_.take();
        return;
      }
    }
    Container all;
    const std::size_t before = out_.size();
    reserve_for_overwrite(all, static_cast<std::size_t>(total()));
    resize_for_overwrite(all, static_cast<std::size_t>(total()));
    std::byte* const to = reinterpret_cast<std::byte*>(all.data());
    if (before != 0) std::memcpy(to, out_.data(), before);
    std::memcpy(to + before, stack_, stack_used_);
    if (block_.size() != 0) std::memcpy(to + before + stack_used_, block_.content().data(), block_.size());
    out_.swap(all);
  }

  source_ref from_;
  waiting_source source_;
  Container& out_;
  std::uintmax_t max_;
  std::optional<std::error_code> why_;

  // What came after `out_`: first on the stack, then in the block.
  std::size_t stack_used_ = 0;
  growing_bytes block_;
  bool joined_ = false;  // the block holds all
  std::byte stack_[stack_size];
};

}  // namespace

std::optional<std::error_code> read_all(source_ref from, bytes& out, std::uintmax_t max, const wait_options* options) {
  return gathering(from, out, max, options).run();
}

std::optional<std::error_code> read_all(source_ref from, std::string& out, std::uintmax_t max,
                                        const wait_options* options) {
  return gathering(from, out, max, options).run();
}

}  // namespace sluice::detail
