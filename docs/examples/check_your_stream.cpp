// SPDX-License-Identifier: BSL-1.0
//
// Puts a reader of one's own through the contract. The first takes every read for a frame of its protocol, and the
// report says where that goes wrong. The second is right.
//
#include <sluice/sluice.hpp>
#include <sluice/testing/check_reader.hpp>
#include <sluice/testing/faulty_stream.hpp>
#include <sluice/testing/sample_bytes.hpp>

#include <algorithm>
#include <iostream>

using namespace sluice;

// The protocol: a length of one byte, and as many bytes.
template <class R>
struct hasty_frames {
  R& in;
  result<std::size_t> read_some(std::span<std::byte> b) {
    std::byte frame[1 + 255];
    const auto n = sluice::read_some(in, std::span(frame));
    if (!n || *n == 0) return n;
    const std::size_t length = std::min(b.size(), std::to_integer<std::size_t>(frame[0]));
    std::copy_n(frame + 1, length, b.begin());
    return length;
  }
};

template <class R>
struct frames {
  R& in;
  std::size_t left = 0;  // of the frame

  result<std::size_t> read_some(std::span<std::byte> b) {
    if (b.empty()) return std::size_t{0};
    while (left == 0) {
      std::byte length;
      const auto n = sluice::read_some(in, std::span(&length, 1));
      if (!n || *n == 0) return n;
      left = std::to_integer<std::size_t>(length);
    }
    const auto n = sluice::read_some(in, b.first(std::min(left, b.size())));
    if (n && *n == 0) return fail(io_errc::truncated);
    if (n) left -= *n;
    return n;
  }
};

int main() {
  const std::vector<std::byte> payload = sample_bytes(300);
  std::vector<std::byte> framed;
  for (std::size_t at = 0; at < payload.size(); at += 100) {
    framed.push_back(std::byte{100});
    framed.insert(framed.end(), payload.begin() + static_cast<std::ptrdiff_t>(at),
                  payload.begin() + static_cast<std::ptrdiff_t>(at + 100));
  }

  // Made over the inner reader that the check brings along, again and again.
  const contract_report hasty =
      check_reader([]<class R>(R& in) { return hasty_frames<R>{in}; }, payload, {.input = framed});
  std::cout << "hasty_frames:\n" << hasty;
  const contract_report right = check_reader([]<class R>(R& in) { return frames<R>{in}; }, payload, {.input = framed});
  std::cout << "frames, in " << right.trials() << " trials:\n" << right;

  // The streams of the kit can be had by themselves: three bytes a call, and the fifth call fails.
  auto source = span_reader(framed) | faults{.most = 3, .fail_at = 5};
  frames<decltype(source)> in{source};
  std::byte memory[300];
  std::size_t arrived = 0;
  int failures = 0;
  for (;;) {
    const auto n = in.read_some(std::span(memory).subspan(arrived));
    if (n && *n == 0) break;
    if (!n) ++failures;
    arrived += n.value_or(0);
  }
  std::cout << arrived << " bytes, " << failures << " failure, " << source.plan().calls() << " calls\n";
  return !hasty && right && failures == 1 && std::ranges::equal(std::span(memory).first(arrived), payload) ? 0 : 1;
}
