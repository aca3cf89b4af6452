// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/reader_streambuf.hpp>
#include <sluice/interop/writer_streambuf.hpp>
#include <sluice/sluice.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <istream>
#include <ostream>

namespace {

using namespace sluice;
using namespace sluice::test;
using namespace support;

std::span<const std::byte> bytes_of(const std::string& s) { return std::as_bytes(std::span(s)); }

TEST(reader_streambuf, reads_lines_over_every_chunk_size) {
  const std::string all = "first line\nsecond\n\nlast without end";
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    reader_streambuf buffer(chunked_reader{.data = bytes_of(all), .chunk = chunk}, 8);
    std::istream in(&buffer);
    std::string got;
    for (std::string line; std::getline(in, line);) got += line + '|';
    EXPECT_EQ(got, "first line|second||last without end|");
    EXPECT_FALSE(in.bad());
  }
}

TEST(reader_streambuf, the_error_comes_after_the_bytes) {
  const std::string all(100, 'x');
  for (std::size_t k = 1; k <= 8; ++k) {
    reader_streambuf buffer(chunked_reader{.data = bytes_of(all), .chunk = 10, .fail_at = k});
    std::istream in(&buffer);
    std::string got(100, ' ');
    EXPECT_EQ(k == 1 ? 0 : buffer.sgetn(got.data(), 100), std::streamsize(10 * (k - 1)));
    in.get();
    EXPECT_TRUE(in.bad()) << k;
    EXPECT_EQ(buffer.error(), std::errc::io_error);
  }
}

TEST(reader_streambuf, shows_the_window_in_place_and_tells_the_reader) {
  const std::string all = "one two three";
  buf_reader r(chunked_reader{.data = bytes_of(all)});
  reader_streambuf buffer(r);
  std::istream in(&buffer);
  std::string word;
  in >> word;
  in.unget();
  EXPECT_EQ(in.get(), 'e');
  EXPECT_EQ(in.rdbuf()->pubsync(), 0);
  EXPECT_EQ(sluice::window(r).size(), all.size() - 3);
}

TEST(reader_streambuf, seeks_where_the_reader_does) {
  temporary_folder folder;
  folder.write("a", "0123456789");
  reader_streambuf buffer(*file::open(folder / "a"), 4);
  std::istream in(&buffer);
  EXPECT_EQ(in.get(), '0');
  EXPECT_EQ(in.tellg(), std::streamoff(1));
  EXPECT_EQ(in.get(), '1');
  in.seekg(3, std::ios::cur);
  EXPECT_EQ(in.get(), '5');
  in.seekg(-1, std::ios::end);
  EXPECT_EQ(in.get(), '9');
  in.seekg(2);
  EXPECT_EQ(in.get(), '2');
}

TEST(reader_streambuf, no_offset_overflows) {
  temporary_folder folder;
  folder.write("a", "0123456789");
  reader_streambuf buffer(*file::open(folder / "a"), 4);
  std::istream in(&buffer);
  EXPECT_EQ(in.get(), '0');
  for (const auto from : {std::ios::beg, std::ios::cur, std::ios::end}) {
    EXPECT_EQ(buffer.pubseekoff(std::numeric_limits<std::streamoff>::min(), from, std::ios::in),
              std::streampos(std::streamoff(-1)));
    EXPECT_EQ(in.get(), '1' + (from == std::ios::cur) + 2 * (from == std::ios::end)) << "nothing has moved";
  }
}

TEST(writer_streambuf, writes_everything_over_every_chunk_size) {
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    recording_writer w{.chunk = chunk};
    writer_streambuf buffer(w, chunk);
    std::ostream out(&buffer);
    out << "number " << 12345 << ' ' << std::string(100, 'x') << '!';
    ASSERT_TRUE(buffer.finish());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(w.data.data()), w.data.size()),
              "number 12345 " + std::string(100, 'x') + '!');
  }
}

TEST(writer_streambuf, the_error_is_seen_and_kept) {
  recording_writer w{.fail_at = 1};
  writer_streambuf buffer(w);
  std::ostream out(&buffer);
  out << "abc";
  EXPECT_TRUE(out.good());
  EXPECT_EQ(buffer.finish().error(), std::errc::no_space_on_device);
  EXPECT_EQ(buffer.error(), std::errc::no_space_on_device);
  EXPECT_TRUE(buffer.finish());  // nothing was lost
  EXPECT_EQ(w.data.size(), 3u);
}

TEST(writer_streambuf, fills_a_buffered_writer_in_place) {
  recording_writer w;
  buf_writer b(w);
  writer_streambuf buffer(b);
  std::ostream out(&buffer);
  out << "abc" << std::flush << "de";
  EXPECT_EQ(w.data.size(), 3u);
  EXPECT_TRUE(buffer.finish());
  EXPECT_EQ(w.data.size(), 5u);
}

}  // namespace
