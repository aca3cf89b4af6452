// SPDX-License-Identifier: BSL-1.0
#include <sluice/read.hpp>

namespace sluice::detail {

result<std::size_t> read(source_ref from, std::span<std::byte> out) {
  std::size_t got = 0;
  while (got < out.size()) {
    const auto n = from.read_some(out.subspan(got));
    if (!n) return n;
    if (*n == 0) break;
    got += *n;
  }
  return got;
}

result<void> read_exactly(source_ref from, std::span<std::byte> out) {
  const auto got = read(from, out);
  if (!got) return fail(got.error());
  if (*got < out.size()) return fail(io_errc::unexpected_eof);
  return {};
}

}  // namespace sluice::detail
