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
  for (const std::size_t size : sizes{0, 1, 1000, 500'000}) {
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
  for (const std::size_t size : sizes{0, 1, 1000, 500'000}) {
    for (const auto& content : {text_content(size), sample_bytes(size)}) {
      ASSERT_TRUE(write_all(file::create(folder / "plain").value(), std::span(content)));
      run(command + " -c -q " + (folder / "plain") + " > " + (folder / "packed"));
      const auto got = read_all(decompress(file::open(folder / "packed").value()));
      ASSERT_TRUE(got) << command << ", " << size << ": " << got.error().message();
      EXPECT_TRUE(equal(*got, content)) << command << ", " << size;
      const auto any = read_all(file::open(folder / "packed").value() | decompressed());
      EXPECT_TRUE(any && equal(*any, content)) << command << ", " << size;
    }
  }
}

TEST(zstd_command, reads_what_is_written_here) {
  for (const int level : {-3, 1, 3, 12})
    the_command_reads("zstd", [&](file f) { return zstd(std::move(f), {.level = level}); });
  the_command_reads("zstd", [](file f) { return zstd(std::move(f), {.checksum = false}); });
}

TEST(zstd_command, is_read_here) {
  for (const char* options : {"", " -1", " --fast=5", " -12", " --no-check", " --long=27", " -T2 -B65536"})
    the_command_is_read(std::string("zstd") + options, unzstd);
}

TEST(lz4_command, reads_what_is_written_here) {
  for (const int level : {-3, 1, 9})
    the_command_reads("lz4", [&](file f) { return lz4(std::move(f), {.level = level}); });
  the_command_reads("lz4", [](file f) { return lz4(std::move(f), {.checksum = false}); });
}

TEST(lz4_command, is_read_here) {
  for (const char* options : {"", " -9", " --fast=3", " --no-frame-crc", " -B4 -BD", " -B5 -BX", " -B7 --content-size"})
    the_command_is_read(std::string("lz4") + options, unlz4);
}

}  // namespace
