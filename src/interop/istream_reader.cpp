// SPDX-License-Identifier: BSL-1.0
#include <sluice/detail/would_block.hpp>
#include <sluice/interop/istream_reader.hpp>
#include <sluice/system/fd_ref.hpp>

#include "interop/streambuf_access.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice {

using detail::streambuf_access;
using traits = std::char_traits<char>;

namespace {

// The buffer of a filebuf has this size unless it was given another.
constexpr std::size_t direct_from = BUFSIZ;

}  // namespace

istream_reader::istream_reader(std::istream& stream) noexcept : stream_(&stream) {
  if (stream.rdbuf() == nullptr) return;
  if (std::FILE* const file = detail::stdio_of(*stream.rdbuf())) stdio_.emplace(file);
}

istream_reader::istream_reader(istream_reader&& other) noexcept
    : stream_(other.stream_),
      stdio_(std::move(other.stdio_)),
      held_(std::exchange(other.held_, {})),
      pos_(std::exchange(other.pos_, 0)) {}

istream_reader& istream_reader::operator=(istream_reader&& other) noexcept {
  if (this != &other) {
    give_back_silently();
    stream_ = other.stream_;
    stdio_ = std::move(other.stdio_);
    held_ = std::exchange(other.held_, {});
    pos_ = std::exchange(other.pos_, 0);
  }
  return *this;
}

istream_reader::~istream_reader() { give_back_silently(); }

std::error_code istream_reader::failed(std::error_code why) {
  if (!detail::would_block_error(why)) detail::set_state(*stream_, std::ios_base::badbit);
  return why;
}

std::span<const std::byte> istream_reader::buffered() noexcept {
  if (stdio_) return stdio_->buffered();
  if (held() != 0) return std::span(held_).subspan(pos_);
  if (stream_->rdbuf() == nullptr) return {};
  return streambuf_access::get_area(*stream_->rdbuf());
}

void istream_reader::consume(std::size_t n) noexcept {
  if (stdio_) {
    stdio_->consume(n);
    if (n != 0) forget_delivered();
    return;
  }
  if (held() != 0)
    pos_ += n;
  else if (n != 0)
    streambuf_access::consume(*stream_->rdbuf(), n);
}

// Whether the stream has a next byte, which is then in the get area or, of a streambuf without one, held here.
result<bool> istream_reader::underflow() {
  if (stream_->bad() || stream_->rdbuf() == nullptr) return fail(make_error_code(std::errc::io_error));
  std::streambuf& b = *stream_->rdbuf();
  const result<traits::int_type> next = detail::guarded([&] { return b.sgetc(); });
  if (!next) return fail(failed(next.error()));
  if (*next == traits::eof()) {
    detail::set_state(*stream_, std::ios_base::eofbit);
    return false;
  }
  return true;
}

// Moves `n` bytes, or the one that a streambuf without a get area has, out of the stream.
void istream_reader::take(std::size_t n) {
  std::streambuf& b = *stream_->rdbuf();
  const std::span<const std::byte> area = streambuf_access::get_area(b);
  if (pos_ == held_.size()) held_.clear(), pos_ = 0;
  if (area.empty()) {
    held_.reserve(held_.size() + 1);
    const result<traits::int_type> next = detail::guarded([&] { return b.sbumpc(); });
    if (next && *next != traits::eof()) held_.push_back(static_cast<std::byte>(*next));
    return;
  }
  n = std::min(n, area.size());
  held_.insert(held_.end(), area.begin(), area.begin() + static_cast<std::ptrdiff_t>(n));
  streambuf_access::consume(b, n);
}

result<std::span<const std::byte>> istream_reader::fill_from_stdio(std::size_t n) {
  if (stream_->bad()) return fail(make_error_code(std::errc::io_error));
  const result<std::span<const std::byte>> ready = stdio_->fill(n);
  if (!ready) return fail(failed(ready.error()));
  if (ready->size() < n) detail::set_state(*stream_, std::ios_base::eofbit);
  return ready;
}

result<std::span<const std::byte>> istream_reader::fill(std::size_t n) {
  if (stdio_) return fill_from_stdio(n);
  if (n != 0 && buffered().empty()) {
    const result<bool> more = underflow();
    if (!more) return fail(more.error());
    if (*more && buffered().empty()) take(1);
  }
  if (buffered().size() >= n || buffered().empty()) return buffered();
  // What is asked for spans two get areas: it comes together here, and no more than that.
  if (held() == 0) take(n);
  while (held() < n) {
    const result<bool> more = underflow();
    if (!more) return fail(more.error());
    if (!*more) break;
    const std::size_t before = held();
    take(n - before);
    if (held() == before) break;
  }
  return buffered();
}

// Past the get area, which is empty.
result<std::size_t> istream_reader::read_directly(int fd, std::span<std::byte> b) {
  const result<std::size_t> n = fd_ref(fd).read_some(b);
  if (!n) return fail(failed(n.error()));
  if (*n == 0) detail::set_state(*stream_, std::ios_base::eofbit);
  kernel_advanced(*n);
  return n;
}

result<std::size_t> istream_reader::read_some(std::span<std::byte> b) {
  if (b.empty()) return std::size_t{0};
  if (b.size() >= direct_from && buffered().empty()) {
    if (const auto endpoint = kernel_endpoint()) return read_directly(endpoint->fd, b);
  }
  const result<std::span<const std::byte>> ready = fill(1);
  if (!ready) return fail(ready.error());
  const std::size_t n = std::min(ready->size(), b.size());
  std::copy_n(ready->begin(), n, b.begin());
  consume(n);
  return n;
}

void istream_reader::forget_delivered() noexcept {
  // This streambuf remembers one character, and forgets it where it is asked for none.
  char none = 0;
  if (stdio_)
    static_cast<void>(detail::guarded([&] { return stream_->rdbuf()->sgetn(&none, 0); }));
  else
    streambuf_access::forget_delivered(*stream_->rdbuf());
}

void istream_reader::kernel_advanced(std::uintmax_t n) noexcept {
  if (n == 0) return;
  if (stdio_) stdio_->kernel_advanced(n);
  forget_delivered();
}

std::optional<fd_endpoint> istream_reader::kernel_endpoint() {
  if (stream_->bad() || stream_->rdbuf() == nullptr) return std::nullopt;
  if (stdio_) return stdio_->kernel_endpoint();
  std::optional<fd_endpoint> endpoint = detail::endpoint_of(*stream_->rdbuf(), std::ios_base::in);
  if (endpoint) endpoint->buffered += held();
  return endpoint;
}

// Where nobody is there to hear of a failure.
void istream_reader::give_back_silently() noexcept {
  try {
    static_cast<void>(give_back());
  } catch (...) {
    // Out of memory: what is held is dropped with the reader.
  }
}

result<void> istream_reader::give_back() {
  if (stdio_) return stdio_->give_back();
  if (held() == 0) return {};
  std::streambuf& b = *stream_->rdbuf();
  const result<std::streampos> moved = detail::guarded(
      [&] { return b.pubseekoff(-static_cast<std::streamoff>(held()), std::ios_base::cur, std::ios_base::in); });
  if (moved && *moved != std::streampos(std::streamoff(-1))) {
    pos_ = held_.size();
    return {};
  }
  while (held() != 0) {
    const char last = static_cast<char>(held_.back());
    const result<traits::int_type> back = detail::guarded([&] { return b.sputbackc(last); });
    if (!back || *back == traits::eof()) return fail(io_errc::unsupported);
    held_.pop_back();
  }
  return {};
}

}  // namespace sluice
