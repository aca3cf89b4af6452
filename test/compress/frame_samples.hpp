// SPDX-License-Identifier: BSL-1.0
//
// Files that other programs have written, in test/data/, and what they hold.
//
//   sample("zstd/hello.zst")     the bytes of a file
//   hello(), numbers()           what is in them
//   skippable_frame(content)     of Zstandard and LZ4
//
#ifndef SLUICE_TEST_COMPRESS_FRAME_SAMPLES_HPP
#define SLUICE_TEST_COMPRESS_FRAME_SAMPLES_HPP

#include "support/streams.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace support {

inline std::vector<std::byte> content_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) std::abort();
  return to_bytes(std::string(std::istreambuf_iterator<char>(in), {}));
}

inline std::vector<std::byte> sample(const std::string& name) { return content_of_file(SLUICE_DATA_PATH "/" + name); }

inline std::vector<std::byte> hello() { return to_bytes("hello, hello, hello, hello\n"); }

inline std::vector<std::byte> numbers() {
  std::string lines;
  for (int i = 1; i <= 400; ++i) lines += std::to_string(i) + '\n';
  return to_bytes(lines);
}

inline std::vector<std::byte> skippable_frame(std::span<const std::byte> content, std::size_t kind = 0) {
  auto frame = to_bytes(std::string_view("\x50\x2a\x4d\x18", 4));
  frame[0] |= static_cast<std::byte>(kind);
  for (unsigned i = 0; i != 4; ++i) frame.push_back(static_cast<std::byte>(content.size() >> (8 * i)));
  frame.insert(frame.end(), content.begin(), content.end());
  return frame;
}

}  // namespace support

#endif
