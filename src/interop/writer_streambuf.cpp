// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/writer_streambuf.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sluice::detail {

// Tells the buffer what was put into it.
void sink_streambuf::settle() noexcept {
  const auto written = static_cast<std::size_t>(pptr() - pbase());
  setp(nullptr, nullptr);
  if (written == 0) return;
  if (sink_.is_buffered())
    sink_.commit(written);
  else
    own_.commit(written);
}

// Bytes are refused for good: whoever wrote them has gone on.
void sink_streambuf::refuse(std::error_code why) noexcept {
  if (!refused_) error_ = why;
  refused_ = true;
}

result<void> sink_streambuf::finish() {
  settle();
  result<void> done = sink_.is_buffered() ? sink_.flush() : own_.flush(sink_);
  if (refused_) return fail(error_);
  if (!done) error_ = done.error();
  return done;
}

void sink_streambuf::abandon() noexcept {
  settle();
  if (!sink_.is_buffered()) own_.finish(sink_);
}

sink_streambuf::int_type sink_streambuf::overflow(int_type c) {
  settle();
  const auto room = sink_.is_buffered() ? sink_.prepare(1) : own_.prepare(sink_, 1);
  if (!room) {
    refuse(room.error());
    return traits_type::eof();
  }
  auto* const begin = reinterpret_cast<char*>(room->data());
  setp(begin, begin + room->size());
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize sink_streambuf::xsputn(const char* from, std::streamsize n) {
  if (n <= std::min<std::streamsize>(epptr() - pptr(), std::numeric_limits<int>::max())) {
    if (n > 0) std::memcpy(pptr(), from, static_cast<std::size_t>(n));
    pbump(static_cast<int>(n));
    return n;
  }
  settle();
  auto left = std::as_bytes(std::span(from, static_cast<std::size_t>(n)));
  while (!left.empty()) {
    const result<std::size_t> written = sink_.is_buffered() ? sink_.write_some(left) : own_.write_some(sink_, left);
    if (!written || *written == 0) {
      refuse(written ? make_error_code(io_errc::write_zero) : written.error());
      break;
    }
    left = left.subspan(*written);
  }
  return n - static_cast<std::streamsize>(left.size());
}

int sink_streambuf::sync() { return finish() ? 0 : -1; }

}  // namespace sluice::detail
