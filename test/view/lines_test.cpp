// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/view/lines.hpp>
#include <sluice/view/split.hpp>

#include "support/streams.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace std::string_literals;
using support::chunked_reader;
using support::window_reader;

const std::vector<std::string> texts = {
    "",
    "\n",
    "\n\n",
    "a",
    "foo\nbar",
    "foo\nbar\n",
    "foo\r\nbar\r\n",
    "mixed\r\nends\nof lines\n\r\nand none",
    "one\rtwo\rdone\nlast\n",
    "\r",
    "\r\r\n\r",
    "ends with\r",
    "nul\0in a line\n\0\n"s,
    "\n" + std::string(70, 'x') + "\r\n" + std::string(64, 'y') + "\n" + std::string(63, 'z') + "\r\nshort\n",
    std::string(130, '\n') + "end",
};

/// What a slow and plain program makes of the text.
struct outcome {
  std::vector<std::string> elements = {};
  std::error_code error = {};
  std::string rest = {};  // what the reader still has

  friend bool operator==(const outcome&, const outcome&) = default;
};

outcome model(std::string_view text, char terminator, bool with_cr, const lines_options& options) {
  outcome o;
  while (!text.empty()) {
    const std::size_t at = text.find(terminator);
    const bool whole = at != text.npos;
    const std::string_view record = text.substr(0, whole ? at + 1 : at);
    std::string_view content = record.substr(0, at);
    if (with_cr && whole && content.ends_with('\r')) content.remove_suffix(1);
    if (content.size() > options.max_length) {
      o.error = io_errc::limit_exceeded;
      break;
    }
    o.elements.emplace_back(options.keep_terminator ? record : content);
    text.remove_prefix(record.size());
  }
  o.rest = text;
  return o;
}

/// Takes what comes until the end or an error.
template <class View>
void collect(View&& view, std::vector<std::string>& into) {
  for (const std::string_view element : view) into.emplace_back(element);
}

template <class R>
outcome lines_of(R& r, const lines_options& options = {}) {
  outcome o;
  collect(lines(r, options, o.error), o.elements);
  o.rest = support::text(support::drain(r).value());
  return o;
}

TEST(lines, newline_is_a_terminator_and_no_separator) {
  const auto count = [](std::string_view text) {
    span_reader r(text);
    return std::ranges::distance(lines(r));
  };
  EXPECT_EQ(count(""), 0);
  EXPECT_EQ(count("\n"), 1);
  EXPECT_EQ(count("\n\n"), 2);
  EXPECT_EQ(count("foo\nbar"), 2);
  EXPECT_EQ(count("foo\nbar\n"), 2);
}

TEST(lines, carriage_return_alone_is_content) {
  span_reader r("one\rtwo\rdone\nlast\n");
  EXPECT_EQ(lines_of(r).elements, (std::vector<std::string>{"one\rtwo\rdone", "last"}));
}

// However the bytes arrive, and wherever the buffer ends.
TEST(lines, same_for_all_chunks_and_buffers) {
  for (const std::string& text : texts) {
    for (const bool keep : {false, true}) {
      const lines_options options{.keep_terminator = keep};
      const outcome expected = model(text, '\n', true, options);
      for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
        for (std::size_t initial = 1; initial <= 80; initial += initial < 6 ? 1 : 11) {
          chunked_reader source{sluice::as_bytes(text), chunk};
          buf_reader in{source, {.initial = initial, .maximum = 200}};
          ASSERT_EQ(lines_of(in, options), expected) << text << " in " << chunk << " through " << initial;
        }
      }
      for (std::size_t initial = 1; initial <= 80; ++initial) {
        chunked_reader source{sluice::as_bytes(text)};
        buf_reader in{source, {.initial = initial, .maximum = 200}};
        ASSERT_EQ(lines_of(in, options), expected) << text << " through " << initial;
      }
      span_reader memory(text);
      ASSERT_EQ(lines_of(memory, options), expected);
    }
  }
}

TEST(lines, every_bound_is_exact) {
  for (const std::string& text : texts) {
    for (std::size_t bound = 0; bound <= 20; ++bound) {
      for (const bool keep : {false, true}) {
        const lines_options options{.max_length = bound, .keep_terminator = keep};
        const outcome expected = model(text, '\n', true, options);
        for (const std::size_t chunk : {1U, 2U, 3U, 7U, 64U}) {
          chunked_reader source{sluice::as_bytes(text), chunk};
          buf_reader in{source, {.initial = 1, .maximum = 200}};
          ASSERT_EQ(lines_of(in, options), expected) << text << " within " << bound << " in " << chunk;
        }
        // An own buffer is as large as the bound asks for.
        outcome unbuffered{.rest = expected.rest};
        collect(lines(chunked_reader{sluice::as_bytes(text)}, options, unbuffered.error), unbuffered.elements);
        ASSERT_EQ(unbuffered, expected);
      }
    }
  }
}

