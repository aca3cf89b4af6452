// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/stdio_file.hpp>

#ifdef __linux__

#include "interop/stdio_access.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <utility>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace sluice::detail {

namespace {

int errno_of(const std::error_code& e) noexcept {
  const std::error_condition plain = e.default_error_condition();
  return plain.category() == std::generic_category() && plain.value() != 0 ? plain.value() : EIO;
}

// No exception may pass through the C library.
template <class T, class F>
result<T> without_exceptions(F f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return fail(make_error_code(std::errc::not_enough_memory));
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {  // a thread that is cancelled
    throw;
#endif
  } catch (...) {
    return fail(make_error_code(std::errc::io_error));
  }
}

result<whence> whence_of(int from) noexcept {
  switch (from) {
    case SEEK_SET: return whence::begin;
    case SEEK_CUR: return whence::current;
    case SEEK_END: return whence::end;
    default: return fail(make_error_code(std::errc::invalid_argument));
  }
}

// The answer of a seek callback.
int answer(const result<std::uintmax_t>& to, off64_t* offset) noexcept {
  if (!to) {
    errno = to.error() == std::errc::operation_not_supported ? ESPIPE : errno_of(to.error());
    return -1;
  }
  *offset = static_cast<off64_t>(*to);
  return 0;
}

std::FILE* opened(void* object, const char* mode, cookie_io_functions_t functions) {
  std::FILE* const file = fopencookie(object, mode, functions);
  if (file == nullptr) throw std::bad_alloc();
  return file;
}

}  // namespace

struct source_file::callbacks {
  static ssize_t read(void* object, char* to, std::size_t n) {
    auto& self = *static_cast<source_file*>(object);
    const result<std::size_t> got =
        without_exceptions<std::size_t>([&] { return self.read_some(std::as_writable_bytes(std::span(to, n))); });
    self.error_ = got ? std::error_code() : got.error();
    if (got) return static_cast<ssize_t>(*got);
    errno = errno_of(got.error());
    return -1;
  }

  static int seek(void* object, off64_t* offset, int from) {
    auto& self = *static_cast<source_file*>(object);
    return answer(without_exceptions<std::uintmax_t>([&]() -> result<std::uintmax_t> {
                    const result<whence> origin = whence_of(from);
                    if (!origin) return fail(origin.error());
                    return self.seek(*offset, *origin);
                  }),
                  offset);
  }
};

void source_file::open(source_ref source, seek_calls seeks) {
  source_ = source;
  seeks_ = seeks;
  file_ = opened(this, "r", {.read = &callbacks::read, .write = nullptr, .seek = &callbacks::seek, .close = nullptr});
}

// The FILE asks for more when it has delivered all that it was lent.
result<std::size_t> source_file::read_some(std::span<std::byte> b) {
  if (!source_.is_buffered()) return source_.read_some(b);
  source_.consume(std::exchange(lent_, 0));
  const result<std::span<const std::byte>> window = source_.fill(1);
  if (!window) return fail(window.error());
  lent_ = std::min(window->size(), b.size());
  std::copy_n(window->begin(), lent_, b.begin());
  return lent_;
}

// The FILE's idea of the position is behind what it was lent.
result<std::uintmax_t> source_file::seek(std::intmax_t offset, whence from) {
  if (seeks_.seek == nullptr) return fail(io_errc::unsupported);
  if (from == whence::current) {
    const auto lent = static_cast<std::intmax_t>(lent_);
    if (offset == 0) {
      const result<std::uintmax_t> at = seeks_.position(source_.object);
      if (!at) return fail(at.error());
      return *at + lent_;
    }
    if (offset > std::numeric_limits<std::intmax_t>::max() - lent)
      return fail(std::make_error_code(std::errc::invalid_argument));
    offset += lent;
  }
  const result<std::uintmax_t> to = seeks_.seek(source_.object, offset, from);
  if (to) lent_ = 0;
  return to;
}

// What was read ahead goes back to where it came from, if that takes it.
void source_file::give_back() noexcept {
  const std::size_t unread = read_area(file_).size();
  const std::size_t lent = std::exchange(lent_, 0);
  if (source_.is_buffered())
    source_.consume(lent - std::min(lent, unread));
  else if (unread != 0)
    static_cast<void>(
        without_exceptions<std::uintmax_t>([&] { return seek(-static_cast<std::intmax_t>(unread), whence::current); }));
}

result<void> source_file::close() {
  if (file_ == nullptr) return {};
  give_back();
  std::fclose(std::exchange(file_, nullptr));
  if (error_) return fail(error_);
  return {};
}

struct sink_file::callbacks {
  static ssize_t write(void* object, const char* from, std::size_t n) {
    auto& self = *static_cast<sink_file*>(object);
    const result<std::size_t> done = without_exceptions<std::size_t>(
        [&]() -> result<std::size_t> { return self.write(std::as_bytes(std::span(from, n))); });
    if (!done) self.error_ = done.error();
    if (self.error_) errno = errno_of(self.error_);
    return static_cast<ssize_t>(done.value_or(0));
  }

  static int seek(void* object, off64_t* offset, int from) {
    auto& self = *static_cast<sink_file*>(object);
    return answer(without_exceptions<std::uintmax_t>([&]() -> result<std::uintmax_t> {
                    const result<whence> origin = whence_of(from);
                    if (!origin) return fail(origin.error());
                    if (self.seeks_.seek == nullptr) return fail(io_errc::unsupported);
                    if (*origin == whence::current && *offset == 0) return self.seeks_.position(self.sink_.object);
                    return self.seeks_.seek(self.sink_.object, *offset, *origin);
                  }),
                  offset);
  }
};

void sink_file::open(sink_ref sink, seek_calls seeks) {
  sink_ = sink;
  seeks_ = seeks;
  file_ = opened(this, "w", {.read = nullptr, .write = &callbacks::write, .seek = &callbacks::seek, .close = nullptr});
}

std::size_t sink_file::write(std::span<const std::byte> b) {
  std::size_t done = 0;
  while (done != b.size() && !error_) {
    const result<std::size_t> n = sink_.write_some(b.subspan(done));
    if (n && *n != 0)
      done += *n;
    else
      error_ = n ? make_error_code(io_errc::write_zero) : n.error();
  }
  return done;
}

result<void> sink_file::pass_on(int (*call)(std::FILE*), std::FILE* file) {
  errno = 0;
  if (call(file) != 0 && !error_) error_ = std::error_code(errno != 0 ? errno : EIO, std::system_category());
  if (error_) return fail(error_);
  const result<void> flushed = without_exceptions<void>([&] { return sink_.flush(); });
  if (!flushed) error_ = flushed.error();
  return flushed;
}

result<void> sink_file::flush() {
  if (file_ == nullptr) return {};
  return pass_on(&std::fflush, file_);
}

result<void> sink_file::close() {
  if (file_ == nullptr) return {};
  return pass_on(&std::fclose, std::exchange(file_, nullptr));
}

}  // namespace sluice::detail

#endif  // __linux__
