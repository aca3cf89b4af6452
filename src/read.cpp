// SPDX-License-Identifier: BSL-1.0
#include <sluice/read.hpp>

#include "wait/waiting.hpp"

namespace sluice::detail {
namespace {

std::expected<void, transfer_error> whole(const std::expected<std::size_t, transfer_error>& got, std::size_t wanted) {
  if (!got) return std::unexpected(got.error());
  if (*got < wanted) return fail(io_errc::unexpected_eof, *got);
  return {};
}

}  // namespace

std::expected<std::size_t, transfer_error> read(source_ref from, std::span<std::byte> out,
                                                const wait_options* options) {
  waiting_source source(from, options);
  std::size_t got = 0;
  while (got < out.size()) {
    const auto n = source.read_some(out.subspan(got));
    if (!n) return fail(n.error(), got);
    if (*n == 0) break;
    got += *n;
  }
  return got;
}

std::expected<void, transfer_error> read_exactly(source_ref from, std::span<std::byte> out,
                                                 const wait_options* options) {
  return whole(read(from, out, options), out.size());
}

}  // namespace sluice::detail
