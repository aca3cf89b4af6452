// SPDX-License-Identifier: BSL-1.0
//
// What holds for every compressed format, tried over all cuts, chunk sizes and failures. A format is described by
//
//   struct a_codec {
//     static constexpr bool detects_corruption;   // every wrong byte that matters is found
//     static constexpr bool has_members;          // several may follow one another
//     auto decompress(reader, const decompress_options& = {}) const;
//     auto compress(writer, int level) const;
//     std::vector<int> levels() const;            // the first is what most sweeps use
//   };
//
// and each sweep is a function that takes one:
//
//   sweep_round_trips(codec)     sweep_cuts(codec)        sweep_corruptions(codec)     sweep_members(codec)
//   sweep_trailing(codec)        sweep_chunks(codec)      sweep_max_size(codec)        sweep_reader_contract(codec)
//   sweep_writer_contract(codec) sweep_failures(codec)    sweep_flushes(codec)         sweep_destructor(codec)
//
#ifndef SLUICE_TEST_COMPRESS_CODEC_SWEEPS_HPP
#define SLUICE_TEST_COMPRESS_CODEC_SWEEPS_HPP

#include <sluice/testing/check_reader.hpp>
#include <sluice/testing/check_writer.hpp>

#include "compress/codec_support.hpp"

#include <gtest/gtest.h>

