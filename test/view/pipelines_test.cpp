// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/buffered.hpp>
#include <sluice/adaptor/limit.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/bytes.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/system/file.hpp>
#include <sluice/view/chunks.hpp>
#include <sluice/view/each_byte.hpp>
#include <sluice/view/from_range.hpp>
#include <sluice/view/lines.hpp>
#include <sluice/view/to.hpp>
#include <sluice/view/writer_iterator.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/take.hpp>
#include <range/v3/view/transform.hpp>

#include <forward_list>
#include <fstream>
#include <list>

#include <fmt/format.h>

namespace {

using namespace sluice;
using support::chunked_reader;
using strings = std::vector<std::string>;

// To both libraries a view of a reader that it refers to, and a range of one that it owns.
using referring = lines_view<span_reader&>;
static_assert(std::ranges::input_range<referring> && std::ranges::view<referring>);
static_assert(::ranges::input_range<referring> && ::ranges::view_<referring>);
static_assert(!std::ranges::forward_range<referring> && !std::ranges::range<const referring>);

using owning = decltype(lines(std::declval<buf_reader<chunked_reader>>()));
static_assert(std::ranges::input_range<owning> && std::ranges::view<owning> && !std::copyable<owning>);
static_assert(::ranges::input_range<owning> && ::ranges::viewable_range<owning&>);

static_assert(std::same_as<decltype(lines(std::declval<chunked_reader&>())), lines_view<buf_reader<chunked_reader&>>>);
static_assert(std::same_as<std::ranges::range_value_t<chunks_view<span_reader>>, std::span<const std::byte>>);
static_assert(std::same_as<std::ranges::range_value_t<byte_view<span_reader>>, std::byte>);

static_assert(in_memory_reader<decltype(from_range(std::declval<std::string>()))>);
static_assert(in_memory_reader<decltype(from_range(std::declval<std::vector<std::byte>&>()))>);
static_assert(reader<decltype(from_range(std::declval<std::list<char>&>()))>);
static_assert(!buffered_reader<decltype(from_range(std::declval<strings&>()))>);

static_assert(std::output_iterator<writer_iterator<string_writer>, char>);
static_assert(std::output_iterator<writer_iterator<string_writer>, std::byte>);
static_assert(std::output_iterator<writer_iterator<string_writer>, std::string_view>);

constexpr auto not_empty = [](std::string_view line) { return !line.empty(); };
constexpr auto size_of = [](std::string_view line) { return line.size(); };

TEST(pipelines, of_the_standard_library) {
  span_reader r("one\n\nthree\nfour\nfive\n");
  auto sizes = r | lines() | std::views::filter(not_empty) | std::views::transform(size_of) | std::views::take(3);
  EXPECT_EQ(to<std::vector<std::size_t>>(sizes), (std::vector<std::size_t>{3, 5, 4}));
}

TEST(pipelines, of_range_v3) {
  span_reader r("one\n\nthree\nfour\nfive\n");
  auto sizes =
      r | lines() | ::ranges::views::filter(not_empty) | ::ranges::views::transform(size_of) | ::ranges::views::take(3);
  EXPECT_EQ(sizes | ::ranges::to<std::vector>(), (std::vector<std::size_t>{3, 5, 4}));
}

TEST(pipelines, taken_lines_leave_the_rest) {
  for (std::size_t n = 1; n <= 3; ++n) {
    span_reader standard("1\n2\n3\n4\n");
    EXPECT_EQ((standard | lines() | std::views::take(n) | to<strings>()).size(), n);
    EXPECT_EQ(standard.remaining(), 8 - 2 * n);
    span_reader range_v3("1\n2\n3\n4\n");
    EXPECT_EQ((lines(range_v3) | ::ranges::views::take(n) | ::ranges::to<strings>()).size(), n);
    EXPECT_EQ(range_v3.remaining(), 8 - 2 * n);
  }
}

TEST(pipelines, that_own_all) {
  test::temporary_folder folder;
  const auto path = folder.path() + "/text";
  std::ofstream(path) << "one\r\ntwo\nthree";
  EXPECT_EQ(file::open(path).value() | buffered() | lines() | to<strings>(), (strings{"one", "two", "three"}));
  EXPECT_EQ(file::open(path).value() | limit(7) | lines() | std::views::filter(not_empty) | to<strings>(),
            (strings{"one", "tw"}));
  auto named = file::open(path).value() | lines();
  EXPECT_EQ(named | ::ranges::views::filter(not_empty) | ::ranges::to<strings>(), (strings{"one", "two", "three"}));
}

TEST(chunks, same_for_all_sizes) {
  const auto data = support::pattern(50);
  for (std::size_t n = 1; n <= 60; ++n) {
    for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
      chunked_reader source{data, chunk};
      std::vector<std::byte> all;
      std::size_t expected = 0;
      buf_reader in{source, {.initial = 1, .maximum = 60}};
      for (const std::span<const std::byte> piece : in | chunks(n)) {
        ASSERT_EQ(piece.size(), std::min(n, data.size() - all.size()));
        all.insert(all.end(), piece.begin(), piece.end());
        ++expected;
      }
      ASSERT_EQ(all, data);
      ASSERT_EQ(expected, (data.size() + n - 1) / n);
    }
    EXPECT_EQ(std::ranges::distance(chunks(chunked_reader{data}, n)), static_cast<long>((50 + n - 1) / n));
  }
}

