// SPDX-License-Identifier: BSL-1.0
//
// Any bytes as varints: each way to read them comes to the same answer, what is read is written back, and the fast way
// over the window sees what the slow one sees.
//
#include <sluice/codec/varint.hpp>
#include <sluice/memory/span_reader.hpp>

#include "fuzz/fuzz.hpp"

#include <array>
#include <vector>

namespace {

using namespace sluice;

/// A reader without a window, so that the number is read byte by byte.
struct unbuffered {
  std::span<const std::byte> data;

  result<std::size_t> read_some(std::span<std::byte> b) {
    span_reader in(data);
    const auto n = in.read_some(b);
    data = data.subspan(*n);
    return n;
  }
};

struct plain {
  template <class T>
  static auto load(std::span<const std::byte> b, varint_options o) {
    return load_varint<T>(b, o);
  }
  template <class T>
  static auto read(auto& r, varint_options o) {
    return read_varint<T>(r, o);
  }
  static std::size_t store(std::span<std::byte> to, auto value) { return store_varint(to, value); }
};

struct zigzag {
  template <class T>
  static auto load(std::span<const std::byte> b, varint_options o) {
    return load_zigzag<T>(b, o);
  }
  template <class T>
  static auto read(auto& r, varint_options o) {
    return read_zigzag<T>(r, o);
  }
  static std::size_t store(std::span<std::byte> to, auto value) { return store_zigzag(to, value); }
};

struct sleb128 {
  template <class T>
  static auto load(std::span<const std::byte> b, varint_options o) {
    return load_sleb128<T>(b, o);
  }
  template <class T>
  static auto read(auto& r, varint_options o) {
    return read_sleb128<T>(r, o);
  }
  static std::size_t store(std::span<std::byte> to, auto value) { return store_sleb128(to, value); }
};

template <class Encoding, class T>
void check_at(std::span<const std::byte> input) {
  for (const bool canonical : {false, true}) {
    const varint_options options{.canonical = canonical};
    const auto loaded = Encoding::template load<T>(input, options);
    span_reader whole(input);
    const auto read = Encoding::template read<T>(whole, options);
    unbuffered by_bytes{input};
    const auto read_by_bytes = Encoding::template read<T>(by_bytes, options);

    fuzz_require(loaded.has_value() == read.has_value(), "load and read agree");
    fuzz_require(loaded.has_value() == read_by_bytes.has_value(), "load and read byte by byte agree");
    const std::size_t taken = input.size() - by_bytes.data.size();
    if (!loaded) {
      fuzz_require(loaded.error() == read.error() && loaded.error() == read_by_bytes.error(), "the error is the same");
      fuzz_require(whole.remaining() == input.size(), "a buffered reader stands where it stood");
      fuzz_require(read_by_bytes.error().bytes == taken && taken <= max_varint_size<T>, "the bytes are counted");
      continue;
    }
    fuzz_require(loaded->value == *read && *read == *read_by_bytes, "the value is the same");
    fuzz_require(input.size() - whole.remaining() == loaded->size && taken == loaded->size, "the size is the same");
    std::array<std::byte, max_varint_size<T>> back;
    const std::size_t size = Encoding::store(back, *read);
    fuzz_require(size <= loaded->size && (!canonical || size == loaded->size), "it is written in its shortest form");
    if (size == loaded->size)
      fuzz_require(std::ranges::equal(std::span(back).first(size), input.first(size)), "the bytes are the same");
  }
}

}  // namespace

void fuzz_one(std::span<const std::byte> input) {
  for (std::size_t at = 0; at <= std::min<std::size_t>(input.size(), 16); ++at) {
    const auto rest = input.subspan(at);
    check_at<plain, std::uint32_t>(rest);
    check_at<plain, std::uint64_t>(rest);
    check_at<zigzag, std::int32_t>(rest);
    check_at<zigzag, std::int64_t>(rest);
    check_at<sleb128, std::int32_t>(rest);
    check_at<sleb128, std::int64_t>(rest);
  }
}
