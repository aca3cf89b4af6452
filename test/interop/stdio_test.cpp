// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/stdio.hpp>
#include <sluice/sluice.hpp>

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

namespace {

using namespace sluice;
using sluice::test::temporary_folder;

using file_ptr = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
file_ptr open(const std::string& path, const char* mode) { return {std::fopen(path.c_str(), mode), &std::fclose}; }

std::string sample(std::size_t n) {
  std::string s(n, '\0');
  for (std::size_t i = 0; i != n; ++i) s[i] = static_cast<char>('a' + i * 7 % 23 + i / 4096 % 3);
  return s;
}

TEST(stdio, a_copy_in_the_kernel_keeps_both_sides_positions) {
  temporary_folder folder;
  const std::string body = sample(1'000'000);
  folder.write("a", "head" + body + "tail");
  const file_ptr in = open(folder / "a", "r"), out = open(folder / "b", "w+");
  char head[4];
  ASSERT_EQ(std::fread(head, 1, 4, in.get()), 4u);
  ASSERT_EQ(std::ftell(in.get()), 4);  // stdio remembers an offset from here on
  std::fputs("HEAD", out.get());
  ASSERT_EQ(std::ftell(out.get()), 4);
  copy_report report;
  ASSERT_EQ(*sluice::copy(stdio_reader(in.get()) | limit(body.size()), stdio_writer(out.get()), {.report = &report}),
            body.size());
#ifdef __GLIBC__
  EXPECT_GE(report.main_path(), copy_path::clone);
#endif
  EXPECT_EQ(std::ftell(in.get()), 4 + long(body.size()));
  EXPECT_EQ(std::ftell(out.get()), 4 + long(body.size()));
  EXPECT_EQ(std::fgetc(in.get()), 't');
  std::fputs("TAIL", out.get());
  EXPECT_EQ(std::fseek(in.get(), -1, SEEK_CUR), 0);
  EXPECT_EQ(std::fgetc(in.get()), 't');
  std::fflush(out.get());
  EXPECT_EQ(folder.read("b"), "HEAD" + body + "TAIL");
}

#ifdef __GLIBC__
// With a failed write(2) glibc drops what was pending, so a second try that succeeds would tell of bytes that are gone.
TEST(stdio, a_failed_write_is_never_followed_by_success) {
  pipe_ends pipe = or_throw(make_pipe({.non_blocking = true}));
  const file_ptr out(::fdopen(pipe.writer.release(), "w"), &std::fclose);
  stdio_writer writer(out.get());
  ASSERT_TRUE(writer.write_some(as_bytes("pending")));
  const std::string large(1'000'000, 'x');
  const auto first = writer.write_some(as_bytes(large));
  ASSERT_FALSE(first);
  EXPECT_NE(first.error(), std::errc::operation_would_block);
  std::string drained(2'000'000, '\0');
  static_cast<void>(pipe.reader.read_some(std::as_writable_bytes(std::span(drained))));
  EXPECT_FALSE(writer.flush());
  EXPECT_FALSE(writer.write_some(as_bytes("more")));
}
#endif

TEST(stdio, a_fill_across_refills_gives_back_the_rest) {
  temporary_folder folder;
  const std::string all = sample(50'000);
  folder.write("a", all);
  for (int mode : {_IOFBF, _IONBF}) {
    for (std::size_t used : {0u, 1u, 4095u, 4096u, 9999u, 10'000u}) {
      const file_ptr in = open(folder / "a", "r");
      std::setvbuf(in.get(), nullptr, mode, mode == _IONBF ? 0 : 4096);
      {
        stdio_reader r(in.get());
        ASSERT_GE(r.fill(10'000)->size(), 10'000u);
        r.consume(used);
      }
      std::string rest(all.size(), ' ');
      rest.resize(std::fread(rest.data(), 1, rest.size(), in.get()));
      EXPECT_EQ(rest, all.substr(used)) << mode << ' ' << used;
    }
  }
}

TEST(stdio, a_large_request_is_one_read_and_moves_both_sides) {
  temporary_folder folder;
  const std::string all = sample(300'000);
  folder.write("a", all);
  for (int mode : {_IOFBF, _IONBF}) {
    const file_ptr in = open(folder / "a", "r");
    std::setvbuf(in.get(), nullptr, mode, mode == _IONBF ? 0 : 4096);
    std::fgetc(in.get());
    stdio_reader r(in.get());
    r.consume(r.buffered().size());
    ASSERT_EQ(std::ftell(in.get()), mode == _IONBF ? 1 : 4096);
    std::string got(200'000, ' ');
#ifdef __GLIBC__
    EXPECT_EQ(r.read_some(std::as_writable_bytes(std::span(got))), got.size());
    const long at = std::ftell(in.get());
    EXPECT_EQ(got, all.substr(static_cast<std::size_t>(at) - got.size(), got.size()));
    EXPECT_EQ(std::fgetc(in.get()), all[static_cast<std::size_t>(at)]);
    std::ungetc('!', in.get());
    EXPECT_EQ(r.read_some(std::as_writable_bytes(std::span(got))), 1u);
    EXPECT_EQ(got[0], '!');
#endif
  }
}

TEST(stdio, the_end_is_told_once_and_stays) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const file_ptr in(::fdopen(ends[0], "r"), &std::fclose);
  stdio_reader r(in.get());
  std::vector<std::byte> to(100'000);
  for (std::size_t n : {1u, 100'000u}) {
    EXPECT_EQ(r.read_some(std::span(to).first(n)).error(), std::errc::operation_would_block);
    EXPECT_FALSE(std::ferror(in.get()));
    ASSERT_EQ(::write(ends[1], "abc", 3), 3);
    EXPECT_EQ(r.read_some(std::span(to).first(n)), std::min<std::size_t>(n, 3));
    r.consume(r.buffered().size());
  }
  ::close(ends[1]);
  EXPECT_EQ(r.read_some(to), 0u);
  EXPECT_TRUE(std::feof(in.get()));
  EXPECT_EQ(r.read_some(to), 0u);
}

TEST(stdio, a_file_that_is_written_shows_no_window) {
  temporary_folder folder;
  const file_ptr both = open(folder / "a", "w+");
  std::fputs("abc", both.get());
  stdio_reader r(both.get());
  EXPECT_TRUE(r.buffered().empty());
  EXPECT_FALSE(r.kernel_endpoint());
  std::rewind(both.get());
  EXPECT_EQ(std::fgetc(both.get()), 'a');
#ifdef __GLIBC__
  EXPECT_EQ(r.kernel_endpoint()->buffered, 2u);
  EXPECT_FALSE(stdio_writer(both.get()).kernel_endpoint());  // what was read ahead stands before the offset
#endif
  std::fseek(both.get(), 1, SEEK_SET);
  std::fputs("B", both.get());
  EXPECT_TRUE(r.buffered().empty());
  std::fflush(both.get());
  std::fseek(both.get(), 0, SEEK_CUR);
  EXPECT_EQ(r.fill(1)->front(), std::byte{'c'});
  EXPECT_EQ(folder.read("a"), "aBc");
}

TEST(stdio, memory_has_no_endpoint) {
  char text[] = "abcdef";
  const file_ptr in(fmemopen(text, 6, "r"), &std::fclose);
  EXPECT_FALSE(stdio_reader(in.get()).kernel_endpoint());
  string_writer out;
  EXPECT_EQ(*sluice::copy(stdio_reader(in.get()), out), 6u);
}

TEST(stdio, a_byte_that_was_put_back_comes_first) {
  temporary_folder folder;
  folder.write("a", sample(200'000));
  const file_ptr in = open(folder / "a", "r");
  const file_ptr out = open(folder / "b", "w");
  std::fgetc(in.get());
  std::ungetc('!', in.get());
  EXPECT_FALSE(stdio_reader(in.get()).kernel_endpoint());
  EXPECT_EQ(*sluice::copy(stdio_reader(in.get()), stdio_writer(out.get())), 200'000u);
  std::fflush(out.get());
  EXPECT_EQ(folder.read("b"), "!" + sample(200'000).substr(1));
}

TEST(stdio, a_directory_and_a_full_device_are_errors) {
  const file_ptr in = open("/", "r");
  ASSERT_TRUE(in);
  EXPECT_EQ(stdio_reader(in.get()).fill(1).error(), std::errc::is_a_directory);
  const file_ptr out = open("/dev/full", "w");
  if (!out) GTEST_SKIP() << "no /dev/full";
  stdio_writer w(out.get());
  ASSERT_TRUE(w.write_some(std::as_bytes(std::span("abc", 3))));
  EXPECT_EQ(w.flush().error(), std::errc::no_space_on_device);
}

}  // namespace
