// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/detail/input.hpp>
#include <sluice/codec/thrift/skip.hpp>

namespace sluice::thrift {

result<void> skipper::skip(ttype type) {
  detail::input in(rest(), limits_);
  if (!in.skip(type)) return fail(in.error());
  offset_ = memory_.size() - in.left();
  return {};
}

result<void> skipper::skip_bytes(std::size_t n) noexcept {
  if (n > memory_.size() - offset_) return fail(io_errc::truncated);
  offset_ += n;
  return {};
}

}  // namespace sluice::thrift
