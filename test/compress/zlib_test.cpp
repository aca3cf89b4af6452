// SPDX-License-Identifier: BSL-1.0
//
// zlib streams and raw deflate.
//
#include "compress/codec_sweeps.hpp"
#include "compress/gzip_codecs.hpp"

namespace {

using namespace support;

template <class Sweep>
void both_formats(Sweep sweep) {
  by_both_engines<zlib_codec>(sweep);
  by_both_engines<raw_codec>(sweep);
}

TEST(zlib, round_trips) {
  both_formats([](const auto& codec) { sweep_round_trips(codec); });
}

TEST(zlib, a_cut_anywhere_is_truncated_after_the_good_bytes) {
  both_formats([](const auto& codec) { sweep_cuts(codec); });
}

TEST(zlib, a_wrong_byte_is_an_error_or_changes_nothing) {
  both_formats([](const auto& codec) { sweep_corruptions(codec); });
}

TEST(zlib, what_follows_is_dealt_with_by_the_policy) {
  both_formats([](const auto& codec) { sweep_trailing(codec); });
}

TEST(zlib, chunks_and_requests_of_any_size) {
  both_formats([](const auto& codec) { sweep_chunks(codec); });
}

TEST(zlib, max_size_is_exact) {
  both_formats([](const auto& codec) { sweep_max_size(codec); });
}

TEST(zlib, the_destructor_finishes) {
  both_formats([](const auto& codec) { sweep_destructor(codec); });
}

TEST(zlib, a_stream_is_one_by_itself) {
  by_both_engines<zlib_codec>([](const zlib_codec& codec) {
    const auto one = compressed(codec, text_content(10));
    EXPECT_EQ(decode(codec, joined(one, one)).error, io_errc::invalid_data);
    EXPECT_EQ(decode(codec, joined(one, one), {.trailing = trailing::leave}).left, one.size());
    // Nor is there any padding.
    EXPECT_EQ(decode(codec, joined(one, std::vector<std::byte>(3))).error, io_errc::invalid_data);
  });
}

TEST(zlib, each_kind_of_damage_has_its_error) {
  by_both_engines<zlib_codec>([](const zlib_codec& codec) {
    const auto content = text_content(100);
    auto wrong_sum = compressed(codec, content);
    wrong_sum.back() ^= std::byte{1};
    const decoding got = decode(codec, wrong_sum);
    EXPECT_EQ(got.error, io_errc::checksum_mismatch);
    EXPECT_TRUE(got.content == content);

    // RFC 1950, 2.2: method and window; both bytes a multiple of 31; a preset dictionary.
    EXPECT_EQ(decode(codec, to_bytes("\x79\x9c")).error, io_errc::invalid_data);
    EXPECT_EQ(decode(codec, to_bytes("\x88\x1c")).error, io_errc::invalid_data);
    EXPECT_EQ(decode(codec, to_bytes("\x78\x9d")).error, io_errc::invalid_data);
    EXPECT_EQ(decode(codec, to_bytes("\x78\xbb\x01\x02\x03\x04")).error, io_errc::unsupported);
  });
}

TEST(zlib, there_is_no_hint_of_the_size) {
  const auto member = compressed(zlib_codec{}, text_content(100));
  EXPECT_EQ(sluice::unzlib(sluice::span_reader(member)).size_hint(), std::nullopt);
}

}  // namespace
