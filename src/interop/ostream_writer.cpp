// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/ostream_writer.hpp>
#include <sluice/interop/stdio.hpp>

#include "interop/streambuf_access.hpp"

#include <algorithm>
#include <limits>

namespace sluice {

result<std::size_t> ostream_writer::write_some(std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (stream_->bad() || stream_->rdbuf() == nullptr) return fail(make_error_code(std::errc::io_error));
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::streamsize>::max());
  const auto size = static_cast<std::streamsize>(std::min(b.size(), most));
  const result<std::streamsize> n =
      detail::guarded([&] { return stream_->rdbuf()->sputn(reinterpret_cast<const char*>(b.data()), size); });
  if (n && *n > 0) return static_cast<std::size_t>(*n);
  const std::error_code why = n ? detail::last_or_io_error() : n.error();
  detail::set_state(*stream_, std::ios_base::badbit);
  return fail(why);
}

result<void> ostream_writer::flush() {
  if (stream_->bad() || stream_->rdbuf() == nullptr) return fail(make_error_code(std::errc::io_error));
  const result<int> done = detail::guarded([&] { return stream_->rdbuf()->pubsync(); });
  if (done && *done != -1) return {};
  const std::error_code why = done ? detail::last_or_io_error() : done.error();
  detail::set_state(*stream_, std::ios_base::badbit);
  return fail(why);
}

std::optional<fd_endpoint> ostream_writer::kernel_endpoint() {
  if (stream_->bad() || stream_->rdbuf() == nullptr) return std::nullopt;
  if (std::FILE* const file = detail::stdio_of(*stream_->rdbuf())) return stdio_writer(file).kernel_endpoint();
  return detail::endpoint_of(*stream_->rdbuf(), std::ios_base::out);
}

void ostream_writer::kernel_advanced(std::uintmax_t n) noexcept {
  if (std::FILE* const file = detail::stdio_of(*stream_->rdbuf())) stdio_writer(file).kernel_advanced(n);
}

}  // namespace sluice
