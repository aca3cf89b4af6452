// SPDX-License-Identifier: BSL-1.0
#include <sluice/read.hpp>

#include "wait/waiting.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::detail {
namespace {

// Hands `pass` what comes before the delimiter, and the delimiter, as it lies in the window, and consumes that.
template <class Pass>
std::expected<passed_until, transfer_error> pass_until(source_ref from, std::byte delimiter, std::uintmax_t max,
                                                       const wait_options* options, Pass pass) {
  waiting_source source(from, options);
  passed_until done;
  for (;;) {
    const auto filled = source.fill(1);
    if (!filled) return fail(filled.error(), done.bytes);
    if (filled->empty()) return done;
    if (done.bytes == max) return fail(io_errc::limit_exceeded, done.bytes);

    const auto within =
        filled->first(static_cast<std::size_t>(std::min<std::uintmax_t>(filled->size(), max - done.bytes)));
    const void* const place = std::memchr(within.data(), std::to_integer<int>(delimiter), within.size());
    done.found = place != nullptr;
    const std::size_t n =
        done.found ? static_cast<std::size_t>(static_cast<const std::byte*>(place) - within.data()) + 1 : within.size();
    pass(within.first(n));
    from.consume(n);
    done.bytes += n;
    if (done.found) return done;
  }
}

}  // namespace

std::expected<std::size_t, transfer_error> read_until(source_ref from, std::byte delimiter, std::string& out,
                                                      std::size_t max, const wait_options* options) {
  const auto append = [&out](std::span<const std::byte> b) {
    out.append(reinterpret_cast<const char*>(b.data()), b.size());
  };
  const auto done = pass_until(from, delimiter, max, options, append);
  if (!done) return std::unexpected(done.error());
  return static_cast<std::size_t>(done->bytes);
}

std::expected<passed_until, transfer_error> skip_until(source_ref from, std::byte delimiter, std::uintmax_t max,
                                                       const wait_options* options) {
  return pass_until(from, delimiter, max, options, [](std::span<const std::byte>) {});
}

}  // namespace sluice::detail
