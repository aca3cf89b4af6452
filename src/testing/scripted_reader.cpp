// SPDX-License-Identifier: BSL-1.0
#include <sluice/testing/scripted_reader.hpp>

#include <algorithm>

namespace sluice {

result<std::size_t> scripted_reader::read_some(std::span<std::byte> b) {
  ++calls;
  if (steps.empty()) return std::size_t{0};
  step& now = steps.front();
  const std::error_code error = now.error;
  const std::size_t n = std::min(b.size(), now.bytes.size());
  std::copy_n(now.bytes.begin(), n, b.begin());
  now.bytes.erase(now.bytes.begin(), now.bytes.begin() + static_cast<std::ptrdiff_t>(n));
  if (now.bytes.empty()) steps.pop_front();
  if (error) return sluice::fail(error);
  return n;
}

}  // namespace sluice