namespace support {

template <class Codec>
void sweep_round_trips(const Codec& codec) {
  for (const auto& content : sample_contents()) {
    std::size_t piece = content.size() % 2 == 0 ? 700 : 100'000;
    for (const int level : codec.levels()) {
      const decoding got = decode(codec, compressed(codec, content, level, piece));
      ASSERT_EQ(got.error, std::error_code()) << content.size() << " bytes, level " << level;
      ASSERT_TRUE(got.content == content) << content.size() << " bytes, level " << level;
      ASSERT_EQ(got.left, 0U);
      piece = piece == 700 ? 100'000 : 700;
    }
  }
}

// Whatever is cut off, it is `truncated`, and comes after bytes that are right. Between members it is the end.
template <class Codec>
void sweep_cuts(const Codec& codec) {
  const auto first = compressed(codec, text_content(700));
  const auto second = compressed(codec, text_content(300, 2));
  const auto both = Codec::has_members ? joined(first, second) : first;
  const auto content = joined(text_content(700), text_content(300, 2));
  for (const std::size_t chunk : sizes{0, 1, 7}) {
    for (std::size_t n = 0; n < both.size(); ++n) {
      const decoding got = decode(codec, std::span(both).first(n), {}, chunk);
      ASSERT_TRUE(starts_with(content, got.content)) << "cut at " << n;
      if (n == first.size()) {
        ASSERT_EQ(got.error, std::error_code());
        ASSERT_EQ(got.content.size(), 700U);
      } else {
        ASSERT_EQ(got.error, io_errc::truncated) << "cut at " << n << ", chunks of " << chunk;
        if (n > first.size()) {
          ASSERT_GE(got.content.size(), 700U) << "cut at " << n;
        }
      }
    }
  }
}

// A wrong byte is an error, or changes nothing that matters; what comes before the error is right.
template <class Codec>
void sweep_corruptions(const Codec& codec) {
  const auto content = text_content(300);
  const auto member = compressed(codec, content);
  for (std::size_t at = 0; at < member.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x04U, 0x10U, 0x80U, 0xffU}) {
      auto wrong = member;
      wrong[at] ^= static_cast<std::byte>(flip);
      const decoding got = decode(codec, wrong, {.max_size = 100'000});
      if (!Codec::detects_corruption || got.error) continue;
      ASSERT_TRUE(got.content == content) << "byte " << at << " with bits " << flip << " the other way";
    }
  }
}

template <class Codec>
void sweep_members(const Codec& codec) {
  std::vector<std::byte> all;
  std::vector<std::byte> content;
  for (const std::size_t size : sizes{0, 10, 0, 5000, 1}) {
    all = joined(all, compressed(codec, text_content(size)));
    content = joined(content, text_content(size));
  }
  for (const std::size_t chunk : sizes{0, 1, 13, 1000}) {
    const decoding got = decode(codec, all, {}, chunk);
    EXPECT_EQ(got.error, std::error_code());
    EXPECT_TRUE(got.content == content);
    EXPECT_EQ(got.left, 0U);
  }
  const auto first = compressed(codec, text_content(500));
  const decoding one = decode(codec, joined(first, all), {.members = members::one});
  EXPECT_EQ(one.error, std::error_code());
  EXPECT_TRUE(one.content == text_content(500));
  EXPECT_EQ(one.left, all.size());
}

// What follows and is no member, under each policy; where it is left, it is left from the first byte on.
template <class Codec>
void sweep_trailing(const Codec& codec) {
  const auto content = text_content(2000);
  const auto member = compressed(codec, content);
  const auto rest = to_bytes("what follows");
  const auto input = joined(member, rest);
  for (std::size_t chunk = 0; chunk <= 64; ++chunk) {
    for (const std::size_t request : sizes{1, 100, 4096}) {
      const decoding refused = decode(codec, input, {}, chunk, request);
      ASSERT_EQ(refused.error, io_errc::invalid_data);
      ASSERT_TRUE(refused.content == content);
      const decoding ignored = decode(codec, input, {.trailing = trailing::ignore}, chunk, request);
      ASSERT_EQ(ignored.error, std::error_code());
      ASSERT_TRUE(ignored.content == content);
      for (const members which : {members::one, members::all}) {
        const decoding left = decode(codec, input, {.members = which, .trailing = trailing::leave}, chunk, request);
        ASSERT_EQ(left.error, std::error_code());
        ASSERT_TRUE(left.content == content);
        ASSERT_EQ(left.left, rest.size()) << "chunks of " << chunk << ", requests of " << request;
      }
    }
  }
  // From a reader without a buffer the bytes come back with it.
  auto r = codec.decompress(chunked_reader{.data = input}, {.trailing = trailing::leave});
  ASSERT_TRUE(drain(r));
  auto parts = std::move(r).into_inner();
  EXPECT_EQ(text(joined(parts.unread, drain(parts.inner).value())), "what follows");

  // What never was any.
  EXPECT_EQ(decode(codec, rest).error, io_errc::invalid_data);
  EXPECT_EQ(decode(codec, rest, {.trailing = trailing::leave}).error, io_errc::invalid_data);
}

template <class Codec>
void sweep_chunks(const Codec& codec) {
  const auto content = joined(text_content(3000), sample_bytes(500));
  const auto member = compressed(codec, content);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    for (const std::size_t request : sizes{1, 2, 3, 7, 64, 1000, 10'000}) {
      const decoding got = decode(codec, member, {}, chunk, request);
      ASSERT_EQ(got.error, std::error_code()) << "chunks of " << chunk << ", requests of " << request;
      ASSERT_TRUE(got.content == content) << "chunks of " << chunk << ", requests of " << request;
    }
  }
  // Buffers of its own, down to the smallest.
  for (const std::size_t size : sizes{0, 1, 2, 5, 100}) {
    auto r = codec.decompress(chunked_reader{.data = member}, {.buffer_size = size});
    ASSERT_TRUE(drain(r).value() == content) << "a buffer of " << size;
    EXPECT_EQ(r.total(), content.size());
  }
}

// Exactly as much is none too much.
template <class Codec>
void sweep_max_size(const Codec& codec) {
  const auto content = text_content(300);
  const auto member = compressed(codec, content);
  for (std::size_t max = 0; max <= content.size() + 2; ++max) {
    const decoding got = decode(codec, member, {.max_size = max}, max % 5, max % 3 == 0 ? 4096 : 16);
    ASSERT_TRUE(equal(got.content, std::span(content).first(std::min(max, content.size()))));
    ASSERT_EQ(got.error, max < content.size() ? make_error_code(io_errc::limit_exceeded) : std::error_code());
  }
  const decoding none = decode(codec, compressed(codec, {}), {.max_size = 0});
  EXPECT_EQ(none.error, std::error_code());
}

template <class Codec>
void sweep_reader_contract(const Codec& codec) {
  const auto content = joined(text_content(200), sample_bytes(77));
  const auto input = Codec::has_members ? joined(compressed(codec, std::span(content).first(150)),
                                                 compressed(codec, std::span(content).subspan(150)))
                                        : compressed(codec, content);
  const auto report =
      sluice::check_reader([&](auto& inner) { return codec.decompress(inner); }, content, {.input = input, .walks = 4});
  EXPECT_TRUE(report) << report;
}

// Behind the compressor stands one that takes it back, so that what arrives does not depend on flushes.
template <class Codec>
void sweep_writer_contract(const Codec& codec) {
  const auto report = sluice::check_writer(
      [&](sluice::inner_writer& inner) {
        return codec.compress(unpacking_writer(codec, inner), codec.levels().front());
      },
      {.walks = 4});
  EXPECT_TRUE(report) << report;
}

// Each call of the writer behind fails once; every call that failed is made again, and nothing is lost.
template <class Codec>
void sweep_failures(const Codec& codec) {
  const auto content = joined(sample_bytes(3000), text_content(500));
  bool failed = true;
  for (std::size_t k = 1; failed; ++k) {
    recording_writer target{.chunk = 300, .fail_at = k};
    auto w = codec.compress(target, codec.levels().front());
    write_again_and_again(w, content);
    while (!w.close()) {
    }
    ASSERT_TRUE(decode(codec, target.data).content == content) << "call " << k << " fails";
    ASSERT_EQ(w.total(), content.size());
    failed = target.calls >= k;
  }
}

// After a flush everything can be read, in a member that goes on.
template <class Codec>
void sweep_flushes(const Codec& codec) {
  for (const int level : codec.levels()) {
    std::vector<std::byte> got;
    const auto content = text_content(2000);
    recording_writer target;
    auto w = codec.compress(unpacking_writer(codec, target), level);
    ASSERT_TRUE(w.flush());
    EXPECT_EQ(target.calls, 0U);
    for (std::size_t n = 0; n < content.size(); n += 100) {
      ASSERT_EQ(w.write_some(std::span(content).subspan(n, 100)).value(), 100U);
      ASSERT_TRUE(w.flush());
      ASSERT_TRUE(starts_with(content, target.data)) << "level " << level;
      ASSERT_EQ(target.data.size(), n + 100) << "level " << level;
      ASSERT_TRUE(w.flush());
    }
    ASSERT_TRUE(w.close());
    ASSERT_TRUE(target.data == content);
  }
}

template <class Codec>
void sweep_destructor(const Codec& codec) {
  const auto content = text_content(5000);
  const int level = codec.levels().front();
  recording_writer plain;
  {
    auto w = codec.compress(plain, level);
    ASSERT_EQ(w.write_some(content).value(), content.size());
    auto moved = std::move(w);
    EXPECT_EQ(moved.write_some(content).value(), content.size());
  }
  EXPECT_TRUE(decode(codec, plain.data).content == joined(content, content));

  // A buffered one has it in its buffer.
  recording_writer behind;
  sluice::buf_writer buffered(behind, 64);
  {
    auto w = codec.compress(buffered, level);
    ASSERT_EQ(w.write_some(content).value(), content.size());
  }
  ASSERT_TRUE(buffered.flush());
  EXPECT_TRUE(decode(codec, behind.data).content == content);

  // Assignment finishes what was begun. A finish makes one member, and only once.
  recording_writer first;
  recording_writer second;
  {
    auto w = codec.compress(first, level);
    if (Codec::has_members) {
      ASSERT_TRUE(w.write_some(content));
      ASSERT_TRUE(w.finish());
      ASSERT_TRUE(w.finish());
    }
    ASSERT_TRUE(w.write_some(content));
    w = codec.compress(second, level);
    EXPECT_TRUE(decode(codec, first.data).content == (Codec::has_members ? joined(content, content) : content));
  }
  EXPECT_TRUE(second.data.empty());

  // No member is begun by a write that was not accepted.
  recording_writer failing;
  sluice::buf_writer full(sluice::faulty(failing, {.fail_at = 1, .failures = sluice::forever}), 8);
  for (const char* half : {"8 by", "tes."}) ASSERT_TRUE(sluice::write_all(full, to_bytes(half)));
  {
    auto w = codec.compress(full, level);
    ASSERT_FALSE(w.write_some(content));
  }
  EXPECT_EQ(text(full.pending()), "8 bytes.");

  // Nothing written and closed is an empty member.
  recording_writer empty;
  auto w = codec.compress(empty, level);
  ASSERT_TRUE(w.close());
  EXPECT_FALSE(empty.data.empty());
  EXPECT_EQ(decode(codec, empty.data).error, std::error_code());
  EXPECT_TRUE(decode(codec, empty.data).content.empty());
}

}  // namespace support

#endif
