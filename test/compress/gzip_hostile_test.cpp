// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/null_writer.hpp>
#include <sluice/memory/repeat_reader.hpp>
#include <sluice/read.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "compress/packed.hpp"
#include "support/allocations.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace packed;

// A member with every field that a header may have, around the deflate and trailer of a plain one.
blob with_all_fields(std::span<const std::byte> content, bool right_crc = true) {
  blob header = support::to_bytes(std::string_view("\x1f\x8b\x08\x1f\1\2\3\4\0\3", 10));
  const auto add = [&](std::string_view text) {
    for (const char c : text) header.push_back(std::byte(c));
  };
  add(std::string_view("\6\0abcdef", 8));
  add(std::string_view("name.txt\0", 9));
  add(std::string_view("a comment\0", 10));
  // Bit by bit, as RFC 1952 defines it.
  std::uint32_t crc = 0xffffffff;
  for (const std::byte b : header) {
    crc ^= std::to_integer<std::uint32_t>(b);
    for (int i = 0; i != 8; ++i) crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
  }
  crc = ~crc ^ (right_crc ? 0 : 0x100);
  header.push_back(std::byte(crc & 0xff));
  header.push_back(std::byte(crc >> 8 & 0xff));
  const blob plain = pack(gzip, content);
  return joined({header, std::span(plain).subspan(10)});
}

TEST(gzip_header, may_have_any_field_cut_anywhere) {
  const blob content = words(100);
  const blob all = with_all_fields(content);
  for (const inflate_engine engine : engines) {
    for (std::size_t chunk = 1; chunk <= all.size(); ++chunk)
      ASSERT_TRUE(drained(gunzip(span_reader(all) | short_reads(chunk), {.engine = engine})) == (outcome{content, {}}));
    for (std::size_t cut = 0; cut < 50; ++cut) {
      const std::array pieces{cut + 1, all.size()};
      ASSERT_TRUE(drained(gunzip(span_reader(all) | grinding({pieces.begin(), pieces.end()}), {.engine = engine})) ==
                  (outcome{content, {}}));
    }
  }
}

TEST(gzip_header, is_checked) {
  const blob content = words(100);
  for (const inflate_engine engine : engines) {
    const auto error_of = [&](const blob& all) {
      const outcome got = drained(gunzip(span_reader(all), {.engine = engine}));
      EXPECT_TRUE(got.content.empty());
      return got.error;
    };
    EXPECT_EQ(error_of(with_all_fields(content, false)), io_errc::checksum_mismatch);
    blob reserved = with_all_fields(content);
    reserved[3] |= std::byte{0x20};
    EXPECT_EQ(error_of(reserved), io_errc::invalid_data);
    blob method = with_all_fields(content);
    method[2] = std::byte{7};
    EXPECT_EQ(error_of(method), io_errc::invalid_data);
  }
}

TEST(gzip_header, without_an_end_is_not_read_for_ever_and_kept_nowhere) {
  for (const char flag : {'\x08', '\x10'}) {
    const blob start = support::to_bytes(std::string("\x1f\x8b\x08", 3) + flag + std::string(6, '\0'));
    for (const std::size_t length : sizes{std::size_t{1} << 20, std::size_t{3} << 20}) {
      const blob all = joined({start, blob(length, std::byte{'A'})});
      auto r = gunzip(span_reader(all));
      const support::allocations before;
      std::byte out;
      const auto n = r.read_some({&out, 1});
      ASSERT_FALSE(n);
      EXPECT_EQ(n.error(), length >> 21 ? io_errc::invalid_data : io_errc::truncated);
      EXPECT_EQ(before.bytes(), 0u);
    }
  }
}

TEST(zlib_header, with_a_dictionary_is_unsupported) {
  const blob all = support::to_bytes(std::string_view("\x78\xbb\1\2\3\4\3\0", 8));
  for (const inflate_engine engine : engines)
    EXPECT_EQ(drained(unzlib(span_reader(all), {.engine = engine})).error, io_errc::unsupported);
}

