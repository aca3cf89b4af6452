// SPDX-License-Identifier: BSL-1.0
//
// What a file is to a buffer, in memory: it can be read, skipped, sought, told its position and moved on from outside.
//
//   seekable_reader            counts every call; at most `chunk` bytes a call; every `fail_every`-th read fails
//   vectored_seekable_reader   the same, vectored
//   seekable_writer            writes into a vector at a position, and says how often it was asked for it
//
#ifndef SLUICE_TEST_SUPPORT_SEEKABLE_HPP
#define SLUICE_TEST_SUPPORT_SEEKABLE_HPP

#include "support/streams.hpp"

namespace support {

struct seekable_reader {
  std::span<const std::byte> data;
  std::size_t chunk = unlimited;
  std::size_t fail_every = 0;
  std::error_code error = std::make_error_code(std::errc::io_error);

  std::size_t at = 0;
  std::size_t reads = 0;
  std::size_t skips = 0;
  std::size_t seeks = 0;
  std::size_t positions = 0;
  std::uintmax_t advanced = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    const sluice::mutable_buffer piece(b);
    return read({&piece, 1});
  }

  result<std::uintmax_t> skip(std::uintmax_t n) {
    ++skips;
    const auto passed = static_cast<std::size_t>(std::min<std::uintmax_t>(n, data.size() - at));
    at += passed;
    return passed;
  }

  result<std::uintmax_t> seek(std::intmax_t offset, sluice::whence from) {
    ++seeks;
    const auto size = static_cast<std::intmax_t>(data.size());
    const auto base = from == sluice::whence::begin ? 0
                      : from == sluice::whence::end ? size
                                                    : static_cast<std::intmax_t>(at);
    if (offset < -base || offset > size - base) return sluice::fail(std::make_error_code(std::errc::invalid_argument));
    at = static_cast<std::size_t>(base + offset);
    return at;
  }

  result<std::uintmax_t> position() {
    ++positions;
    return at;
  }

  std::optional<std::uintmax_t> size_hint() const noexcept { return data.size() - at; }

  std::optional<sluice::fd_endpoint> kernel_endpoint() const noexcept {
    return sluice::fd_endpoint{.fd = 42, .kind = sluice::fd_kind::regular_file, .max_bytes = data.size() - at};
  }

  void kernel_advanced(std::uintmax_t n) noexcept { advanced += n; }

 protected:
  result<std::size_t> read(std::span<const sluice::mutable_buffer> pieces) {
    ++reads;
    if (fail_every != 0 && reads % fail_every == 0) return sluice::fail(error);
    std::size_t left = std::min(chunk, data.size() - at);
    std::size_t total = 0;
    for (const sluice::mutable_buffer& piece : pieces) {
      const std::size_t n = std::min(piece.size, left);
      if (n != 0) std::memcpy(piece.data, data.data() + at, n);
      at += n;
      left -= n;
      total += n;
    }
    return total;
  }
};

struct vectored_seekable_reader : seekable_reader {
  using seekable_reader::read_some;
  result<std::size_t> read_some(std::span<const sluice::mutable_buffer> pieces) { return read(pieces); }
};

struct seekable_writer {
  std::vector<std::byte> data = {};
  std::size_t at = 0;
  std::size_t writes = 0;
  std::size_t positions = 0;

  result<std::size_t> write_some(std::span<const std::byte> b) {
    ++writes;
    data.resize(std::max(data.size(), at + b.size()));
    std::ranges::copy(b, data.begin() + static_cast<std::ptrdiff_t>(at));
    at += b.size();
    return b.size();
  }

  result<std::uintmax_t> seek(std::intmax_t offset, sluice::whence from) {
    const auto base = from == sluice::whence::begin ? 0 : from == sluice::whence::end ? data.size() : at;
    at = base + static_cast<std::size_t>(offset);
    return at;
  }

  result<std::uintmax_t> position() {
    ++positions;
    return at;
  }
};

}  // namespace support

#endif
