// SPDX-License-Identifier: BSL-1.0
//
// Questions that tests ask about descriptors, past the library that is under test.
//
//   is_open_descriptor(fd), is_close_on_exec(fd)
//   bytes_of("text"), text_of(span)
//   descriptor_limit none(0);      // as many descriptors as are open now, and so many more
//
#ifndef SLUICE_TEST_SUPPORT_DESCRIPTORS_HPP
#define SLUICE_TEST_SUPPORT_DESCRIPTORS_HPP

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice::test {

inline bool is_open_descriptor(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

inline bool is_close_on_exec(int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Lets the process open only so many descriptors more. The test looks at what came of it afterwards: the sanitizers
/// need descriptors of their own to look at an object.
class descriptor_limit {
 public:
  explicit descriptor_limit(rlim_t more) {
    const int next = ::dup(2);  // the lowest number that is free
    ::close(next);
    getrlimit(RLIMIT_NOFILE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = static_cast<rlim_t>(next) + more;
    if (next < 0 || setrlimit(RLIMIT_NOFILE, &limit) != 0) throw std::runtime_error("setrlimit");
  }
  ~descriptor_limit() { setrlimit(RLIMIT_NOFILE, &old_); }

  descriptor_limit(const descriptor_limit&) = delete;
  descriptor_limit& operator=(const descriptor_limit&) = delete;

 private:
  rlimit old_{};
};

}  // namespace sluice::test

#endif
