// SPDX-License-Identifier: BSL-1.0
#include <sluice/write.hpp>

namespace sluice::detail {

result<void> write_all(sink_ref to, std::span<const std::byte> in) {
  while (!in.empty()) {
    const auto n = to.write_some(in);
    if (!n) return fail(n.error());
    if (*n == 0) return fail(io_errc::write_zero);
    in = in.subspan(*n);
  }
  return {};
}

}  // namespace sluice::detail
