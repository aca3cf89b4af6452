// SPDX-License-Identifier: BSL-1.0
//
// More than 2 and 4 GiB: containerd/continuity#114, sourceware PR33245. Nothing here is really that large.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;
using namespace literals;

constexpr std::uintmax_t GiB = std::uintmax_t{1} << 30;

// 5 GiB that take no room, in memory: a hole there is read without a page of its own.
handle huge_memory_file() {
  handle made = memory_file("begin");
  const auto length = static_cast<off_t>(5 * GiB);
  if (::ftruncate(made.get(), length) != 0 || ::pwrite(made.get(), "end", 3, length - 3) != 3)
    throw std::runtime_error("memfd");
  return made;
}

TEST(huge, memory_to_a_device_counts_every_byte) {
  const handle from = huge_memory_file();
  const handle to(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  copy_report report;
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.get()), {.buffer_size = 1_MiB, .report = &report})),
            std::to_string(5 * GiB));
  EXPECT_EQ(sum_of(report), 5 * GiB);
  EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(5 * GiB));
}

TEST(huge, a_limit_above_four_gigabytes_is_no_smaller_one) {
  const handle from = huge_memory_file();
  for (const bool buffered_too : {false, true}) {
    ::lseek(from.get(), 0, SEEK_SET);
    const handle to = memory_file();
    constexpr std::uintmax_t wanted = 4 * GiB + 12'345;
    fd_ref in(from.get());
    buf_reader buffered_in(in, 64_KiB);
    copy_report report;
    EXPECT_EQ(show(buffered_too ? copy_n(limit(buffered_in, wanted), fd_ref(to.get()), wanted, {.report = &report})
                                : copy(limit(in, wanted), fd_ref(to.get()), {.report = &report})),
              std::to_string(wanted));
    struct stat status;
    ASSERT_EQ(::fstat(to.get(), &status), 0);
    EXPECT_EQ(status.st_size, static_cast<off_t>(wanted));
    EXPECT_LT(status.st_blocks, 1000);
    EXPECT_EQ(sum_of(report), wanted);
    EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(wanted));
  }
}

TEST(huge, a_counter_of_bytes_does_not_wrap) {
  const handle from = huge_memory_file();
  const handle to = memory_file();
  fd_ref in(from.get());
  auto counter = counted(in);
  EXPECT_EQ(show(copy(counter, fd_ref(to.get()))), std::to_string(5 * GiB));
  EXPECT_EQ(counter.count(), 5 * GiB);
}

std::size_t largest = 0;

// Says that it has moved all that was asked for.
ssize_t pretend(int, off64_t*, int, off64_t*, std::size_t n, unsigned) {
  largest = std::max(largest, n);
  return static_cast<ssize_t>(n);
}

TEST(huge, splices_add_up) {
  two_ends in = make_pipe_ends();
  two_ends out = make_pipe_ends();
  write_text(in.writer.get(), some_text(1000));  // the first round is real
  const replaced_call moves(&call_table::splice, &pretend);
  EXPECT_EQ(show(copy_n(fd_ref(in.reader.get()), fd_ref(out.writer.get()), 6 * GiB)), std::to_string(6 * GiB));
  EXPECT_LE(largest, GiB);
}

}  // namespace
}  // namespace sluice
