// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffer.hpp>
#include <sluice/digest/crc32.hpp>

#include "properties.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

namespace sluice::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(crc32, any_digest, sluice::crc32);
INSTANTIATE_TYPED_TEST_SUITE_P(crc32c, any_digest, sluice::crc32c);

constexpr std::size_t run_length = 32;

std::array<std::byte, run_length> filled(std::byte value) {
  std::array<std::byte, run_length> bytes;
  bytes.fill(value);
  return bytes;
}

TEST(crc32, of_the_check_string) {
  EXPECT_EQ(crc32_of(as_bytes("123456789")), 0xcbf43926U);
  EXPECT_EQ(crc32_of({}), 0U);
  EXPECT_EQ(crc32().value(), 0U);
}

// As gzip(1), cksum -a crc32b and zlib have them.
TEST(crc32, of_known_texts) {
  EXPECT_EQ(crc32_of(as_bytes("a")), 0xe8b7be43U);
  EXPECT_EQ(crc32_of(as_bytes("The quick brown fox jumps over the lazy dog")), 0x414fa339U);
  EXPECT_EQ(crc32_of(filled(std::byte{0})), 0x190a55adU);
}

TEST(crc32c, of_the_check_string) {
  EXPECT_EQ(crc32c_of(as_bytes("123456789")), 0xe3069283U);
  EXPECT_EQ(crc32c_of({}), 0U);
  EXPECT_EQ(crc32c().value(), 0U);
}

// RFC 3720, B.4. The RFC prints the bytes as they are sent, the lowest first.
TEST(crc32c, of_the_examples_of_rfc_3720) {
  EXPECT_EQ(crc32c_of(filled(std::byte{0})), 0x8a9136aaU);
  EXPECT_EQ(crc32c_of(filled(std::byte{0xff})), 0x62a8ab43U);
  std::array<std::byte, run_length> rising;
  for (std::size_t i = 0; i != run_length; ++i) rising[i] = static_cast<std::byte>(i);
  EXPECT_EQ(crc32c_of(rising), 0x46dd794eU);
  std::ranges::reverse(rising);
  EXPECT_EQ(crc32c_of(rising), 0x113fdb5cU);
  const unsigned char read_command[] = {
      0x01, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  //
      0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18,  //
      0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  EXPECT_EQ(crc32c_of(std::as_bytes(std::span(read_command))), 0xd9963a56U);
}

/// Text of any length that takes up address space and little memory: the same file mapped again and again.
class long_text {
 public:
  explicit long_text(std::size_t n) : size_(n), data_(map(nullptr, n + piece, PROT_NONE, MAP_NORESERVE, -1)) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
    const std::vector<std::byte> content = arbitrary_bytes(piece);
    if (!file || std::fwrite(content.data(), 1, piece, file.get()) != piece || std::fflush(file.get()) != 0) return;
    for (std::size_t at = 0; data_ != nullptr && at < n; at += piece)
      if (map(data_ + at, piece, PROT_READ, MAP_FIXED, ::fileno(file.get())) == nullptr) return;
    complete_ = data_ != nullptr;
  }
  long_text(const long_text&) = delete;
  long_text& operator=(const long_text&) = delete;
  ~long_text() {
    if (data_ != nullptr) ::munmap(data_, size_ + piece);
  }

  bool is_complete() const { return complete_; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

  static constexpr std::size_t piece = 16 << 20;

 private:
  static std::byte* map(std::byte* where, std::size_t n, int allowed, int flags, int file) {
    flags |= file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void* const mapped = ::mmap(where, n, allowed, flags, file, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
  }

  std::size_t size_;
  std::byte* data_;
  bool complete_ = false;
};

// The function underneath counts in int.
TEST(crc32c, of_more_than_2_gib_at_once) {
  const long_text text((std::size_t{1} << 31U) + 5);
  if (!text.is_complete()) GTEST_SKIP() << "no address space for 2 GiB, or no temporary file";
  const std::vector<std::byte> piece = arbitrary_bytes(long_text::piece);
  crc32c in_pieces;
  for (std::size_t i = 0; i != (std::size_t{1} << 31U) / piece.size(); ++i) in_pieces.update(piece);
  in_pieces.update(std::span(piece).first(5));
  EXPECT_EQ(crc32c_of(text.bytes()), in_pieces.value());
}

}  // namespace
}  // namespace sluice::test
