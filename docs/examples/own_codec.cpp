// SPDX-License-Identifier: BSL-1.0
//
// A codec of one's own from the public parts: frames of u32 LE length, u32 LE CRC-32C, bytes. A frame that fits the
// reader's buffer is seen in place, the end between two frames is told from one inside, and no length is believed.
//
#include <sluice/codec/endian.hpp>
#include <sluice/digest/crc32.hpp>
#include <sluice/sluice.hpp>

#include <iostream>

using namespace sluice;

// --- the codec
constexpr std::size_t header_size = 8;

struct frame_header {
  std::uint32_t size;
  std::uint32_t sum;

  static frame_header load(std::span<const std::byte> from) {
    return {load_le<std::uint32_t>(from.first<4>()), load_le<std::uint32_t>(from.subspan<4, 4>())};
  }
  std::array<std::byte, header_size> stored() const {
    std::array<std::byte, header_size> to;
    store_le(std::span(to).first<4>(), size);
    store_le(std::span(to).last<4>(), sum);
    return to;
  }
};

template <writer W>
result<void> write_frame(W&& w, std::span<const std::byte> body) {
  if (body.size() > 0xffff'ffff) return fail(io_errc::limit_exceeded);
  const auto header = frame_header{static_cast<std::uint32_t>(body.size()), crc32c_of(body)}.stored();
  const std::array pieces{const_buffer(header), const_buffer(body)};
  return write_all(w, pieces);
}

template <buffered_reader R>
class frame_reader {
 public:
  explicit frame_reader(R&& r, std::size_t max_size = 200'000) : in_(std::forward<R>(r)), max_size_(max_size) {}

  /// The next frame, in the buffer of the reader and valid until the next call; nothing at the end.
  result<std::optional<std::span<const std::byte>>> next() {
    consume(in_, std::exchange(delivered_, 0));
    const auto seen = fill(in_, header_size);
    if (!seen) return fail(seen.error());
    if (seen->empty()) return std::nullopt;
    if (seen->size() < header_size) return fail(io_errc::truncated);
    const auto [size, sum] = frame_header::load(*seen);
    if (size > max_size_) return fail(io_errc::limit_exceeded);
    const auto frame = fill(in_, header_size + size);  // buffer_too_small where the buffer cannot hold it
    if (!frame) return fail(frame.error());
    if (frame->size() < header_size + size) return fail(io_errc::truncated);
    const auto body = frame->subspan(header_size, size);
    if (crc32c_of(body) != sum) return fail(io_errc::checksum_mismatch);
    delivered_ = header_size + size;
    return body;
  }

 private:
  R in_;  // a reader, or a reference to one
  std::size_t max_size_;
  std::size_t delivered_ = 0;
};
template <reader R>
frame_reader(R&&) -> frame_reader<R>;
// --- that is all of it

bool check(bool holds, const char* what) {
  if (!holds) std::cerr << "not so: " << what << '\n';
  return holds;
}

int main() {
  bytes_writer log;
  for (const std::string_view body : {"first", "", "the third"}) or_throw(write_frame(log, as_bytes(body)));
  bytes all = log.take();

  bool good = true;
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    frame_reader in{buf_reader{span_reader(std::span<const std::byte>(all).first(cut))}};
    auto frame = in.next();
    while (frame && *frame) frame = in.next();
    const bool between = cut == 0 || cut == 13 || cut == 21 || cut == all.size();
    good &=
        check(between ? frame.has_value() : frame.error() == io_errc::truncated, "only a cut between frames is clean");
  }
  all.back() ^= std::byte{1};
  frame_reader in(span_reader{all});
  good &= check(in.next().value()->size() == 5 && in.next().value()->empty(), "the frames before");
  good &= check(in.next().error() == io_errc::checksum_mismatch, "a bit that has changed is found");
  const auto hostile = std::as_bytes(std::span("\xff\xff\xff\x7f\0\0\0\0", 8));
  good &= check(frame_reader(span_reader(hostile)).next().error() == io_errc::limit_exceeded, "a length has a bound");
  return good ? 0 : 1;
}
