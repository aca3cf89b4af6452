// SPDX-License-Identifier: BSL-1.0
//
// Any bytes as delimited messages: whatever the buffer, the messages and the end are the same; nobody takes much more
// memory than has arrived.
//
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/codec/delimited.hpp>
#include <sluice/memory/span_reader.hpp>

#include "fuzz/fuzz.hpp"

#include <vector>

namespace {

using namespace sluice;

/// A reader without a window, in pieces whose sizes the data decide.
struct pieces {
  std::span<const std::byte> data;
  std::size_t calls = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    const std::size_t most = 1 + (++calls * 7919) % 61;
    const std::size_t n = std::min({b.size(), data.size(), most});
    std::ranges::copy(data.first(n), b.begin());
    data = data.subspan(n);
    return n;
  }
};

struct outcome {
  std::vector<std::byte> content;
  std::vector<std::size_t> sizes;
  std::error_code error;

  void add(std::span<const std::byte> message) {
    content.insert(content.end(), message.begin(), message.end());
    sizes.push_back(message.size());
  }
  bool operator==(const outcome&) const = default;
};

// More of it would only be more of the same, and slow.
constexpr std::size_t longest_input = 1500;

constexpr std::size_t most_memory = std::size_t{1} << 17;

template <class R>
outcome in_place(R&& r, const delimited_options& options) {
  outcome got;
  delimited_reader in(std::forward<R>(r), options);
  for (;;) {
    const auto message = in.next();
    if (!message) {
      got.error = message.error();
      const auto again = in.next();
      fuzz_require(!again && again.error() == got.error, "an error stays");
    }
    if (!message || !*message) return got;
    got.add(**message);
  }
}

template <class Message>
outcome copied(pieces r, const delimited_options& options) {
  outcome got;
  Message message;
  const std::size_t all = r.data.size();
  for (;;) {
    const auto there = read_delimited(r, message, options);
    fuzz_require(message.capacity() <= most_memory + 4 * all, "memory is taken as bytes arrive");
    if (!there) got.error = there.error();
    if (!there || !*there) return got;
    got.add(std::as_bytes(std::span(message)));
  }
}

}  // namespace

void fuzz_one(std::span<const std::byte> input) {
  input = input.first(std::min(input.size(), longest_input));
  for (const std::size_t limit : {std::size_t{100}, std::size_t{1} << 40}) {
    const delimited_options options{.max_size = limit};
    const outcome expected = in_place(span_reader(input), options);
    std::vector<std::byte> small(16);
    std::vector<std::byte> medium(1000);
    fuzz_require(in_place(pieces{input}, options) == expected, "with a buffer inside");
    fuzz_require(in_place(buf_reader(pieces{input}, std::span(small)), options) == expected, "with a small buffer");
    fuzz_require(in_place(buf_reader(pieces{input}, std::span(medium)), options) == expected, "with a buffer of 1000");
    fuzz_require(in_place(buf_reader(pieces{input}, {.initial = 16, .maximum = 4096}), options) == expected,
                 "with a buffer that grows");
    fuzz_require(copied<bytes>(pieces{input}, options) == expected, "into bytes");
    fuzz_require(copied<std::string>(pieces{input}, options) == expected, "into a string");
    if (expected.error) continue;
    std::size_t at = 0;
    for (const std::size_t size : expected.sizes) at += size + varint_size(size);
    fuzz_require(at <= input.size(), "no message is larger than its form");
  }
}
