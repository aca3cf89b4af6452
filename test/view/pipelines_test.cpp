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
static_assert(!::ranges::viewable_range<owning>);  // so range-v3 takes it with a name only
static_assert(reader<file> && !std::copyable<file> &&
              std::ranges::viewable_range<decltype(std::declval<file>() | lines())>);

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

/// What the range ends with, in the form that throws as in the other.
template <class Make, class Take>
std::error_code take_all(bool throwing, Make make, Take take) {
  std::error_code error;
  if (!throwing) {
    for (const auto element : make(error)) take(element);
    return error;
  }
  try {
    for (const auto element : make()) take(element);
  } catch (const std::system_error& e) {
    error = e.code();
  }
  return error;
}

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
  std::vector<std::size_t> got;
  for (const std::size_t size : sizes) got.push_back(size);  // g++ 12 warns of the iterators that ::ranges::to makes
  EXPECT_EQ(got, (std::vector<std::size_t>{3, 5, 4}));
}

TEST(from_range, ends_with_an_element_that_throws) {
  const std::string text = "abcde";
  const auto at_c = [](char c) {
    if (c == 'c') throw std::system_error(make_error_code(std::errc::io_error));
    return c;
  };
  auto r = from_range(text | std::views::transform(at_c));
  std::array<std::byte, 8> b;
  EXPECT_EQ(r.read_some(b).value(), 2U);
  EXPECT_EQ(r.read_some({}).value(), 0U);
  EXPECT_EQ(r.read_some(b).error(), std::errc::io_error);
  EXPECT_EQ(r.read_some(b).value(), 0U);
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

TEST(pipelines, that_own_all_move_as_one) {
  test::temporary_folder folder;
  const auto path = folder.path() + "/text";
  std::ofstream(path) << "one\n\nthree\nfour\nfive\n";
  auto sizes = file::open(path).value() | lines() | std::views::filter(not_empty) | std::views::drop(1) |
               std::views::transform(size_of) | std::views::take(2);
  static_assert(!std::copyable<decltype(sizes)>);
  auto moved = std::move(sizes);
  EXPECT_EQ(std::move(moved) | to<std::vector<std::size_t>>(), (std::vector<std::size_t>{5, 4}));
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

TEST(chunks, failing_read_stops_and_trying_again_goes_on) {
  const auto data = support::pattern(40);
  for (const std::size_t n : {1U, 3U, 8U, 40U, 50U}) {
    for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
      for (std::size_t k = 1; k <= (data.size() + chunk - 1) / chunk + 1; ++k) {
        for (const bool throwing : {false, true}) {
          support::window_reader in{.data = data, .room = 64, .chunk = chunk, .fail_at = k};
          bytes all;
          const auto make = [&](auto&... error) { return chunks(in, n, error...); };
          const auto take = [&](std::span<const std::byte> piece) {
            EXPECT_EQ(piece.size(), std::min(n, data.size() - all.size()));
            all.insert(all.end(), piece.begin(), piece.end());
          };
          ASSERT_EQ(take_all(throwing, make, take), std::errc::io_error);
          // All that were complete before the failure, and not more.
          ASSERT_EQ(all.size(), std::min((k - 1) * chunk, data.size()) / n * n) << n << ' ' << chunk << ' ' << k;
          ASSERT_EQ(take_all(throwing, make, take), std::error_code());
          ASSERT_TRUE(support::equal(all, data)) << n << ' ' << chunk << ' ' << k;
        }
      }
    }
  }
}

TEST(each_byte, failing_read_stops_and_trying_again_goes_on) {
  const auto data = support::pattern(40);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    for (std::size_t k = 1; k <= (data.size() + chunk - 1) / chunk + 1; ++k) {
      for (const bool throwing : {false, true}) {
        support::window_reader in{.data = data, .room = 64, .chunk = chunk, .fail_at = k};
        bytes all;
        const auto make = [&](auto&... error) { return each_byte(in, error...); };
        const auto take = [&](std::byte b) { all.push_back(b); };
        ASSERT_EQ(take_all(throwing, make, take), std::errc::io_error);
        ASSERT_EQ(all.size(), std::min((k - 1) * chunk, data.size())) << chunk << ' ' << k;
        ASSERT_EQ(take_all(throwing, make, take), std::error_code());
        ASSERT_TRUE(support::equal(all, data)) << chunk << ' ' << k;
      }
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
  const std::string text = "one\ntwo\n\nthree\n";
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    for (std::size_t k = 1; k <= (text.size() + chunk - 1) / chunk + 1; ++k) {
      const std::string arrived = text.substr(0, (k - 1) * chunk);
      const std::string complete = arrived.substr(0, arrived.rfind('\n') + 1);
      for (std::size_t request = 1; request <= 20; ++request) {
        support::window_reader in{.data = sluice::as_bytes(text), .room = 64, .chunk = chunk, .fail_at = k};
        auto reader = from_range(in | lines({.keep_terminator = true}));
        std::string got;
        result<std::size_t> n = 0;
        std::array<std::byte, 20> memory;
        while ((n = read_some(reader, std::span(memory).first(request))) && *n != 0)
          got += support::text(std::span(memory).first(*n));
        ASSERT_FALSE(n) << chunk << ' ' << k << ' ' << request;
        ASSERT_EQ(n.error(), std::errc::io_error);
        ASSERT_EQ(got, complete) << chunk << ' ' << k << ' ' << request;
        ASSERT_EQ(read_some(reader, memory).value(), 0U);
      }
      // A view that has told the error elsewhere just ends.
      support::window_reader in{.data = sluice::as_bytes(text), .room = 64, .chunk = chunk, .fail_at = k};
      std::error_code error;
      auto reader = from_range(in | lines({.keep_terminator = true}, error));
      ASSERT_EQ(support::text(support::drain(reader).value()), complete);
      ASSERT_EQ(error, std::errc::io_error);
    }
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
  const auto data = support::pattern(400);
  const std::string text = support::text(data);
  for (std::size_t capacity = 1; capacity <= 64; ++capacity) {
    for (const std::size_t chunk : {1U, 3U, 64U}) {
      for (std::size_t k = 1; k <= 5; ++k) {
        support::recording_writer target{.chunk = chunk, .fail_at = k};
        // All up to the byte that found the buffer full when it could not be emptied.
        const std::size_t calls_for_a_buffer = (capacity + chunk - 1) / chunk;
        const std::size_t accepted = ((k - 1) / calls_for_a_buffer + 1) * capacity;
        {
          buf_writer out{target, capacity};
          auto it = std::ranges::copy(text, writer_iterator(out)).out;
          it = std::string_view("more");
          ASSERT_EQ(it.error(), std::errc::no_space_on_device) << capacity << ' ' << chunk << ' ' << k;
          ASSERT_EQ(it.finish().error(), std::errc::no_space_on_device);
          ASSERT_EQ(target.calls, k);
        }
        ASSERT_EQ(target.data.size(), accepted) << capacity << ' ' << chunk << ' ' << k;
        ASSERT_TRUE(support::equal(target.data, std::span(data).first(accepted))) << capacity << ' ' << chunk;
      }
    }
  }
}

}  // namespace
