// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/ostream_writer.hpp>
#include <sluice/interop/stdio.hpp>

#include "interop/streambuf_access.hpp"
#include "system/linux/sigpipe_guard.hpp"

#include <algorithm>
#include <limits>

namespace sluice {

using detail::streambuf_access;

namespace {

// From so many bytes on a filebuf does not use its buffer.
constexpr std::size_t large = 1024;

result<std::size_t> write_to(std::streambuf& out, std::span<const std::byte> b) {
  if (std::FILE* const file = detail::stdio_of(out)) return stdio_writer(file).write_some(b);
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::streamsize>::max());
  const auto size = static_cast<std::streamsize>(std::min(b.size(), most));
  std::optional<detail::sys::sigpipe_guard> guard;
  if (b.size() >= std::min(large, streambuf_access::room(out))) {
    guard.emplace();
    // Where a filebuf sends what is pending together with `b` and not all goes out, it sends what was pending again.
    if (streambuf_access::pending(out) != 0) {
      const result<int> sent = detail::guarded([&] { return out.pubsync(); });
      if (!sent) return fail(sent.error());
      if (*sent == -1) return fail(detail::last_or_io_error());
    }
  }
  const result<std::streamsize> n =
      detail::guarded([&] { return out.sputn(reinterpret_cast<const char*>(b.data()), size); });
  if (!n) return fail(n.error());
  if (*n <= 0) return fail(detail::last_or_io_error());
  return static_cast<std::size_t>(*n);
}

result<void> flush_out(std::streambuf& out) {
  if (std::FILE* const file = detail::stdio_of(out)) return stdio_writer(file).flush();
  const detail::sys::sigpipe_guard guard;
  const result<int> done = detail::guarded([&] { return out.pubsync(); });
  if (!done) return fail(done.error());
  if (*done == -1) return fail(detail::last_or_io_error());
  return {};
}

}  // namespace

result<std::size_t> ostream_writer::write_some(std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (stream_->bad() || stream_->rdbuf() == nullptr) return fail(make_error_code(std::errc::io_error));
  const result<std::size_t> n = write_to(*stream_->rdbuf(), b);
  if (!n) detail::set_state(*stream_, std::ios_base::badbit);
  return n;
}

result<void> ostream_writer::flush() {
  if (stream_->bad() || stream_->rdbuf() == nullptr) return fail(make_error_code(std::errc::io_error));
  const result<void> done = flush_out(*stream_->rdbuf());
  if (!done) detail::set_state(*stream_, std::ios_base::badbit);
  return done;
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