template <class Pack, class Unpack>
void every_cut_is_truncated(const Pack& format, const Unpack& decode, std::size_t size, std::size_t lost) {
  const blob content = words(size);
  const blob all = pack(format, content);
  for (const inflate_engine engine : engines) {
    std::size_t before = 0;
    for (std::size_t cut = 0; cut < all.size(); cut += 1 + all.size() / 2000 * 20) {
      const outcome whole = drained(decode(span_reader(std::span(all).first(cut)), {.engine = engine}));
      ASSERT_EQ(whole.error, io_errc::truncated) << cut;
      ASSERT_TRUE(starts_with(content, whole.content)) << cut;
      ASSERT_GE(whole.content.size() + lost, before) << cut;
      before = whole.content.size();
      const outcome zlibs =
          drained(decode(span_reader(std::span(all).first(cut)), {.engine = inflate_engine::zlib}), 50);
      ASSERT_LE(zlibs.content.size(), whole.content.size() + lost) << cut;
    }
  }
}

TEST(gzip_cut, anywhere_is_truncated_after_the_good_bytes) { every_cut_is_truncated(gzip, gunzip, 1500, 0); }
TEST(zlib_cut, anywhere_is_truncated_after_the_good_bytes) { every_cut_is_truncated(zlib, unzlib, 1500, 0); }
TEST(deflate_cut, anywhere_is_truncated_after_the_good_bytes) {
  every_cut_is_truncated(deflate_raw, inflate_raw, 1500, 0);
}
TEST(gzip_cut, of_a_large_member_is_the_same_but_for_two_bytes) { every_cut_is_truncated(gzip, gunzip, 200'000, 2); }

TEST(gzip_cut, between_members_is_a_clean_end) {
  const blob a = words(100), member = pack(gzip, a), all = joined({member, member});
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    for (const inflate_engine engine : engines) {
      const outcome got = drained(gunzip(span_reader(std::span(all).first(cut)), {.engine = engine}), 30);
      const bool clean = cut == member.size() || cut == all.size();
      ASSERT_EQ(got.error, clean ? std::error_code() : io_errc::truncated) << cut;
      ASSERT_TRUE(starts_with(joined({a, a}), got.content));
      if (cut >= member.size()) {
        ASSERT_GE(got.content.size(), a.size());
      }
    }
  }
}

TEST(gzip_corruption, of_any_bit_is_an_error_or_changes_nothing) {
  const blob content = words(200);
  const blob whole = pack(gzip, content);
  for (const inflate_engine engine : engines) {
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      blob all = whole;
      all[bit / 8] ^= std::byte(1 << bit % 8);
      const outcome got = drained(gunzip(span_reader(all), {.engine = engine}));
      ASSERT_TRUE(got.error || got.content == content) << bit;
      // That it is text, the time, the system and the hint of the level are for information only.
      const std::size_t at = bit / 8;
      if (at < 10) {
        ASSERT_EQ(!got.error, bit == 24 || at >= 4) << bit;
      }
      if (at >= whole.size() - 8) {
        ASSERT_EQ(got.error, io_errc::checksum_mismatch);
        ASSERT_TRUE(got.content == content);
      }
    }
  }
}

TEST(gzip_corruption, of_the_trailer_shows_after_all_of_a_large_content) {
  const blob content = words(300'000);
  for (const std::size_t from_end : sizes{1, 4, 5, 8}) {
    blob all = pack(gzip, content);
    all[all.size() - from_end] ^= std::byte{0x10};
    for (const inflate_engine engine : engines) {
      auto r = gunzip(span_reader(all), {.engine = engine});
      EXPECT_TRUE(drained(r) == (outcome{content, io_errc::checksum_mismatch}));
      // And again.
      EXPECT_EQ(drained(r).error, io_errc::checksum_mismatch);
    }
  }
}

TEST(zlib_corruption, of_any_bit_is_an_error_or_changes_nothing) {
  const blob content = words(200);
  const blob whole = pack(zlib, content);
  for (const inflate_engine engine : engines) {
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      blob all = whole;
      all[bit / 8] ^= std::byte(1 << bit % 8);
      const outcome got = drained(unzlib(span_reader(all), {.engine = engine}));
      ASSERT_TRUE(got.error || got.content == content) << bit;
    }
  }
}

