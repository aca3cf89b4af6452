// SPDX-License-Identifier: BSL-1.0
//
// Bytes on their way stay what they were when they were copied: systemd/systemd#29044, rust-lang/rust#108283,
// nix-rust/nix#2794.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 100'000;

// Copies a file, overwrites it, and only then reads what had been copied.
std::string received_after_a_change(two_ends to, kernel_policy kernel, copy_report& report, bool in_memory) {
  const temporary_folder folder;
  const std::string text = some_text(size);
  const handle from = in_memory ? memory_file(text) : file_with(folder / "from", text, O_RDWR);
  EXPECT_EQ(show(copy(fd_ref(from.get()), fd_ref(to.writer.get()), {.kernel = kernel, .report = &report})),
            std::to_string(size));
  const std::string other(size, 'x');
  EXPECT_EQ(::pwrite(from.get(), other.data(), size, 0), static_cast<ssize_t>(size));
  to.writer.reset();
  return everything(to.reader.get());
}

TEST(aliasing, a_pipe_holds_the_old_bytes) {
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
    for (const bool in_memory : {false, true}) {
      copy_report report;
      EXPECT_TRUE(received_after_a_change(make_pipe_ends(1 << 20), kernel, report, in_memory) == some_text(size));
      EXPECT_EQ(report[copy_path::splice].bytes, 0U);
    }
  }
}

TEST(aliasing, a_pipe_is_spliced_into_where_the_caller_says_so) {
  copy_report report;
  EXPECT_EQ(received_after_a_change(make_pipe_ends(1 << 20), kernel_policy::aliasing, report, false).size(), size);
  EXPECT_EQ(report.main_path(), copy_path::splice);
}

// Towards a socket the default is sendfile, as the documentation says; `never` is a copy there too.
TEST(aliasing, a_socket_holds_the_old_bytes_where_the_kernel_is_forbidden) {
  for (const bool tcp : {false, true}) {
    copy_report report;
    two_ends to = tcp ? make_tcp_pair() : make_socket_pair();
    make_roomy(to.writer.get());
    make_roomy(to.reader.get());
    EXPECT_TRUE(received_after_a_change(std::move(to), kernel_policy::never, report, false) == some_text(size));
    EXPECT_EQ(report[copy_path::sendfile].bytes, 0U);
  }
}

// What a pipe hands on by splice(2) is the pipe's own: whatever becomes of its reader's file afterwards.
TEST(aliasing, of_a_chain_of_pipes_ends_in_a_file_of_its_own) {
  const temporary_folder folder;
  const std::string text = some_text(size);
  two_ends pipe = make_pipe_ends(1 << 20);
  write_text(pipe.writer.get(), text);
  pipe.writer.reset();
  const handle first = new_file(folder / "first", O_RDWR);
  EXPECT_EQ(show(copy(fd_ref(pipe.reader.get()), fd_ref(first.get()))), std::to_string(size));
  ::lseek(first.get(), 0, SEEK_SET);
  const handle second = new_file(folder / "second");
  EXPECT_EQ(show(copy(fd_ref(first.get()), fd_ref(second.get()))), std::to_string(size));
  const std::string other(size, 'x');
  EXPECT_EQ(::pwrite(first.get(), other.data(), size, 0), static_cast<ssize_t>(size));
  EXPECT_TRUE(content_of(folder / "second") == text);
}

}  // namespace
}  // namespace sluice
