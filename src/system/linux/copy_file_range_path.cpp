// SPDX-License-Identifier: BSL-1.0
//
// copy_file_range(2): file to file on one file system, page cache to page cache or better.
//
// Its errors say little: EBADF for a destination in append mode (rust-lang/rust#82410), EXDEV across file systems,
// EPERM from a seccomp filter, EOPNOTSUPP from network file systems. All give way to the next path; a real fault shows
// again there. A 0 may come with data left (gentoo/portage#778), so it is only a hint.
//
#include "kernel_paths.hpp"

namespace sluice::detail::sys {

step copy_file_range_step(const kernel_pair& pair, std::uintmax_t max) {
  source_offset from(pair);
  return answer(retry([&] { return calls.copy_file_range(pair.from, from.get(), pair.to, nullptr, request(max), 0); }));
}

}  // namespace sluice::detail::sys