TEST(deflate_corruption, never_shows_memory_that_was_not_written) {
  // "ab" stored, then a match that reaches before the beginning: fixed codes, length 258, distance 4.
  const std::array<unsigned char, 11> wrong{0x00, 0x02, 0x00, 0xfd, 0xff, 'a', 'b', 0x1b, 0x03, 0x00, 0x00};
  for (const inflate_engine engine : engines) {
    const outcome got = drained(inflate_raw(span_reader(std::as_bytes(std::span(wrong))), {.engine = engine}), 4000);
    EXPECT_EQ(got.error, io_errc::invalid_data);
    EXPECT_TRUE(starts_with(support::to_bytes("ab"), got.content)) << support::text(got.content);
  }
}

TEST(gunzip_bound, delivers_as_much_and_then_fails) {
  const blob content = words(10'000);
  const blob all = pack(gzip, content);
  for (const inflate_engine engine : engines) {
    for (const std::size_t bound : sizes{0, 1, 4095, 4096, 9999}) {
      auto r = gunzip(span_reader(all), {.max_size = bound, .engine = engine});
      const outcome got = drained(r);
      EXPECT_EQ(got.error, io_errc::limit_exceeded);
      EXPECT_TRUE(equal(got.content, std::span(content).first(bound))) << bound;
      EXPECT_EQ(drained(r).error, io_errc::limit_exceeded);
    }
    for (const std::size_t bound : sizes{10'000, 10'001})
      EXPECT_TRUE(drained(gunzip(span_reader(all), {.max_size = bound, .engine = engine})) == (outcome{content, {}}));
  }
}

TEST(gunzip_bound, goes_over_all_members) {
  const blob member = pack(gzip, words(10)), all = joined({member, member, pack(gzip, {})});
  EXPECT_FALSE(drained(gunzip(span_reader(all), {.max_size = 20})).error);
  EXPECT_EQ(drained(gunzip(span_reader(all), {.max_size = 19})).error, io_errc::limit_exceeded);
}

TEST(gunzip_memory, is_bounded_whatever_the_stream_says) {
  // Some 32 KB that stand for 32 MB.
  bytes_writer to;
  {
    auto out = gzip(to);
    ASSERT_TRUE(copy_n(zero_reader(), out, std::uintmax_t{32} << 20));
    ASSERT_TRUE(out.close());
  }
  const blob bomb(to.view().begin(), to.view().end());
  ASSERT_LT(bomb.size(), 64u * 1024);
  for (const inflate_engine engine : engines) {
    const support::allocations before;
    const auto moved = copy(gunzip(span_reader(bomb), {.engine = engine}), null_writer());
    EXPECT_EQ(moved, std::uintmax_t{32} << 20);
    EXPECT_LT(before.bytes(), 512u * 1024);

    const support::allocations bounded;
    const auto all = read_all(gunzip(span_reader(bomb), {.max_size = 1 << 20, .engine = engine}));
    ASSERT_FALSE(all);
    EXPECT_EQ(all.error(), io_errc::limit_exceeded);
    EXPECT_EQ(all.error().arrived.size(), std::size_t{1} << 20);
    EXPECT_LT(bounded.bytes(), 4u << 20);
  }
}

TEST(gunzip_memory, is_not_taken_for_a_hint_that_lies) {
  // 33 bytes that claim 34,000: no more than 1032 times their number is believed.
  blob all = pack(gzip, words(3));
  const std::uint32_t claim = 1000 * static_cast<std::uint32_t>(all.size());
  for (std::size_t i = 0; i != 4; ++i) all[all.size() - 4 + i] = std::byte(claim >> 8 * i & 0xff);
  const support::allocations before;
  EXPECT_FALSE(read_all(gunzip(span_reader(all))));
  EXPECT_LT(before.bytes(), 300u * 1024);
}

TEST(inflate, never_reads_behind_its_input) {
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t room = 16 * page;
  void* const memory = ::mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::byte* const end = static_cast<std::byte*>(memory) + room;
  ASSERT_EQ(::mprotect(end, page, PROT_NONE), 0);
  const blob content = words(20'000);
  const blob all = pack(gzip, content);
  for (std::size_t cut = 0; cut <= all.size(); cut += 7) {
    std::byte* const start = end - cut;
    std::copy_n(all.begin(), cut, start);
    for (const inflate_engine engine : engines) {
      const outcome got = drained(gunzip(span_reader({start, cut}), {.engine = engine}), 1000);
      ASSERT_TRUE(starts_with(content, got.content));
    }
  }
  ::munmap(memory, room + page);
}

}  // namespace
