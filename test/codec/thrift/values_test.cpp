// SPDX-License-Identifier: BSL-1.0
//
// Values one by one, the limits, envelopes and frames.
//
#include <sluice/testing/check_reader.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "codec/thrift/samples.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace sluice::test {
namespace {

using namespace thrift;
using namespace sluice::literals;

template <std::size_t N>
bytes raw(const int (&values)[N]) {
  bytes all;
  for (const int value : values) all.push_back(static_cast<std::byte>(value));
  return all;
}

const uuid some_uuid = [] {
  uuid id;
  for (std::size_t i = 0; i < id.size(); ++i) id[i] = static_cast<std::byte>(i * 17);
  return id;
}();

void write_one_of_each(protocol_writer& out) {
  const auto nan = std::bit_cast<double>(std::uint64_t{0x7ff4'0000'dead'beef});
  ASSERT_TRUE(out.write_field({ttype::bool_, 1}));
  ASSERT_TRUE(out.write_bool(true));
  ASSERT_TRUE(out.write_i8(-2));
  ASSERT_TRUE(out.write_i16(-3));
  ASSERT_TRUE(out.write_i32(-4));
  ASSERT_TRUE(out.write_i64(-5));
  ASSERT_TRUE(out.write_double(nan));
  ASSERT_TRUE(out.write_uuid(some_uuid));
  ASSERT_TRUE(out.write_string("seven"));
  ASSERT_TRUE(out.write_string(""));
  ASSERT_TRUE(out.write_string(std::string(5000, 'x')));
  ASSERT_TRUE(out.write_binary(raw({1, 2, 3})));
  ASSERT_TRUE(out.write_list({ttype::i32, 1}));
  ASSERT_TRUE(out.write_i32(7));
  ASSERT_TRUE(out.write_set({ttype::void_, 0}));
  ASSERT_TRUE(out.write_map({ttype::i8, ttype::i8, 1}));
  ASSERT_TRUE(out.write_i8(8));
  ASSERT_TRUE(out.write_i8(9));
  ASSERT_TRUE(out.write_field({ttype::i32, -1}));
  ASSERT_TRUE(out.write_stop());
}

void read_one_of_each(protocol_reader& in) {
  EXPECT_EQ(in.read_field(), (field_header{ttype::bool_, 1}));
  EXPECT_EQ(in.read_bool(), true);
  EXPECT_EQ(in.read_i8(), std::int8_t{-2});
  EXPECT_EQ(in.read_i16(), std::int16_t{-3});
  EXPECT_EQ(in.read_i32(), -4);
  EXPECT_EQ(in.read_i64(), -5);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(in.read_double().value()), 0x7ff4'0000'dead'beef);
  EXPECT_EQ(in.read_uuid(), some_uuid);
  EXPECT_EQ(in.read_string(), "seven");
  EXPECT_EQ(in.read_string(), "");
  EXPECT_EQ(in.read_string(), std::string(5000, 'x'));
  bytes binary;
  EXPECT_TRUE(in.read_binary(binary));
  EXPECT_EQ(binary, raw({1, 2, 3}));
  EXPECT_EQ(in.read_list(), (list_header{ttype::i32, 1}));
  EXPECT_EQ(in.read_i32(), 7);
  EXPECT_EQ(in.read_set(), (list_header{ttype::void_, 0}));
  EXPECT_EQ(in.read_map(), (map_header{ttype::i8, ttype::i8, 1}));
  EXPECT_EQ(in.read_i8(), std::int8_t{8});
  EXPECT_EQ(in.read_i8(), std::int8_t{9});
  EXPECT_EQ(in.at_end(), false);
  EXPECT_EQ(in.read_field(), (field_header{ttype::i32, -1}));
  EXPECT_EQ(in.read_field(), field_header{});
  EXPECT_EQ(in.at_end(), true);
  EXPECT_EQ(in.read_i8().error(), io_errc::truncated);
}

TEST(thrift_values, what_is_written_is_read_through_any_buffer) {
  bytes_writer plain;
  {
    binary_writer out{plain};
    write_one_of_each(out);
  }
  const bytes all = plain.take();
  for (const std::size_t capacity : {1uz, 2uz, 5uz, 16uz, 100uz, 65536uz}) {
    for (const std::size_t chunk : {1uz, 7uz, 65536uz}) {
      bytes_writer to;
      {
        buf_writer buffer{to | partial_writes(chunk), capacity};
        binary_writer out{buffer};
        write_one_of_each(out);
        ASSERT_TRUE(out.flush());
      }
      EXPECT_EQ(printed(to.view()), printed(all)) << capacity << ' ' << chunk;
      buf_reader buffer{span_reader(all) | short_reads(chunk), capacity};
      binary_reader in{buffer};
      read_one_of_each(in);
    }
  }
  binary_reader from_plain{span_reader(all) | short_reads(3)};
  read_one_of_each(from_plain);
  bytes_writer to;
  {
    binary_writer to_plain{to | partial_writes(3)};
    write_one_of_each(to_plain);
  }
  EXPECT_EQ(printed(to.view()), printed(all));
}

TEST(thrift_values, the_stream_stands_behind_what_was_read_or_written) {
  bytes_writer to;
  binary_writer out{to};
  ASSERT_TRUE(out.write_i32(1));
  ASSERT_TRUE(write_all(out.stream(), "between"));
  ASSERT_TRUE(out.write_i32(2));
  span_reader from(out.stream().view());
  binary_reader in{from};
  EXPECT_EQ(in.read_i32(), 1);
  std::string text(7, ' ');
  ASSERT_TRUE(read_exactly(in.stream(), std::as_writable_bytes(std::span(text))));
  EXPECT_EQ(text, "between");
  EXPECT_EQ(in.read_i32(), 2);
}

TEST(thrift_values, a_stream_that_fails_says_why) {
  const bytes numbers = raw({0, 0, 0, 1, 0, 0, 0, 2});
  for (std::size_t k = 1; k <= 4; ++k) {
    const faults fault{.most = 2, .fail_at = k, .failures = forever, .error = make_error_code(std::errc::io_error)};
    buf_reader from{span_reader(numbers) | fault, 16};
    binary_reader in{from};
    const auto first = in.read_i32();
    const auto second = in.read_i32();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error(), std::errc::io_error);
    EXPECT_EQ(first.has_value(), k > 2);
    bytes_writer target;
    buf_writer to{target | partial_writes(2) | failing(k), 4};
    binary_writer out{to};
    bool failed = false;
    for (int i = 0; i < 4; ++i) failed = failed || !out.write_i32(i);
    EXPECT_TRUE(failed);
    EXPECT_TRUE(out.flush());
  }
}

TEST(thrift_values, a_string_of_any_length_arrives_through_a_window_that_ends_inside) {
  for (std::size_t length = 0; length < 100; ++length) {
    const std::string text(length, 'x');
    bytes_writer made;
    {
      binary_writer out{made};
      ASSERT_TRUE(out.write_string(text));
    }
    for (const std::size_t capacity : {1uz, 4uz, 7uz, 20uz, 64uz}) {
      buf_reader from{span_reader(made.view()) | short_reads(9), capacity};
      binary_reader in{from};
      EXPECT_EQ(in.read_string(), text);
      EXPECT_EQ(in.at_end(), true);
    }
    std::string resized;
    sluice::detail::resize_for_overwrite(resized, length);
    EXPECT_EQ(resized.size(), length);
  }
}

TEST(thrift_values, streams_that_would_block_are_waited_for) {
  constexpr std::int32_t count = 10'000;
  auto ends = or_throw(make_pipe({.non_blocking = true}));
  std::jthread sender([to = std::move(ends.writer)]() mutable {
    buf_writer buffer{std::move(to), 512};
    binary_writer out{buffer};
    for (std::int32_t i = 0; i < count; ++i) {
      EXPECT_TRUE(out.write_string("more than the pipe can hold"));
      EXPECT_TRUE(out.write_i32(i));
    }
    for (auto flushed = out.flush(); !flushed && flushed.error() == std::errc::operation_would_block;
         flushed = out.flush())
      std::this_thread::yield();
  });
  {
    binary_reader in{std::move(ends.reader)};
    for (std::int32_t i = 0; i < count; ++i) {
      ASSERT_EQ(in.read_string(), "more than the pipe can hold");
      ASSERT_EQ(in.read_i32(), i);
    }
    EXPECT_EQ(in.at_end(), true);
  }
}

TEST(thrift_values, strings_take_one_allocation_at_most_and_none_when_short_or_viewed) {
  bytes_writer made;
  {
    binary_writer out{made};
    ASSERT_TRUE(out.write_string("short"));
    ASSERT_TRUE(out.write_string("the quick brown fox jumps over the lazy dog"));
    ASSERT_TRUE(out.write_string(std::string(20000, 'y')));
  }
  span_reader memory(made.view());
  std::array<std::byte, 64> room;
  buf_reader buffer{memory, room};
  for (int stream = 0; stream < 2; ++stream) {
    binary_reader<buf_reader<span_reader&>&> small{buffer};
    span_reader again(made.view());
    binary_reader whole{again};
    protocol_reader& in = stream == 0 ? static_cast<protocol_reader&>(whole) : small;
    for (const std::size_t expected : {0uz, 1uz, 1uz}) {
      const support::allocations before;
      const auto text = in.read_string();
      ASSERT_TRUE(text);
      EXPECT_EQ(before.count(), expected);
    }
    if (stream == 0) {
      span_reader once_more(made.view());
      binary_reader viewing{once_more};
      const support::allocations before;
      EXPECT_EQ(viewing.read_string_view(), "short");
      EXPECT_EQ(viewing.read_string_view().value().size(), 43u);
      EXPECT_EQ(viewing.read_string_view().value().data() + 20000,
                reinterpret_cast<const char*>(made.view().data()) + made.view().size());
      EXPECT_EQ(before.count(), 0u);
    }
  }
  std::string kept(100, ' ');
  const support::allocations before;
  std::array<std::byte, 30000> to;
  span_writer target(to);
  binary_writer out{target};
  const std::string text(20000, 'z');
  const std::size_t made_text = before.count();
  EXPECT_TRUE(out.write_string("short"));
  EXPECT_TRUE(out.write_string(text));
  out.sync();
  span_reader from(target.written());
  binary_reader in{from};
  EXPECT_TRUE(in.read_string(kept));
  EXPECT_EQ(before.count(), made_text);
}

TEST(thrift_values, a_long_string_is_collected_as_it_arrives) {
  bytes_writer made;
  const std::string text(300'000, 'q');
  {
    binary_writer out{made};
    ASSERT_TRUE(out.write_string(text));
  }
  {
    buf_reader from{span_reader(made.view()) | short_reads(1000), 512};
    binary_reader in{from};
    EXPECT_EQ(in.read_string(), text);
  }
  for (const std::size_t there : {0uz, 100uz, 31'000uz, 100'000uz, 299'999uz}) {
    std::array<std::byte, 512> buffer;
    buf_reader from{span_reader(made.view().first(4 + there)) | short_reads(1000), buffer};
    binary_reader in{from};
    const support::allocations before;
    EXPECT_EQ(in.read_string().error(), io_errc::truncated);
    EXPECT_LT(before.bytes(), there + 65536);
  }
  // A buffer that may grow does so by what arrives.
  for (const std::size_t there : {100uz, 100'000uz}) {
    buf_reader from{span_reader(made.view().first(4 + there)) | short_reads(1000), {.initial = 512, .maximum = 1_MiB}};
    binary_reader in{from};
    const support::allocations before;
    EXPECT_EQ(in.read_string_view().error(), io_errc::truncated);
    EXPECT_LT(before.bytes(), 4 * there + 65536);
  }
  buf_reader from{span_reader(made.view()), {.initial = 512, .maximum = 1_MiB}};
  binary_reader in{from};
  EXPECT_EQ(in.read_string_view(), text);
  buf_reader too_small{span_reader(made.view()), 512};
  binary_reader cannot{too_small};
  EXPECT_EQ(cannot.read_string_view().error(), io_errc::buffer_too_small);
}

TEST(thrift_limits, every_one_is_adjustable_and_counts_at_its_edge) {
  const auto string_of_4 = raw({0, 0, 0, 4, 'a', 'b', 'c', 'd'});
  const auto list_of_4 = raw({15, 0, 1, 3, 0, 0, 0, 4, 1, 2, 3, 4, 0});
  for (const std::uint32_t most : {3u, 4u}) {
    binary_reader strings{span_reader(string_of_4), {.max_string_size = most}};
    EXPECT_EQ(strings.read_string().has_value(), most == 4);
    binary_reader views{span_reader(string_of_4), {.max_string_size = most}};
    EXPECT_EQ(views.read_string_view().has_value(), most == 4);
    binary_reader skipping{span_reader(string_of_4), {.max_string_size = most}};
    EXPECT_EQ(skipping.skip(ttype::binary).has_value(), most == 4);
    const auto tree = view_tree(list_of_4, {.max_container_size = most});
    EXPECT_EQ(tree.has_value(), most == 4);
    EXPECT_EQ(tree.has_value() || tree.error() == io_errc::limit_exceeded, true);
  }
  // Negative sizes stay invalid whatever the limit says.
  const bytes minus_one = raw({255, 255, 255, 255});
  binary_reader negative{span_reader(minus_one), {.max_string_size = 0xffff'ffff}};
  EXPECT_EQ(negative.read_string().error(), io_errc::invalid_data);
  for (std::uintmax_t most = 0; most <= list_of_4.size(); ++most) {
    for (const std::size_t capacity : {1uz, 4uz, 64uz}) {
      buf_reader from{span_reader(list_of_4), capacity};
      binary_reader in{from, {.max_message_size = most}};
      const auto tree = read_tree(in);
      EXPECT_EQ(tree.has_value(), most == list_of_4.size());
      EXPECT_EQ(tree.has_value() || tree.error() == io_errc::limit_exceeded, true);
    }
  }
}

TEST(thrift_limits, a_message_size_counts_for_each_message) {
  bytes many;
  for (int i = 0; i < 100; ++i)
    for (const std::byte b : raw({8, 0, 1, 0, 0, 0, 1, 0})) many.push_back(b);
  for (const std::size_t capacity : {3uz, 16uz, 4096uz}) {
    buf_reader from{span_reader(many), capacity};
    binary_reader in{from, {.max_message_size = 8}};
    int count = 0;
    while (!in.at_end().value()) {
      ASSERT_TRUE(read_tree(in));
      ++count;
    }
    EXPECT_EQ(count, 100);
    EXPECT_EQ(read_tree(in).error(), io_errc::unexpected_eof);
  }
  binary_reader by_hand{span_reader(many), {.max_message_size = 12}};
  EXPECT_TRUE(by_hand.skip(ttype::struct_));
  EXPECT_EQ(by_hand.skip(ttype::struct_).error(), io_errc::limit_exceeded);
  binary_reader anew{span_reader(many), {.max_message_size = 12}};
  EXPECT_TRUE(anew.skip(ttype::struct_));
  anew.start_message();
  EXPECT_TRUE(anew.skip(ttype::struct_));
}

TEST(thrift_limits, every_value_counts_as_a_level_down_to_any_depth) {
  const auto nested = [](std::size_t structs, bool with_bool) {
    bytes all;
    for (std::size_t i = 1; i < structs; ++i)
      for (const std::byte b : raw({12, 0, 1})) all.push_back(b);
    if (with_bool)
      for (const std::byte b : raw({2, 0, 1, 1})) all.push_back(b);
    all.resize(all.size() + structs, std::byte{0});
    std::fill_n(all.end() - static_cast<std::ptrdiff_t>(structs), structs, std::byte{0});
    return all;
  };
  for (const std::size_t depth : {1uz, 2uz, 63uz, 64uz, 65uz, 100uz, 20'000uz}) {
    for (const bool with_bool : {false, true}) {
      const bytes all = nested(depth, with_bool);
      for (const std::size_t most : {1uz, 64uz, 65uz, 20'001uz}) {
        const bool fits = depth + with_bool <= most;
        skipper at(all, {.max_depth = most});
        EXPECT_EQ(at.skip(ttype::struct_).has_value(), fits) << depth << with_bool << most;
        EXPECT_EQ(view_tree(all, {.max_depth = most}).has_value(), fits);
      }
    }
  }
  // Elements count too, those that are passed in one step as well.
  const auto list = raw({15, 0, 1, 3, 0, 0, 0, 1, 1, 0});
  for (const std::size_t most : {2uz, 3uz}) EXPECT_EQ(view_tree(list, {.max_depth = most}).has_value(), most == 3);
  binary_reader by_hand{span_reader(list), {.max_depth = 2}};
  EXPECT_TRUE(by_hand.enter());
  EXPECT_TRUE(by_hand.read_field());
  EXPECT_EQ(by_hand.skip(ttype::list).error(), io_errc::limit_exceeded);
  binary_reader levels_of{span_reader(list), {.max_depth = 2}};
  EXPECT_TRUE(levels_of.enter());
  EXPECT_TRUE(levels_of.enter());
  levels_of.leave();
  EXPECT_TRUE(levels_of.enter());
  EXPECT_EQ(levels_of.enter().error(), io_errc::limit_exceeded);
  const bytes usual = nested(64, false);
  const support::allocations before;
  EXPECT_TRUE(skipper(usual).skip(ttype::struct_));
  EXPECT_EQ(before.count(), 0u);
}

TEST(thrift_skip, a_container_of_fixed_size_is_one_skip_of_a_64_bit_product) {
  // 2^31 - 1 entries of 16 bytes: 34 GB, of which a stream that skips may have them all.
  struct endless {
    result<std::size_t> read_some(std::span<std::byte> b) {
      std::ranges::fill(b, std::byte{0});
      return b.size();
    }
    result<std::uintmax_t> skip(std::uintmax_t n) {
      skipped += n;
      ++calls;
      return n;
    }
    std::uintmax_t skipped = 0;
    int calls = 0;
  } zeros;
  const auto head = raw({10, 4, 0x7f, 0xff, 0xff, 0xff});
  buf_reader from{chain(span_reader(head), zeros), 16};
  binary_reader in{from, {.max_message_size = std::uintmax_t{1} << 40}};
  const auto header = in.read_map();
  ASSERT_TRUE(header);
  (void)in.skip_entries(*header);
  skipper short_one(head, {.max_message_size = std::uintmax_t{1} << 40});
  EXPECT_EQ(short_one.skip(ttype::map).error(), io_errc::truncated);
  EXPECT_EQ(short_one.offset(), 0u);
  buf_reader direct{zeros, 16};
  binary_reader in_zeros{direct, {.max_message_size = std::uintmax_t{1} << 40}};
  zeros = {};
  EXPECT_TRUE(in_zeros.skip_entries({ttype::i64, ttype::double_, 0x7fff'ffff}));
  EXPECT_EQ(zeros.skipped, std::uintmax_t{0x7fff'ffff} * 16);
  EXPECT_EQ(zeros.calls, 1);
}

TEST(thrift_envelopes, a_request_is_told_by_its_first_two_bytes) {
  const auto form_of = [](const bytes& request) {
    buf_reader from{span_reader(request) | short_reads(1), 16};
    binary_reader in{from};
    return sniff_request(in);
  };
  EXPECT_EQ(form_of({}).error(), io_errc::unexpected_eof);
  EXPECT_EQ(form_of(raw({0})), request_form::bare);
  EXPECT_EQ(form_of(raw({12})), request_form::bare);
  EXPECT_EQ(form_of(raw({0, 0})), request_form::non_strict);
  EXPECT_EQ(form_of(raw({12, 0, 1})), request_form::bare);
  EXPECT_EQ(form_of(raw({0x80, 1})), request_form::strict);
  EXPECT_EQ(form_of(raw({255})), request_form::strict);

  for (const bool strict : {true, false}) {
    bytes_writer made;
    {
      binary_writer out{made};
      ASSERT_TRUE(write_envelope(out, {"ping", message_type::oneway, 3, strict}));
      ASSERT_TRUE(out.write_stop());
    }
    binary_reader in{span_reader(made.view()) | short_reads(1)};
    const auto request = read_request(in, message_type::oneway);
    ASSERT_TRUE(request && *request);
    EXPECT_EQ(**request, (envelope{"ping", message_type::oneway, 3, strict}));
    EXPECT_EQ(answer_to(**request), (envelope{"ping", message_type::reply, 3, strict}));
    EXPECT_TRUE(read_tree(in));
    binary_reader other{span_reader(made.view())};
    EXPECT_EQ(read_request(other).error(), io_errc::invalid_data);
    binary_reader strictly{span_reader(made.view())};
    EXPECT_EQ(read_envelope(strictly, {.accept_non_strict = false}).has_value(), strict);
  }
  const bytes bare_struct = raw({2, 0, 1, 1, 0});
  binary_reader bare{span_reader(bare_struct)};
  const auto none = read_request(bare);
  EXPECT_TRUE(none && !*none);
  const auto body = read_tree(bare);
  ASSERT_TRUE(body && body->root().find(1));
  EXPECT_EQ(body->root().find(1)->get<bool>(), true);
  // An empty name without a version, which other readers refuse.
  const bytes without_name = raw({0, 0, 0, 0, 1, 0, 0, 0, 7, 0});
  binary_reader nameless{span_reader(without_name)};
  EXPECT_EQ(read_envelope(nameless), (envelope{"", message_type::call, 7, false}));
}

TEST(thrift_frames, messages_pass_one_by_one_through_any_buffer) {
  bytes_writer wire;
  {
    framed_writer frames{wire};
    binary_writer out{frames};
    for (std::int32_t i = 0; i < 5; ++i) {
      ASSERT_TRUE(write_envelope(out, {"m", message_type::call, i}));
      ASSERT_TRUE(out.write_stop());
      ASSERT_TRUE(out.flush());
    }
    ASSERT_TRUE(out.flush());         // nothing to send
    ASSERT_TRUE(frames.end_frame());  // an empty frame
    ASSERT_TRUE(out.write_i32(1));    // never ended
  }
  EXPECT_EQ(wire.view().size(), 5 * (4 + 14) + 4u);
  for (const std::size_t capacity : {1uz, 3uz, 8uz, 4096uz}) {
    buf_reader from{span_reader(wire.view()) | short_reads(5), capacity};
    framed_reader frames{from};
    binary_reader in{frames};
    for (std::int32_t i = 0; i < 5; ++i) {
      ASSERT_EQ(frames.next_frame(), true);
      const auto head = read_envelope(in);
      ASSERT_TRUE(head) << head.error().message();
      EXPECT_EQ(head->seqid, i);
      if (i % 2 == 0) {
        EXPECT_TRUE(read_tree(in));
        EXPECT_EQ(in.at_end(), true);
      }
      in.sync();
    }
    ASSERT_EQ(frames.next_frame(), true);
    EXPECT_EQ(in.at_end(), true);
    in.sync();
    EXPECT_EQ(frames.next_frame(), false);
    EXPECT_EQ(frames.next_frame(), false);
  }
  for (std::size_t n = 0; n < wire.view().size(); ++n) {
    framed_reader frames{span_reader(wire.view().first(n))};
    result<bool> more = true;
    result<bytes> content;
    std::size_t whole = 0;
    for (; (more = frames.next_frame()) && *more; ++whole) {
      content = read_all(frames);
      if (!content) break;
    }
    if (n % 18 == 0)
      EXPECT_EQ(more, false) << n;
    else
      EXPECT_EQ(more ? content.error() : more.error(), io_errc::truncated) << n;
    EXPECT_EQ(whole, std::min<std::size_t>(n / 18, 5));
  }
}

TEST(thrift_frames, damage_stays_in_its_frame) {
  // A message with three bytes too many, one that ends too early, one of an unknown type, and a good one.
  bytes wire;
  const bytes bodies[] = {raw({2, 0, 1, 1, 0, 9, 9, 9}), raw({8, 0, 1, 0, 0}), raw({5, 0, 1, 0, 0}),
                          raw({2, 0, 1, 1, 0})};
  for (const bytes& body : bodies) {
    for (const int b : {0, 0, 0, static_cast<int>(body.size())}) wire.push_back(static_cast<std::byte>(b));
    wire.insert(wire.end(), body.begin(), body.end());
  }
  for (const std::size_t capacity : {1uz, 5uz, 4096uz}) {
    buf_reader from{span_reader(wire), capacity};
    framed_reader frames{from};
    std::vector<std::error_code> said;
    while (frames.next_frame().value()) {
      binary_reader in{frames};
      const auto tree = read_tree(in);
      said.push_back(tree ? std::error_code() : tree.error());
    }
    EXPECT_EQ(said, (std::vector<std::error_code>{{}, io_errc::truncated, io_errc::invalid_data, {}}));
  }
  // Without frames nobody knows where to go on.
  const bytes bad = raw({5, 0, 1, 0, 2, 0, 1, 1, 0, 0, 0, 0});
  for (const std::size_t capacity : {1uz, 5uz, 4096uz}) {
    buf_reader from{span_reader(bad), capacity};
    binary_reader in{from};
    EXPECT_EQ(read_tree(in).error(), io_errc::invalid_data);
    in.start_message();
    EXPECT_EQ(read_tree(in).error(), io_errc::invalid_data);
    EXPECT_EQ(read_envelope(in).error(), io_errc::invalid_data);
    EXPECT_EQ(in.read_field().error(), io_errc::invalid_data);
    EXPECT_EQ(in.read_string().error(), io_errc::invalid_data);
    EXPECT_EQ(in.skip(ttype::struct_).error(), io_errc::invalid_data);
    EXPECT_EQ(in.peek(1).error(), io_errc::invalid_data);
    EXPECT_EQ(in.at_end().error(), io_errc::invalid_data);
  }
}

TEST(thrift_frames, the_maximum_is_apaches_and_adjustable) {
  const auto first = [](const bytes& wire, const frame_options& options = {}) {
    return framed_reader{span_reader(wire), options}.next_frame();
  };
  EXPECT_EQ(first(raw({0x00, 0xfa, 0x00, 0x00})), true);  // 16,384,000
  EXPECT_EQ(first(raw({0x00, 0xfa, 0x00, 0x01})).error(), io_errc::limit_exceeded);
  EXPECT_EQ(first(raw({0x7f, 0xff, 0xff, 0xff}), {.max_frame_size = 0x7fff'ffff}), true);
  EXPECT_EQ(first(raw({0x80, 0, 0, 0}), {.max_frame_size = 0xffff'ffff}).error(), io_errc::invalid_data);
  bytes_writer wire;
  framed_writer frames{wire, {.max_frame_size = 8}};
  EXPECT_TRUE(write_all(frames, "12345678"));
  EXPECT_EQ(write_all(frames, "9").error(), io_errc::limit_exceeded);
  EXPECT_EQ(frames.prepare(1).error(), io_errc::buffer_too_small);
  EXPECT_TRUE(frames.flush());
  EXPECT_EQ(printed(wire.view()), std::string("\0\0\0\x08"
                                              "12345678",
                                              12));
}

TEST(thrift_frames, one_that_could_not_be_sent_goes_on) {
  for (std::size_t k = 1; k <= 12; ++k) {
    bytes_writer wire;
    framed_writer frames{wire | partial_writes(1) | failing(k)};
    ASSERT_TRUE(write_all(frames, "12345678"));
    EXPECT_FALSE(frames.flush());
    ASSERT_TRUE(write_all(frames, "9"));  // of the next
    EXPECT_TRUE(frames.flush());
    const std::string both(
        "\0\0\0\x08"
        "12345678\0\0\0\x01"
        "9",
        17);
    EXPECT_EQ(printed(wire.view()), both) << k;
  }
}

TEST(thrift_frames, a_frame_is_a_reader_by_the_contract) {
  bytes wire(4 + 200);
  std::iota(reinterpret_cast<unsigned char*>(wire.data()), reinterpret_cast<unsigned char*>(wire.data() + 204), 0);
  store_be(std::span(wire).first<4>(), std::uint32_t{200});
  const auto content = std::span(wire).subspan(4);
  EXPECT_TRUE(check_reader(
      [&] {
        framed_reader frames{span_reader(wire)};
        EXPECT_EQ(frames.next_frame(), true);
        return frames;
      },
      content));
}

}  // namespace
}  // namespace sluice::test
