// SPDX-License-Identifier: BSL-1.0
//
// The dimensions of the sweep over copy, and one point in them.
//
//   enum class source_kind, source_wrap, target_kind, target_wrap, watch, driver, deed;
//   struct point;                       // one copy, and what happens to it
//   std::string describe(const point&);
//   bool long_form();                   // SLUICE_LONG_TESTS is set
//   variant_at(n), variant_count        // wrappers, watcher, driver, sparse policy and clone, in one number
//
#ifndef SLUICE_TEST_SWEEP_DIMENSIONS_HPP
#define SLUICE_TEST_SWEEP_DIMENSIONS_HPP

#include <sluice/copy_options.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::test {

enum class source_kind {
  file,
  opened_file,  // through class file
  small_file,
  other_file,  // on another file system
  memfd,
  sparse_file,
  pipe,
  tcp,
  unix_stream,
  seqpacket,
  zero,  // /dev/zero, cut by limit
  span,
  user,  // a reader that is no more than that
};
inline constexpr std::array source_names{"file",        "opened_file", "small_file", "other_file",  "memfd",
                                         "sparse_file", "pipe",        "tcp",        "unix_stream", "seqpacket",
                                         "zero",        "span",        "user"};

enum class source_wrap { none, buffered, limited, counted, erased, own };
inline constexpr std::array source_wrap_names{"none", "buffered", "limited", "counted", "erased", "own"};

enum class target_kind {
  file,
  created_file,  // through class file
  other_file,
  append,
  memfd,
  pipe,
  tcp,
  unix_stream,
  seqpacket,
  null,
  string,
  user,
};
inline constexpr std::array target_names{"file", "created_file", "other_file", "append", "memfd",  "pipe",
                                         "tcp",  "unix_stream",  "seqpacket",  "null",   "string", "user"};

enum class target_wrap { none, buffered, erased, erased_buffered, own };
inline constexpr std::array target_wrap_names{"none", "buffered", "erased", "erased_buffered", "own"};

enum class watch { nobody, progress, stop };
inline constexpr std::array watch_names{"nobody", "progress", "stop"};

enum class driver { copy, copy_without_waiting, copier };
inline constexpr std::array driver_names{"copy", "copy_without_waiting", "copier"};

inline constexpr std::array policies{kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing};
inline constexpr std::array policy_names{"automatic", "never", "aliasing"};

inline constexpr std::array<std::size_t, 4> chunks{1, 7, 4095, std::size_t{64} << 10};

inline constexpr std::array errnos{EINTR, EAGAIN, EINVAL, EPERM, EXDEV,   EOPNOTSUPP, ENOSYS,
                                   EBADF, EIO,    ENOSPC, EPIPE, ETXTBSY, EOVERFLOW};

/// What happens at the k-th call.
enum class deed {
  nothing,
  error,            // a transferring call fails, once
  cut,              // it moves one byte
  zero,             // it answers 0, inside the kernel
  question_error,   // another call fails, once
  target_for_good,  // from there on all that concern the target fail
  source_for_good,
};
inline constexpr std::array deed_names{"nothing",         "error",          "cut", "zero", "question_error",
                                       "target_for_good", "source_for_good"};

struct variant {
  source_wrap in = source_wrap::none;
  target_wrap out = target_wrap::none;
  watch watched = watch::nobody;
  driver how = driver::copy;
  sparse_policy sparse = sparse_policy::automatic;
  bool clones = false;
};

inline constexpr std::size_t variant_count = 6 * 5 * 3 * 3 * 3 * 2;

constexpr variant variant_at(std::size_t n) {
  const auto digit = [&n](std::size_t base) {
    const std::size_t d = n % base;
    n /= base;
    return d;
  };
  variant v;
  v.in = static_cast<source_wrap>(digit(6));
  v.out = static_cast<target_wrap>(digit(5));
  v.watched = static_cast<watch>(digit(3));
  v.how = static_cast<driver>(digit(3));
  v.sparse = static_cast<sparse_policy>(digit(3));
  v.clones = digit(2) == 1;
  return v;
}

/// Which calls are shortened to the chunk: with both sides equally slow no write falls short.
enum class slow { both, source, target };
inline constexpr std::array slow_names{"both", "source", "target"};

struct point {
  source_kind from = source_kind::file;
  target_kind to = target_kind::file;
  kernel_policy policy = kernel_policy::automatic;
  std::size_t chunk = std::numeric_limits<std::size_t>::max();
  slow side = slow::both;
  variant how = {};
  deed what = deed::nothing;
  std::size_t k = 0;
  int error = 0;
};

std::string describe(const point& p);

bool long_form();

/// How many of the first calls are cut to the chunk.
std::size_t chunk_calls();

/// Whether the copy is one without options, of a source that is in memory.
constexpr bool goes_the_short_way(const point& p) {
  return p.from == source_kind::span && p.how.in == source_wrap::none && p.how.how == driver::copy &&
         p.how.watched == watch::nobody;
}

inline std::error_code system_error(int code) { return {code, std::system_category()}; }

}  // namespace sluice::test

#endif
