// SPDX-License-Identifier: BSL-1.0
#include "testing/followed_reader.hpp"

#include "testing/words.hpp"

#include <vector>

namespace sluice::detail {
namespace {

/// Memory for requests, with a margin round each that shows whether something was written there.
class guarded_memory {
 public:
  explicit guarded_memory(std::span<const std::size_t> sizes) {
    std::size_t total = margin;
    for (const std::size_t n : sizes) total += n + margin;
    memory_.assign(total, filler);
    std::size_t at = margin;
    for (const std::size_t n : sizes) {
      pieces_.emplace_back(memory_.data() + at, n);
      at += n + margin;
    }
  }

  std::span<const mutable_buffer> pieces() const noexcept { return pieces_; }
  std::span<std::byte> first() const noexcept { return {pieces_.front().data, pieces_.front().size}; }

  bool intact() const noexcept {
    const std::byte* from = memory_.data();
    for (const mutable_buffer& piece : pieces_) {
      if (!is_filler({from, piece.data})) return false;
      from = piece.data + piece.size;
    }
    return is_filler({from, memory_.data() + memory_.size()});
  }

  /// The first `n` bytes in the pieces, one after the other.
  std::vector<std::byte> joined(std::size_t n) const {
    std::vector<std::byte> bytes;
    for (const mutable_buffer& piece : pieces_) {
      const std::size_t part = std::min(piece.size, n - bytes.size());
      bytes.insert(bytes.end(), piece.data, piece.data + part);
    }
    return bytes;
  }

 private:
  static constexpr std::size_t margin = 32;
  static constexpr std::byte filler{0xa5};

  static bool is_filler(std::span<const std::byte> b) noexcept {
    return std::ranges::all_of(b, [](std::byte x) { return x == filler; });
  }

