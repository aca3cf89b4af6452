// SPDX-License-Identifier: BSL-1.0
//
// Both sides of a stream used in turn, in random order: nothing is lost, doubled or out of place, whichever way it
// goes.
//
#include <sluice/interop/istream_reader.hpp>
#include <sluice/interop/ostream_writer.hpp>
#include <sluice/interop/stdio.hpp>
#include <sluice/sluice.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#ifdef __GLIBCXX__
#include <ext/stdio_sync_filebuf.h>
#endif

namespace {

using namespace sluice;
using sluice::test::temporary_folder;
using support::pattern;
using support::text;

using file_ptr = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
file_ptr open(const std::string& path, const char* mode) { return {std::fopen(path.c_str(), mode), &std::fclose}; }

constexpr std::size_t whole = 400'000;

// One step reads from the stream's own side, from a reader of it, or copies from it into a file.
struct stdio_source {
  file_ptr file;
  explicit stdio_source(const std::string& path) : file(open(path, "r")) {}
  stdio_reader reader() { return stdio_reader(file.get()); }
  std::size_t read(char* to, std::size_t n) { return std::fread(to, 1, n, file.get()); }
  bool step_back() {
    const long at = std::ftell(file.get());
    return at > 0 && std::fseek(file.get(), at - 1, SEEK_SET) == 0;
  }
  long tell() { return std::ftell(file.get()); }
};

struct istream_source {
  std::ifstream in;
  explicit istream_source(const std::string& path) : in(path, std::ios::binary) {}
  istream_reader reader() { return istream_reader(in); }
  std::size_t read(char* to, std::size_t n) {
    in.clear();
    in.read(to, static_cast<std::streamsize>(n));
    return static_cast<std::size_t>(in.gcount());
  }
  bool step_back() {
    in.clear();
    return in.seekg(-1, std::ios::cur).good();
  }
  long tell() {
    in.clear();
    return static_cast<long>(in.tellg());
  }
};

#ifdef __GLIBCXX__
struct synchronised_source {
  file_ptr file;
  __gnu_cxx::stdio_sync_filebuf<char> buffer;
  std::istream in;
  explicit synchronised_source(const std::string& path) : file(open(path, "r")), buffer(file.get()), in(&buffer) {}
  istream_reader reader() { return istream_reader(in); }
  std::size_t read(char* to, std::size_t n) {
    in.clear();
    in.read(to, static_cast<std::streamsize>(n));
    return static_cast<std::size_t>(in.gcount());
  }
  bool step_back() {
    in.clear();
    return in.seekg(-1, std::ios::cur).good();
  }
  long tell() { return std::ftell(file.get()); }
};
#endif

template <class Source>
void read_in_turn() {
  temporary_folder folder;
  const std::string all = text(pattern(whole));
  folder.write("a", all);
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const auto any_size = [&] { return std::size_t{1} + below(std::size_t{1} << (1 + below(17))); };
    Source source(folder / "a");
    std::string log;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t n = any_size();
      const std::size_t due = std::min(n, all.size() - at);
      std::string got(n, ' ');
      switch (below(6)) {
        case 0:
          log += " read " + std::to_string(n);
          got.resize(source.read(got.data(), n));
          ASSERT_EQ(got.size(), due) << seed << log;
          break;
        case 1:
          log += " read_some " + std::to_string(n);
          got.resize(*source.reader().read_some(std::as_writable_bytes(std::span(got))));
          ASSERT_NE(got.size(), 0u) << seed << log;
          break;
        case 2: {
          log += " fill " + std::to_string(n);
          auto reader = source.reader();
          const auto window = *reader.fill(n);
          ASSERT_GE(window.size(), due) << seed << log;
          got = text(window.first(below(due + 1)));
          reader.consume(got.size());
          break;
        }
        case 3: {
          log += " copy " + std::to_string(n);
          auto out = *file::create(folder / "b");
          ASSERT_EQ(*sluice::copy(source.reader() | limit(n), out), due) << seed << log;
          got = folder.read("b");
          break;
        }
        case 4:
          log += " back";
          got.clear();
          if (source.step_back()) --at;
          break;
        case 5:
          log += " tell";
          got.clear();
          ASSERT_EQ(source.tell(), static_cast<long>(at)) << seed << log;
          break;
      }
      ASSERT_TRUE(std::string_view(all).substr(at).starts_with(got)) << seed << log;
      at += got.size();
    }
  }
}

