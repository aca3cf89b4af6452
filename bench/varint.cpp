// SPDX-License-Identifier: BSL-1.0
//
// A million varints of sizes that nobody can predict, and of one byte each; and messages of 300 bytes with their length
// in front: how near do read_varint and delimited_reader come to a loop by hand over memory, and what does protobuf's
// CodedInputStream take? The hand is the loop that everybody writes: a branch for each byte.
//
#include <sluice/codec/delimited.hpp>
#include <sluice/sluice.hpp>

#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#ifdef SLUICE_BENCH_PROTOBUF
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#endif

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sluice;

constexpr std::size_t count = 1'000'000;
constexpr std::size_t message_size = 300;
constexpr std::size_t message_count = 100'000;

using numbers = std::vector<std::uint64_t>;

/// As many of each width, so of each size up to ten bytes.
const numbers& mixed() {
  static const numbers all = [] {
    numbers made(count);
    std::mt19937_64 random(1);
    for (auto& n : made) n = random() >> (random() % 64);
    return made;
  }();
  return all;
}

/// Of one to five bytes, as the lengths and ids of real messages are, most of them of one or two.
const numbers& small() {
  static const numbers all = [] {
    numbers made(count);
    std::mt19937_64 random(2);
    for (auto& n : made) n = (random() & 0x3fff) >> (random() % 14);
    return made;
  }();
  return all;
}

const numbers& one_byte() {
  static const numbers all = [] {
    numbers made(count);
    std::mt19937_64 random(3);
    for (auto& n : made) n = random() & 0x7f;
    return made;
  }();
  return all;
}

bytes encoded(const numbers& all) {
  bytes_writer out;
  for (const std::uint64_t n : all) or_throw(write_varint(out, n));
  return out.take();
}

std::uint64_t sum_of(const numbers& all) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : all) sum += n;
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Decoding: the sum of all

std::uint64_t decode_by_hand(std::span<const std::byte> from) {
  std::uint64_t sum = 0;
  const std::byte* at = from.data();
  const std::byte* const end = at + from.size();
  while (at != end) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (;;) {
      if (at == end || shift > 63) std::abort();
      const auto byte = std::to_integer<std::uint64_t>(*at++);
      value |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80) break;
    }
    sum += value;
  }
  return sum;
}

template <class R>
std::uint64_t decode_each(R& in) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i != count; ++i) {
    const auto n = read_varint<std::uint64_t>(in);
    if (!n) [[unlikely]]
      std::abort();
    sum += *n;
  }
  return sum;
}

std::uint64_t decode_span_reader(std::span<const std::byte> from) {
  span_reader in(from);
  return decode_each(in);
}

std::uint64_t decode_buf_reader(std::span<const std::byte> from) {
  static bytes memory(65536);
  span_reader inner(from);
  buf_reader in{inner, std::span<std::byte>(memory)};
  return decode_each(in);
}

#ifdef SLUICE_BENCH_PROTOBUF
namespace pb = google::protobuf;

std::uint64_t decode_protobuf(std::span<const std::byte> from) {
  pb::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(from.data()), static_cast<int>(from.size()));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i != count; ++i) {
    std::uint64_t n;
    if (!in.ReadVarint64(&n)) [[unlikely]]
      std::abort();
    sum += n;
  }
  return sum;
}
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Encoding into room for all

std::size_t encode_by_hand(const numbers& all, std::span<std::byte> room) {
  std::byte* at = room.data();
  const std::byte* const end = at + room.size();
  for (std::uint64_t n : all) {
    if (end - at < 10) std::abort();
    for (; n >= 0x80; n >>= 7) *at++ = static_cast<std::byte>(n | 0x80);
    *at++ = static_cast<std::byte>(n);
  }
  return static_cast<std::size_t>(at - room.data());
}

std::size_t encode_span_writer(const numbers& all, std::span<std::byte> room) {
  span_writer out(room);
  for (const std::uint64_t n : all) {
    if (!write_varint(out, n)) [[unlikely]]
      std::abort();
  }
  return out.written().size();
}

std::size_t encode_buf_writer(const numbers& all, std::span<std::byte> room) {
  static bytes memory(65536);
  span_writer inner(room);
  buf_writer out{inner, std::span<std::byte>(memory)};
  for (const std::uint64_t n : all) {
    if (!write_varint(out, n)) [[unlikely]]
      std::abort();
  }
  or_throw(out.flush());
  return inner.written().size();
}

#ifdef SLUICE_BENCH_PROTOBUF
std::size_t encode_protobuf(const numbers& all, std::span<std::byte> room) {
  pb::io::ArrayOutputStream stream(room.data(), static_cast<int>(room.size()));
  pb::io::CodedOutputStream out(&stream);
  for (const std::uint64_t n : all) out.WriteVarint64(n);
  return static_cast<std::size_t>(out.ByteCount());
}
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Messages: the sum of their first bytes

