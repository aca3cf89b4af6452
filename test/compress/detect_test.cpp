// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/detect.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/read.hpp>
#include <sluice/skip.hpp>
#include <sluice/system/file.hpp>
#include <sluice/testing/check_reader.hpp>

#include "compress/codec_support.hpp"
#include "compress/frame_samples.hpp"
#include "support/allocations.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace support;

static_assert(buffered_reader<decompressed_reader<chunked_reader>>);
static_assert(buffered_reader<decompressed_reader<window_reader&>>);
static_assert(kernel_reader<decompressed_reader<file>> && skippable<decompressed_reader<file>>);
static_assert(!kernel_reader<decompressed_reader<chunked_reader>> && !skippable<decompressed_reader<chunked_reader>>);

struct compressed_sample {
  const char* file;
  compression format;
  std::vector<std::byte> content;
};

std::vector<compressed_sample> samples() {
  return {
      {"decompress/hello.gz", compression::gzip, hello()},
      {"zstd/hello.zst", compression::zstd, hello()},
      {"zstd/numbers.zst", compression::zstd, numbers()},
      {"zstd/three_frames_and_skipped.zst", compression::zstd, joined(hello(), hello())},
      {"lz4/hello.lz4", compression::lz4, hello()},
      {"lz4/numbers_linked.lz4", compression::lz4, numbers()},
      {"snappy/hello.sz", compression::snappy, hello()},
      {"snappy/hello_stored.sz", compression::snappy, hello()},
  };
}

struct decompressed_codec {
  template <reader R>
  auto decompress(R&& r, const decompress_options& options = {}) const {
    return decompressed(std::forward<R>(r), options);
  }
};

decoding of(std::span<const std::byte> input, const decompress_options& options = {}, std::size_t chunk = 0,
            std::size_t request = 4096) {
  return decode(decompressed_codec(), input, options, chunk, request);
}

TEST(detect, tells_the_formats_apart_and_takes_nothing) {
  for (const auto& [name, format, content] : samples()) {
    const auto input = sample(name);
    EXPECT_EQ(compression_of(input), format) << name;
    span_reader memory(input);
    EXPECT_EQ(detect(memory), format) << name;
    EXPECT_EQ(memory.remaining(), input.size());
    buf_reader small(chunked_reader{.data = input, .chunk = 1}, compression_magic_size);
    EXPECT_EQ(detect(small), format) << name;
    EXPECT_TRUE(drain(small).value() == input);
  }
  EXPECT_EQ(compression_of(sample("lz4/legacy.lz4")), compression::lz4);
  EXPECT_EQ(compression_of(skippable_frame({})), compression::zstd);
  EXPECT_EQ(name(compression::none), "none");
  EXPECT_EQ(name(compression::snappy), "snappy");
}

TEST(detect, a_cut_or_changed_magic_number_is_none) {
  for (const auto& [name, format, content] : samples()) {
    const auto input = sample(name);
    const std::size_t size = format == compression::snappy ? 10 : format == compression::gzip ? 3 : 4;
    for (std::size_t n = 0; n != size; ++n) {
      EXPECT_EQ(compression_of(std::span(input).first(n)), compression::none) << name << ", " << n;
      EXPECT_TRUE(of(std::span(input).first(n)).content ==
                  std::vector(input.begin(), input.begin() + std::ptrdiff_t(n)));
      auto wrong = input;
      wrong[n] ^= std::byte{0x10};
      // What it becomes is another frame that is to be skipped, at most.
      if (compression_of(wrong) != format) {
        EXPECT_TRUE(of(wrong).content == wrong) << name << ", " << n;
      }
    }
    EXPECT_EQ(compression_of(std::span(input).first(size)), format) << name;
  }
}

TEST(detect, waits_for_no_byte_more_than_tells) {
  const auto asked_for = [](std::string_view start) {
    chunked_reader source{.data = as_bytes(start), .chunk = 1};
    buf_reader in(source, 64);
    EXPECT_TRUE(detect(in));
    return source.calls;
  };
  EXPECT_EQ(asked_for("plain text"), 1U);
  EXPECT_EQ(asked_for("(plain text"), 2U);
  EXPECT_EQ(asked_for("\x1f\x8b\x08\x00\x00"), 3U);
  EXPECT_EQ(asked_for("\x28\xb5\x2f\xfd\x04"), 4U);
  EXPECT_EQ(asked_for(""), 1U);
}

TEST(detect, errors_are_the_readers_and_it_may_be_asked_again) {
  chunked_reader source{.data = as_bytes("plain"), .fail_at = 1};
  buf_reader in(source, 64);
  EXPECT_EQ(detect(in).error(), std::errc::io_error);
  EXPECT_EQ(detect(in), compression::none);
  const auto input = sample("snappy/hello.sz");
  buf_reader too_small(span_reader(input), 5);
  EXPECT_EQ(detect(too_small).error(), io_errc::buffer_too_small);
}

