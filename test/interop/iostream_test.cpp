// SPDX-License-Identifier: BSL-1.0
#include <sluice/interop/istream_reader.hpp>
#include <sluice/interop/ostream_writer.hpp>
#include <sluice/sluice.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#ifdef __GLIBCXX__
#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#endif

namespace {

using namespace sluice;
using sluice::test::temporary_folder;

static_assert(buffered_reader<istream_reader> && kernel_reader<istream_reader>);
static_assert(writer<ostream_writer> && kernel_writer<ostream_writer>);

std::string sample(std::size_t n) {
  std::string s(n, '\0');
  for (std::size_t i = 0; i != n; ++i) s[i] = static_cast<char>('a' + i * 7 % 23 + i / 4096 % 3);
  return s;
}

// A streambuf without a get area that has no memory for what is put back.
class full_streambuf : public std::streambuf {
 protected:
  int_type underflow() override { return at_ != all.size() ? traits_type::to_int_type(all[at_]) : traits_type::eof(); }
  int_type uflow() override {
    const int_type c = underflow();
    if (c != traits_type::eof()) ++at_;
    return c;
  }
  int_type pbackfail(int_type) override { throw std::bad_alloc(); }

 private:
  static constexpr std::string_view all = "abc";
  std::size_t at_ = 0;
};

TEST(istream_reader, out_of_memory_its_destructor_drops_what_it_holds) {
  full_streambuf buffer;
  std::istream in(&buffer);
  {
    istream_reader r(in);
    ASSERT_EQ(r.fill(2).value().size(), 2U);
    EXPECT_THROW(static_cast<void>(r.give_back()), std::bad_alloc);
    EXPECT_EQ(r.buffered().size(), 2U) << "still readable";
    istream_reader other(in);
    r = std::move(other);
    EXPECT_EQ(r.fill(1).value().size(), 1U);
  }
  EXPECT_EQ(in.peek(), std::char_traits<char>::eof());
}

// Has a buffer, and tells what is asked of it. Of a large write it takes what it is told to.
class telling_streambuf : public std::streambuf {
 public:
  telling_streambuf() { setp(room_, room_ + sizeof room_); }

  std::string told;
  std::streamsize most = 1 << 20;

 protected:
  int sync() override {
    told += "sync " + std::to_string(pptr() - pbase()) + ";";
    setp(room_, room_ + sizeof room_);
    return 0;
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (n <= epptr() - pptr()) return std::streambuf::xsputn(s, n);
    told += "write " + std::to_string(n) + " behind " + std::to_string(pptr() - pbase()) + ";";
    return std::min(n, most);
  }