TEST(in_turn, a_file_pointer_is_read) { read_in_turn<stdio_source>(); }
TEST(in_turn, an_ifstream_is_read) { read_in_turn<istream_source>(); }
#ifdef __GLIBCXX__
TEST(in_turn, a_stream_that_is_synchronised_with_stdio_is_read) { read_in_turn<synchronised_source>(); }
#endif

struct stdio_target {
  file_ptr file;
  explicit stdio_target(const std::string& path, bool append) : file(open(path, append ? "a" : "w")) {}
  stdio_writer writer() { return stdio_writer(file.get()); }
  void write(const char* from, std::size_t n) { std::fwrite(from, 1, n, file.get()); }
  long tell() { return std::ftell(file.get()); }
};

struct ostream_target {
  std::ofstream out;
  explicit ostream_target(const std::string& path, bool append)
      : out(path, std::ios::binary | (append ? std::ios::app : std::ios::trunc)) {}
  ostream_writer writer() { return ostream_writer(out); }
  void write(const char* from, std::size_t n) { out.write(from, static_cast<std::streamsize>(n)); }
  long tell() { return static_cast<long>(out.tellp()); }
};

#ifdef __GLIBCXX__
struct synchronised_target {
  file_ptr file;
  __gnu_cxx::stdio_sync_filebuf<char> buffer;
  std::ostream out;
  explicit synchronised_target(const std::string& path, bool append)
      : file(open(path, append ? "a" : "w")), buffer(file.get()), out(&buffer) {}
  ostream_writer writer() { return ostream_writer(out); }
  void write(const char* from, std::size_t n) { out.write(from, static_cast<std::streamsize>(n)); }
  long tell() { return static_cast<long>(out.tellp()); }
};
#endif

template <class Target>
void write_in_turn() {
  temporary_folder folder;
  const std::string all = text(pattern(whole));
  folder.write("a", all);
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const bool append = seed % 3 == 0;
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const auto any_size = [&] { return std::size_t{1} + below(std::size_t{1} << (1 + below(17))); };
    std::string log;
    {
      auto source = *file::open(folder / "a");
      Target target(folder / "b", append);
      for (std::size_t at = 0; at < all.size();) {
        const std::size_t n = std::min(any_size(), all.size() - at);
        switch (below(4)) {
          case 0:
            log += " write " + std::to_string(n);
            target.write(all.data() + at, n);
            at += n;
            break;
          case 1:
            log += " write_some " + std::to_string(n);
            at += *target.writer().write_some(std::as_bytes(std::span(all).subspan(at, n)));
            break;
          case 2:
            log += " copy " + std::to_string(n);
            ASSERT_TRUE(source.seek(static_cast<std::intmax_t>(at)));
            ASSERT_EQ(*sluice::copy(source | limit(n), target.writer()), n) << seed << log;
            at += n;
            break;
          case 3:
            log += " tell";
            ASSERT_EQ(target.tell(), static_cast<long>(at)) << seed << log;
            break;
        }
      }
    }
    ASSERT_TRUE(folder.read("b") == all) << seed << log;
    std::filesystem::remove(folder / "b");
  }
}

TEST(in_turn, a_file_pointer_is_written) { write_in_turn<stdio_target>(); }
TEST(in_turn, an_ofstream_is_written) { write_in_turn<ostream_target>(); }
#ifdef __GLIBCXX__
TEST(in_turn, a_stream_that_is_synchronised_with_stdio_is_written) { write_in_turn<synchronised_target>(); }
#endif

}  // namespace
