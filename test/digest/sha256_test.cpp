// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffer.hpp>
#include <sluice/digest/sha256.hpp>

#include "properties.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sluice::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(sha256, any_digest, sluice::sha256);

std::string hex_of(std::string_view text) { return to_hex(sha256_of(as_bytes(text))); }

// FIPS 180-4 and the examples that NIST gives with it.
TEST(sha256, of_the_examples_of_nist) {
  EXPECT_EQ(hex_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      hex_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqr"
             "stnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hex_of(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace sluice::test