 private:
  char room_[64];
};

TEST(ostream_writer, sends_what_is_pending_before_a_large_write) {
  telling_streambuf buffer;
  std::ostream out(&buffer);
  ostream_writer w(out);
  EXPECT_EQ(w.write_some(as_bytes("abc")), 3U);
  EXPECT_EQ(buffer.told, "");
  const std::string large = sample(2000);
  buffer.most = 100;
  EXPECT_EQ(w.write_some(as_bytes(large)), 100U);
  EXPECT_EQ(buffer.told, "sync 3;write 2000 behind 0;");
}

std::string text(std::span<const std::byte> b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

// A streambuf that shows `chunk` characters at a time, or has no get area at all, and throws at a given underflow.
class chunked_streambuf : public std::streambuf {
 public:
  chunked_streambuf(std::string s, std::size_t chunk, int fail_at = 0)
      : all_(std::move(s)), chunk_(chunk), fail_at_(fail_at) {}

 protected:
  int_type underflow() override {
    if (chunk_ != 0 && gptr() != egptr()) return traits_type::to_int_type(*gptr());
    if (++calls_ == fail_at_) throw std::runtime_error("underflow");
    if (at_ == all_.size()) return traits_type::eof();
    if (chunk_ == 0) return traits_type::to_int_type(all_[at_]);
    const std::size_t n = std::min(chunk_, all_.size() - at_);
    setg(all_.data() + at_, all_.data() + at_, all_.data() + at_ + n);
    at_ += n;
    return traits_type::to_int_type(*gptr());
  }
  int_type uflow() override {
    if (chunk_ != 0) return std::streambuf::uflow();
    const int_type c = underflow();
    if (c != traits_type::eof()) ++at_;
    return c;
  }

 private:
  std::string all_;
  std::size_t at_ = 0, chunk_;
  int fail_at_, calls_ = 0;
};

TEST(istream_reader, reads_every_byte_whatever_the_get_area) {
  const std::string all = sample(300);
  for (std::size_t chunk = 0; chunk <= 64; ++chunk) {
    for (std::size_t wanted : {1u, 3u, 17u, 100u}) {
      chunked_streambuf buffer(all, chunk);
      std::istream in(&buffer);
      istream_reader r(in);
      std::string got;
      for (;;) {
        const auto window = r.fill(wanted);
        ASSERT_TRUE(window);
        if (window->empty()) break;
        ASSERT_TRUE(window->size() >= wanted || got.size() + window->size() == all.size());
        const std::size_t n = std::min(window->size(), wanted);
        got += text(window->first(n));
        r.consume(n);
      }
      ASSERT_EQ(got, all) << chunk << ' ' << wanted;
      EXPECT_TRUE(in.eof());
    }
  }
}

TEST(istream_reader, gives_back_what_it_holds) {
  temporary_folder folder;
  const std::string all = sample(100'000);
  folder.write("a", all);
  for (std::size_t used : {0u, 1u, 5000u, 19'999u, 20'000u}) {
    std::ifstream in(folder / "a", std::ios::binary);
    {
      istream_reader r(in);
      ASSERT_EQ(r.fill(20'000)->size(), 20'000u);
      r.consume(used);
    }
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), all.substr(used));
  }
}

TEST(istream_reader, an_error_sets_badbit_and_throws_nothing) {
  for (int k = 1; k <= 5; ++k) {
    chunked_streambuf buffer(sample(40), 10, k);
    std::istream in(&buffer);
    in.exceptions(std::ios::badbit | std::ios::eofbit);
    istream_reader r(in);
    std::vector<std::byte> to(10);
    for (int i = 1; i < k; ++i) ASSERT_EQ(r.read_some(to), 10u);
    EXPECT_EQ(r.read_some(to).error(), std::errc::io_error);
    EXPECT_TRUE(in.bad());
  }
}

TEST(istream_reader, keeps_the_code_of_a_filebuf) {
  std::ifstream in("/");  // a directory opens, and does not read
  if (!in.is_open()) GTEST_SKIP() << "a directory cannot be opened";
  istream_reader r(in);
  EXPECT_EQ(r.fill(1).error(), std::errc::is_a_directory);
}

TEST(copy, goes_on_after_a_formatted_read_and_hands_back_the_rest) {
  temporary_folder folder;
  const std::string body = sample(300'000);
  folder.write("a", "word" + body + "tail end");
  std::ifstream in(folder / "a", std::ios::binary);
  std::string word(4, ' ');
  in.read(word.data(), 4);
  auto out = *file::create(folder / "b");
  ASSERT_EQ(*sluice::copy(istream_reader(in) | limit(body.size()), out), body.size());
  EXPECT_EQ(in.tellg(), std::streamoff(4 + body.size()));
  std::string tail, end;
  in >> tail >> end;
  EXPECT_EQ(tail + end, "tailend");
  EXPECT_EQ(folder.read("b"), body);
}

TEST(copy, takes_the_kernel_path_between_filebufs) {
  temporary_folder folder;
  const std::string all = sample(1'500'000);
  folder.write("a", all);
  std::ifstream in(folder / "a", std::ios::binary);
  for (auto mode : {std::ios::trunc, std::ios::app}) {
    in.clear();
    in.seekg(0);
    std::ofstream out(folder / "b", std::ios::binary | mode);
    out << "head ";
    copy_report report;
    ASSERT_EQ(*sluice::copy(istream_reader(in), ostream_writer(out), {.report = &report}), all.size());
    out << " tail";
    // No call of the kernel's copies into a file that is in append mode.
    if (mode == std::ios::trunc) {
      EXPECT_GE(report.main_path(), copy_path::clone);
    }
    EXPECT_TRUE(in.eof());
    in.clear();
    EXPECT_EQ(in.tellg(), std::streamoff(all.size()));
    out.close();
    const std::string one = "head " + all + " tail";
    EXPECT_TRUE(folder.read("b") == (mode == std::ios::app ? one + one : one));
  }
}

#if defined __GLIBCXX__ && defined __GLIBC__
TEST(copy, takes_the_kernel_path_between_streams_that_are_synchronised_with_stdio) {
  temporary_folder folder;
  const std::string all = sample(1'500'000);
  folder.write("a", "word " + all);
  {
    using file_ptr = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    const file_ptr from(std::fopen((folder / "a").c_str(), "r"), &std::fclose);
    const file_ptr to(std::fopen((folder / "b").c_str(), "w"), &std::fclose);
    __gnu_cxx::stdio_sync_filebuf<char> from_buffer(from.get());
    __gnu_cxx::stdio_sync_filebuf<char> to_buffer(to.get());
    std::istream in(&from_buffer);
    std::ostream out(&to_buffer);
    std::string word;
    in >> word;
    in.get();
    out << "head ";
    copy_report report;
    ASSERT_EQ(*sluice::copy(istream_reader(in), ostream_writer(out), {.report = &report}), all.size());
    EXPECT_GE(report.main_path(), copy_path::clone);
    EXPECT_TRUE(in.eof());
    in.clear();
    EXPECT_FALSE(in.unget());  // the streambuf remembers a character that is no longer the last one
    out << " tail";
  }
  EXPECT_TRUE(folder.read("b") == "head " + all + " tail");
}
#endif

TEST(istream_reader, what_went_past_the_buffer_can_be_put_back) {
  temporary_folder folder;
  const std::string all = sample(300'000);
  folder.write("a", all);
  for (bool copied : {false, true}) {
    std::ifstream in(folder / "a", std::ios::binary);
    in.get();
    std::string got(all.size(), ' ');
    istream_reader r(in);
    r.consume(r.buffered().size());
    if (copied) {
      null_writer nowhere;
      ASSERT_TRUE(sluice::copy(r | limit(100'000), nowhere));
    } else {
      ASSERT_GT(*r.read_some(std::as_writable_bytes(std::span(got).first(100'000))), 50'000u);
    }
    const auto at = static_cast<std::size_t>(in.tellg());
    ASSERT_TRUE(in.unget());
    EXPECT_EQ(in.get(), all[at - 1]);
    EXPECT_EQ(in.get(), all[at]);
  }
}

TEST(istream_reader, a_large_request_is_one_read_and_moves_both_sides) {
  temporary_folder folder;
  folder.write("a", sample(300'000));
  std::ifstream in(folder / "a", std::ios::binary);
  istream_reader r(in);
  std::vector<std::byte> to(400'000);
  EXPECT_EQ(r.read_some(to), 300'000u);
  EXPECT_EQ(text(std::span(to).first(300'000)), sample(300'000));
  EXPECT_EQ(in.tellg(), std::streamoff(300'000));
  EXPECT_EQ(r.read_some(to), 0u);
  EXPECT_TRUE(in.eof());
}

#ifdef __GLIBCXX__
TEST(istream_reader, would_block_is_no_bad_stream) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  __gnu_cxx::stdio_filebuf<char> buffer(ends[0], std::ios::in);
  std::istream in(&buffer);
  istream_reader r(in);
  std::vector<std::byte> to(100'000);
  for (std::size_t n : {1u, 100'000u}) {
    EXPECT_EQ(r.read_some(std::span(to).first(n)).error(), std::errc::operation_would_block);
    EXPECT_TRUE(in.good());
    ASSERT_EQ(::write(ends[1], "abc", 3), 3);
    EXPECT_EQ(r.read_some(std::span(to).first(n)), std::min<std::size_t>(n, 3));
    r.consume(r.buffered().size());
  }
  ::close(ends[1]);
  EXPECT_EQ(r.read_some(to), 0u);
}
#endif

TEST(copy, between_string_streams) {
  std::istringstream in(sample(5000));
  std::ostringstream out;
  out << "x";
  EXPECT_EQ(*sluice::copy(istream_reader(in), ostream_writer(out)), 5000u);
  EXPECT_EQ(out.str(), "x" + sample(5000));
}

TEST(istream_reader, no_endpoint_where_the_bytes_are_not_the_descriptors) {
  temporary_folder folder;
  folder.write("a", "abcdef");
  std::ifstream in(folder / "a");
  EXPECT_TRUE(istream_reader(in).kernel_endpoint());
  in.get();
  EXPECT_EQ(istream_reader(in).kernel_endpoint()->buffered, 5u);
  in.putback('X');
  EXPECT_FALSE(istream_reader(in).kernel_endpoint());
  std::istringstream memory("a");
  EXPECT_FALSE(istream_reader(memory).kernel_endpoint());
  struct looking : std::filebuf {
  } derived;
  derived.open(folder / "a", std::ios::in);
  std::istream by(&derived);
  EXPECT_FALSE(istream_reader(by).kernel_endpoint());
}

TEST(ostream_writer, a_full_device_is_an_error) {
  std::ofstream out("/dev/full");
  if (!out) GTEST_SKIP() << "no /dev/full";
  out.exceptions(std::ios::badbit);
  ostream_writer w(out);
  ASSERT_TRUE(w.write_some(std::as_bytes(std::span("abc", 3))));
  EXPECT_EQ(w.flush().error(), std::errc::no_space_on_device);
  EXPECT_TRUE(out.bad());
  EXPECT_FALSE(w.write_some(std::as_bytes(std::span("abc", 3))));
}

}  // namespace