  std::vector<std::byte> memory_;
  std::vector<mutable_buffer> pieces_;
};

}  // namespace

went followed_reader::broken(contract_rule rule, const std::string& what, std::string expected, std::string found) {
  report_.add({under_.value_or(rule), at_place(where_, what), std::move(expected), std::move(found)});
  return went::broken;
}

went followed_reader::broken(contract_rule rule, const made_call& call, std::string expected, std::string found) {
  return broken(rule, call.text(), std::move(expected), std::move(found));
}

went followed_reader::failed(const made_call& call, std::error_code error) {
  error_ = error;
  if (may_fail_) return went::failed;
  return broken(contract_rule::no_needless_error, call, "no error", error.message());
}

went followed_reader::over_counted(const made_call& call, std::uintmax_t most, std::uintmax_t found) {
  error_ = io_errc::bad_count;
  if (may_over_count_) return went::failed;
  return broken(contract_rule::request_bound, call, "at most " + number(most), number(found));
}

went followed_reader::arrived(std::span<const std::byte> got, contract_rule rule, const made_call& call) {
  if (got.empty()) {
    if (left() == 0) {
      has_ended_ = true;
      return went::ended;
    }
    return broken(rule == contract_rule::same_bytes ? contract_rule::zero_is_the_end : rule, call,
                  number(left()) + " bytes more", "the end");
  }
  if (left() == 0 && has_ended_)
    return broken(contract_rule::end_is_final, call, "the end", number(got.size()) + " bytes");
  if (const auto wrong = difference(got, rest(), at_)) return broken(rule, call, wrong->first, wrong->second);
  at_ += got.size();
  return went::on;
}

went followed_reader::read(std::size_t n) {
  const guarded_memory memory({&n, 1});
  const result<std::size_t> got = subject_->read_some(memory.first());
  const made_call what{"read_some", {&n, 1}, at_};
  if (!memory.intact())
    return broken(contract_rule::request_bound, what, "nothing is written outside of the request", "something is");
  if (!got) return failed(what, got.error());
  if (*got > n) return over_counted(what, n, *got);
  if (n == 0) return went::on;
  return arrived(memory.first().first(*got), contract_rule::same_bytes, what);
}

went followed_reader::pieces(std::span<const std::size_t> sizes) {
  const guarded_memory memory(sizes);
  const result<std::size_t> got = subject_->read_pieces(memory.pieces());
  const made_call what{"read_some", sizes, at_};
  const std::size_t request = cpo::total_size(memory.pieces());
  if (!memory.intact())
    return broken(contract_rule::request_bound, what, "nothing is written outside of the request", "something is");
  if (!got) return failed(what, got.error());
  if (*got > request) return over_counted(what, request, *got);
  if (request == 0) return went::on;
  return arrived(memory.joined(*got), contract_rule::pieces_as_one, what);
}

went followed_reader::fill(std::size_t n) {
  const made_call what{"fill", {&n, 1}, at_};
  const std::size_t held_before = held();
  const result<std::span<const std::byte>> got = subject_->fill(n);
  if (!got) {
    if (const std::size_t now = held(); now < held_before)
      return broken(contract_rule::nothing_lost, what, "a window of " + number(held_before) + " bytes still",
                    number(now));
    if (got.error() == io_errc::buffer_too_small && n > 1) {
      error_ = got.error();
      return went::failed;
    }
    return failed(what, got.error());
  }
  if (got->size() < std::min(n, left()))
    return broken(contract_rule::fill_reaches, what, "at least " + number(std::min(n, left())) + " bytes",
                  number(got->size()));
  if (const auto wrong = difference(*got, rest(), at_))
    return broken(contract_rule::fill_shows_next, what, wrong->first, wrong->second);
  const std::span<const std::byte> window = subject_->window();
  if (window.size() != got->size() || (!window.empty() && window.data() != got->data()))
    return broken(contract_rule::fill_shows_next, what,
                  "buffered() is what fill returned, " + number(got->size()) + " bytes",
                  number(window.size()) + (window.size() == got->size() ? " bytes elsewhere" : " bytes"));
  return got->empty() && n != 0 ? went::ended : went::on;
}

went followed_reader::consume(std::size_t n) {
  const made_call what{"consume", {&n, 1}, at_};
  const std::size_t before = held();
  subject_->consume(n);
  at_ += n;
  // A stream of several parts may show the next part once it is through with one.
  const std::span<const std::byte> after = subject_->window();
  if (after.size() < before - n)
    return broken(contract_rule::consume_moves, what, "a window of " + number(before - n) + " bytes",
                  number(after.size()));
  if (const auto wrong = difference(after, rest(), at_))
    return broken(contract_rule::consume_moves, what, wrong->first, wrong->second);
  return went::on;
}

went followed_reader::skip(std::uintmax_t n) {
  const auto argument = static_cast<std::size_t>(n);
  const made_call what{"skip", {&argument, 1}, at_};
  const std::uintmax_t most = std::min<std::uintmax_t>(n, left());
  const result<std::uintmax_t> passed = subject_->skip(n);
  if (!passed) {
    if (passed.error() == io_errc::unsupported) {
      error_ = passed.error();
      return went::failed;
    }
    return failed(what, passed.error());
  }
  if (*passed > n && may_over_count_) return over_counted(what, n, *passed);
  if (*passed > most || (*passed == 0 && most != 0))
    return broken(contract_rule::skip_counts, what, number(most), number(*passed));
  at_ += static_cast<std::size_t>(*passed);
  return n != 0 && most == 0 ? went::ended : went::on;
}

went followed_reader::look() {
  const std::span<const std::byte> first = subject_->window();
  const std::span<const std::byte> second = subject_->window();
  const made_call what{"buffered", {}, at_};
  if (first.size() != second.size() || first.data() != second.data())
    return broken(contract_rule::window_stable, what, "the same window twice", "two different ones");
  if (const auto wrong = difference(second, rest(), at_))
    return broken(contract_rule::window_stable, what, wrong->first, wrong->second);
  return went::on;
}

went followed_reader::tell_position(std::uintmax_t start) {
  const std::size_t held_before = held();
  const result<std::uintmax_t> told = subject_->position();
  const made_call what{"position", {}, at_};
  if (!told) return failed(what, told.error());
  if (*told != start + at_) return broken(contract_rule::position_tells, what, number(start + at_), number(*told));
  if (held() != held_before)
    return broken(contract_rule::position_tells, what, "a window of " + number(held_before) + " bytes still",
                  number(held()));
  return went::on;
}

went followed_reader::end() {
  const reader_subject::abilities can = subject_->can();
  for (const std::size_t n : {1U, 7U, 1U, 4096U}) {
    if (const went how = read(n); how != went::ended) return how;
    if (can.buffered) {
      if (const went how = fill(n); how != went::ended && how != went::failed) return how;
    }
    if (can.skips) {
      if (const went how = skip(n); how != went::ended && how != went::failed) return how;
    }
  }
  return went::ended;
}

}  // namespace sluice::detail