TEST(decompressed, any_format_in_any_pieces) {
  for (const auto& [name, format, content] : samples()) {
    const auto input = sample(name);
    for (const std::size_t chunk : sizes{0, 1, 2, 3, 5, 64}) {
      for (const std::size_t request : sizes{1, 7, 4096, 100'000}) {
        const decoding got = of(input, {}, chunk, request);
        EXPECT_EQ(got.error, std::error_code()) << name;
        EXPECT_TRUE(got.content == content) << name << ", pieces of " << chunk << ", requests of " << request;
      }
    }
    auto r = chunked_reader{.data = input, .chunk = 3} | decompressed({.buffer_size = 1});
    EXPECT_EQ(r.format(), format);
    EXPECT_TRUE(drain(r).value() == content) << name;
  }
}

TEST(decompressed, plain_bytes_pass_unchanged) {
  for (const std::size_t size : sizes{0, 1, 3, 9, 10, 11, 1000, 300'000}) {
    for (const auto& content : {text_content(size), sample_bytes(size), std::vector<std::byte>(size)}) {
      for (const std::size_t chunk : sizes{0, 1000}) EXPECT_TRUE(of(content, {}, chunk).content == content) << size;
      auto r = chunked_reader{.data = content} | decompressed();
      EXPECT_TRUE(drain(r, 1000).value() == content) << size;
      EXPECT_EQ(r.format(), compression::none);
    }
  }
}

TEST(decompressed, plain_bytes_stay_where_they_are) {
  const auto content = text_content(1000);
  const support::allocations before;
  auto r = decompressed(span_reader(content));
  EXPECT_EQ(r.fill(1).value().data(), content.data());
  EXPECT_EQ(r.buffered().size(), content.size());
  EXPECT_EQ(r.capacity(), content.size());
  EXPECT_EQ(r.skip(10), 10U);
  EXPECT_EQ(r.size_hint(), 990U);
  EXPECT_EQ(r.fill(1).value().data(), content.data() + 10);
  EXPECT_EQ(before.count(), 0U);
}

TEST(decompressed, what_was_compressed_has_a_window_too) {
  const auto input = sample("zstd/numbers.zst");
  auto r = decompressed(span_reader(input));
  EXPECT_TRUE(r.buffered().empty());
  EXPECT_EQ(r.size_hint(), numbers().size());
  EXPECT_TRUE(starts_with(numbers(), r.fill(100).value()));
  EXPECT_EQ(r.skip(200), 200U);
  const auto content = numbers();
  EXPECT_TRUE(starts_with(std::span(content).subspan(200), r.fill(1).value()));
  EXPECT_EQ(r.fill(r.capacity() + 1).error(), io_errc::buffer_too_small);
  EXPECT_EQ(sluice::skip(r, 1'000'000), numbers().size() - 200);
  EXPECT_EQ(r.fill(1).value().size(), 0U);
}

TEST(decompressed, a_frame_to_be_skipped_leads_to_either_format) {
  const auto skipped = skippable_frame(sample_bytes(300), 3);
  for (const std::size_t chunk : sizes{0, 1, 7}) {
    for (const char* name : {"zstd/hello.zst", "lz4/hello.lz4"}) {
      const auto frame = sample(name);
      const auto input = joined(joined(skipped, skipped), frame);
      EXPECT_TRUE(of(input, {}, chunk).content == hello()) << name;
      EXPECT_EQ(of(std::span(input).first(input.size() - 1), {}, chunk).error, io_errc::truncated) << name;
      EXPECT_EQ(of(joined(input, to_bytes("what follows")), {.trailing = trailing::leave}, chunk).left, 12U) << name;
    }
    EXPECT_EQ(of(skipped, {}, chunk).error, std::error_code());
    EXPECT_EQ(of(joined(skipped, to_bytes("what follows")), {}, chunk).error, io_errc::invalid_data);
  }
}

TEST(decompressed, a_copy_of_plain_bytes_keeps_the_kernel_path) {
  const test::temporary_folder folder;
  const auto content = text_content(1'000'000);
  const std::string path = folder / "plain";
  ASSERT_TRUE(write_all(file::create(path).value(), std::span(content)));
  copy_report report;
  auto to = file::create(folder / "copy").value();
  auto from = file::open(path).value() | decompressed();
  ASSERT_EQ(copy(from, to, {.report = &report}), content.size());
  EXPECT_EQ(report[copy_path::scratch].bytes, 0U);
  EXPECT_TRUE(content_of_file(folder / "copy") == content);

  string_writer text;
  auto packed = file::open(SLUICE_DATA_PATH "/zstd/numbers.zst").value() | decompressed();
  EXPECT_EQ(packed.kernel_endpoint(), std::nullopt);
  ASSERT_TRUE(copy(packed, text));
  EXPECT_EQ(text.str(), support::text(numbers()));
}

TEST(decompressed, keeps_the_contract) {
  const auto plain = text_content(300);
  const auto report = check_reader([](auto& inner) { return decompressed(inner); }, plain);
  EXPECT_TRUE(report) << report;
  for (const char* name : {"decompress/hello.gz", "zstd/hello.zst", "lz4/hello.lz4", "snappy/hello.sz"}) {
    // Where the source fails within the magic number, its buffer tells that error again and again.
    const auto packed = check_reader([](auto& inner) { return decompressed(inner); }, hello(),
                                     {.input = sample(name), .recovers = false, .walks = 2});
    EXPECT_TRUE(packed) << name << '\n' << packed;
  }
}

}  // namespace
