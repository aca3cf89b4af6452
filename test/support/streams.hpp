// SPDX-License-Identifier: BSL-1.0
//
// Streams that behave badly, count what is asked of them, or pretend to be something.
//
//   chunked_reader              at most `chunk` bytes a call; fails at the `fail_at`-th call
//   vectored_reader_fake        the same, vectored
//   over_counting_reader        claims one byte more than it was given room for
//   window_reader               a buffered reader, written plainly, that counts every call
//   recording_writer            keeps bytes and sizes of all writes; at most `chunk` a call; fails at the `fail_at`-th
//   vectored_recording_writer   the same, vectored
//   over_counting_writer        claims one byte more than it was given
//   kernel_stream               a reader and writer that offers an endpoint of its test's choice
//   scripted_reader             the test kit's: one step a call: bytes, an error, would-block, the end
//
#ifndef SLUICE_TEST_SUPPORT_STREAMS_HPP
#define SLUICE_TEST_SUPPORT_STREAMS_HPP

#include <sluice/concepts.hpp>
#include <sluice/testing/sample_bytes.hpp>
#include <sluice/testing/scripted_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace support {

using sluice::result;

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

inline std::vector<std::byte> pattern(std::size_t n, std::uint32_t seed = 1) { return sluice::sample_bytes(n, seed); }

inline std::string text(std::span<const std::byte> bytes) {
  std::string s(bytes.size(), '\0');
  std::ranges::transform(bytes, s.begin(), [](std::byte b) { return static_cast<char>(b); });
  return s;
}

inline std::vector<std::byte> to_bytes(std::string_view s) {
  const auto view = sluice::as_bytes(s);
  return {view.begin(), view.end()};
}

inline bool equal(std::span<const std::byte> a, std::span<const std::byte> b) { return std::ranges::equal(a, b); }

/// Reads to the end in requests of `chunk` bytes.
template <class R>
result<std::vector<std::byte>> drain(R& r, std::size_t chunk = 4096) {
  std::vector<std::byte> all;
  for (;;) {
    const std::size_t before = all.size();
    all.resize(before + chunk);
    const result<std::size_t> n = sluice::read_some(r, std::span(all).subspan(before));
    all.resize(before + n.value_or(0));
    if (!n) return sluice::fail(n.error());
    if (*n == 0) return all;
  }
}

struct chunked_reader {
  std::span<const std::byte> data = {};
  std::size_t chunk = unlimited;
  std::size_t fail_at = 0;  // the number of the call that fails, from 1; that call takes nothing
  std::error_code error = std::make_error_code(std::errc::io_error);

  std::size_t calls = 0;
  std::vector<std::size_t> requests = {};

  result<std::size_t> read_some(std::span<std::byte> b) {
    requests.push_back(b.size());
    if (++calls == fail_at) return sluice::fail(error);
    const std::size_t n = std::min({b.size(), chunk, data.size()});
    if (n != 0) std::memcpy(b.data(), data.data(), n);
    data = data.subspan(n);
    return n;
  }
};

struct vectored_reader_fake : chunked_reader {
  std::size_t vectored_calls = 0;
  std::vector<sluice::mutable_buffer> last_pieces = {};

  using chunked_reader::read_some;
  result<std::size_t> read_some(std::span<const sluice::mutable_buffer> pieces) {
    ++vectored_calls;
    last_pieces.assign(pieces.begin(), pieces.end());
    if (++calls == fail_at) return sluice::fail(error);
    std::size_t left = std::min(chunk, data.size());
    std::size_t total = 0;
    for (const sluice::mutable_buffer& piece : pieces) {
      const std::size_t n = std::min(piece.size, left);
      if (n != 0) std::memcpy(piece.data, data.data(), n);
      data = data.subspan(n);
      left -= n;
      total += n;
    }
    return total;
  }
};

using sluice::scripted_reader;
using step = scripted_reader::step;

struct over_counting_reader {
  result<std::size_t> read_some(std::span<std::byte> b) { return b.size() + 1; }
  result<std::uintmax_t> skip(std::uintmax_t n) { return n + 1; }
};

