// SPDX-License-Identifier: BSL-1.0
//
// The commands zstd and lz4 read what is written here, and the other way about.
//
#include <sluice/compress/detect.hpp>
#include <sluice/compress/lz4.hpp>
#include <sluice/compress/zstd.hpp>
#include <sluice/read.hpp>
#include <sluice/system/file.hpp>
#include <sluice/write.hpp>

#include "compress/codec_support.hpp"
#include "compress/frame_samples.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace support;

void run(const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; }

template <class Compress>
void the_command_reads(const std::string& command, const Compress& compress) {
  const test::temporary_folder folder;
  for (const std::size_t size : sizes{0, 300'000}) {
    const auto content = text_content(size);
    auto out = compress(file::create(folder / "packed").value());
    // In two frames, the first with a flush in the middle.
    const auto half = std::span(content).first(size / 2);
    ASSERT_TRUE(write_all(out, half) && out.flush() && write_all(out, half) && out.finish());
    ASSERT_TRUE(write_all(out, std::span(content)) && out.close());
    run(command + " -d -c -q < " + (folder / "packed") + " > " + (folder / "plain"));
    EXPECT_TRUE(content_of_file(folder / "plain") == joined(joined(half, half), content)) << command << ", " << size;
  }
}

template <class Decompress>
void the_command_is_read(const std::string& command, const Decompress& decompress) {
  const test::temporary_folder folder;
  for (const auto& content : {text_content(0), joined(text_content(200'000), sample_bytes(70'000))}) {
    ASSERT_TRUE(write_all(file::create(folder / "plain").value(), std::span(content)));
    run(command + " -c -q " + (folder / "plain") + " > " + (folder / "packed") + " 2> /dev/null");
    const auto got = read_all(decompress(file::open(folder / "packed").value()));
    ASSERT_TRUE(got) << command << ", " << content.size() << ": " << got.error().message();
    EXPECT_TRUE(equal(*got, content)) << command << ", " << content.size();
    const auto any = read_all(file::open(folder / "packed").value() | decompressed());
    EXPECT_TRUE(any && equal(*any, content)) << command << ", " << content.size();
  }
}

TEST(zstd_command, reads_what_is_written_here) {
  for (const int level : {-3, 3, 12})
    the_command_reads("zstd", [&](file f) { return zstd(std::move(f), {.level = level}); });
  the_command_reads("zstd", [](file f) { return zstd(std::move(f), {.checksum = false}); });
}

TEST(zstd_command, is_read_here) {
  for (const char* options : {"", " --fast=5", " --no-check", " --long=27"})
    the_command_is_read(std::string("zstd") + options, unzstd);
}

TEST(lz4_command, reads_what_is_written_here) {
  for (const int level : {1, 9}) the_command_reads("lz4", [&](file f) { return lz4(std::move(f), {.level = level}); });
  the_command_reads("lz4", [](file f) { return lz4(std::move(f), {.checksum = false}); });
}

TEST(lz4_command, is_read_here) {
  for (const char* options : {"", " -9 --no-frame-crc", " -B4 -BD", " -B5 -BX --content-size"})
    the_command_is_read(std::string("lz4") + options, unlz4);
}

}  // namespace
