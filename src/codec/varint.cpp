// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/varint.hpp>

#include "../wait/waiting.hpp"

namespace sluice::detail {
namespace {

bool ends_inside(const std::expected<seen_varint, io_errc>& seen) noexcept {
  return !seen && (seen.error() == io_errc::truncated || seen.error() == io_errc::unexpected_eof);
}

// `seen` of the bytes were taken out of the stream before.
std::expected<seen_varint, transfer_error> read_by_bytes(waiting_source& source, varint_rule rule,
                                                         std::span<const std::byte> seen) {
  std::array<std::byte, varint_bytes> taken;
  std::ranges::copy(seen, taken.begin());
  std::size_t n = seen.size();
  for (;;) {
    const auto got = source.read_some(std::span(taken).subspan(n, 1));
    if (!got) return fail(got.error(), n);
    if (*got == 0 && n == 0) return seen_varint{0, 0};
    if (*got == 0) return fail(io_errc::truncated, n);
    const auto decoded = decode_varint(std::span(taken).first(++n), rule);
    if (decoded) return *decoded;
    if (!ends_inside(decoded)) return fail(decoded.error(), n);
  }
}

}  // namespace

result<seen_varint> find_varint(source_ref from, varint_rule rule, const wait_options* options) {
  waiting_source source(from, options);
  std::size_t wanted = 1;
  for (;;) {
    const auto window = source.fill(wanted);
    if (!window) return fail(window.error());
    if (window->empty()) return seen_varint{0, 0};
    const auto decoded = decode_varint(*window, rule);
    if (decoded) return *decoded;
    if (!ends_inside(decoded) || window->size() < wanted) return fail(decoded.error());
    wanted = window->size() + 1;
  }
}

std::expected<seen_varint, transfer_error> read_varint(source_ref from, varint_rule rule) {
  waiting_source source(from, nullptr);
  if (!from.is_buffered()) return read_by_bytes(source, rule, {});
  const auto found = find_varint(from, rule, nullptr);
  if (!found && found.error() == io_errc::buffer_too_small && from.window().size() < rule.longest()) {
    std::array<std::byte, varint_bytes> seen;
    const auto window = from.window();
    std::ranges::copy(window, seen.begin());
    from.consume(window.size());
    return read_by_bytes(source, rule, std::span(seen).first(window.size()));
  }
  if (!found) return fail(found.error(), 0);
  from.consume(found->size);
  return *found;
}

}  // namespace sluice::detail