struct window_reader {
  std::span<const std::byte> data = {};  // what is left, the window included
  std::size_t room = 16;                 // fill shows at most so many
  std::size_t chunk = unlimited;         // how many arrive at once
  std::size_t fail_at = 0;               // the number of the read that fails, from 1
  std::size_t shown = 0;                 // the size of the window
  std::size_t reads = 0;                 // as a system would count them
  std::size_t calls = 0;                 // of any member
  std::uintmax_t consumed = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    ++calls;
    if (shown == 0) {
      if (const auto more = read(); !more) return sluice::fail(more.error());
    }
    const std::size_t n = std::min(b.size(), shown);
    if (n != 0) std::memcpy(b.data(), data.data(), n);
    pass(n);
    return n;
  }

  std::span<const std::byte> buffered() noexcept {
    ++calls;
    return data.first(shown);
  }

  result<std::span<const std::byte>> fill(std::size_t n) {
    ++calls;
    if (n > room) return sluice::fail(sluice::io_errc::buffer_too_small);
    while (shown < n) {
      const auto more = read();
      if (!more) return sluice::fail(more.error());
      if (!*more) break;
    }
    return data.first(shown);
  }

  void consume(std::size_t n) noexcept {
    ++calls;
    pass(n);
  }

  std::size_t capacity() noexcept { return room; }

  result<std::uintmax_t> skip(std::uintmax_t n) {
    ++calls;
    const std::size_t passed = static_cast<std::size_t>(std::min<std::uintmax_t>(n, data.size()));
    shown = std::max(shown, passed);
    pass(passed);
    return passed;
  }

  std::optional<std::uintmax_t> size_hint() noexcept { return data.size(); }

 private:
  void pass(std::size_t n) noexcept {
    data = data.subspan(n);
    shown -= n;
    consumed += n;
  }

  result<bool> read() {
    if (++reads == fail_at) return sluice::fail(std::make_error_code(std::errc::io_error));
    const std::size_t n = std::min({chunk, room - shown, data.size() - shown});
    shown += n;
    return n != 0;
  }
};

struct recording_writer {
  std::size_t chunk = unlimited;
  std::size_t fail_at = 0;  // the number of the call that fails, from 1; that call takes nothing
  std::error_code error = std::make_error_code(std::errc::no_space_on_device);

  std::vector<std::byte> data = {};
  std::vector<std::size_t> sizes = {};  // what each call was given
  std::size_t calls = 0;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    sizes.push_back(b.size());
    if (++calls == fail_at) return sluice::fail(error);
    const std::size_t n = std::min(b.size(), chunk);
    data.insert(data.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n));
    return n;
  }
};

struct vectored_recording_writer : recording_writer {
  std::size_t vectored_calls = 0;

  using recording_writer::write_some;
  result<std::size_t> write_some(std::span<const sluice::const_buffer> pieces) {
    std::vector<std::byte> joined;
    for (const sluice::const_buffer& piece : pieces) joined.insert(joined.end(), piece.data, piece.data + piece.size);
    ++vectored_calls;
    return write_some(joined);
  }
};

struct over_counting_writer {
  result<std::size_t> write_some(std::span<const std::byte> b) { return b.size() + 1; }
};

struct kernel_stream {
  std::vector<std::byte> data = {};
  std::optional<sluice::fd_endpoint> endpoint = sluice::fd_endpoint{.fd = 42};
  std::uintmax_t advanced = 0;
  std::size_t asked = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    const std::size_t n = std::min(b.size(), data.size());
    std::copy_n(data.begin(), n, b.begin());
    data.erase(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
    return n;
  }
  result<std::size_t> write_some(std::span<const std::byte> b) {
    data.insert(data.end(), b.begin(), b.end());
    return b.size();
  }
  std::optional<sluice::fd_endpoint> kernel_endpoint() {
    ++asked;
    return endpoint;
  }
  void kernel_advanced(std::uintmax_t n) { advanced += n; }
};

}  // namespace support

#endif
