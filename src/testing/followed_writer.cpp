// SPDX-License-Identifier: BSL-1.0
#include "testing/followed_writer.hpp"

#include "testing/words.hpp"

#include <vector>

namespace sluice::detail {
namespace {

constexpr std::byte junk{0xee};

}  // namespace

went followed_writer::broken(contract_rule rule, const std::string& call, std::string expected, std::string found) {
  report_.add({under_.value_or(rule), at_place(where_, call), std::move(expected), std::move(found)});
  return went::broken;
}

went followed_writer::failed(const std::string& call, std::error_code error) {
  error_ = error;
  if (may_fail_) return went::failed;
  return broken(contract_rule::no_needless_error, call, "no error", error.message());
}

went followed_writer::accepted(const result<std::size_t>& n, std::size_t request, const std::string& call) {
  if (!n) return failed(call, n.error());
  if (*n > request) {
    error_ = io_errc::bad_count;
    if (may_over_count_) return went::failed;
    return broken(contract_rule::request_bound, call, "at most " + number(request), number(*n));
  }
  if (*n == 0 && request != 0) {
    error_ = io_errc::write_zero;
    if (may_fail_) return went::failed;
    return broken(contract_rule::accepts_some, call, "at least one byte, or an error", "0");
  }
  at_ += *n;
  return went::on;
}

went followed_writer::write(std::size_t n) {
  const std::span<const std::byte> request = rest().first(std::min(n, rest().size()));
  const std::string what = call("write_some", request.size(), at_);
  if (!reuses_memory_) return accepted(subject_->write_some(request), request.size(), what);
  std::vector<std::byte> memory(request.begin(), request.end());
  const result<std::size_t> done = subject_->write_some(memory);
  std::ranges::fill(memory, junk);
  const went how = accepted(done, request.size(), what);
  // The memory has to be there still for a writer that comes back to it.
  if (how == went::on && unchanged() && compare(what, false) == went::broken) return went::broken;
  return how;
}

went followed_writer::pieces(std::span<const std::size_t> sizes) {
  std::vector<const_buffer> pieces;
  std::span<const std::byte> left = rest();
  for (const std::size_t size : sizes) {
    const std::size_t n = std::min(size, left.size());
    pieces.emplace_back(left.first(n));
    left = left.subspan(n);
  }
  const std::string what = call("write_some", joined(sizes), at_);
  return accepted(subject_->write_pieces(pieces), rest().size() - left.size(), what);
}

went followed_writer::place(std::size_t n, std::size_t used) {
  const std::string what = call("prepare", n, at_);
  const result<std::span<std::byte>> room = subject_->prepare(n);
  if (!room) {
    if (room.error() == io_errc::buffer_too_small && n > 1) {
      error_ = room.error();
      return went::failed;
    }
    return failed(what, room.error());
  }
  if (room->size() < n)
    return broken(contract_rule::prepare_reaches, what, "at least " + number(n) + " bytes", number(room->size()));
  used = std::min({used, room->size(), rest().size()});
  std::ranges::fill(*room, junk);
  std::ranges::copy(rest().first(used), room->begin());
  subject_->commit(used);
  at_ += used;
  return went::on;
}

went followed_writer::compare(const std::string& call, bool all) {
  const std::vector<std::byte> arrived = subject_->observed();
  const std::span<const std::byte> wanted = bytes_.unchanged ? bytes_.input.first(at_) : bytes_.expected;
  if (const auto wrong = difference(arrived, wanted, 0)) return broken(bytes_rule_, call, wrong->first, wrong->second);
  if (all && arrived.size() != wanted.size()) {
    const bool held = subject_->can().flushes && bytes_rule_ == contract_rule::same_bytes;
    return broken(held ? contract_rule::flush_passes_on : bytes_rule_, call,
                  number(wanted.size()) + " bytes have arrived", number(arrived.size()));
  }
  return went::on;
}

went followed_writer::flush() {
  const std::string what = call("flush", "", at_);
  if (subject_->can().flushes) {
    if (const result<void> flushed = subject_->flush(); !flushed) return failed(what, flushed.error());
  }
  if (!unchanged() && !rest().empty()) return went::on;
  return compare(what, true);
}

went followed_writer::tell_position(std::uintmax_t start) {
  const result<std::uintmax_t> told = subject_->position();
  const std::string what = call("position", "", at_);
  if (!told) return failed(what, told.error());
  if (*told != start + at_) return broken(contract_rule::position_tells, what, number(start + at_), number(*told));
  return went::on;
}

}  // namespace sluice::detail