TEST(chunks, larger_than_the_buffer_may_grow_is_an_error) {
  const auto data = support::pattern(50);
  buf_reader in{chunked_reader{data}, 8};
  std::error_code error;
  EXPECT_EQ(std::ranges::distance(chunks(in, 9, error)), 0);
  EXPECT_EQ(error, io_errc::buffer_too_small);
  EXPECT_THROW(chunks(in, 9).begin(), std::system_error);
}

TEST(each_byte, same_for_all_chunks_and_goes_on_after_a_failure) {
  const auto data = support::pattern(40);
  for (std::size_t chunk = 1; chunk <= 45; ++chunk) {
    for (std::size_t k = 1; k <= 40 / chunk + 1; ++k) {
      support::window_reader in{.data = data, .chunk = chunk, .fail_at = k};
      std::error_code error;
      bytes all;
      for (const std::byte b : each_byte(in, error)) all.push_back(b);
      ASSERT_EQ(error, std::errc::io_error);
      for (const std::byte b : in | each_byte()) all.push_back(b);
      ASSERT_TRUE(support::equal(all, data));
    }
  }
}

TEST(each_byte, stops_behind_the_byte_that_was_looked_at) {
  for (std::size_t n = 1; n <= 5; ++n) {
    span_reader r("12345");
    std::size_t seen = 0;
    for ([[maybe_unused]] const std::byte b : r | each_byte())
      if (++seen == n) break;
    EXPECT_EQ(r.remaining(), 5 - n);
  }
}

TEST(to, bytes_become_text) {
  span_reader r("text");
  EXPECT_EQ(r | each_byte() | to<std::string>(), "text");
}

TEST(from_range, pieces_and_bytes_for_all_requests) {
  const strings pieces = {"", "one", "", "two and three", "f", ""};
  const std::string text = "onetwo and threef";
  const std::list<char> single(text.begin(), text.end());
  const std::forward_list<unsigned char> more(text.begin(), text.end());
  for (std::size_t request = 1; request <= 20; ++request) {
    const auto read_back = [request](auto reader) { return support::text(support::drain(reader, request).value()); };
    EXPECT_EQ(read_back(from_range(pieces)), text);
    EXPECT_EQ(read_back(from_range(strings(pieces))), text);
    EXPECT_EQ(read_back(from_range(pieces | std::views::transform([](const auto& s) { return s + '!'; }))),
              "!one!!two and three!f!!");
    EXPECT_EQ(read_back(from_range(pieces | std::views::transform([](const auto& s) { return sluice::as_bytes(s); }))),
              text);
    EXPECT_EQ(read_back(from_range(single)), text);
    EXPECT_EQ(read_back(from_range(more)), text);
    EXPECT_EQ(read_back(from_range(text)), text);
    EXPECT_EQ(read_back(from_range(std::string("short"))), "short");  // moves with the reader
  }
}

TEST(from_range, all_lines_with_their_ends_are_the_text) {
  for (const std::string text : {"", "\n", "a\r\nb\n\r\n\rc\r", "mixed\r\nends\nnone"}) {
    span_reader r(text);
    string_writer out;
    EXPECT_EQ(copy(from_range(r | lines({.keep_terminator = true})), out).value(), text.size());
    EXPECT_EQ(out.str(), text);
  }
}

TEST(from_range, failure_is_told_after_the_bytes_before_it) {
  const std::string text = "one\ntwo\nthree\n";
  for (std::size_t request = 1; request <= 20; ++request) {
    support::window_reader in{.data = sluice::as_bytes(text), .chunk = 5, .fail_at = 2};
    auto reader = from_range(in | lines({.keep_terminator = true}));
    std::string got;
    result<std::size_t> n = 0;
    std::array<std::byte, 20> memory;
    while ((n = read_some(reader, std::span(memory).first(request))) && *n != 0)
      got += support::text(std::span(memory).first(*n));
    ASSERT_FALSE(n) << request;
    EXPECT_EQ(n.error(), std::errc::io_error);
    EXPECT_EQ(got, "one\n");
    EXPECT_EQ(read_some(reader, memory).value(), 0U);
  }
}

TEST(writer_iterator, takes_bytes_chars_and_pieces) {
  support::recording_writer target;
  buf_writer out{target, 4};
  writer_iterator it(out);
  it = std::ranges::copy(std::string_view("chars "), it).out;
  it = std::ranges::copy(support::to_bytes("bytes "), it).out;
  it = std::ranges::copy(strings{"whole ", "pieces"}, it).out;
  EXPECT_FALSE(it.error());
  EXPECT_TRUE(it.finish());
  EXPECT_EQ(support::text(target.data), "chars bytes whole pieces");
}

TEST(writer_iterator, formats) {
  for (std::size_t capacity = 1; capacity <= 40; ++capacity) {
    support::recording_writer target;
    buf_writer out{target, capacity};
    ASSERT_TRUE(fmt::format_to(writer_iterator(out), "{} of {:>5}, {}\n", 7, 12, "text").finish());
    ASSERT_EQ(support::text(target.data), "7 of    12, text\n");
  }
}

TEST(writer_iterator, remembers_the_error_and_writes_no_more) {
  for (std::size_t k = 1; k <= 5; ++k) {
    support::recording_writer target{.chunk = 4, .fail_at = k};
    {
      buf_writer out{target, 4};
      auto it = std::ranges::copy(std::string(100, 'x'), writer_iterator(out)).out;
      EXPECT_EQ(it.error(), std::errc::no_space_on_device);
      EXPECT_EQ(it.finish().error(), std::errc::no_space_on_device);
      EXPECT_EQ(target.calls, k);
      EXPECT_EQ(target.data.size(), 4 * (k - 1));
    }
    EXPECT_EQ(target.data.size(), 4 * k);  // what was in the buffer
  }
}

}  // namespace