TEST(lines, too_long_is_told_as_soon_as_it_is_certain) {
  const std::string endless(1000, 'x');
  for (std::size_t bound = 0; bound <= 20; ++bound) {
    chunked_reader source{sluice::as_bytes(endless), 1};
    buf_reader in{source, 64};
    const outcome o = [&] {
      outcome result;
      collect(lines(in, {.max_length = bound}, result.error), result.elements);
      return result;
    }();
    EXPECT_EQ(o.error, io_errc::limit_exceeded);
    EXPECT_EQ(source.calls, bound + 1);
  }
}

TEST(lines, longer_than_the_buffer_may_grow_is_too_long) {
  for (std::size_t maximum = 1; maximum <= 80; ++maximum) {
    const std::string text = "a\n" + std::string(maximum, 'x') + "\nb\n";
    chunked_reader source{sluice::as_bytes(text)};
    buf_reader in{source, {.initial = 1, .maximum = maximum}};
    std::error_code error;
    std::vector<std::string> got;
    collect(lines(in, error), got);
    EXPECT_EQ(error, io_errc::limit_exceeded) << maximum;
    EXPECT_EQ(got, std::vector<std::string>(maximum == 1 ? 0 : 1, "a")) << maximum;
    EXPECT_EQ(support::text(support::drain(in).value()), maximum == 1 ? text : text.substr(2)) << maximum;
  }
  // With its terminator it just fits.
  const std::string text = std::string(63, 'x') + "\nb\n";
  buf_reader in{chunked_reader{sluice::as_bytes(text)}, 64};
  EXPECT_EQ(lines_of(in), model(text, '\n', true, {}));
}

TEST(lines, failing_read_stops_and_trying_again_goes_on) {
  for (const std::string& text : texts) {
    const outcome whole = model(text, '\n', true, {});
    for (const std::size_t chunk : {1U, 2U, 5U, 64U}) {
      for (std::size_t k = 1; k <= text.size() / chunk + 1; ++k) {
        for (const bool throwing : {false, true}) {
          window_reader in{.data = sluice::as_bytes(text), .room = 200, .chunk = chunk, .fail_at = k};
          outcome o;
          if (throwing) {
            try {
              collect(lines(in), o.elements);
            } catch (const std::system_error& e) {
              o.error = e.code();
            }
          } else {
            collect(lines(in, o.error), o.elements);
          }
          ASSERT_EQ(o.error, std::errc::io_error) << text << " call " << k;
          // All that was complete before the failure, and not more.
          const std::size_t arrived = std::min((k - 1) * chunk, text.size());
          const auto complete = std::ranges::count(std::string_view(text).substr(0, arrived), '\n');
          ASSERT_EQ(o.elements.size(), static_cast<std::size_t>(complete)) << text << " call " << k;

          o.error.clear();
          collect(lines(in, o.error), o.elements);
          ASSERT_EQ(o, (outcome{whole.elements, {}, {}})) << text << " call " << k;
        }
      }
    }
  }
}

TEST(lines, beginning_again_goes_on_after_a_failure) {
  support::scripted_reader source{
      {support::step::data("a\nb"), support::step::would_block(), support::step::data("c\n")}};
  buf_reader in{source};
  std::error_code error;
  auto view = lines(in, error);
  std::vector<std::string> got;
  collect(view, got);
  EXPECT_EQ(error, std::errc::operation_would_block);
  EXPECT_EQ(got, std::vector<std::string>{"a"});
  collect(view, got);
  EXPECT_FALSE(error);
  EXPECT_EQ(got, (std::vector<std::string>{"a", "bc"}));
}

TEST(lines, begin_and_increment_throw_without_an_error_code) {
  chunked_reader source{sluice::as_bytes("a\n"), 2, 1};
  buf_reader in{source};
  auto view = lines(in);
  EXPECT_THROW(view.begin(), std::system_error);
  source.fail_at = 3;
  auto it = view.begin();
  EXPECT_EQ(*it, "a");
  EXPECT_THROW(++it, std::system_error);
  EXPECT_TRUE(it == view.end());
}

TEST(lines, nothing_is_read_after_the_end) {
  chunked_reader source{sluice::as_bytes("a\nb")};
  buf_reader in{source};
  EXPECT_EQ(std::ranges::distance(lines(in)), 2);
  EXPECT_EQ(source.calls, 2U);
}

