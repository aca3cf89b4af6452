// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/chain.hpp>
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/empty_reader.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/skip.hpp>
#include <sluice/system/file.hpp>

#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using support::chunked_reader;
using support::window_reader;

using plain = chunked_reader;
static_assert(reader<chain_reader<>> && reader<chain_reader<plain, window_reader&>>);
static_assert(buffered_reader<chain_reader<span_reader, window_reader&>>);
static_assert(!buffered_reader<chain_reader<span_reader, plain>> && !buffered_reader<chain_reader<>>);
static_assert(!in_memory_reader<chain_reader<span_reader, span_reader>>);
static_assert(vectored_reader<chain_reader<support::vectored_reader_fake, support::vectored_reader_fake>>);
static_assert(!vectored_reader<chain_reader<support::vectored_reader_fake, plain>>);
static_assert(skippable<chain_reader<window_reader, span_reader>> && !skippable<chain_reader<window_reader, plain>>);
static_assert(size_hinted<chain_reader<window_reader, span_reader>> && !size_hinted<chain_reader<plain>>);
static_assert(kernel_reader<chain_reader<plain, support::kernel_stream>> && !kernel_reader<chain_reader<plain, plain>>);

TEST(chain, of_nothing_is_at_its_end) {
  std::array<std::byte, 4> b;
  auto none = chain();
  EXPECT_EQ(none.read_some(b).value(), 0U);
  auto empty = chain(empty_reader(), chunked_reader{}, span_reader(""));
  EXPECT_EQ(empty.read_some(b).value(), 0U);
  EXPECT_EQ(empty.read_some(b).value(), 0U);
}

TEST(chain, delivers_part_after_part_for_each_chunk_and_split) {
  const auto data = support::pattern(64);
  const std::span<const std::byte> all(data);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    for (std::size_t split = 0; split <= 64; ++split) {
      auto r = chain(chunked_reader{all.first(split), chunk}, empty_reader(), span_reader(all.subspan(split)));
      EXPECT_EQ(support::drain(r, chunk).value(), data);
      auto piped = chunked_reader{all.first(split), chunk} | chain(chunked_reader{all.subspan(split), 3});
      EXPECT_EQ(support::drain(piped, 7).value(), data);
    }
  }
}

TEST(chain, a_window_across_a_border_is_joined) {
  const auto data = support::pattern(30);
  const std::span<const std::byte> all(data);
  for (std::size_t split = 0; split <= 30; ++split) {
    for (std::size_t n = 1; n <= 16; ++n) {
      for (std::size_t used = 1; used <= n; ++used) {
        window_reader a{.data = all.first(split), .chunk = 3};
        window_reader b{.data = all.subspan(split), .chunk = 2};
        auto r = chain(a, span_reader(), b);
        std::vector<std::byte> got;
        for (;;) {
          const auto seen = r.fill(n);
          ASSERT_TRUE(seen);
          ASSERT_TRUE(seen->size() >= n || got.size() + seen->size() == 30) << split << ' ' << n;
          ASSERT_TRUE(support::equal(*seen, r.buffered()));
          ASSERT_EQ(r.size_hint(), 30 - got.size());
          if (seen->empty()) break;
          const std::size_t take = std::min(used, seen->size());
          got.insert(got.end(), seen->begin(), seen->begin() + static_cast<std::ptrdiff_t>(take));
          r.consume(take);
        }
        EXPECT_EQ(got, data);
      }
    }
  }
}

