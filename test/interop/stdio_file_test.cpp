// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/stdio_file.hpp>
#include <sluice/sluice.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace {

using namespace sluice;
using namespace support;
using sluice::test::temporary_folder;

std::string rest_of(std::FILE* f) {
  std::string s(1'000'000, ' ');
  s.resize(std::fread(s.data(), 1, s.size(), f));
  return s;
}

TEST(reader_file, reads_every_byte_whatever_the_chunks) {
  const auto all = pattern(20'000);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    reader_file file(chunked_reader{.data = all, .chunk = chunk});
    std::string head(100, ' ');
    ASSERT_EQ(std::fread(head.data(), 1, chunk, file.get()), chunk);
    head.resize(chunk);
    ASSERT_EQ(head + rest_of(file.get()), text(all));
    EXPECT_TRUE(std::feof(file.get()));
    EXPECT_FALSE(std::ferror(file.get()));
    EXPECT_TRUE(file.close());
  }
}

TEST(reader_file, an_error_is_no_end) {
  const auto all = pattern(100);
  for (std::size_t k = 1; k <= 10; ++k) {
    reader_file file(chunked_reader{.data = all, .chunk = 10, .fail_at = k, .error = io_errc::checksum_mismatch});
    EXPECT_EQ(rest_of(file.get()).size(), 10 * (k - 1));
    EXPECT_EQ(errno, EIO);
    EXPECT_TRUE(std::ferror(file.get()));
    EXPECT_FALSE(std::feof(file.get()));
    EXPECT_EQ(file.error(), io_errc::checksum_mismatch);
    EXPECT_EQ(file.close().error(), io_errc::checksum_mismatch);
    EXPECT_EQ(file.get(), nullptr);
    EXPECT_TRUE(file.close());
  }
}

TEST(reader_file, one_that_recovers_goes_on) {
  const auto all = pattern(100);
  reader_file file(chunked_reader{.data = all, .chunk = 10, .fail_at = 3});
  EXPECT_EQ(rest_of(file.get()).size(), 20u);
  std::clearerr(file.get());
  EXPECT_EQ(rest_of(file.get()).size(), 80u);
  EXPECT_TRUE(file.close());
}

