// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/lz4.hpp>
#include <sluice/read.hpp>

#include "compress/codec_sweeps.hpp"
#include "compress/frame_samples.hpp"
#include "compress/memory_growth.hpp"

namespace {

using namespace sluice;
using namespace support;

struct lz4_codec {
  static constexpr bool detects_corruption = true;
  static constexpr bool has_members = true;

  template <reader R>
  auto decompress(R&& r, const decompress_options& options = {}) const {
    return unlz4(std::forward<R>(r), options);
  }
  template <writer W>
  auto compress(W&& w, int level) const {
    return lz4(std::forward<W>(w), {.level = level, .buffer_size = 512});
  }
  std::vector<int> levels() const { return {1, 0, 3, 9, 12, -5}; }
};

TEST(lz4, round_trips) { sweep_round_trips(lz4_codec()); }
TEST(lz4, a_cut_anywhere_is_truncated_after_the_good_bytes) { sweep_cuts(lz4_codec()); }
TEST(lz4, a_wrong_byte_is_an_error_or_changes_nothing) { sweep_corruptions(lz4_codec()); }
TEST(lz4, several_frames_are_one_content) { sweep_members(lz4_codec()); }
TEST(lz4, what_follows_is_dealt_with_by_the_policy) { sweep_trailing(lz4_codec()); }
TEST(lz4, chunks_and_requests_of_any_size) { sweep_chunks(lz4_codec()); }
TEST(lz4, max_size_is_exact) { sweep_max_size(lz4_codec()); }
TEST(lz4, the_reader_keeps_the_contract) { sweep_reader_contract(lz4_codec()); }
TEST(lz4, the_writer_keeps_the_contract) { sweep_writer_contract(lz4_codec()); }
TEST(lz4, a_writer_that_fails_loses_nothing) { sweep_failures(lz4_codec()); }
TEST(lz4, after_a_flush_all_can_be_read) { sweep_flushes(lz4_codec()); }
TEST(lz4, the_destructor_finishes) { sweep_destructor(lz4_codec()); }

decoding of(std::span<const std::byte> frame, const decompress_options& options = {}) {
  return decode(lz4_codec(), frame, options);
}

TEST(lz4, files_of_the_command_are_read) {
  EXPECT_EQ(of(sample("lz4/hello.lz4")), (decoding{hello(), {}}));
  EXPECT_EQ(of(sample("lz4/stream_without_checksum.lz4")), (decoding{hello(), {}}));
  EXPECT_EQ(of(sample("lz4/empty.lz4")), decoding());
  EXPECT_EQ(of(sample("lz4/numbers_sized_block_checksums.lz4")), (decoding{numbers(), {}}));
  EXPECT_EQ(of(sample("lz4/numbers_linked.lz4")), (decoding{numbers(), {}}));
  EXPECT_EQ(of(sample("lz4/three_frames_and_skipped.lz4")), (decoding{joined(hello(), hello()), {}}));
}

TEST(lz4, the_legacy_format_is_known_and_not_supported) {
  const auto legacy = sample("lz4/legacy.lz4");
  EXPECT_EQ(of(legacy).error, io_errc::unsupported);
  const decoding behind = of(joined(sample("lz4/hello.lz4"), legacy));
  EXPECT_EQ(behind.error, io_errc::unsupported);
  EXPECT_TRUE(behind.content == hello());
}

TEST(lz4, skippable_frames_may_stand_anywhere_and_be_cut) {
  const auto frame = sample("lz4/hello.lz4");
  for (std::size_t kind = 0; kind != 16; ++kind) {
    const auto skipped = skippable_frame(sample_bytes(20 * kind), kind);
    EXPECT_EQ(of(joined(skipped, frame)), (decoding{hello(), {}})) << kind;
    EXPECT_EQ(of(joined(frame, skipped)), (decoding{hello(), {}})) << kind;
    EXPECT_EQ(of(skipped), decoding()) << kind;
    for (std::size_t n = 1; n < skipped.size(); ++n)
      ASSERT_EQ(of(joined(frame, std::span(skipped).first(n))), (decoding{hello(), io_errc::truncated})) << n;
  }
}

TEST(lz4, a_wrong_checksum_comes_after_the_content) {
  auto frame = sample("lz4/numbers_linked.lz4");
  frame.back() ^= std::byte{1};
  for (const std::size_t request : sizes{1, 61, 4096}) {
    const decoding got = decode(lz4_codec(), frame, {}, 0, request);
    EXPECT_EQ(got.error, io_errc::checksum_mismatch);
    EXPECT_TRUE(got.content == numbers());
  }

  auto of_header = sample("lz4/hello.lz4");
  of_header[6] ^= std::byte{1};
  EXPECT_EQ(of(of_header).error, io_errc::checksum_mismatch);

  auto of_block = sample("lz4/numbers_sized_block_checksums.lz4");
  of_block[of_block.size() - 12] ^= std::byte{1};  // 4 of that block's checksum, the end mark, the content's checksum
  EXPECT_EQ(of(of_block).error, io_errc::checksum_mismatch);
}

// A length that is wrong is found at the end, behind all the content.
TEST(lz4, a_wrong_size_in_the_header_comes_after_the_content) {
  const auto right = sample("lz4/numbers_sized_block_checksums.lz4");
  EXPECT_EQ(unlz4(span_reader(right)).size_hint(), numbers().size());
  EXPECT_EQ(unlz4(span_reader(sample("lz4/hello.lz4"))).size_hint(), std::nullopt);

  bool refused = false;
  for (unsigned checksum = 0; checksum != 256; ++checksum) {
    auto wrong = right;
    wrong[6] ^= std::byte{1};
    wrong[14] = static_cast<std::byte>(checksum);  // of the header: one of them is right
    const decoding got = of(wrong);
    if (got.error == io_errc::checksum_mismatch) continue;
    refused = true;
    EXPECT_EQ(got.error, io_errc::invalid_data);
    EXPECT_TRUE(got.content == numbers());
  }
  EXPECT_TRUE(refused);
}

TEST(lz4, a_failure_takes_nothing_back) {
  const auto content = text_content(1000);
  bytes_writer target;
  auto w = target | lz4();
  ASSERT_TRUE(write_all(w, std::span(content)));
  ASSERT_TRUE(w.flush());
  // A block of more than the 64 KiB that the header allows.
  const auto frame = joined(target.view(), to_bytes(std::string_view("\0\0\x10\0....", 8)));
  for (std::size_t request = 1; request < 70; ++request)
    ASSERT_EQ(decode(lz4_codec(), frame, {}, 0, request).content.size(), content.size()) << request;
  EXPECT_EQ(of(frame).error, io_errc::invalid_data);
  ASSERT_TRUE(w.close());
}

TEST(lz4, a_block_takes_memory_only_as_it_arrives) {
  // 4 MiB a block, independent, and one block of 3 bytes.
  const auto frame = sample("lz4/hello.lz4");
  const memory_growth grown;
  for (int i = 0; i != 20; ++i) {
    auto r = unlz4(span_reader(std::span(frame).first(frame.size() - 1)));
    ASSERT_EQ(read_all(r).error(), io_errc::truncated);
  }
  EXPECT_LT(grown.bytes(), std::size_t{24} << 20);
}

TEST(lz4, levels_differ_in_size_and_checksums_can_be_left_off) {
  const auto content = text_content(100'000);
  const auto size = [&](const lz4_options& options) {
    bytes_writer target;
    auto w = target | lz4(options);
    EXPECT_TRUE(write_all(w, std::span(content)) && w.close());
    EXPECT_TRUE(of(target.view()).content == content);
    return target.view().size();
  };
  EXPECT_GT(size({.level = -50}), size({.level = 1}));
  EXPECT_GT(size({.level = 1}), size({.level = 9}));
  EXPECT_EQ(size({.level = 1000}), size({.level = 12}));
  EXPECT_EQ(size({.checksum = true}), size({.checksum = false}) + 4);
}

}  // namespace
