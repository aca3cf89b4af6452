// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/snappy.hpp>
#include <sluice/digest/crc32.hpp>
#include <sluice/read.hpp>

#include "compress/codec_sweeps.hpp"
#include "compress/frame_samples.hpp"
#include "support/allocations.hpp"

#include <bit>

namespace {

using namespace sluice;
using namespace support;

struct snappy_codec {
  static constexpr bool has_members = false;

  template <reader R>
  auto decompress(R&& r, const decompress_options& options = {}) const {
    return unsnappy(std::forward<R>(r), options);
  }
  template <writer W>
  auto compress(W&& w, int) const {
    return snappy(std::forward<W>(w), {.buffer_size = 512});
  }
  std::vector<int> levels() const { return {0}; }
};

TEST(snappy, round_trips) { sweep_round_trips(snappy_codec()); }
TEST(snappy, chunks_and_requests_of_any_size) { sweep_chunks(snappy_codec()); }
TEST(snappy, max_size_is_exact) { sweep_max_size(snappy_codec()); }
TEST(snappy, the_reader_keeps_the_contract) { sweep_reader_contract(snappy_codec()); }
TEST(snappy, the_writer_keeps_the_contract) { sweep_writer_contract(snappy_codec()); }
TEST(snappy, a_writer_that_fails_loses_nothing) { sweep_failures(snappy_codec()); }
TEST(snappy, after_a_flush_all_can_be_read) { sweep_flushes(snappy_codec()); }
TEST(snappy, the_destructor_finishes) { sweep_destructor(snappy_codec()); }

decoding of(std::span<const std::byte> stream, const decompress_options& options = {}) {
  return decode(snappy_codec(), stream, options);
}

std::vector<std::byte> chunk(unsigned type, std::span<const std::byte> body) {
  const std::size_t size = body.size();
  std::vector<std::byte> all{static_cast<std::byte>(type), static_cast<std::byte>(size),
                             static_cast<std::byte>(size >> 8), static_cast<std::byte>(size >> 16)};
  return joined(all, body);
}

// framing_format.txt, section 3: rotated by 15 bits, and a number added.
std::vector<std::byte> masked_checksum(std::span<const std::byte> content) {
  const std::uint32_t masked = std::rotr(crc32c_of(content), 15) + 0xa282ead8U;
  std::vector<std::byte> all;
  for (unsigned i = 0; i != 4; ++i) all.push_back(static_cast<std::byte>(masked >> (8 * i)));
  return all;
}

std::vector<std::byte> identifier() { return to_bytes(std::string_view("\xff\x06\0\0sNaPpY", 10)); }

std::vector<std::byte> stored(std::span<const std::byte> content) {
  return chunk(1, joined(masked_checksum(content), content));
}

std::vector<std::byte> packed(std::span<const std::byte> content) {
  return chunk(0, joined(masked_checksum(content), snappy_compress(content)));
}

TEST(snappy, streams_made_by_the_letter_of_the_format_are_read) {
  EXPECT_EQ(of(sample("snappy/hello.sz")), (decoding{hello(), {}}));
  EXPECT_EQ(of(sample("snappy/hello_stored.sz")), (decoding{hello(), {}}));
  EXPECT_EQ(of(sample("snappy/identifier_only.sz")), decoding());
  EXPECT_EQ(of(sample("snappy/records_of_one_chunk_each.sz")),
            (decoding{to_bytes(std::string_view("\5\0\0\0Hello\6\0\0\0World,", 19)), {}}));
  EXPECT_EQ(of(sample("snappy/skipped_padded_identified_again.sz")), (decoding{joined(to_bytes("one,"), hello()), {}}));
}

// The stream has no mark of its end: between chunks it may be over.
TEST(snappy, a_cut_is_truncated_but_between_chunks) {
  const auto content = text_content(700);
  const std::array chunks{identifier(),
                          packed(std::span(content).first(300)),
                          chunk(0xfe, sample_bytes(9)),
                          identifier(),
                          stored(std::span(content).subspan(300, 100)),
                          chunk(0x80, {}),
                          packed(std::span(content).subspan(400))};
  std::vector<std::byte> all;
  std::vector<std::size_t> ends;
  for (const auto& c : chunks) {
    all = joined(all, c);
    ends.push_back(all.size());
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
    for (std::size_t n = 0; n <= all.size(); ++n) {
      const decoding got = decode(snappy_codec(), std::span(all).first(n), {}, size);
      ASSERT_EQ(got.error, std::ranges::count(ends, n) ? std::error_code() : make_error_code(io_errc::truncated)) << n;
      ASSERT_TRUE(starts_with(content, got.content));
      ASSERT_GE(got.content.size(), n < ends[1] ? 0U : n < ends[4] ? 300U : n < ends[6] ? 400U : 700U) << n;
    }
  }
}

// But in what is skipped, and where the checksum of nothing is made out of padding.
TEST(snappy, a_wrong_byte_is_an_error_or_changes_nothing) {
  for (const auto& stream :
       {joined(identifier(), packed(text_content(300))), joined(identifier(), stored(sample_bytes(60))),
        sample("snappy/hello.sz"), sample("snappy/records_of_one_chunk_each.sz")}) {
    const decoding right = of(stream);
    ASSERT_FALSE(right.error);
    for (std::size_t at = 0; at < stream.size(); ++at) {
      for (unsigned flip = 1; flip != 256; ++flip) {
        auto wrong = stream;
        wrong[at] ^= static_cast<std::byte>(flip);
        const decoding got = of(wrong);
        ASSERT_TRUE(starts_with(right.content, got.content) || got.error ||
                    (wrong[at] & std::byte{0x80}) != std::byte{0})
            << at;
        if (!got.error && !equal(got.content, right.content)) {
          // A chunk has become one that is to be skipped.
          ASSERT_GE(std::to_integer<unsigned>(wrong[at]), 0x80U) << at;
          ASSERT_LT(got.content.size(), right.content.size()) << at;
        }
      }
    }
  }
}

TEST(snappy, every_kind_of_chunk_has_its_answer) {
  const auto start = joined(identifier(), stored(hello()));
  for (unsigned type = 2; type != 0x80; ++type)
    EXPECT_EQ(of(joined(start, chunk(type, sample_bytes(6)))).error, io_errc::invalid_data) << type;
  for (unsigned type = 0x80; type != 0xff; ++type) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{70'000}})
      EXPECT_EQ(of(joined(joined(start, chunk(type, sample_bytes(size))), stored(hello()))),
                (decoding{joined(hello(), hello()), {}}))
          << type;
  }
  EXPECT_EQ(of(joined(start, chunk(0xff, to_bytes("sNaPpZ")))).error, io_errc::invalid_data);
  EXPECT_EQ(of(joined(start, chunk(0xff, to_bytes("sNaPpY!")))).error, io_errc::invalid_data);
  // The identifier comes first.
  EXPECT_EQ(of(stored(hello())).error, io_errc::invalid_data);
  EXPECT_EQ(of({}).error, io_errc::truncated);
  const decoding followed = of(joined(start, to_bytes("what follows")));
  EXPECT_EQ(followed.error, io_errc::invalid_data);
  EXPECT_EQ(followed.content, hello());
}

TEST(snappy, a_chunk_holds_64_kib_and_no_more) {
  const auto most = sample_bytes(65536);
  const auto more = sample_bytes(65537);
  EXPECT_TRUE(of(joined(identifier(), stored(most))).content == most);
  EXPECT_TRUE(of(joined(identifier(), packed(most))).content == most);
  EXPECT_EQ(of(joined(identifier(), stored(more))).error, io_errc::invalid_data);
  EXPECT_EQ(of(joined(identifier(), packed(more))).error, io_errc::invalid_data);
  EXPECT_EQ(of(joined(identifier(), packed(std::vector<std::byte>(65537)))).error, io_errc::invalid_data);
  // The claim alone is enough.
  const auto claim = to_bytes(std::string_view("\x01\xff\xff\xff", 4));
  EXPECT_EQ(of(joined(identifier(), claim)).error, io_errc::invalid_data);
}

TEST(snappy, a_wrong_checksum_keeps_its_chunk_back) {
  auto second = packed(numbers());
  second[5] ^= std::byte{1};
  EXPECT_EQ(of(joined(joined(identifier(), packed(hello())), second)).error, io_errc::checksum_mismatch);
  EXPECT_EQ(of(joined(joined(identifier(), packed(hello())), second)).content, hello());
}

TEST(snappy, takes_no_more_memory_than_arrives_and_64_kib) {
  const auto claim = joined(identifier(), to_bytes(std::string_view("\x00\x00\x01\x00....", 8)));
  for (const std::size_t chunk_size : {std::size_t{1}, std::size_t{100}}) {
    buf_reader source(chunked_reader{.data = claim, .chunk = chunk_size}, 128);
    auto r = unsnappy(source);
    std::array<std::byte, 100> room;
    const allocations before;
    EXPECT_EQ(r.read_some(room).error(), io_errc::truncated);
    EXPECT_LT(before.bytes(), 2048U);
  }
}

TEST(snappy, incompressible_content_is_stored) {
  bytes_writer target;
  auto w = target | snappy();
  const auto content = sample_bytes(200'000);
  ASSERT_TRUE(write_all(w, std::span(content)) && w.close());
  EXPECT_EQ(target.view().size(), 10 + 200'000U + 4 * 8);
  EXPECT_TRUE(of(target.view()).content == content);
}

TEST(snappy_block, comes_back) {
  for (const auto& content : sample_contents()) {
    const auto block = snappy_compress(content);
    const auto back = snappy_uncompress(block, content.size());
    ASSERT_TRUE(back && equal(*back, content));
    if (!content.empty()) {
      EXPECT_EQ(snappy_uncompress(block, content.size() - 1).error(), io_errc::limit_exceeded);
    }
  }
  EXPECT_EQ(text(snappy_uncompress(sample("snappy/block_hello.raw"), 100).value()), text(hello()));
  EXPECT_TRUE(snappy_uncompress(sample("snappy/block_empty.raw"), 0).value().empty());
}

TEST(snappy_block, that_is_broken_is_an_error) {
  const auto block = sample("snappy/block_hello.raw");
  for (std::size_t n = 0; n < block.size(); ++n)
    EXPECT_EQ(snappy_uncompress(std::span(block).first(n), 1000).error(), io_errc::invalid_data) << n;
  EXPECT_EQ(snappy_uncompress(joined(block, block), 1000).error(), io_errc::invalid_data);
}

TEST(snappy_block, is_not_believed_before_it_was_looked_at) {
  const auto claims = sample("snappy/block_claims_4_gib.raw");
  const allocations before;
  EXPECT_EQ(snappy_uncompress(claims, std::size_t{1} << 33).error(), io_errc::invalid_data);
  EXPECT_EQ(snappy_uncompress(claims, 1000).error(), io_errc::limit_exceeded);
  EXPECT_LT(before.bytes(), 1024U);
}

TEST(snappy_block, the_memory_of_the_one_before_is_used_again) {
  const auto block = snappy_compress(numbers());
  bytes content;
  ASSERT_TRUE(snappy_uncompress(block, content, 10'000));
  const allocations before;
  ASSERT_TRUE(snappy_uncompress(block, content, 10'000));
  EXPECT_EQ(before.count(), 0U);
  EXPECT_TRUE(equal(content, numbers()));
}

}  // namespace