bytes messages() {
  bytes_writer out;
  for (std::size_t i = 0; i != message_count; ++i)
    or_throw(write_delimited(out, std::string(message_size, static_cast<char>(i))));
  return out.take();
}

std::uint64_t messages_by_hand(std::span<const std::byte> from) {
  std::uint64_t sum = 0;
  while (!from.empty()) {
    std::size_t size = 0;
    unsigned shift = 0;
    for (;;) {
      if (from.empty() || shift > 63) std::abort();
      const auto byte = std::to_integer<std::size_t>(from.front());
      from = from.subspan(1);
      size |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80) break;
    }
    if (size == 0 || size > from.size()) std::abort();
    sum += std::to_integer<std::uint64_t>(from.front());
    from = from.subspan(size);
  }
  return sum;
}

template <class R>
std::uint64_t messages_of(delimited_reader<R>& in) {
  std::uint64_t sum = 0;
  for (;;) {
    const auto message = in.next();
    if (!message) std::abort();
    if (!*message) return sum;
    sum += std::to_integer<std::uint64_t>((*message)->front());
  }
}

std::uint64_t messages_in_memory(std::span<const std::byte> from) {
  delimited_reader in{span_reader(from)};
  return messages_of(in);
}

std::uint64_t messages_buffered(std::span<const std::byte> from) {
  static bytes memory(65536);
  span_reader inner(from);
  delimited_reader in{buf_reader{inner, std::span<std::byte>(memory)}};
  return messages_of(in);
}

std::uint64_t messages_copied(std::span<const std::byte> from) {
  span_reader in(from);
  std::uint64_t sum = 0;
  bytes message;
  for (;;) {
    const auto there = read_delimited(in, message);
    if (!there) std::abort();
    if (!*there) return sum;
    sum += std::to_integer<std::uint64_t>(message.front());
  }
}

#ifdef SLUICE_BENCH_PROTOBUF
std::uint64_t messages_protobuf(std::span<const std::byte> from) {
  pb::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(from.data()), static_cast<int>(from.size()));
  std::uint64_t sum = 0;
  std::string message;
  std::uint32_t size;
  while (in.ReadVarint32(&size)) {
    if (!in.ReadString(&message, static_cast<int>(size))) std::abort();
    sum += static_cast<unsigned char>(message.front());
  }
  return sum;
}
#endif

// ---------------------------------------------------------------------------------------------------------------------

void add_decoding(const std::string& set, const numbers& (*all)(), const char* name,
                  std::uint64_t (*decode)(std::span<const std::byte>)) {
  bench::add_row("varint/decode/" + set + "/" + name, [all, decode](benchmark::State& state) {
    const bytes stream = encoded(all());
    const std::uint64_t expected = sum_of(all());
    for (auto _ : state)
      if (decode(stream) != expected) std::abort();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(stream.size()));
  });
}

void add_encoding(const std::string& set, const numbers& (*all)(), const char* name,
                  std::size_t (*encode)(const numbers&, std::span<std::byte>)) {
  bench::add_row("varint/encode/" + set + "/" + name, [all, encode](benchmark::State& state) {
    bytes room(10 * count + 16, std::byte{0});
    const std::size_t expected = encoded(all()).size();
    for (auto _ : state)
      if (encode(all(), room) != expected) std::abort();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(expected));
  });
}

void add_messages(const char* name, std::uint64_t (*read)(std::span<const std::byte>)) {
  bench::add_row(std::string("delimited/300/") + name, [read](benchmark::State& state) {
    const bytes stream = messages();
    const std::uint64_t expected = messages_by_hand(stream);
    for (auto _ : state)
      if (read(stream) != expected) std::abort();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(message_count));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(stream.size()));
  });
}

void add_set(const std::string& set, const numbers& (*all)()) {
  add_decoding(set, all, "by_hand", decode_by_hand);
  add_decoding(set, all, "span_reader", decode_span_reader);
  add_decoding(set, all, "buf_reader", decode_buf_reader);
#ifdef SLUICE_BENCH_PROTOBUF
  add_decoding(set, all, "protobuf", decode_protobuf);
#endif
  add_encoding(set, all, "by_hand", encode_by_hand);
  add_encoding(set, all, "span_writer", encode_span_writer);
  add_encoding(set, all, "buf_writer", encode_buf_writer);
#ifdef SLUICE_BENCH_PROTOBUF
  add_encoding(set, all, "protobuf", encode_protobuf);
#endif
}

const bool added = [] {
  add_set("mixed", mixed);
  add_set("small", small);
  add_set("one_byte", one_byte);
  add_messages("by_hand", messages_by_hand);
  add_messages("in_memory", messages_in_memory);
  add_messages("buffered", messages_buffered);
  add_messages("copied", messages_copied);
#ifdef SLUICE_BENCH_PROTOBUF
  add_messages("protobuf_copied", messages_protobuf);
#endif
  return true;
}();

}  // namespace
