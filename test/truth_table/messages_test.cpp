// SPDX-License-Identifier: BSL-1.0
//
// What the cells of the table do not show: the borders of messages, and a file that is another one at each look.
//
#include <sluice/sluice.hpp>

#include "cells.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

// What /proc/self/status says changes from call to call; only read(2) works there.
TEST(truth_table_of, proc_self_status) {
  const temporary_folder folder;
  const handle from(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const handle to = new_file(folder / "to");
  const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()));
  ASSERT_TRUE(copied) << show(copied);
  const std::string text = content_of(folder / "to");
  EXPECT_EQ(text.size(), *copied);
  EXPECT_TRUE(text.starts_with("Name:"));
  EXPECT_NE(text.find("nonvoluntary_ctxt_switches"), std::string::npos);
}

TEST(truth_table_of, messages_stay_whole) {
  for (const bool known : {true, false}) {
    two_ends in = make_socket_pair(SOCK_SEQPACKET);
    two_ends out = make_socket_pair(SOCK_SEQPACKET);
    const std::string text = some_text(100'000);
    const std::array<std::size_t, 4> sizes{10, 20'000, 1, 30'000};
    std::size_t at = 0;
    for (const std::size_t n : sizes)
      ASSERT_EQ(::send(in.writer.get(), text.data() + (at += n) - n, n, 0), static_cast<ssize_t>(n));
    in.writer.reset();
    const fd_kind kind = known ? fd_kind::message_socket : fd_kind::unknown;
    ASSERT_EQ(show(copy(fd_ref(in.reader.get(), kind), fd_ref(out.writer.get()))), std::to_string(at));
    out.writer.reset();
    std::string memory(100'000, '\0');
    at = 0;
    for (const std::size_t n : sizes) {
      ASSERT_EQ(::recv(out.reader.get(), memory.data(), memory.size(), 0), static_cast<ssize_t>(n));
      EXPECT_EQ(memory.substr(0, n), text.substr(at, n));
      at += n;
    }
    EXPECT_EQ(::recv(out.reader.get(), memory.data(), memory.size(), 0), 0);
  }
}

// What does not fit of a message is gone, so that the first round must not be a small one.
TEST(truth_table_of, a_large_message_is_not_cut) {
  two_ends in = make_socket_pair(SOCK_SEQPACKET);
  const std::string text = some_text(100'000);
  ASSERT_EQ(::send(in.writer.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  in.writer.reset();
  const temporary_folder folder;
  const handle to = new_file(folder / "to");
  EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(to.get()))), "100000");
  EXPECT_TRUE(content_of(folder / "to") == text);
}

}  // namespace
}  // namespace sluice
