// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/detail/output.hpp>
#include <sluice/write.hpp>

#include "copy/step.hpp"

#include <algorithm>

namespace sluice::thrift::detail {
namespace {

// What is longer goes to the stream in one piece, which may pass it on without a copy.
constexpr std::size_t worth_room = 4096;

}  // namespace

void output::sync() noexcept {
  if (!base_) return;
  const auto put = static_cast<std::size_t>(pos_ - base_);
  base_ = pos_ = end_ = nullptr;
  sink_.commit(put);
}

std::byte* output::try_room_slow(std::size_t n) {
  sync();
  if (n > worth_room) return nullptr;
  const auto lent = sink_.prepare(n);
  if (!lent) {
    // Either way write_all does it: piece by piece, or after a wait.
    if (lent.error() != io_errc::buffer_too_small && !sluice::detail::would_block_error(lent.error()))
      error_ = lent.error();
    return nullptr;
  }
  base_ = pos_ = lent->data();
  end_ = pos_ + std::min<std::size_t>(lent->size(), largest_size);
  return pos_;
}

bool output::put_slow(std::span<const std::byte> all) {
  if (all.empty()) return true;
  error_ = {};
  if (std::byte* const to = try_room_slow(all.size())) {
    std::memcpy(to, all.data(), all.size());
    pos_ += all.size();
    return true;
  }
  if (error_) return false;
  const auto written = sluice::detail::write_all(sink_, all, nullptr);
  return written || fail(written.error());
}

bool output::put_string_slow(std::span<const std::byte> text) {
  if (!check_size(text.size())) return false;
  return put_number(static_cast<std::uint32_t>(text.size())) && put_bytes(text);
}

bool output::flush() {
  sync();
  const auto flushed = sink_.flush();
  return flushed || fail(flushed.error());
}

}  // namespace sluice::thrift::detail
