// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "compress/packed.hpp"

namespace {

using namespace packed;

const blob garbage = support::to_bytes("garbage");

outcome read(std::span<const std::byte> all, decompress_options options = {}) {
  options.engine = inflate_engine::zlib;
  const outcome expected = drained(gunzip(span_reader(all), options));
  options.engine = inflate_engine::isal;
  EXPECT_TRUE(drained(gunzip(span_reader(all), options)) == expected);
  EXPECT_TRUE(drained(gunzip(span_reader(all) | short_reads(1), options), 1) == expected);
  return expected;
}

// What stays in the source.
blob left_of(std::span<const std::byte> all, const decompress_options& options) {
  buf_reader source(span_reader(all) | short_reads(5), 64);
  EXPECT_FALSE(drained(gunzip(source, options)).error);
  return drained(source).content;
}

TEST(gzip_members, follow_one_another) {
  const blob a = words(1000, 1), b = words(3, 2), none;
  const blob all = joined({pack(gzip, a), pack(gzip, none), pack(gzip, none), pack(gzip, b), pack(gzip, none)});
  EXPECT_TRUE(read(all) == (outcome{joined({a, b}), {}}));
}

TEST(gzip_members, one_leaves_the_next) {
  const blob a = words(1000, 1), second = pack(gzip, words(50, 2));
  const blob all = joined({pack(gzip, a), second});
  EXPECT_TRUE(read(all, {.members = members::one}) == (outcome{a, {}}));
  EXPECT_TRUE(left_of(all, {.members = members::one}) == second);
}

TEST(gzip_members, zeros_behind_the_last_are_padding) {
  const blob a = words(1000);
  for (const std::size_t n : sizes{1, 2, 511, 100'000}) {
    EXPECT_TRUE(read(joined({pack(gzip, a), blob(n)})) == (outcome{a, {}}));
    EXPECT_TRUE(read(joined({pack(gzip, a), blob(n), pack(gzip, a)})) == (outcome{joined({a, a}), {}}));
    EXPECT_TRUE(read(joined({pack(gzip, a), blob(n), garbage})) == (outcome{a, io_errc::invalid_data}));
  }
}

TEST(gzip_members, padding_alone_is_no_gzip) { EXPECT_EQ(read(blob(10)).error, io_errc::invalid_data); }

TEST(gzip_members, nothing_at_all_is_truncated) { EXPECT_TRUE(read({}) == (outcome{{}, io_errc::truncated})); }

TEST(gzip_members, garbage_at_the_start_is_never_let_pass) {
  for (const trailing policy : {trailing::fail, trailing::ignore, trailing::leave})
    EXPECT_TRUE(read(garbage, {.trailing = policy}) == (outcome{{}, io_errc::invalid_data}));
}

TEST(gzip_members, garbage_behind_is_an_error_after_the_content) {
  const blob a = words(1000);
  EXPECT_TRUE(read(joined({pack(gzip, a), garbage})) == (outcome{a, io_errc::invalid_data}));
  // The first byte of a member, and no more.
  EXPECT_TRUE(read(joined({pack(gzip, a), std::array{std::byte{0x1f}}})) == (outcome{a, io_errc::truncated}));
}

TEST(gzip_members, garbage_behind_is_ignored_where_that_is_wanted) {
  const blob a = words(1000);
  const blob all = joined({pack(gzip, a), garbage});
  EXPECT_TRUE(read(all, {.trailing = trailing::ignore}) == (outcome{a, {}}));
  EXPECT_TRUE(left_of(all, {.trailing = trailing::ignore}).empty());
  // What looks like a member further on counts for nothing.
  EXPECT_TRUE(read(joined({all, pack(gzip, a)}), {.trailing = trailing::ignore}) == (outcome{a, {}}));
}

TEST(gzip_members, garbage_behind_is_left_where_that_is_wanted) {
  const blob a = words(1000), zeros(3);
  EXPECT_TRUE(left_of(joined({pack(gzip, a), garbage}), {.trailing = trailing::leave}) == garbage);
  EXPECT_TRUE(left_of(joined({pack(gzip, a), zeros}), {.trailing = trailing::leave}) == zeros);
  // Every start of something that might have been a member.
  const blob member = pack(gzip, a);
  for (const std::size_t n : sizes{1, 2}) {
    const blob start(member.begin(), member.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_TRUE(left_of(joined({member, start}), {.trailing = trailing::leave}) == start);
  }
}

TEST(gzip_members, a_failure_while_garbage_is_passed_over_does_not_bring_it_back) {
  const blob a = words(100);
  const blob all = joined({pack(gzip, a), garbage, pack(gzip, a)});
  for (std::size_t k = 1; k <= all.size(); ++k) {
    auto r =
        gunzip(span_reader(all) | faults{.most = 1, .fail_at = k}, {.trailing = trailing::ignore, .buffer_size = 64});
    outcome got = drained(r);
    if (got.error) {
      const outcome rest = drained(r);
      ASSERT_FALSE(rest.error);
      got.content = joined({got.content, rest.content});
    }
    ASSERT_TRUE(got.content == a) << k;
  }
}

TEST(zlib_stream, is_one) {
  const blob a = words(100);
  const blob all = joined({pack(zlib, a), pack(zlib, a)});
  for (const inflate_engine engine : engines) {
    EXPECT_TRUE(drained(unzlib(span_reader(all), {.engine = engine})) == (outcome{a, io_errc::invalid_data}));
    EXPECT_TRUE(drained(unzlib(span_reader(all), {.trailing = trailing::ignore, .engine = engine})) ==
                (outcome{a, {}}));
    EXPECT_TRUE(drained(inflate_raw(span_reader(joined({pack(deflate_raw, a), blob(1)})), {.engine = engine})) ==
                (outcome{a, io_errc::invalid_data}));
  }
}

}  // namespace
