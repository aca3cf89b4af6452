// SPDX-License-Identifier: BSL-1.0
//
// What the sweeps over compressed formats are built of.
//
//   text_content(n)              compresses well; sample_bytes(n) of the test kit does not
//   compressed(codec, content)   a member; at a level, written in pieces of a size
//   decode(codec, input)         what comes out, the error after it, and how much is left in the source
//   unpacking_writer             a writer that decompresses what is written and passes it on
//
#ifndef SLUICE_TEST_COMPRESS_CODEC_SUPPORT_HPP
#define SLUICE_TEST_COMPRESS_CODEC_SUPPORT_HPP

#include <sluice/buffered/buf_reader.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/compress/decompress_options.hpp>
#include <sluice/memory/bytes_writer.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/testing/faulty_stream.hpp>
#include <sluice/write.hpp>

#include "support/streams.hpp"

#include <cstdlib>
#include <memory>

namespace support {

using sluice::decompress_options;
using sluice::io_errc;
using sluice::members;
using sluice::sample_bytes;
using sluice::trailing;

using sizes = std::vector<std::size_t>;

inline std::vector<std::byte> joined(std::span<const std::byte> a, std::span<const std::byte> b) {
  std::vector<std::byte> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

inline bool starts_with(std::span<const std::byte> all, std::span<const std::byte> start) {
  return start.size() <= all.size() && equal(all.first(start.size()), start);
}

/// Lines like those of a log.
inline std::vector<std::byte> text_content(std::size_t size, unsigned seed = 1) {
  static constexpr std::string_view words[] = {"GET ", "/index.html ", "200 ", "error ", "timeout ", "user=", "ok\n"};
  std::string lines;
  std::uint32_t state = seed * 2654435761U;
  while (lines.size() < size) {
    state = state * 1664525U + 1013904223U;
    lines += words[(state >> 16) % std::size(words)];
    if (state >> 30 == 0) lines += std::to_string(state >> 20);
  }
  lines.resize(size);
  return to_bytes(lines);
}

inline std::vector<std::vector<std::byte>> sample_contents() {
  std::vector<std::vector<std::byte>> all;
  for (const std::size_t size : sizes{0, 1, 2, 3, 64, 255, 256, 1000, 32768, 65537}) {
    all.push_back(text_content(size));
    all.push_back(sample_bytes(size));
  }
  all.emplace_back(300'000);
  return all;
}

template <class Codec>
std::vector<std::byte> compressed(const Codec& codec, std::span<const std::byte> content, int level,
                                  std::size_t piece) {
  sluice::bytes_writer target;
  auto w = codec.compress(target, level);
  for (std::size_t at = 0; at < content.size(); at += piece) {
    if (!sluice::write_all(w, content.subspan(at, std::min(piece, content.size() - at)))) std::abort();
  }
  if (!w.close()) std::abort();
  return {target.view().begin(), target.view().end()};
}

template <class Codec>
std::vector<std::byte> compressed(const Codec& codec, std::span<const std::byte> content) {
  return compressed(codec, content, codec.levels().front(), std::max<std::size_t>(content.size(), 1));
}

struct decoding {
  std::vector<std::byte> content = {};
  std::error_code error = {};
  std::size_t left = 0;  // in the source

  bool operator==(const decoding&) const = default;
};

/// Reads in requests of `request` bytes, to the end or an error; and sees that this stays so.
template <class R>
decoding drained(R&& r, std::size_t request) {
  decoding got;
  std::vector<std::byte> room(request);
  for (;;) {
    const auto n = r.read_some(room);
    if (!n || *n == 0) {
      if (!n) got.error = n.error();
      const auto again = r.read_some(room);
      if (again.has_value() != n.has_value() || again.value_or(0) != 0) std::abort();
      return got;
    }
    got.content.insert(got.content.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*n));
  }
}

/// From memory where `chunk` is 0; else through a small buffer that is filled by chunks.
template <class Codec>
decoding decode(const Codec& codec, std::span<const std::byte> input, const decompress_options& options = {},
                std::size_t chunk = 0, std::size_t request = 4096) {
  if (chunk == 0) {
    sluice::span_reader source(input);
    decoding got = drained(codec.decompress(source, options), request);
    got.left = source.remaining();
    return got;
  }
  sluice::buf_reader source(chunked_reader{.data = input, .chunk = chunk}, 100);
  decoding got = drained(codec.decompress(source, options), request);
  got.left = drain(source).value().size();
  return got;
}

/// Calls again what has failed until all is written.
template <class W>
void write_again_and_again(W& w, std::span<const std::byte> content) {
  while (!content.empty()) content = content.subspan(w.write_some(content).value_or(0));
}

/// Gives what was put in, and would block for more.
struct feeding_reader {
  std::vector<std::byte>* data;
  result<std::size_t> read_some(std::span<std::byte> b) {
    if (data->empty()) return sluice::fail(std::make_error_code(std::errc::operation_would_block));
    const std::size_t n = std::min(b.size(), data->size());
    std::copy_n(data->begin(), n, b.begin());
    data->erase(data->begin(), data->begin() + static_cast<std::ptrdiff_t>(n));
    return n;
  }
};

/// Accepts compressed bytes, and writes what they mean to another writer. What this one does not take is pending.
template <class Codec, class W>
class unpacking_writer {
 public:
  unpacking_writer(const Codec& codec, W& inner)
      : fed_(std::make_unique<std::vector<std::byte>>()),
        reader_(codec.decompress(feeding_reader{fed_.get()})),
        inner_(&inner) {}

  result<std::size_t> write_some(std::span<const std::byte> in) {
    if (const auto done = flush(); !done) return sluice::fail(done.error());
    fed_->insert(fed_->end(), in.begin(), in.end());
    std::array<std::byte, 512> room;
    for (;;) {
      const auto n = reader_.read_some(room);
      if (!n && n.error() == std::errc::operation_would_block) break;
      if (!n) return sluice::fail(n.error());
      pending_.insert(pending_.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*n));
    }
    // These bytes are accepted; what goes wrong is told by the next call.
    if (const auto done = flush(); !done) untold_ = done.error();
    return in.size();
  }

  result<void> flush() {
    if (untold_) return sluice::fail(std::exchange(untold_, {}));
    while (!pending_.empty()) {
      const auto n = sluice::write_some(*inner_, std::span<const std::byte>(pending_));
      if (!n) return sluice::fail(n.error());
      if (*n == 0) return sluice::fail(io_errc::write_zero);
      pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(*n));
    }
    return {};
  }

 private:
  using reader_type = decltype(std::declval<const Codec&>().decompress(std::declval<feeding_reader>()));

  std::unique_ptr<std::vector<std::byte>> fed_;
  reader_type reader_;
  W* inner_;
  std::vector<std::byte> pending_;
  std::error_code untold_;
};

}  // namespace support

#endif
