// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/reader_streambuf.hpp>

#include <algorithm>
#include <cstring>
#include <ios>
#include <utility>

namespace sluice::detail {

std::size_t source_streambuf::settle() noexcept {
  const auto read = static_cast<std::size_t>(gptr() - eback());
  setg(nullptr, nullptr, nullptr);
  if (source_.is_buffered()) {
    if (read != 0) source_.consume(read);
    return 0;
  }
  own_.consume(read);
  return own_.size();
}

// A get area is of char*, though nobody writes through it: putting back another character than was read fails, as
// pbackfail is not overridden.
void source_streambuf::show(std::span<const std::byte> window) noexcept {
  auto* const begin = const_cast<char*>(reinterpret_cast<const char*>(window.data()));
  setg(begin, begin, begin + window.size());
}

// Shows the next window; false at the end. An error is kept and thrown.
bool source_streambuf::refill() {
  if (std::exchange(waiting_, false)) throw std::ios_base::failure("sluice::reader_streambuf", error_);
  settle();
  const auto window = source_.is_buffered() ? source_.fill(1) : own_.fill(source_, 1);
  if (!window) {
    error_ = window.error();
    throw std::ios_base::failure("sluice::reader_streambuf", error_);
  }
  show(*window);
  return !window->empty();
}

source_streambuf::int_type source_streambuf::underflow() {
  if (gptr() == egptr() && !refill()) return traits_type::eof();
  return traits_type::to_int_type(*gptr());
}

std::streamsize source_streambuf::xsgetn(char* to, std::streamsize n) {
  std::streamsize done = 0;
  try {
    while (done < n) {
      if (gptr() == egptr() && !refill()) break;
      const std::streamsize part = std::min<std::streamsize>(egptr() - gptr(), n - done);
      std::memcpy(to + done, gptr(), static_cast<std::size_t>(part));
      setg(eback(), gptr() + part, egptr());
      done += part;
    }
  } catch (const std::ios_base::failure&) {
    if (done == 0) throw;
    waiting_ = true;
  }
  return done;
}

int source_streambuf::sync() {
  settle();
  return 0;
}

}  // namespace sluice::detail
