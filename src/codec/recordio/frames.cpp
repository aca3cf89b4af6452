// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/endian.hpp>
#include <sluice/codec/recordio/mesos.hpp>
#include <sluice/codec/recordio/tfrecord.hpp>
#include <sluice/codec/recordio/thrift_frame.hpp>
#include <sluice/digest/crc32.hpp>

#include "write_pieces.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

namespace sluice::detail {
namespace {

// As TensorFlow has it: a checksum that is stored in the data it covers would be a fixed point else.
std::uint32_t masked(std::span<const std::byte> b) noexcept { return std::rotr(crc32c_of(b), 15) + 0xa282ead8U; }

constexpr std::size_t length_size = 8;
constexpr std::size_t sum_size = 4;
constexpr std::size_t most_digits = 20;  // of a number of 64 bits

}  // namespace

next_record tfrecord_parser::next(source_ref from) {
  constexpr std::size_t head = length_size + sum_size;
  const result<bool> more = window_.begin(from, head);
  if (!more) return fail(more.error());
  if (!*more) return std::nullopt;
  const auto length = window_.seen().first<length_size>();
  if (masked(length) != load_le<std::uint32_t>(window_.seen().subspan<length_size, sum_size>()))
    return window_.failed(io_errc::checksum_mismatch);
  const auto told = load_le<std::uint64_t>(length);
  if (told > options_.max_record_size) return window_.failed(io_errc::limit_exceeded);
  const auto size = static_cast<std::size_t>(told);
  const std::size_t whole = head + size + sum_size;
  if (const auto there = window_.need(from, whole); !there) return fail(there.error());
  const auto record = window_.seen().subspan(head, size);
  if (masked(record) != load_le<std::uint32_t>(window_.seen().subspan(head + size).first<sum_size>()))
    return window_.failed(io_errc::checksum_mismatch);
  return window_.deliver(head, size, whole);
}

frame_written write_tfrecord(sink_ref to, std::span<const std::byte> record) {
  std::array<std::byte, length_size + sum_size> head;
  const auto length = std::span(head).first<length_size>();
  store_le(length, std::uint64_t{record.size()});
  store_le(std::span(head).last<sum_size>(), masked(length));
  std::array<std::byte, sum_size> tail;
  store_le(std::span(tail), masked(record));
  return write_pieces(to, head, record, tail);
}

next_record mesos_parser::next(source_ref from) {
  result<bool> more = window_.begin(from, 1);
  if (!more) return fail(more.error());
  if (!*more) return std::nullopt;
  std::size_t digits = 0;
  for (;; ++digits) {
    if (window_.seen().size() == digits) {
      if (const auto there = window_.need(from, digits + 1); !there) return fail(there.error());
    }
    const char digit = static_cast<char>(window_.seen()[digits]);
    if (digit == '\n' && digits != 0) break;
    if (digit < '0' || digit > '9' || digits == most_digits) return window_.failed(io_errc::invalid_data);
  }
  std::uint64_t told = 0;
  const auto* const text = reinterpret_cast<const char*>(window_.seen().data());
  if (std::from_chars(text, text + digits, told).ec != std::errc()) return window_.failed(io_errc::invalid_data);
  if (told > options_.max_record_size) return window_.failed(io_errc::limit_exceeded);
  const auto size = static_cast<std::size_t>(told);
  const std::size_t whole = digits + 1 + size;
  if (const auto there = window_.need(from, whole); !there) return fail(there.error());
  return window_.deliver(digits + 1, size, whole);
}

frame_written write_mesos(sink_ref to, std::span<const std::byte> record) {
  std::array<char, most_digits + 1> head;
  char* const end = std::to_chars(head.data(), head.data() + most_digits, record.size()).ptr;
  *end = '\n';
  return write_pieces(to, std::as_bytes(std::span(head.data(), end + 1)), record, {});
}

next_record thrift_frame_parser::next(source_ref from) {
  constexpr std::size_t head = 4;
  const result<bool> more = window_.begin(from, head);
  if (!more) return fail(more.error());
  if (!*more) return std::nullopt;
  const auto told = load_be<std::int32_t>(window_.seen().first<head>());
  if (told < 0) return window_.failed(io_errc::invalid_data);
  const auto size = static_cast<std::size_t>(told);
  if (size > options_.max_record_size) return window_.failed(io_errc::limit_exceeded);
  if (const auto there = window_.need(from, head + size); !there) return fail(there.error());
  return window_.deliver(head, size, head + size);
}

frame_written write_thrift_frame(sink_ref to, std::span<const std::byte> record) {
  if (record.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    return {.error = io_errc::limit_exceeded};
  std::array<std::byte, 4> head;
  store_be(std::span(head), static_cast<std::int32_t>(record.size()));
  return write_pieces(to, head, record, {});
}

}  // namespace sluice::detail
