// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/stdio.hpp>
#include <sluice/system/fd_ref.hpp>

#include "copy/step.hpp"
#include "interop/stdio_access.hpp"
#include "system/linux/sigpipe_guard.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sluice {

using namespace detail;

namespace {

class file_lock {
 public:
  explicit file_lock(std::FILE* f) noexcept : file_(f) { flockfile(f); }
  ~file_lock() { funlockfile(file_); }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

 private:
  std::FILE* file_;
};

std::error_code last_error() noexcept {
  return errno != 0 ? std::error_code(errno, std::system_category()) : make_error_code(std::errc::io_error);
}

// Where the FILE has no buffer yet, one of its usual size is taken for granted.
std::size_t direct_from(std::FILE* f) noexcept {
  const std::size_t size = buffer_size(f);
  return size != 0 ? size : std::size_t{BUFSIZ};
}

// With a write(2) that fails, also one that was interrupted or would have waited, glibc drops what was pending: nothing
// says how much of it went out, so there is no going on.
std::error_code for_good(const std::error_code& e) noexcept {
  return detail::would_block_error(e) || e == std::errc::interrupted ? std::make_error_code(std::errc::io_error) : e;
}

// Past the FILE's buffer, which is empty.
result<std::size_t> read_directly(std::FILE* f, int fd, std::span<std::byte> b) {
  const result<std::size_t> n = fd_ref(fd).read_some(b);
  forget_offset(f);
  if (n && *n == 0) set_end(f);
  if (!n && !detail::would_block_error(n.error())) set_error(f);
  return n;
}

// The next byte, or EOF at the end; an error otherwise.
result<int> next_byte(std::FILE* f) noexcept {
  for (;;) {
    errno = 0;
    const int c = getc_unlocked(f);
    if (c != EOF || feof_unlocked(f)) return c;
    const std::error_code why = last_error();
    if (errno == EINTR || detail::would_block_error(why)) clearerr_unlocked(f);
    if (why != std::errc::interrupted) return fail(why);
  }
}

}  // namespace

stdio_reader::stdio_reader(stdio_reader&& other) noexcept
    : stream_(other.stream_), held_(std::exchange(other.held_, {})), pos_(std::exchange(other.pos_, 0)) {}

stdio_reader& stdio_reader::operator=(stdio_reader&& other) noexcept {
  if (this != &other) {
    static_cast<void>(give_back());
    stream_ = other.stream_;
    held_ = std::exchange(other.held_, {});
    pos_ = std::exchange(other.pos_, 0);
  }
  return *this;
}

stdio_reader::~stdio_reader() { static_cast<void>(give_back()); }

std::span<const std::byte> stdio_reader::buffered() noexcept {
  if (held() != 0) return std::span(held_).subspan(pos_);
  return read_area(stream_);
}

void stdio_reader::consume(std::size_t n) noexcept {
  if (held() != 0)
    pos_ += n;
  else if (n != 0)
    drop(stream_, n);
}

// Whether there is a next byte, which is then in the FILE's buffer.
result<bool> stdio_reader::refill() {
  if (!read_area(stream_).empty()) return true;
  const result<int> c = next_byte(stream_);
  if (!c) return fail(c.error());
  if (*c == EOF) return false;
  // It is the byte that was there, so that this only steps back.
  ungetc(*c, stream_);
  return true;
}

// Moves up to `n` bytes out of the FILE: what is in its buffer, or one byte where that cannot be seen.
bool stdio_reader::take(std::size_t n) {
  const std::span<const std::byte> area = read_area(stream_);
  if (pos_ == held_.size()) held_.clear(), pos_ = 0;
  if (!area.empty()) {
    n = std::min(n, area.size());
    held_.insert(held_.end(), area.begin(), area.begin() + static_cast<std::ptrdiff_t>(n));
    drop(stream_, n);
    return n != 0;
  }
  held_.reserve(held_.size() + 1);
  const result<int> c = next_byte(stream_);
  if (!c || *c == EOF) return false;
  held_.push_back(static_cast<std::byte>(*c));
  return true;
}

result<std::span<const std::byte>> stdio_reader::fill(std::size_t n) {
  const file_lock lock(stream_);
  if (n != 0 && buffered().empty()) {
    const result<bool> more = refill();
    if (!more) return fail(more.error());
    if (*more && buffered().empty()) take(1);
  }
  if (buffered().size() >= n || buffered().empty()) return buffered();
  // What is asked for spans two fillings of the buffer: it comes together here, and no more than that.
  if (held() == 0) take(n);
  while (held() < n) {
    const result<bool> more = refill();
    if (!more) return fail(more.error());
    if (!*more || !take(n - held())) break;
  }
  return buffered();
}

result<std::size_t> stdio_reader::read_some(std::span<std::byte> b) {
  if (b.empty()) return std::size_t{0};
  const file_lock lock(stream_);
  if (buffered().empty() && !feof_unlocked(stream_) && b.size() >= direct_from(stream_)) {
    if (const auto endpoint = reading_endpoint(stream_)) return read_directly(stream_, endpoint->fd, b);
  }
  const result<std::span<const std::byte>> ready = fill(1);
  if (!ready) return fail(ready.error());
  const std::size_t n = std::min(ready->size(), b.size());
  std::copy_n(ready->begin(), n, b.begin());
  consume(n);
  return n;
}

std::optional<fd_endpoint> stdio_reader::kernel_endpoint() noexcept {
  const file_lock lock(stream_);
  std::optional<fd_endpoint> endpoint = reading_endpoint(stream_);
  if (endpoint) endpoint->buffered += held();
  return endpoint;
}

void stdio_reader::kernel_advanced(std::uintmax_t) noexcept {
  const file_lock lock(stream_);
  forget_offset(stream_);
}

result<void> stdio_reader::give_back() {
  if (held() == 0) return {};
  const file_lock lock(stream_);
  while (held() != 0) {
    if (ungetc(static_cast<unsigned char>(held_.back()), stream_) == EOF) return fail(io_errc::unsupported);
    held_.pop_back();
  }
  return {};
}

result<std::size_t> stdio_writer::write_some(std::span<const std::byte> b) {
  if (b.empty()) return std::size_t{0};
  const file_lock lock(stream_);
  std::optional<sys::sigpipe_guard> guard;
  if (b.size() > write_room(stream_)) guard.emplace();
  if (ferror_unlocked(stream_)) return fail(std::make_error_code(std::errc::io_error));
  errno = 0;
  const std::size_t n = fwrite_unlocked(b.data(), 1, b.size(), stream_);
  if (n != b.size()) return fail(for_good(last_error()));
  return n;
}

result<void> stdio_writer::flush() {
  const file_lock lock(stream_);
  const sys::sigpipe_guard guard;
  if (ferror_unlocked(stream_)) return fail(std::make_error_code(std::errc::io_error));
  errno = 0;
  if (fflush_unlocked(stream_) != 0) return fail(for_good(last_error()));
  return {};
}

std::optional<fd_endpoint> stdio_writer::kernel_endpoint() noexcept {
  const file_lock lock(stream_);
  return writing_endpoint(stream_);
}

void stdio_writer::kernel_advanced(std::uintmax_t) noexcept {
  const file_lock lock(stream_);
  forget_offset(stream_);
}

}  // namespace sluice
