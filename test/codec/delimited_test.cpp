// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/messages.hpp>
#include <sluice/sluice.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "support/allocations.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <regex>

namespace sluice::test {
namespace {

using namespace sluice::literals;

bytes sample(std::string_view name) {
  return or_throw(
      read_all(or_throw(file::open(std::string(SLUICE_TEST_DATA) + "/protobuf-http/" + std::string(name)))));
}

using contents = std::vector<std::vector<std::byte>>;

/// Messages around the sizes where the length gets a byte more, and an empty one at the end.
contents assorted() {
  contents all;
  for (const std::size_t n : {0U, 1U, 2U, 126U, 127U, 128U, 129U, 5U, 300U, 2000U, 3U, 0U, 0U})
    all.push_back(support::pattern(n, static_cast<std::uint32_t>(n + 1)));
  return all;
}

std::vector<std::byte> encoded(const contents& all) {
  bytes_writer out;
  for (const auto& message : all) EXPECT_TRUE(write_delimited(out, message));
  return {out.view().begin(), out.view().end()};
}

/// What a delimited_reader gave, and how it ended.
struct outcome {
  contents all;
  std::error_code error;  // none at a clean end
  bool operator==(const outcome&) const = default;
};

template <class R>
outcome read_messages(R&& r, const delimited_options& options = {}) {
  outcome got;
  delimited_reader in(std::forward<R>(r), options);
  for (;;) {
    const auto message = in.next();
    if (!message) got.error = message.error();
    if (!message || !*message) return got;
    got.all.emplace_back((*message)->begin(), (*message)->end());
  }
}

template <class Message, class R>
outcome read_each(R&& r, const delimited_options& options = {}) {
  outcome got;
  Message message;
  for (;;) {
    const auto there = read_delimited(r, message, options);
    if (!there) got.error = there.error();
    if (!there || !*there) return got;
    const auto content = std::as_bytes(std::span(message));
    got.all.emplace_back(content.begin(), content.end());
  }
}

/// By all ways there are, in chunks of this size.
template <class Check>
void in_all_ways(std::span<const std::byte> stream, std::size_t chunk, const delimited_options& options, Check check) {
  check(read_messages(span_reader(stream), options));
  check(read_messages(span_reader(stream) | short_reads(chunk), options));
  check(read_messages(buf_reader(span_reader(stream) | short_reads(chunk), 16), options));
  check(read_messages(buf_reader(span_reader(stream) | short_reads(chunk), {.initial = 16, .maximum = 1000}), options));
  check(read_messages(support::window_reader{.data = stream, .room = 4096, .chunk = chunk}, options));
  check(read_each<bytes>(span_reader(stream), options));
  check(read_each<std::string>(span_reader(stream) | short_reads(chunk), options));
  check(read_each<bytes>(buf_reader(span_reader(stream) | short_reads(chunk), 3), options));
}

TEST(delimited, what_is_written_is_read_in_chunks_of_any_size) {
  const auto all = assorted();
  const auto stream = encoded(all);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk)
    in_all_ways(stream, chunk, {}, [&](const outcome& got) { ASSERT_EQ(got, (outcome{all, {}})) << chunk; });
}

TEST(delimited, lengths_of_more_bytes_are_written_and_read) {
  contents all;
  for (const std::size_t n : {16383U, 16384U, 2097151U, 2097152U}) all.push_back(support::pattern(n));
  const auto stream = encoded(all);
  in_all_ways(stream, 5000, {}, [&](const outcome& got) { ASSERT_EQ(got, (outcome{all, {}})); });
}

TEST(delimited, ends_between_messages_and_is_truncated_everywhere_else) {
  contents all;
  for (const std::size_t n : {0U, 1U, 130U, 0U, 20U}) all.push_back(support::pattern(n));
  const auto stream = encoded(all);
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    std::size_t end = 0;
    contents before;
    for (const auto& message : all) {
      const std::size_t size = varint_size(message.size()) + message.size();
      if (end + size > cut) break;
      end += size;
      before.push_back(message);
    }
    const outcome expected{before, end == cut ? std::error_code() : io_errc::truncated};
    for (const std::size_t chunk : {1U, 7U, 1000U}) {
      in_all_ways(std::span(stream).first(cut), chunk, {},
                  [&](const outcome& got) { ASSERT_EQ(got, expected) << cut << ' ' << chunk; });
    }
  }
}

