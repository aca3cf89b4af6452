// SPDX-License-Identifier: BSL-1.0
#include "testing/followed_writer.hpp"

#include "testing/words.hpp"

#include <vector>

namespace sluice::detail {
namespace {

constexpr std::byte junk{0xee};

}  // namespace

went followed_writer::broken(contract_rule rule, const std::string& what, std::string expected, std::string found) {
  report_.add({under_.value_or(rule), at_place(where_, what), std::move(expected), std::move(found)});
  return went::broken;
}

went followed_writer::broken(contract_rule rule, const made_call& call, std::string expected, std::string found) {
  return broken(rule, call.text(), std::move(expected), std::move(found));
}

went followed_writer::failed(const made_call& call, std::error_code error) {
  error_ = error;
  if (may_fail_) return went::failed;
  return broken(contract_rule::no_needless_error, call, "no error", error.message());
}

went followed_writer::accepted(const result<std::size_t>& n, std::size_t request, const made_call& call) {
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
  const std::size_t size = request.size();
  const made_call what{"write_some", {&size, 1}, at_};
  if (!reuses_memory_) return accepted(subject_->write_some(request), request.size(), what);
  // The memory stays: a writer that comes back to it finds other bytes there.
  const std::span<std::byte> memory = bytes_.memory.first(request.size());
  std::ranges::copy(request, memory.begin());
  const result<std::size_t> done = subject_->write_some(memory);
  std::ranges::fill(memory, junk);
  return accepted(done, request.size(), what);
}

went followed_writer::pieces(std::span<const std::size_t> sizes) {
  std::vector<const_buffer> pieces;
  std::span<const std::byte> left = rest();
  for (const std::size_t size : sizes) {
    const std::size_t n = std::min(size, left.size());
    pieces.emplace_back(left.first(n));
    left = left.subspan(n);
  }
  const made_call what{"write_some", sizes, at_};
  return accepted(subject_->write_pieces(pieces), rest().size() - left.size(), what);
}

went followed_writer::place(std::size_t n, std::size_t used) {
  const made_call what{"prepare", {&n, 1}, at_};
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

went followed_writer::compare(const made_call& call, bool all) {
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
  const made_call what{"flush", {}, at_};
  if (subject_->can().flushes) {
    if (const result<void> flushed = subject_->flush(); !flushed) return failed(what, flushed.error());
  }
  if (!unchanged() && !rest().empty()) return went::on;
  return compare(what, true);
}

went followed_writer::tell_position(std::uintmax_t start) {
  const result<std::uintmax_t> told = subject_->position();
  const made_call what{"position", {}, at_};
  if (!told) return failed(what, told.error());
  if (*told != start + at_) return broken(contract_rule::position_tells, what, number(start + at_), number(*told));
  return went::on;
}

}  // namespace sluice::detail