#ifdef __GLIBC__
TEST(reader_file, gives_back_what_it_read_ahead) {
  temporary_folder folder;
  const std::string all = text(pattern(50'000));
  folder.write("a", all);
  for (std::size_t used : {0u, 1u, 5000u, 8192u, 8193u, 30'000u}) {
    std::string got(used, ' ');
    buf_reader buffered(*file::open(folder / "a"), 10'000);
    auto unbuffered = *file::open(folder / "a");
    {
      reader_file one(buffered);
      reader_file two(unbuffered);
      ASSERT_EQ(std::fread(got.data(), 1, used, one.get()), used);
      ASSERT_EQ(std::fread(got.data(), 1, used, two.get()), used);
      ASSERT_EQ(std::ungetc(std::fgetc(one.get()), one.get()), static_cast<unsigned char>(all[used]));
      ASSERT_EQ(std::ungetc(std::fgetc(two.get()), two.get()), static_cast<unsigned char>(all[used]));
      EXPECT_EQ(std::ftell(one.get()), static_cast<long>(used));
      EXPECT_EQ(std::ftell(two.get()), static_cast<long>(used));
    }
    EXPECT_EQ(text(*drain(buffered)), all.substr(used)) << used;
    EXPECT_EQ(text(*drain(unbuffered)), all.substr(used)) << used;
  }
}
#endif

template <class R>
void seeks(R& reader, const std::string& all) {
  reader_file file(reader);
  std::size_t at = 0;
  for (std::size_t i = 1; i != 300; ++i) {
    const std::size_t to = i * 7919 % all.size();
    const int done = i % 3 == 0 ? std::fseek(file.get(), static_cast<long>(to), SEEK_SET)
                     : i % 3 == 1
                         ? std::fseek(file.get(), static_cast<long>(to) - static_cast<long>(at), SEEK_CUR)
                         : std::fseek(file.get(), static_cast<long>(to) - static_cast<long>(all.size()), SEEK_END);
    ASSERT_EQ(done, 0);
    ASSERT_EQ(std::ftell(file.get()), static_cast<long>(to)) << i;
    std::string got(i * 31 % 9000, ' ');
    got.resize(std::fread(got.data(), 1, got.size(), file.get()));
    ASSERT_EQ(got, all.substr(to, i * 31 % 9000)) << i;
    at = to + got.size();
  }
}

TEST(reader_file, seeks_where_the_reader_does) {
  temporary_folder folder;
  const std::string all = text(pattern(50'000));
  folder.write("a", all);
  auto plain = *file::open(folder / "a");
  seeks(plain, all);
  buf_reader buffered(*file::open(folder / "a"));
  seeks(buffered, all);
  reader_file stream(chunked_reader{});
  EXPECT_EQ(std::fseek(stream.get(), 1, SEEK_SET), -1);
}

TEST(reader_file, an_exception_does_not_pass_through_the_c_library) {
  struct throwing_reader {
    bool memory;
    result<std::size_t> read_some(std::span<std::byte>) {
      if (memory) throw std::bad_alloc();
      throw 1;
    }
  };
  for (bool memory : {false, true}) {
    reader_file file(throwing_reader{memory});
    EXPECT_EQ(std::fgetc(file.get()), EOF);
    EXPECT_EQ(file.close().error(), memory ? std::errc::not_enough_memory : std::errc::io_error);
  }
}

TEST(writer_file, writes_every_byte_whatever_the_chunks) {
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    recording_writer w{.chunk = chunk};
    writer_file file(w);
    std::fprintf(file.get(), "number %d ", 12345);
    std::fputs(std::string(20'000, 'x').c_str(), file.get());
    ASSERT_TRUE(file.close());
    EXPECT_EQ(text(w.data), "number 12345 " + std::string(20'000, 'x'));
    EXPECT_TRUE(file.close());
  }
}

TEST(writer_file, an_error_stays_and_nothing_follows_the_gap) {
  for (std::size_t k = 1; k <= 5; ++k) {
    recording_writer w{.chunk = 10, .fail_at = k};
    writer_file file(w);
    std::fputs(std::string(100, 'x').c_str(), file.get());
    EXPECT_EQ(file.flush().error(), std::errc::no_space_on_device);
    EXPECT_TRUE(std::ferror(file.get()));
    std::fputs("more", file.get());
    EXPECT_EQ(file.close().error(), std::errc::no_space_on_device);
    EXPECT_EQ(file.error(), std::errc::no_space_on_device);
    EXPECT_EQ(text(w.data), std::string(10 * (k - 1), 'x'));
  }
}

TEST(writer_file, flush_reaches_through_the_buffer_of_the_writer) {
  recording_writer w;
  buf_writer b(w);
  writer_file file(b);
  std::fputs("abc", file.get());
  std::fflush(file.get());
  EXPECT_EQ(w.data.size(), 0u);
  EXPECT_TRUE(file.flush());
  EXPECT_EQ(w.data.size(), 3u);
  std::fputs("de", file.get());
  EXPECT_TRUE(file.close());
  EXPECT_EQ(w.data.size(), 5u);
}

TEST(writer_file, seeks_where_the_writer_does) {
  temporary_folder folder;
  writer_file out(*file::create(folder / "a"));
  std::fputs("0123456789", out.get());
  EXPECT_EQ(std::ftell(out.get()), 10);
  EXPECT_EQ(std::fseek(out.get(), 2, SEEK_SET), 0);
  std::fputs("x", out.get());
  EXPECT_EQ(std::fseek(out.get(), -1, SEEK_END), 0);
  std::fputs("y", out.get());
  ASSERT_TRUE(out.close());
  EXPECT_EQ(folder.read("a"), "01x345678y");
}

}  // namespace
