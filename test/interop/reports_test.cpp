// SPDX-License-Identifier: BSL-1.0
//
// What went wrong elsewhere where two kinds of streams met: see ../reports.md.
//
#include <sluice/interop/istream_reader.hpp>
#include <sluice/interop/ostream_writer.hpp>
#include <sluice/interop/reader_streambuf.hpp>
#include <sluice/interop/stdio.hpp>
#include <sluice/interop/stdio_file.hpp>
#include <sluice/interop/writer_streambuf.hpp>
#include <sluice/sluice.hpp>

#include "support/signals.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#ifdef __GLIBCXX__
#include <ext/stdio_filebuf.h>
#endif

namespace {

using namespace sluice;
using namespace support;
using sluice::test::temporary_folder;

using file_ptr = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
file_ptr open(const std::string& path, const char* mode) { return {std::fopen(path.c_str(), mode), &std::fclose}; }

TEST(both_sides, a_header_comes_before_a_large_copy_and_a_trailer_after) {
  temporary_folder folder;
  const std::string body = text(pattern(1'500'000));
  folder.write("a", body);
  {
    std::ofstream out(folder / "b", std::ios::binary);
    const file_ptr file = open(folder / "c", "w");
    for (const char* source : {"/proc/self/status", "a"}) {
      const std::string path = *source == '/' ? source : folder / source;
      out << "HEAD ";
      std::fputs("HEAD ", file.get());
      ASSERT_TRUE(sluice::copy(*file::open(path), ostream_writer(out)));
      ASSERT_TRUE(sluice::copy(*file::open(path), stdio_writer(file.get())));
      out << " TAIL ";
      std::fputs(" TAIL ", file.get());
    }
  }
  for (const char* name : {"b", "c"}) {
    const std::string got = folder.read(name);
    EXPECT_TRUE(got.starts_with("HEAD Name:"));
    EXPECT_TRUE(got.ends_with(" TAIL HEAD " + body + " TAIL "));
  }
}

TEST(both_sides, what_is_read_ahead_is_copied_before_the_rest) {
  temporary_folder folder;
  const std::string all = text(pattern(1'500'000));
  folder.write("a", all);
  std::ifstream in(folder / "a", std::ios::binary);
  const file_ptr file = open(folder / "a", "r");
  in.get();
  std::fgetc(file.get());
  for (const char* name : {"b", "c"}) {
    auto out = *file::create(folder / name);
    copy_report report;
    const auto copied = *name == 'b' ? sluice::copy(istream_reader(in), out, {.report = &report})
                                     : sluice::copy(stdio_reader(file.get()), out, {.report = &report});
    EXPECT_EQ(*copied, all.size() - 1);
    EXPECT_TRUE(folder.read(name) == all.substr(1));
#if defined __GLIBC__ && defined __GLIBCXX__
    EXPECT_GE(report.main_path(), copy_path::clone);
#endif
  }
}

TEST(both_sides, a_descriptor_by_its_name_is_a_source) {
  temporary_folder folder;
  folder.write("a", "some text");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "piped", 5), 5);
  ::close(ends[1]);
  const int plain = ::open((folder / "a").c_str(), O_RDONLY);
  const std::string names[] = {"/dev/fd/" + std::to_string(ends[0]), "/dev/fd/" + std::to_string(plain)};
  std::ifstream in(names[0], std::ios::binary);
  const file_ptr file = open(names[1], "r");
  if (!in || !file) GTEST_SKIP() << "no /dev/fd";
  string_writer out;
  EXPECT_EQ(*sluice::copy(istream_reader(in), out), 5u);
  EXPECT_EQ(*sluice::copy(stdio_reader(file.get()), out), 9u);
  EXPECT_EQ(out.str(), "pipedsome text");
  ::close(plain);
  ::close(ends[0]);
}