TEST(delimited, a_message_above_the_limit_is_refused_and_one_at_it_is_not) {
  const contents all{support::pattern(10), support::pattern(300)};
  const auto stream = encoded(all);
  for (const std::size_t chunk : {1U, 9U, 1000U}) {
    in_all_ways(stream, chunk, {.max_size = 300}, [&](const outcome& got) { EXPECT_EQ(got, (outcome{all, {}})); });
    in_all_ways(stream, chunk, {.max_size = 299},
                [&](const outcome& got) { EXPECT_EQ(got, (outcome{{all[0]}, io_errc::limit_exceeded})); });
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Samples of another implementation

TEST(delimited_samples, messages_of_gogo_are_found_where_its_manifest_tells) {
  const bytes stream = sample("pb-delimited.bin");
  std::ifstream manifest(std::string(SLUICE_TEST_DATA) + "/protobuf-http/pb-delimited.txt");
  const std::regex frame("message at ([0-9]+): (?:.*frame of ([0-9]+) bytes|empty message, .*)");
  contents expected;
  for (std::string line; std::getline(manifest, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, frame)) continue;
    const std::size_t at = std::stoul(found[1]);
    const std::size_t size = found[2].matched ? std::stoul(found[2]) : 1;
    const auto whole = std::span(stream).subspan(at, size);
    const std::size_t prefix = size <= 128 ? 1 : size <= 16385 ? 2 : 3;
    expected.emplace_back(whole.begin() + static_cast<std::ptrdiff_t>(prefix), whole.end());
  }
  ASSERT_EQ(expected.size(), 9U);
  for (std::size_t chunk = 1; chunk <= 64; chunk += 21)
    in_all_ways(stream, chunk, {}, [&](const outcome& got) { ASSERT_EQ(got, (outcome{expected, {}})); });
  EXPECT_TRUE(support::equal(encoded(expected), stream));
}

TEST(delimited_samples, hostile_ones_are_errors_and_none_a_clean_end) {
  const auto expect = [](std::string_view name, const outcome& expected) {
    const bytes stream = sample(name);
    for (const std::size_t chunk : {1U, 3U, 100U})
      in_all_ways(stream, chunk, {}, [&](const outcome& got) { EXPECT_EQ(got, expected) << name; });
  };
  expect("pb-delimited-huge.bin", {{}, io_errc::limit_exceeded});
  expect("pb-delimited-varint-max.bin", {{}, io_errc::limit_exceeded});
  expect("pb-delimited-trunc-varint.bin", {{}, io_errc::truncated});
  expect("pb-delimited-varint-overlong-zero.bin", {{{}}, {}});
}

TEST(delimited_samples, a_length_that_is_no_varint_is_invalid) {
  const std::vector<std::byte> eleven(11, std::byte{0xff});
  auto overflowing = std::vector(10, std::byte{0xff});
  overflowing.back() = std::byte{2};
  for (const auto& stream : {eleven, overflowing})
    in_all_ways(stream, 4, {}, [](const outcome& got) { EXPECT_EQ(got, (outcome{{}, io_errc::invalid_data})); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

/// What a length claims, and bytes that really follow it.
std::vector<std::byte> claim(std::uint64_t size, std::size_t there) {
  std::vector<std::byte> stream(varint_size(size));
  store_varint(stream, size);
  stream.resize(stream.size() + there);
  return stream;
}

TEST(delimited_memory, a_length_is_not_believed_before_the_bytes_arrive) {
  const delimited_options options{.max_size = 1_GiB};
  for (const std::uint64_t size : {std::uint64_t{200'000}, std::uint64_t{64_MiB}, std::uint64_t{1_GiB}}) {
    for (const std::size_t there : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{100'000}}) {
      const auto stream = claim(size, there);
      std::vector<std::byte> memory(4096);
      {
        const support::allocations before;
        bytes message;
        const auto got = read_delimited(span_reader(stream) | short_reads(500), message, options);
        EXPECT_EQ(got.error(), io_errc::truncated);
        EXPECT_EQ(got.error().bytes, stream.size());
        EXPECT_EQ(message.size(), there);
        EXPECT_LE(before.bytes(), 64_KiB + 4 * there + 100);
        EXPECT_LE(message.capacity(), 64_KiB + 2 * there);
      }
      {
        const support::allocations before;
        std::string message;
        EXPECT_FALSE(read_delimited(span_reader(stream) | short_reads(500), message, options));
        EXPECT_EQ(message.size(), there);
        EXPECT_LE(message.capacity(), 64_KiB + 2 * there);
      }
      {
        const support::allocations before;
        delimited_reader in(buf_reader(span_reader(stream) | short_reads(500), std::span(memory)), options);
        EXPECT_EQ(in.next(), fail(io_errc::truncated));
        EXPECT_EQ(in.next(), fail(io_errc::truncated));
        EXPECT_LE(before.bytes(), 64_KiB + 4 * there + 100);
      }
      {
        const support::allocations before;
        const buffer_capacity growing{.initial = 1000, .maximum = 1_GiB};
        delimited_reader in(buf_reader(span_reader(stream) | short_reads(500), growing), options);
        EXPECT_EQ(in.next(), fail(io_errc::truncated));
        EXPECT_LE(before.bytes(), 64_KiB + 6 * there + 3000);
      }
      {
        const support::allocations before;
        delimited_reader in(span_reader(stream), options);
        EXPECT_EQ(in.next(), fail(io_errc::truncated));
        EXPECT_EQ(before.count(), 0U);
      }
    }
  }
}

TEST(delimited_memory, no_message_that_fits_the_buffer_costs_any) {
  contents all;
  for (std::size_t n = 0; n < 1000; n += 7) all.push_back(support::pattern(n));
  const auto stream = encoded(all);
  std::vector<std::byte> memory(1100);
  for (const std::size_t chunk : {1U, 50U, 5000U}) {
    auto source = span_reader(stream) | short_reads(chunk);
    const support::allocations before;
    delimited_reader in(buf_reader(source, std::span(memory)));
    std::size_t found = 0;
    for (auto message = in.next(); message && *message; message = in.next()) ++found;
    EXPECT_EQ(found, all.size());
    EXPECT_EQ(before.count(), 0U);
  }
}

TEST(delimited_memory, larger_ones_share_one_allocation) {
  const auto stream = encoded(contents(5, support::pattern(60'000)));
  std::vector<std::byte> memory(1000);
  auto source = span_reader(stream) | short_reads(700);
  const support::allocations before;
  delimited_reader in(buf_reader(source, std::span(memory)));
  std::size_t found = 0;
  for (auto message = in.next(); message && *message; message = in.next()) ++found;
  EXPECT_EQ(found, 5U);
  EXPECT_EQ(before.count(), 1U);
}

struct hinted_reader {
  span_reader inner;

  result<std::size_t> read_some(std::span<std::byte> b) {
    return inner.read_some(b.first(std::min<std::size_t>(b.size(), 5000)));
  }
  std::optional<std::uintmax_t> size_hint() const { return inner.size_hint(); }
};

TEST(delimited_memory, one_allocation_where_the_reader_tells_that_the_bytes_are_there) {
  const auto stream = encoded({support::pattern(900'000)});
  bytes message;
  const support::allocations before;
  EXPECT_EQ(read_delimited(hinted_reader{span_reader(stream)}, message), true);
  EXPECT_EQ(message.size(), 900'000U);
  EXPECT_EQ(before.bytes(), 900'000U);
}

TEST(delimited_memory, the_memory_of_a_message_is_used_again) {
  const auto stream = encoded({support::pattern(50'000), support::pattern(100), support::pattern(40'000)});
  auto in = span_reader(stream) | short_reads(999);
  std::string message;
  ASSERT_EQ(read_delimited(in, message), true);
  const support::allocations before;
  ASSERT_EQ(read_delimited(in, message), true);
  EXPECT_EQ(message.size(), 100U);
  ASSERT_EQ(read_delimited(in, message), true);
  EXPECT_EQ(message.size(), 40'000U);
  EXPECT_EQ(read_delimited(in, message), false);
  EXPECT_EQ(message, "");
  EXPECT_EQ(before.count(), 0U);
}

// ---------------------------------------------------------------------------------------------------------------------
// Where the reader stands

TEST(delimited_reader, leaves_the_stream_behind_the_last_message) {
  auto stream = encoded({support::pattern(3), support::pattern(200), support::pattern(5000)});
  const auto tail = support::to_bytes("tail");
  stream.insert(stream.end(), tail.begin(), tail.end());
  for (std::size_t wanted = 0; wanted <= 3; ++wanted) {
    buf_reader in{span_reader(stream) | short_reads(10), 1000};
    {
      delimited_reader of_it{in};
      for (std::size_t i = 0; i < wanted; ++i) ASSERT_TRUE(of_it.next().value());
    }
    const std::size_t passed[] = {0, 4, 206, 5208};
    EXPECT_TRUE(support::equal(support::drain(in).value(), std::span(stream).subspan(passed[wanted])));

    delimited_reader owning{buf_reader{span_reader(stream) | short_reads(10), 1000}};
    for (std::size_t i = 0; i < wanted; ++i) ASSERT_TRUE(owning.next().value());
    auto moved = std::move(owning);
    EXPECT_TRUE(moved.inner().buffered().size() <= stream.size() - passed[wanted]);
    auto rest = std::move(moved).into_inner();
    EXPECT_TRUE(support::equal(support::drain(rest).value(), std::span(stream).subspan(passed[wanted])));
  }
}

TEST(delimited_reader, stands_at_the_beginning_of_a_message_that_is_refused) {
  const auto stream = encoded({support::pattern(3), support::pattern(200)});
  span_reader in(stream);
  delimited_reader small{in, {.max_size = 100}};
  ASSERT_TRUE(small.next().value());
  EXPECT_EQ(small.next(), fail(io_errc::limit_exceeded));
  EXPECT_EQ(small.next(), fail(io_errc::limit_exceeded));
  EXPECT_EQ(in.remaining(), 202U);
  delimited_reader large{in};
  EXPECT_EQ(large.next().value()->size(), 200U);
}

TEST(delimited_reader, goes_on_after_each_call_that_fails) {
  const auto all = assorted();
  const auto stream = encoded(all);
  const auto again = std::make_error_code(std::errc::operation_would_block);
  for (const std::size_t capacity : {16U, 1000U, 100'000U}) {
    contents got;
    delimited_reader in{buf_reader{
        span_reader(stream) | faults{.most = 97, .fail_at = 1, .failures = 1, .every = 1, .error = again}, capacity}};
    for (std::size_t failed = 0; failed < 1000;) {
      const auto message = in.next();
      if (!message) {
        ASSERT_EQ(message.error(), again);
        ++failed;
      } else if (*message) {
        got.emplace_back((*message)->begin(), (*message)->end());
      } else {
        break;
      }
    }
    EXPECT_EQ(got, all);
  }
}

TEST(delimited_reader, an_error_at_any_call_comes_after_the_messages_before_it) {
  const contents all{support::pattern(30), support::pattern(300), support::pattern(3)};
  const auto stream = encoded(all);
  for (std::size_t k = 1; k <= stream.size() / 10 + 2; ++k) {
    const auto got = read_messages(support::chunked_reader{.data = stream, .chunk = 10, .fail_at = k});
    EXPECT_EQ(got.error, std::errc::io_error);
    const std::size_t arrived = 10 * (k - 1);
    EXPECT_EQ(got.all.size(), arrived >= stream.size() ? 3U : arrived >= 333 ? 2U : arrived >= 31 ? 1U : 0U) << k;
  }
}

TEST(delimited_reader, asks_for_no_more_than_the_message_needs) {
  const auto stream = encoded({support::pattern(3), support::pattern(200)});
  support::window_reader in{.data = stream, .room = 1000, .chunk = 1};
  delimited_reader of_it{in};
  ASSERT_TRUE(of_it.next().value());
  EXPECT_EQ(in.reads, 4U);
  ASSERT_TRUE(of_it.next().value());
  EXPECT_EQ(in.reads, 206U);
}

TEST(read_delimited, takes_nothing_behind_the_message) {
  const auto stream = encoded({support::pattern(200), support::pattern(3)});
  support::chunked_reader in{stream};
  bytes message;
  ASSERT_EQ(read_delimited(in, message), true);
  EXPECT_EQ(in.data.size(), 4U);
  EXPECT_TRUE(support::equal(message, support::pattern(200)));
}

TEST(read_delimited, an_error_brings_what_had_arrived) {
  const auto stream = encoded({support::pattern(200)});
  for (std::size_t k = 1; k <= 22; ++k) {
    support::chunked_reader in{.data = stream, .chunk = 10, .fail_at = k};
    bytes message;
    const auto got = read_delimited(in, message);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error(), std::errc::io_error);
    EXPECT_EQ(got.error().bytes, stream.size() - in.data.size());
    const std::size_t arrived = got.error().bytes < 2 ? 0 : static_cast<std::size_t>(got.error().bytes) - 2;
    EXPECT_TRUE(support::equal(message, std::span(stream).subspan(2, arrived)));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// As a range

static_assert(std::ranges::input_range<messages_view<span_reader>> && std::ranges::view<messages_view<span_reader&>>);

TEST(delimited_range, has_all_messages_and_goes_on_where_a_loop_has_stopped) {
  const auto all = assorted();
  const auto stream = encoded(all);
  contents got;
  const auto keep = [&](std::span<const std::byte> message) { got.emplace_back(message.begin(), message.end()); };
  for (const auto message : span_reader(stream) | short_reads(5) | messages()) keep(message);
  EXPECT_EQ(got, all);

  got.clear();
  span_reader in(stream);
  for (const auto message : messages(in)) {
    keep(message);
    if (got.size() == 4) break;
  }
  for (const auto message : in | messages()) keep(message);
  EXPECT_EQ(got, all);
}

TEST(delimited_range, tells_an_error_in_both_ways) {
  auto stream = encoded({support::pattern(3), support::pattern(200)});
  stream.pop_back();
  std::size_t found = 0;
  std::error_code error;
  for (const auto message : span_reader(stream) | messages(error)) found += message.size();
  EXPECT_EQ(found, 3U);
  EXPECT_EQ(error, io_errc::truncated);
  for (const auto message : messages(span_reader(stream), {.max_size = 100}, error)) found += message.size();
  EXPECT_EQ(error, io_errc::limit_exceeded);
  for (const auto message : messages(span_reader(std::span(stream).first(4)), error)) found += message.size();
  EXPECT_EQ(error, std::error_code());
  EXPECT_THROW(
      {
        for (const auto message : messages(span_reader(stream))) found += message.size();
      },
      std::system_error);
  EXPECT_EQ(found, 12U);
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

TEST(write_delimited, is_one_call_of_a_vectored_writer) {
  support::vectored_recording_writer out;
  ASSERT_TRUE(write_delimited(out, "message"));
  EXPECT_EQ(out.vectored_calls, 1U);
  EXPECT_EQ(support::text(out.data), "\7message");
}

TEST(write_delimited, counts_the_length_among_the_bytes_of_an_error) {
  const auto message = support::pattern(300);
  for (std::size_t k = 1; k <= 4; ++k) {
    support::recording_writer out{.chunk = 100, .fail_at = k};
    const auto written = write_delimited(out, message);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().bytes, out.data.size());

    std::vector<std::byte> room(k * 60);
    span_writer into(room);
    const auto cut = write_delimited(into, message);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().bytes, room.size());
  }
}

TEST(delimited_writer, writes_in_place_what_is_prepared_and_committed) {
  const auto all = assorted();
  support::recording_writer to;
  delimited_writer out{buf_writer{to, 20'000}};
  for (const auto& message : all) {
    const auto dropped = out.prepare(message.size() + 1);
    ASSERT_TRUE(dropped);
    const auto room = out.prepare(message.size());
    ASSERT_TRUE(room);
    ASSERT_EQ(room->size(), message.size());
    std::ranges::copy(message, room->begin());
    out.commit();
    out.commit();  // nothing more
  }
  ASSERT_TRUE(out.write(support::pattern(30'000)));
  ASSERT_TRUE(out.write("text"));
  EXPECT_EQ(out.prepare(20'000), fail(io_errc::buffer_too_small));
  EXPECT_EQ(out.prepare(static_cast<std::size_t>(-1)), fail(io_errc::buffer_too_small));
  ASSERT_TRUE(out.flush());
  auto expected = all;
  expected.push_back(support::pattern(30'000));
  expected.push_back(support::to_bytes("text"));
  EXPECT_EQ(to.data, encoded(expected));
}

}  // namespace
}  // namespace sluice::test
