// SPDX-License-Identifier: BSL-1.0
//
// What the kernel is to do in each cell of the table, written down from what its calls answer there and from what the
// documentation of copy promises; nothing here asks the library.
//
#ifndef SLUICE_TEST_TRUTH_TABLE_EXPECTED_PATH_HPP
#define SLUICE_TEST_TRUTH_TABLE_EXPECTED_PATH_HPP

#include <sluice/copy.hpp>

#include "cells.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace sluice::test {

// A letter for each target, in the order of SLUICE_TARGETS:
//   c  the files share blocks, or copy_file_range(2)     s  sendfile(2)     p  splice(2)
//   h  the hole, which is nearly all of the source       a  splice(2) with kernel_policy::aliasing, else nothing
//   .  nothing: read and write                           x  nothing moves at all
inline constexpr std::array<std::string_view, source_names.size()> kernel_does{
    //                       file          | other fs | sealed     | pipes    | closed | sockets    | devices
    //                       file, offset, append, late | memfd | writes, growth | pipe, fifo | pipe, socket |
    //                       tcp, unix, seqpacket, datagram | null, full | terminal, master | block | read only
    /* file                  */ "cc..ssxsaaxxss...x...x",
    /* file_at_offset        */ "cc..ssxsaaxxss...x...x",
    /* file_at_end           */ "......x...xx.....x...x",
    /* small_file            */ "......x...xx.....x...x",
    /* empty_file            */ "......x...xx.....x...x",
    /* sparse_file           */ "hh..hhxhaaxxss...x...x",
    /* other_file_system     */ "ss..csxsaaxxss...x...x",
    /* memory_file           */ "ss..scxcaaxxss...x...x",
    /* procfs                */ "......x...xx.....x...x",
    /* procfs_without_splice */ "......x...xx.....x...x",
    /* sysfs                 */ "......x...xx.....x...x",
    /* zero                  */ "......x...xx.....x...x",
    /* random                */ "......x...xx.....x...x",
    /* null                  */ "......x...xx.....x...x",
    /* pipe                  */ "pp..ppxpppxxpp..px...x",
    /* fifo                  */ "pp..ppxpppxxpp..px...x",
    /* tcp                   */ "pp..ppxpppxxpp...x...x",
    /* unix_socket           */ "pp..ppxpppxxpp...x...x",
    /* seqpacket             */ "......x...xx.....x...x",
    /* datagram              */ "......x...xx.....x...x",
    /* terminal              */ "......x...xx.....x...x",
    /* terminal_master       */ "......x...xx.....x...x",
    /* block_device          */ "......x...xx.....x...x",
    /* directory             */ "xxxxxxxxxxxxxxxxxxxxxx",
};

inline char kernel_letter(source from, target to, kernel_policy policy) {
  const char letter = kernel_does.at(static_cast<std::size_t>(from)).at(static_cast<std::size_t>(to));
  if (letter == 'x') return letter;
  if (policy == kernel_policy::never) return '.';
  if (letter == 'a') return policy == kernel_policy::aliasing ? 'p' : '.';
  return letter;
}

/// What moved on the paths of a letter, and on the kernel's other ones.
struct kernel_share {
  std::uintmax_t expected = 0;
  std::uintmax_t others = 0;
};

inline kernel_share share_of(const copy_report& report, char letter) {
  using enum copy_path;
  kernel_share sum;
  for (const copy_path path : {hole, clone, copy_file_range, sendfile, splice}) {
    const bool fits = (letter == 'c' && (path == clone || path == copy_file_range)) ||
                      (letter == 's' && path == sendfile) || (letter == 'p' && path == splice) ||
                      (letter == 'h' && path != splice);  // the data round the hole goes as that of any file
    (fits ? sum.expected : sum.others) += report[path].bytes;
  }
  return sum;
}

}  // namespace sluice::test

#endif
