// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/expecting_writer.hpp>

#include <algorithm>

namespace sluice {

result<std::size_t> expecting_writer::write_some(std::span<const std::byte> b) noexcept {
  if (b.empty()) return std::size_t{0};
  const std::span<const std::byte> rest = expected_.subspan(at_);
  const auto right = static_cast<std::size_t>(std::ranges::mismatch(b, rest).in1 - b.begin());
  if (right == 0) wrong_ = true;
  if (wrong_) return fail(io_errc::invalid_data);
  at_ += right;
  return right;
}

}  // namespace sluice
