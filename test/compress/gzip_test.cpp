// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/buffered.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/memory/empty_reader.hpp>
#include <sluice/read.hpp>
#include <sluice/system/file.hpp>
#include <sluice/testing/check_reader.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "compress/packed.hpp"
#include "support/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>

namespace {

using namespace packed;
using test::temporary_folder;

constexpr std::array content_sizes{0u, 1u, 3u, 258u, 259u, 32768u, 65536u, 150'000u};

static_assert(reader<decompress_reader<span_reader&>> && !buffered_reader<decompress_reader<span_reader&>>);
static_assert(!kernel_reader<decompress_reader<file>> && size_hinted<decompress_reader<file>>);

blob file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return support::to_bytes(std::string(std::istreambuf_iterator<char>(in), {}));
}

TEST(gzip, every_level_comes_back) {
  for (const std::size_t n : content_sizes) {
    for (const blob& content : {words(n), support::pattern(n), blob(n)}) {
      for (int level = deflate_options::fast; level <= 9; ++level) {
        const blob all = pack(gzip, content, {.level = level});
        for (const inflate_engine engine : engines) {
          const outcome got = drained(gunzip(span_reader(all), {.engine = engine}), 1 << 17);
          ASSERT_FALSE(got.error) << got.error.message() << ", level " << level << ", size " << n;
          ASSERT_TRUE(got.content == content) << "level " << level << ", size " << n;
        }
      }
    }
  }
}

TEST(gzip, levels_differ_in_size) {
  const blob content = words(100'000);
  const auto size = [&](int level) { return pack(gzip, content, {.level = level}).size(); };
  EXPECT_GT(size(0), content.size());
  EXPECT_GT(size(1), size(9));
  EXPECT_LT(size(deflate_options::fast), content.size() * 3 / 4);
  EXPECT_EQ(size(10), size(9));
  EXPECT_EQ(size(-7), size(deflate_options::fast));
}

TEST(gunzip, any_request_and_any_chunk_of_the_source_will_do) {
  const blob content = words(3000);
  const blob all = pack(gzip, content);
  for (const inflate_engine engine : engines) {
    for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
      for (const std::size_t request : sizes{1, 2, 7, 64, 4096}) {
        for (const std::size_t buffer : sizes{1, 65536}) {
          const outcome got = drained(
              gunzip(span_reader(all) | short_reads(chunk), {.buffer_size = buffer, .engine = engine}), request);
          ASSERT_FALSE(got.error) << chunk << ' ' << request << ' ' << buffer;
          ASSERT_TRUE(got.content == content) << chunk << ' ' << request << ' ' << buffer;
        }
      }
    }
  }
}

TEST(gunzip, takes_exactly_the_member_from_a_buffered_source) {
  const blob behind = support::to_bytes("what follows");
  for (const std::size_t n : sizes{0, 1, 10, 3000, 40'000}) {
    const blob content = words(n);
    const auto check = [&](const auto& format, const auto& decode) {
      const blob all = joined({pack(format, content), behind});
      for (const inflate_engine engine : engines) {
        for (const trailing policy : {trailing::fail, trailing::leave}) {
          const decompress_options options{
              .members = policy == trailing::fail ? members::one : members::all, .trailing = policy, .engine = engine};
          for (std::size_t request = 1; request <= 300; request += 1 + request / 2) {
            span_reader memory(all);
            ASSERT_TRUE(drained(decode(memory, options), request).content == content);
            ASSERT_TRUE(equal(memory.buffered(), behind)) << n << ' ' << request;

            buf_reader source(span_reader(all) | short_reads(request % 13 + 1), 64);
            ASSERT_TRUE(drained(decode(source, options), request).content == content);
            ASSERT_TRUE(drained(source).content == behind) << n << ' ' << request;
          }
        }
      }
    };
    check(gzip, gunzip);
    check(zlib, unzlib);
    check(deflate_raw, inflate_raw);
  }
}

TEST(gunzip, into_inner_hands_back_what_was_read_too_far) {
  const blob all = joined({pack(gzip, words(100)), support::to_bytes("rest")});
  auto r = gunzip(span_reader(all) | short_reads(1000), {.trailing = trailing::leave});
  EXPECT_FALSE(drained(r).error);
  auto [inner, unread] = std::move(r).into_inner();
  EXPECT_EQ(support::text(unread), "rest");
}

TEST(gunzip, goes_through_the_contract_of_readers) {
  const blob content = words(400);
  for (const inflate_engine engine : engines) {
    const auto report = check_reader([&](auto& inner) { return gunzip(inner, {.engine = engine}); }, content,
                                     {.input = pack(gzip, content), .walks = 4});
    EXPECT_TRUE(report) << report;
  }
  const auto report = check_reader([&](auto& inner) { return unzlib(inner) | buffered(64); }, content,
                                   {.input = pack(zlib, content), .walks = 2});
  EXPECT_TRUE(report) << report;
}

TEST(gunzip, stands_in_a_pipeline) {
  const blob all = pack(gzip, words(5000));
  any_reader erased = span_reader(all) | gunzip({.max_size = 100'000}) | buffered(1024);
  EXPECT_TRUE(drained(erased).content == words(5000));
}

TEST(gunzip, counts_what_it_delivers) {
  const blob all = pack(gzip, words(5000));
  span_reader source(all);
  auto r = gunzip(source);
  blob room(123);
  ASSERT_TRUE(read_exactly(r, room));
  EXPECT_EQ(r.total(), 123u);
}

TEST(gunzip, hint_is_the_footers_and_only_a_hint) {
  const temporary_folder folder;
  const blob content = words(10'000);
  blob all = pack(gzip, content);
  const auto hint = [&](const blob& packed) {
    folder.write("a.gz", support::text(packed));
    file source = or_throw(file::open(folder / "a.gz"));
    auto r = gunzip(source);
    const auto told = r.size_hint();
    EXPECT_EQ(position(source), 0u);
    EXPECT_TRUE(drained(r).content == content);
    EXPECT_EQ(r.size_hint(), std::nullopt);
    return told;
  };
  EXPECT_EQ(hint(all), 10'000u);
  // Several members: that of the last. Content all the same.
  EXPECT_EQ(hint(joined({all, pack(gzip, {})})), std::nullopt);
  // A lie that is beyond what deflate can do.
  all.back() = std::byte{0x7f};
  EXPECT_EQ(hint(all), std::nullopt);
}

TEST(gunzip, hint_of_memory_and_the_bound_on_it) {
  const blob all = pack(gzip, words(10'000));
  EXPECT_EQ(gunzip(span_reader(all)).size_hint(), 10'000u);
  EXPECT_EQ(gunzip(span_reader(all), {.max_size = 99}).size_hint(), 99u);
  EXPECT_EQ(unzlib(span_reader(all)).size_hint(), std::nullopt);
  EXPECT_EQ(gunzip(span_reader(all) | short_reads(10)).size_hint(), std::nullopt);
  EXPECT_EQ(gunzip(empty_reader()).size_hint(), std::nullopt);
}

TEST(gunzip, reads_what_others_wrote) {
  const std::string folder = SLUICE_TEST_DATA "/protobuf-http/";
  std::string expected;
  for (int i = 0; i != 500; ++i) expected += "RecordIO and Thrift ";
  for (const inflate_engine engine : engines) {
    // The body follows the empty line of an HTTP response.
    const blob response = file_bytes(folder + "http-gzip.bin");
    const std::size_t body = support::text(response).find("\r\n\r\n") + 4;
    EXPECT_EQ(read_to_string(gunzip(span_reader(std::span(response).subspan(body)), {.engine = engine})), expected);

    // 50 bytes that are no gzip, and then the empty member of a writer that nobody used.
    const blob fake = file_bytes(folder + "fake-gzip-of-seed1.bin");
    const outcome got = drained(gunzip(span_reader(fake), {.engine = engine}));
    EXPECT_TRUE(got.content.empty());
    EXPECT_EQ(got.error, io_errc::invalid_data);
    EXPECT_EQ(read_to_string(gunzip(span_reader(std::span(fake).subspan(50)), {.engine = engine})), "");
  }
}

TEST(gunzip, agrees_with_the_command_gzip) {
  const temporary_folder folder;
  for (const std::size_t n : sizes{0, 70'000}) {
    const blob content = words(n);
    for (int level = deflate_options::fast; level <= 9; ++level) {
      folder.write("ours.gz", support::text(pack(gzip, content, {.level = level})));
      const std::string command = "gzip -dc '" + folder / "ours.gz" + "' > '" + folder / "theirs" + "'";
      ASSERT_EQ(std::system(command.c_str()), 0) << command;
      ASSERT_EQ(folder.read("theirs"), support::text(content));
    }
    folder.write("plain", support::text(content));
    const std::string command = "cd '" + folder.path() + "' && gzip -c plain > a.gz && gzip -1 -c < plain >> a.gz";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (const inflate_engine engine : engines) {
      const auto got = read_to_string(gunzip(or_throw(file::open(folder / "a.gz")), {.engine = engine}));
      ASSERT_EQ(got, support::text(joined({content, content})));
    }
  }
}

}  // namespace