// Whoever shares the descriptor finds the rest, once the stream has given back what it has read ahead.
TEST(both_sides, a_shared_offset_stands_behind_what_a_bounded_copy_took) {
  temporary_folder folder;
  const std::string all = text(pattern(300'000));
  folder.write("a", all);
  for (std::size_t n : {3u, 5000u, 200'000u}) {
    const file_ptr file = open(folder / "a", "r");
    string_writer out;
    ASSERT_TRUE(copy_n(stdio_reader(file.get()), out, n));
    std::fflush(file.get());
    EXPECT_EQ(fd_ref(::fileno(file.get())).position(), n);

    auto plain = *file::open(folder / "a");
    auto shared = fd_ref(plain.fd());
    {
      reader_file over(shared);
      ASSERT_TRUE(copy_n(stdio_reader(over.get()), out, n));
      EXPECT_TRUE(over.close());
    }
#ifdef __GLIBC__
    EXPECT_EQ(plain.position(), n);
#endif
    EXPECT_TRUE(out.str() == all.substr(0, n) + all.substr(0, n));
  }
}

TEST(full_device, is_told_by_whatever_writes_to_it) {
  auto device = file::append("/dev/full");
  if (!device) GTEST_SKIP() << "no /dev/full";
  for (std::size_t n : {3u, 2'000'000u}) {
    const auto bytes = pattern(n);
    const auto fails = [&](const char* who, auto&& writer) {
      const auto copied = sluice::copy(span_reader(bytes), writer, {.flush = flush_policy::at_end});
      ASSERT_FALSE(copied) << who;
      EXPECT_EQ(copied.error().code, std::errc::no_space_on_device) << who;
      EXPECT_EQ(copied.error().side, copy_side::writer) << who;
    };
    std::ofstream out("/dev/full", std::ios::binary);
    fails("ofstream", ostream_writer(out));
    EXPECT_TRUE(out.bad());
    const file_ptr file = open("/dev/full", "w");
    fails("FILE", stdio_writer(file.get()));
    EXPECT_TRUE(std::ferror(file.get()));

    writer_streambuf buffer(*device);
    std::ostream over(&buffer);
    over.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(n));
    EXPECT_EQ(buffer.finish().error(), std::errc::no_space_on_device);
    EXPECT_EQ(buffer.error(), std::errc::no_space_on_device);

    writer_file made(*device);
    std::fwrite(bytes.data(), 1, n, made.get());
    EXPECT_EQ(made.close().error(), std::errc::no_space_on_device);
  }
}

// One that got through would end the test.
TEST(closed_peer, is_an_error_and_no_signal) {
  const sluice::test::default_sigpipe deadly;
  for (std::size_t n : {3u, 1500u, 200'000u}) {
    const auto bytes = pattern(n);
    const auto fails = [&](const char* who, auto&& writer) {
      const auto copied = sluice::copy(span_reader(bytes), writer, {.flush = flush_policy::at_end});
      ASSERT_FALSE(copied) << who;
      EXPECT_EQ(copied.error().code, std::errc::broken_pipe) << who;
      EXPECT_EQ(copied.error().side, copy_side::writer) << who;
    };
    const auto broken = [] {
      int ends[2];
      if (::pipe(ends) != 0) return -1;
      ::close(ends[0]);
      return ends[1];
    };
    // The destructors of the streams try once more, outside of the library.
    std::signal(SIGPIPE, SIG_DFL);
    {
      const file_ptr file(::fdopen(broken(), "w"), &std::fclose);
      fails("FILE", stdio_writer(file.get()));
      std::signal(SIGPIPE, SIG_IGN);
    }
#ifdef __GLIBCXX__
    std::signal(SIGPIPE, SIG_DFL);
    {
      __gnu_cxx::stdio_filebuf<char> buffer(broken(), std::ios::out);
      std::ostream out(&buffer);
      fails("filebuf", ostream_writer(out));
      std::signal(SIGPIPE, SIG_IGN);
    }
#endif
  }
}

std::size_t lost = 0;

TEST(full_device, the_destructor_of_a_streambuf_tells_what_is_lost) {
  const auto before = set_lost_bytes_hook([](std::size_t n, std::error_code) noexcept { lost += n; });
  {
    struct full_writer {
      result<std::size_t> write_some(std::span<const std::byte>) {
        return fail(make_error_code(std::errc::no_space_on_device));
      }
    };
    writer_streambuf buffer(full_writer{});
    std::ostream(&buffer) << "abc";
  }
  set_lost_bytes_hook(before);
  EXPECT_EQ(lost, 3u);
}

TEST(both_sides, the_destructors_write_what_nobody_flushed) {
  temporary_folder folder;
  const std::string all = text(pattern(6000));
  folder.write("a", all);
  {
    std::ofstream out(folder / "b", std::ios::binary);
    const file_ptr file = open(folder / "c", "w");
    writer_streambuf buffer(*file::create(folder / "d"));
    std::ostream over(&buffer);
    writer_file made(*file::create(folder / "e"));
    ASSERT_TRUE(sluice::copy(*file::open(folder / "a"), ostream_writer(out)));
    ASSERT_TRUE(sluice::copy(*file::open(folder / "a"), stdio_writer(file.get())));
    ASSERT_TRUE(sluice::copy(*file::open(folder / "a"), ostream_writer(over)));
    ASSERT_TRUE(sluice::copy(*file::open(folder / "a"), stdio_writer(made.get())));
  }
  for (const char* name : {"b", "c", "d", "e"}) EXPECT_TRUE(folder.read(name) == all) << name;
}

// The bytes before an error come first, and the error with the next request, in either direction of the bridge.
TEST(both_sides, a_failure_behind_some_bytes_is_not_forgotten) {
  const auto three = pattern(3);
  const auto failing = [&] { return chunked_reader{.data = three, .chunk = 3, .fail_at = 2}; };
  char to[10];
  {
    reader_streambuf buffer(failing());
    std::istream in(&buffer);
    istream_reader again(in);
    ASSERT_EQ(again.fill(3)->size(), 3u);
    EXPECT_EQ(again.fill(4).error(), std::errc::io_error);
    EXPECT_EQ(again.buffered().size(), 3u);
    EXPECT_TRUE(in.bad());
  }
  {
    reader_file file(failing());
    EXPECT_EQ(std::fread(to, 1, 10, file.get()), 3u);
    EXPECT_TRUE(std::ferror(file.get()));
    EXPECT_FALSE(std::feof(file.get()));
    EXPECT_EQ(file.close().error(), std::errc::io_error);
  }
  {
    reader_file file(failing());
    stdio_reader again(file.get());
    EXPECT_EQ(again.fill(4).error(), std::errc::io_error);
    EXPECT_EQ(again.buffered().size(), 3u);
  }
}

}  // namespace