// Each byte more would otherwise have all before it copied again.
TEST(chain, what_was_joined_grows_by_as_much_again) {
  const auto data = support::pattern(100'000);
  const std::span<const std::byte> all(data);
  auto r = chain(span_reader(all.first(1)), span_reader(all.subspan(1)));
  std::size_t moved = 0;
  const std::byte* at = nullptr;
  for (std::size_t n = 1; n <= data.size(); ++n) {
    const auto seen = r.fill(n).value();
    ASSERT_GE(seen.size(), n);
    if (seen.data() != std::exchange(at, seen.data())) ++moved;
    n = std::max(n, std::min(seen.size(), n + 100));
  }
  EXPECT_TRUE(support::equal(r.buffered(), data));
  EXPECT_LE(moved, 20U);
}

TEST(chain, a_window_larger_than_all_is_all) {
  auto r = chain(span_reader("a"), span_reader("b"));
  EXPECT_EQ(support::text(r.fill(SIZE_MAX).value()), "ab");
}

TEST(chain, keeps_what_was_joined_through_an_error) {
  const auto data = support::pattern(20);
  const std::span<const std::byte> all(data);
  window_reader b{.data = all.subspan(5), .chunk = 2, .fail_at = 2};
  auto r = chain(span_reader(all.first(5)), b);
  EXPECT_EQ(r.fill(10).error(), std::errc::io_error);
  EXPECT_EQ(r.buffered().size(), 5U);
  EXPECT_EQ(support::drain(r, 4).value(), data);
}

TEST(chain, skips_through_parts) {
  const auto data = support::pattern(20);
  const std::span<const std::byte> all(data);
  for (std::size_t n = 0; n <= 25; ++n) {
    auto r = chain(span_reader(all.first(7)), span_reader(), window_reader{.data = all.subspan(7)});
    EXPECT_EQ(sluice::skip(r, n).value(), std::min<std::size_t>(n, 20));
    EXPECT_EQ(r.size_hint(), 20 - std::min<std::size_t>(n, 20));
    EXPECT_TRUE(support::equal(support::drain(r).value(), all.subspan(std::min<std::size_t>(n, 20))));
  }
}

/// Skips, and fails at its second skip.
struct failing_skip : chunked_reader {
  int skips = 0;
  result<std::uintmax_t> skip(std::uintmax_t n) {
    if (++skips == 2) return fail(error);
    const auto passed = static_cast<std::size_t>(std::min<std::uintmax_t>({n, chunk, data.size()}));
    data = data.subspan(passed);
    return passed;
  }
};

TEST(chain, a_skip_that_fails_has_lost_no_count) {
  const auto data = support::pattern(20);
  const std::span<const std::byte> all(data);
  for (std::size_t split = 0; split <= 20; ++split) {
    for (std::size_t chunk = 1; chunk <= 20; ++chunk) {
      auto r = chain(span_reader(all.first(split)), failing_skip{{.data = all.subspan(split), .chunk = chunk}});
      const auto first = sluice::skip(r, 17);
      const std::size_t passed = first ? *first : first.error().bytes;
      const std::size_t expected = std::min<std::size_t>(split + chunk, 17);
      ASSERT_EQ(passed, std::min<std::size_t>(expected, 20)) << split << ' ' << chunk;
      ASSERT_EQ(sluice::skip(r, 17 - passed).value(), 17 - passed);
      EXPECT_TRUE(support::equal(support::drain(r).value(), all.subspan(17)));
    }
  }
}

TEST(chain, the_endpoint_is_the_present_parts_behind_what_was_joined) {
  support::kernel_stream one{.data = support::pattern(3), .endpoint = fd_endpoint{.fd = 7}};
  support::kernel_stream two{.data = support::pattern(3), .endpoint = fd_endpoint{.fd = 8, .max_bytes = 9}};
  auto r = chain(one, two);
  r.kernel_advanced(10);
  EXPECT_EQ(r.kernel_endpoint()->fd, 7);
  std::array<std::byte, 4> b;
  ASSERT_EQ(r.read_some(b).value(), 3U);
  EXPECT_EQ(r.kernel_endpoint()->fd, 7);
  ASSERT_EQ(r.read_some(b).value(), 3U);
  EXPECT_EQ(r.kernel_endpoint()->fd, 8);
  r.kernel_advanced(1);
  EXPECT_EQ(one.advanced, 10U);
  EXPECT_EQ(two.advanced, 1U);
}

TEST(chain, files_go_by_kernel_paths_and_in_order) {
  const sluice::test::temporary_folder folder;
  const auto data = support::pattern(700'000);
  const std::span<const std::byte> all(data);
  for (const char* name : {"a", "b"}) {
    file f = or_throw(file::create(folder / name));
    const auto half = *name == 'a' ? all.first(300'000) : all.subspan(300'100);
    std::string_view text(reinterpret_cast<const char*>(half.data()), half.size());
    span_reader from(text);
    ASSERT_TRUE(copy(from, f));
  }
  // A part without a descriptor between two files; and the first file partly buffered.
  for (const bool buffered_first : {false, true}) {
    file a = or_throw(file::open(folder / "a"));
    file b = or_throw(file::open(folder / "b"));
    file to = or_throw(file::create(folder / "to"));
    span_reader middle(all.subspan(300'000, 100));
    copy_report report;
    std::uintmax_t bytes = 0;
    if (buffered_first) {
      buf_reader first(a, 8192);
      ASSERT_EQ(first.fill(10)->size(), 8192U);
      auto r = chain(first, middle, b);
      bytes = copy(r, to, {.report = &report}).value();
    } else {
      auto r = chain(a, middle, b);
      bytes = copy(r, to, {.report = &report}).value();
    }
    EXPECT_EQ(bytes, data.size());
    EXPECT_GT(report[copy_path::copy_file_range].bytes + report[copy_path::clone].bytes, 200'000U)
        << report[copy_path::scratch].bytes;
    file made = or_throw(file::open(folder / "to"));
    EXPECT_TRUE(support::drain(made, 65536).value() == data);
  }
}

// uutils/coreutils #5186: the first part is read and written, the second goes past the buffer.
TEST(chain, a_file_of_procfs_is_not_overtaken_by_the_next) {
  auto command = file::open("/proc/self/cmdline");
  if (!command) GTEST_SKIP() << "there is no /proc/self/cmdline";
  const sluice::test::temporary_folder folder;
  auto expected = support::drain(*command).value();
  const auto data = support::pattern(300'000);
  folder.write("large", support::text(data));
  expected.insert(expected.end(), data.begin(), data.end());
  for (const bool through_a_buffer : {false, true}) {
    auto r = chain(or_throw(file::open("/proc/self/cmdline")), or_throw(file::open(folder / "large")));
    file to = or_throw(file::create(folder / "to"));
    if (through_a_buffer)
      or_throw(copy(r, buf_writer(to, 8192)));
    else
      or_throw(copy(r, to));
    file made = or_throw(file::open(folder / "to"));
    EXPECT_TRUE(support::drain(made, 65536).value() == expected);
  }
}

}  // namespace