TEST(lines, reader_stands_behind_the_last_line_that_was_delivered) {
  const std::string text = "one\r\ntwo\nthree\nfour";
  const std::vector<std::string> rests = {text, "two\nthree\nfour", "three\nfour", "four", ""};
  for (std::size_t chunk = 1; chunk <= text.size(); ++chunk) {
    for (std::size_t wanted = 1; wanted <= 4; ++wanted) {
      chunked_reader source{sluice::as_bytes(text), chunk};
      buf_reader in{source, {.initial = 1, .maximum = 64}};
      std::size_t n = 0;
      for ([[maybe_unused]] const std::string_view line : lines(in))
        if (++n == wanted) break;
      ASSERT_EQ(support::text(support::drain(in).value()), rests[wanted]);
    }
    // Found, and not looked at.
    chunked_reader source{sluice::as_bytes(text), chunk};
    buf_reader in{source, {.initial = 1, .maximum = 64}};
    {
      auto view = lines(in);
      auto it = view.begin();
      ++it;
      ASSERT_FALSE(it == view.end());
    }
    ASSERT_EQ(support::text(support::drain(in).value()), rests[1]);
  }
}

TEST(lines, reader_may_be_used_between_two_views) {
  const std::string text = "size 5\r\n\nabc\nsize 2\n\n\n";
  buf_reader in{chunked_reader{sluice::as_bytes(text), 3}, {.initial = 1, .maximum = 64}};
  for (const std::string_view line : lines(in))
    if (line == "size 5") break;
  std::array<std::byte, 5> body;
  ASSERT_EQ(read_some(in, std::span(body).first(1)).value(), 1U);
  for (std::size_t got = 1; got < body.size();) got += read_some(in, std::span(body).subspan(got)).value();
  EXPECT_EQ(support::text(body), "\nabc\n");
  EXPECT_EQ((*lines(in).begin()), "size 2");
}

TEST(lines, moved_and_copied_views_consume_once) {
  span_reader r("1\n2\n3\n4\n");
  {
    auto first = lines(r);
    EXPECT_EQ(*first.begin(), "1");
    auto second = std::move(first);
    EXPECT_EQ(*second.begin(), "2");
    auto third = second;  // begins where the reader stands: before what second has not consumed yet
    second = std::move(third);
  }
  EXPECT_EQ(support::text(r.buffered()), "3\n4\n");
}

TEST(split, byte_is_a_terminator_as_for_getline) {
  for (const std::string text : {"", ",", "a,b", "a,b,", ",,a\r,", "a\nb,\r"}) {
    for (const bool keep : {false, true}) {
      for (std::size_t bound = 0; bound <= 4; ++bound) {
        const split_options options{.max_length = bound, .keep_terminator = keep};
        const outcome expected = model(text, ',', false, options);
        for (std::size_t chunk = 1; chunk <= 8; ++chunk) {
          chunked_reader source{sluice::as_bytes(text), chunk};
          buf_reader in{source, {.initial = 1, .maximum = 16}};
          outcome o;
          collect(split(in, ',', options, o.error), o.elements);
          o.rest = support::text(support::drain(in).value());
          ASSERT_EQ(o, expected) << text;
        }
      }
    }
  }
}

// Every way, every length, every place of one byte between its neighbours by one bit.
TEST(byte_marks, all_ways_mark_the_same_within_bounds) {
  for (const detail::byte_marker& marker : detail::byte_markers()) {
    for (const int wanted : {0x0a, 0x00, 0x7f, 0x80, 0xff}) {
      const auto byte = static_cast<std::byte>(wanted);
      for (std::size_t size = 1; size <= 580; size += size < 70 || size > 500 ? 1 : 31) {
        // Of exactly that size, so that a sanitizer sees any byte that is read behind it.
        std::vector<std::byte> memory(size, byte ^ std::byte{0x80});
        for (std::size_t i = 0; i < size; i += 3) memory[i] = byte ^ std::byte{1};
        for (std::size_t at = 0; at <= size; at += at < 70 ? 1 : 13) {
          if (at < size) memory[at] = byte;
          detail::mark_words words, expected{};
          words.fill(~std::uint64_t{0});
          marker.mark(memory.data(), memory.data() + size, byte, words);
          for (std::size_t i = 0; i < std::min(size, detail::marked_size); ++i)
            if (memory[i] == byte) expected[i / 64] |= std::uint64_t{1} << i % 64;
          ASSERT_EQ(words, expected) << marker.name << ' ' << size << ' ' << at;
        }
      }
    }
  }
}

TEST(byte_marks, deliver_each_place_once) {
  const auto data = support::pattern(3000);
  for (std::size_t size = 0; size <= data.size(); size += size < 1100 ? 1 : 97) {
    const std::byte* at = data.data();
    const std::byte* const end = at + size;
    detail::byte_marks marks;
    std::vector<const std::byte*> got, expected;
    while (at != end) {
      at = marks.look(at, end, std::byte{7});
      for (; marks.any(); marks.drop_first()) got.push_back(marks.first());
    }
    for (const std::byte* p = data.data(); p != end; ++p)
      if (*p == std::byte{7}) expected.push_back(p);
    ASSERT_EQ(got, expected) << size;
  }
}

}  // namespace
