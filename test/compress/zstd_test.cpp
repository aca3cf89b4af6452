// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/zstd.hpp>
#include <sluice/read.hpp>

#include "compress/codec_sweeps.hpp"
#include "compress/frame_samples.hpp"
#include "compress/memory_growth.hpp"

#include <array>

namespace {

using namespace sluice;
using namespace support;

struct zstd_codec {
  static constexpr bool detects_corruption = true;
  static constexpr bool has_members = true;

  template <reader R>
  auto decompress(R&& r, const decompress_options& options = {}) const {
    return unzstd(std::forward<R>(r), options);
  }
  template <writer W>
  auto compress(W&& w, int level) const {
    return zstd(std::forward<W>(w), {.level = level, .buffer_size = 512});
  }
  std::vector<int> levels() const { return {1, 3, -5}; }
};

static_assert(reader<decompress_reader<span_reader>> && size_hinted<decompress_reader<span_reader>>);
static_assert(!kernel_reader<decompress_reader<kernel_stream>>);

TEST(zstd, round_trips) { sweep_round_trips(zstd_codec()); }
TEST(zstd, a_cut_anywhere_is_truncated_after_the_good_bytes) { sweep_cuts(zstd_codec()); }
TEST(zstd, a_wrong_byte_is_an_error_or_changes_nothing) { sweep_corruptions(zstd_codec()); }
TEST(zstd, several_frames_are_one_content) { sweep_members(zstd_codec()); }
TEST(zstd, what_follows_is_dealt_with_by_the_policy) { sweep_trailing(zstd_codec()); }
TEST(zstd, chunks_and_requests_of_any_size) { sweep_chunks(zstd_codec()); }
TEST(zstd, max_size_is_exact) { sweep_max_size(zstd_codec()); }
TEST(zstd, the_reader_keeps_the_contract) { sweep_reader_contract(zstd_codec()); }
TEST(zstd, the_writer_keeps_the_contract) { sweep_writer_contract(zstd_codec()); }
TEST(zstd, a_writer_that_fails_loses_nothing) { sweep_failures(zstd_codec()); }
TEST(zstd, after_a_flush_all_can_be_read) { sweep_flushes(zstd_codec()); }
TEST(zstd, the_destructor_finishes) { sweep_destructor(zstd_codec()); }

decoding of(std::span<const std::byte> frame, const decompress_options& options = {}) {
  return decode(zstd_codec(), frame, options);
}

TEST(zstd, files_of_the_command_are_read) {
  EXPECT_EQ(of(sample("zstd/hello.zst")), (decoding{hello(), {}}));
  EXPECT_EQ(of(sample("zstd/stream_without_checksum.zst")), (decoding{hello(), {}}));
  EXPECT_EQ(of(sample("zstd/empty.zst")), decoding());
  EXPECT_EQ(of(sample("zstd/numbers.zst")), (decoding{numbers(), {}}));
  EXPECT_EQ(of(sample("zstd/three_frames_and_skipped.zst")), (decoding{joined(hello(), hello()), {}}));
}

TEST(zstd, skippable_frames_may_stand_anywhere_and_be_cut) {
  const auto frame = sample("zstd/hello.zst");
  for (std::size_t kind = 0; kind != 16; ++kind) {
    const auto skipped = skippable_frame(sample_bytes(20 * kind), kind);
    EXPECT_EQ(of(joined(skipped, frame)), (decoding{hello(), {}}));
    EXPECT_EQ(of(joined(frame, skipped)), (decoding{hello(), {}}));
    EXPECT_EQ(of(skipped), decoding());
    for (std::size_t n = 1; n < skipped.size(); ++n)
      ASSERT_EQ(of(joined(frame, std::span(skipped).first(n))), (decoding{hello(), io_errc::truncated}));
  }
  // One of 4 GiB, of which a few bytes are there.
  EXPECT_EQ(of(joined(frame, to_bytes(std::string_view("\x50\x2a\x4d\x18\xff\xff\xff\xff....", 12)))),
            (decoding{hello(), io_errc::truncated}));
}

TEST(zstd, a_wrong_checksum_comes_after_the_content) {
  auto frame = sample("zstd/numbers.zst");
  frame.back() ^= std::byte{1};
  for (const std::size_t request : sizes{1, 61, 4096}) {
    const decoding got = decode(zstd_codec(), frame, {}, 0, request);
    EXPECT_EQ(got.error, io_errc::checksum_mismatch);
    EXPECT_TRUE(got.content == numbers());
  }
}

// The last block ends in a header that is wrong: what was decoded before it has come out whole.
TEST(zstd, a_failure_takes_nothing_back) {
  const auto content = text_content(1000);
  bytes_writer target;
  auto w = target | zstd({.checksum = false});
  ASSERT_TRUE(write_all(w, std::span(content)));
  ASSERT_TRUE(w.flush());
  auto frame = joined(target.view(), to_bytes(std::string_view("\x06\0\0", 3)));  // a block of the reserved kind
  for (std::size_t request = 1; request < 70; ++request)
    ASSERT_EQ(decode(zstd_codec(), frame, {}, 0, request).content.size(), content.size()) << request;
  EXPECT_EQ(of(frame).error, io_errc::invalid_data);
  ASSERT_TRUE(w.close());
}

// A frame header by hand: RFC 8878, 3.1.1.1. The window is 2 to the power of 10 + `exponent`.
std::vector<std::byte> frame_of_window(unsigned exponent) {
  auto frame = to_bytes(std::string_view("\x28\xb5\x2f\xfd\x00", 5));
  frame.push_back(static_cast<std::byte>(exponent << 3));
  const auto block =
      to_bytes(std::string_view("\x19\x00\x00"
                                "abc",
                                6));  // the last, as it is, of 3 bytes
  return joined(frame, block);
}

TEST(zstd, a_window_over_the_limit_is_refused) {
  for (unsigned exponent = 0; exponent != 32; ++exponent) {
    const int log = 10 + static_cast<int>(exponent);
    const auto frame = frame_of_window(exponent);
    if (log <= largest_zstd_window) {
      EXPECT_EQ(of(frame), (decoding{to_bytes("abc"), {}})) << log;
    } else {
      EXPECT_EQ(of(frame).error, io_errc::limit_exceeded) << log;
    }
    const decoding stricter = drained(unzstd(span_reader(frame), {}, 20), 100);
    EXPECT_EQ(stricter.error, log <= 20 ? std::error_code() : make_error_code(io_errc::limit_exceeded)) << log;
  }
  EXPECT_EQ(drained(span_reader(frame_of_window(18)) | unzstd({}, 28), 100).content, to_bytes("abc"));
  EXPECT_EQ(of(sample("zstd/numbers_window_of_128_mib.zst")).content, numbers());
}

TEST(zstd, a_large_window_takes_memory_only_as_content_arrives) {
  const auto frame = sample("zstd/numbers_window_of_128_mib.zst");
  (void)of(sample("zstd/numbers.zst"));
  const memory_growth grown;
  auto r = unzstd(span_reader(frame));
  std::array<std::byte, 4096> room;
  ASSERT_EQ(r.read_some(room).value(), numbers().size());
  EXPECT_LT(grown.bytes(), std::size_t{40} << 20);
}

TEST(zstd, a_dictionary_is_not_supported) {
  // The header names dictionary 7; and there is none.
  const auto frame =
      to_bytes(std::string_view("\x28\xb5\x2f\xfd\x01\x00\x07\x19\x00\x00"
                                "abc",
                                13));
  EXPECT_EQ(of(frame).error, io_errc::unsupported);
}

TEST(zstd, the_hint_of_the_size_is_only_a_hint) {
  const auto frame = sample("zstd/hello.zst");
  EXPECT_EQ(unzstd(span_reader(frame)).size_hint(), hello().size());
  EXPECT_EQ(unzstd(span_reader(frame), {.max_size = 5}).size_hint(), 5U);
  EXPECT_EQ(unzstd(span_reader(sample("zstd/stream_without_checksum.zst"))).size_hint(), std::nullopt);
  // Another frame follows, and the claim of the first is but its own.
  const auto two = joined(frame, frame);
  EXPECT_EQ(read_all(unzstd(span_reader(two))).value().size(), 2 * hello().size());
  // One that claims 2^62 bytes.
  const auto liar =
      to_bytes(std::string_view("\x28\xb5\x2f\xfd\xc0\x58\0\0\0\0\0\0\0\x40\x19\x00\x00"
                                "abc",
                                20));
  EXPECT_EQ(unzstd(span_reader(liar)).size_hint(), std::uintmax_t{1} << 62);
  EXPECT_EQ(read_all(unzstd(span_reader(liar))).error(), io_errc::invalid_data);
}

TEST(zstd, levels_differ_in_size_and_checksums_can_be_left_off) {
  const auto content = text_content(100'000);
  const auto size = [&](const zstd_options& options) {
    bytes_writer target;
    auto w = target | zstd(options);
    EXPECT_TRUE(write_all(w, std::span(content)) && w.close());
    EXPECT_TRUE(of(target.view()).content == content);
    return target.view().size();
  };
  EXPECT_GT(size({.level = -50}), size({.level = 3}));
  EXPECT_GT(size({.level = 1}), size({.level = 19}));
  EXPECT_EQ(size({.level = -10'000'000}), size({.level = -131'072}));
  EXPECT_EQ(size({.checksum = true}), size({.checksum = false}) + 4);
}

}  // namespace
