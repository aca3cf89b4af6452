// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_reader.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/read.hpp>
#include <sluice/system/file.hpp>

#include "support/allocations.hpp"
#include "support/faults.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sluice {
namespace {

using support::allocations;
using support::equal;
using support::pattern;
using test::call_table;
using test::fault;
using test::replaced_call;
using test::temporary_folder;

// Tells a size, true or not, and allocates nothing itself.
struct hinted_reader {
  std::span<const std::byte> data = {};
  std::optional<std::uintmax_t> hint = {};
  std::size_t chunk = support::unlimited;
  std::size_t fail_at = 0;
  std::size_t calls = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    if (++calls == fail_at) return fail(std::make_error_code(std::errc::io_error));
    const std::size_t n = std::min({b.size(), chunk, data.size()});
    if (n != 0) std::memcpy(b.data(), data.data(), n);
    data = data.subspan(n);
    return n;
  }
  std::optional<std::uintmax_t> size_hint() const { return hint; }
};

std::vector<std::optional<std::uintmax_t>> hints_for(std::size_t size) {
  return {std::nullopt, 0, size, size / 2, size + 1, 3 * size + 7, std::uintmax_t{1} << 60, unbounded};
}

// From the stack over the first block to the large one.
constexpr std::size_t interesting_sizes[]{0,      1,       100,       65535,     65536,    65537,
                                          131072, 300'000, 1'114'111, 1'114'112, 2'500'000};

template <class Container>
std::span<const std::byte> as_span(const Container& c) {
  return std::as_bytes(std::span(c));
}

// Calls `check(reader, size)` with every kind of reader.
template <class Check>
void for_each_reader(Check check) {
  for (const std::size_t size : interesting_sizes) {
    const auto data = pattern(size);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{5000}, support::unlimited}) {
      if (chunk == 1 && size > 100) continue;
      for (const auto hint : hints_for(size)) {
        SCOPED_TRACE(testing::Message() << size << " bytes, chunk " << chunk << ", hint "
                                        << (hint ? std::to_string(*hint) : "none"));
        check(hinted_reader{.data = data, .hint = hint, .chunk = chunk}, data);
      }
    }
  }
}

TEST(read_all, reads_to_the_end_whatever_the_size_that_is_claimed) {
  for_each_reader([](hinted_reader r, std::span<const std::byte> data) {
    hinted_reader same = r;
    const auto all = read_all(r);
    ASSERT_TRUE(all);
    EXPECT_TRUE(equal(*all, data));
    const auto text = read_to_string(same);
    ASSERT_TRUE(text);
    EXPECT_TRUE(equal(as_span(*text), data));
  });
}

template <class Container, class Read>
void expect_limit(hinted_reader r, std::span<const std::byte> data, std::uintmax_t max, Read read) {
  const auto all = read(r, max);
  ASSERT_EQ(all.has_value(), data.size() <= max) << "max " << max;
  if (all) {
    EXPECT_TRUE(equal(as_span(*all), data));
    return;
  }
  EXPECT_EQ(all.error(), io_errc::limit_exceeded);
  const Container& arrived = all.error().arrived;
  EXPECT_EQ(arrived.size(), max + 1);
  EXPECT_TRUE(equal(as_span(arrived), data.first(arrived.size())));
  EXPECT_EQ(r.data.size(), data.size() - arrived.size()) << "what is not in the error is in the stream";
}

TEST(read_all, honours_the_limit_and_hands_out_what_arrived) {
  for_each_reader([](const hinted_reader& r, std::span<const std::byte> data) {
    for (const std::uintmax_t max :
         {std::uintmax_t{0}, std::uintmax_t{1}, std::uintmax_t{65536}, std::uintmax_t{data.size()},
          std::uintmax_t{data.size()} + 1, std::uintmax_t{data.size()} - (data.empty() ? 0 : 1)}) {
      expect_limit<bytes>(r, data, max, [](auto& from, std::uintmax_t n) { return read_all(from, n); });
      expect_limit<std::string>(r, data, max, [](auto& from, std::uintmax_t n) { return read_to_string(from, n); });
    }
  });
}

TEST(read_all, of_a_buffered_reader_leaves_what_is_past_the_limit) {
  const auto data = pattern(300);
  for (std::uintmax_t max = 0; max <= 302; ++max) {
    for (const std::size_t before : {0U, 5U}) {
      buf_reader r(hinted_reader{.data = data, .chunk = 13}, 32);
      std::byte first[8];
      ASSERT_TRUE(read_exactly(r, std::span(first).first(before)));
      const auto expected = std::span(data).subspan(before);
      const auto all = read_all(r, max);
      ASSERT_EQ(all.has_value(), expected.size() <= max);
      const bytes& got = all ? *all : all.error().arrived;
      EXPECT_EQ(got.size(), std::min<std::uintmax_t>(max, expected.size()));
      EXPECT_TRUE(equal(got, expected.first(got.size())));
      EXPECT_TRUE(equal(support::drain(r).value(), expected.subspan(got.size())));
    }
  }
}

TEST(read_all, hands_out_what_arrived_before_an_error) {
  for_each_reader([](const hinted_reader& r, std::span<const std::byte> data) {
    for (std::size_t k = 1; k <= 60; k += k < 5 ? 1 : 11) {
      hinted_reader failing = r;
      failing.fail_at = k;
      const auto all = read_all(failing);
      if (failing.calls < k) break;
      ASSERT_FALSE(all);
      EXPECT_EQ(all.error(), std::errc::io_error);
      const std::size_t arrived = data.size() - failing.data.size();
      EXPECT_TRUE(equal(all.error().arrived, data.first(arrived)));
    }
  });
}

TEST(read_all, error_converts_to_a_plain_one) {
  hinted_reader r{.data = as_bytes("abcdef"), .chunk = 2, .fail_at = 2};
  const result<bytes> plain = read_all(r);
  EXPECT_EQ(plain.error(), std::errc::io_error);
  EXPECT_THROW(or_throw(read_to_string(hinted_reader{.data = as_bytes("abc")}, 2)), std::system_error);
  EXPECT_EQ(or_throw(read_to_string(hinted_reader{.data = as_bytes("abc")}, 3)), "abc");
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

std::size_t largest_block = 0;
std::size_t block_calls = 0;

void* watched_realloc(void* memory, std::size_t size) {
  largest_block = std::max(largest_block, size);
  ++block_calls;
  return std::realloc(memory, size);
}

class watched_memory {
 public:
  watched_memory() { largest_block = block_calls = 0; }

  /// All that was taken: a block that has grown counts once, with its greatest size.
  std::size_t taken() const { return from_new_.bytes() + largest_block; }
  std::size_t count() const { return from_new_.count() + (block_calls != 0 ? 1 : 0); }

 private:
  replaced_call<void* (*)(void*, std::size_t)> watch_{&call_table::realloc, &watched_realloc};
  allocations from_new_;
};

std::size_t mapped = 0;

int watched_map(void** address, std::size_t length, int protection, int flags, int fd, off64_t offset) {
  const int refused = detail::sys::real_map(address, length, protection, flags, fd, offset);
  if (refused == 0) mapped += length;
  return refused;
}

int watched_remap(void** address, std::size_t old_length, std::size_t length, int flags, void* to) {
  const int refused = detail::sys::real_remap(address, old_length, length, flags, to);
  if (refused != 0) return refused;
  // What was at a fixed place is unmapped.
  if (to != nullptr) mapped -= length;
  mapped += length - old_length;
  return 0;
}

int watched_munmap(void* memory, std::size_t length) {
  mapped -= length;
  return ::munmap(memory, length);
}

// Counts in `mapped` the bytes that are mapped by the library and not yet unmapped.
class watched_mappings {
 public:
  watched_mappings() { mapped = 0; }

 private:
  replaced_call<int (*)(void**, std::size_t, int, int, int, off64_t)> map_{&call_table::map, &watched_map};
  replaced_call<int (*)(void**, std::size_t, std::size_t, int, void*)> remap_{&call_table::remap, &watched_remap};
  replaced_call<int (*)(void*, std::size_t)> munmap_{&call_table::munmap, &watched_munmap};
};

TEST(read_all_memory, is_one_allocation_of_the_size_where_that_is_known) {
  for (const std::size_t size : interesting_sizes) {
    if (size == 0) continue;
    const auto data = pattern(size);
    hinted_reader r{.data = data, .hint = size, .chunk = 5000};
    span_reader in_memory{std::span<const std::byte>(data)};
    const watched_memory m;
    {
      const auto all = read_all(r);
      EXPECT_EQ(m.count(), 1U) << size;
      EXPECT_EQ(m.taken(), size);
      EXPECT_EQ(all.value().capacity(), size);
    }
    const watched_memory again;
    const auto copied = read_all(in_memory);
    EXPECT_EQ(again.count(), 1U) << size;
    EXPECT_EQ(again.taken(), size);
    EXPECT_EQ(in_memory.remaining(), 0U);
    const watched_memory of_text;
    const auto text = read_to_string(hinted_reader{.data = data, .hint = size});
    EXPECT_LE(of_text.count(), 1U);
    EXPECT_LE(of_text.taken(), size + 1);
  }
}

TEST(read_all_memory, through_a_buf_reader_is_one_allocation_too) {
  for (const std::size_t size : {std::size_t{65'536}, std::size_t{300'000}, std::size_t{2'000'000}}) {
    const auto data = pattern(size);
    hinted_reader r{.data = data, .hint = size};
    const watched_memory m;
    const auto all = read_all(buf_reader(r));
    EXPECT_TRUE(equal(all.value(), data));
    EXPECT_EQ(m.count(), 1U) << size;
    EXPECT_EQ(m.taken(), size);
  }
}

TEST(read_all_memory, is_twice_the_body_at_most_where_the_size_is_unknown) {
  for (const std::size_t size : {std::size_t{10}, std::size_t{65536}, std::size_t{65537}, std::size_t{100'000},
                                 std::size_t{131'073}, std::size_t{300'001}, std::size_t{1'000'000}}) {
    const auto data = pattern(size);
    hinted_reader r{.data = data, .chunk = 5000};
    const watched_memory m;
    const auto all = read_all(r);
    EXPECT_LE(m.taken(), 2 * size) << size;
    EXPECT_EQ(all.value().capacity(), size);
  }
}

TEST(read_all_memory, of_a_large_body_is_the_one_block_that_has_grown) {
  const auto data = pattern(3'000'000);
  hinted_reader r{.data = data, .chunk = 100'000};
  const allocations before;
  const auto all = read_all(r);
  EXPECT_EQ(before.count(), 0U);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->capacity(), data.size());
  EXPECT_TRUE(equal(*all, data));
}

TEST(read_all_memory, is_taken_for_what_arrives_and_not_for_what_is_claimed) {
  const auto data = pattern(1000);
  for (const std::uintmax_t claimed : {std::uintmax_t{1} << 31, std::uintmax_t{1} << 60, unbounded}) {
    hinted_reader r{.data = data, .hint = claimed};
    const watched_memory m;
    EXPECT_EQ(read_all(r).value().size(), 1000U);
    EXPECT_EQ(m.taken(), 1000U);
  }
  hinted_reader r{.data = data, .hint = 8'000'000};
  EXPECT_EQ(read_all(r).value().capacity(), 1000U) << "what was reserved in vain is given back";
}

TEST(read_all_memory, is_not_taken_beyond_the_limit) {
  struct {
    result<std::size_t> read_some(std::span<std::byte> b) { return b.size(); }
    std::optional<std::uintmax_t> size_hint() const { return hint; }
    std::optional<std::uintmax_t> hint = {};
  } endless;
  for (const auto hint : {std::optional<std::uintmax_t>(), std::optional(std::uintmax_t{1} << 29)}) {
    for (const std::uintmax_t max : {std::uintmax_t{100'000}, std::uintmax_t{1'200'000}, std::uintmax_t{5'000'000}}) {
      endless.hint = hint;
      const watched_memory m;
      const auto all = read_all(endless, max);
      EXPECT_EQ(all.error(), io_errc::limit_exceeded);
      EXPECT_EQ(all.error().arrived.size(), max + 1);
      EXPECT_LE(largest_block, max + 1);
    }
  }
}

TEST(read_all_memory, that_is_refused_is_bad_alloc_and_leaks_nothing) {
  const auto data = pattern(1'500'000);
  for (const auto hint : {std::optional<std::uintmax_t>(), std::optional<std::uintmax_t>(data.size())}) {
    std::size_t k = 1;
    for (;; ++k) {
      hinted_reader r{.data = data, .hint = hint, .chunk = 70'000};
      const fault refused({.call = "realloc", .at = k, .error = ENOMEM});
      if (refused.hits() == 0) {
        try {
          EXPECT_TRUE(equal(read_all(r).value(), data));
          EXPECT_EQ(refused.hits(), 0U);
          break;
        } catch (const std::bad_alloc&) {
          EXPECT_EQ(refused.hits(), 1U);
        }
      }
    }
    EXPECT_GE(k, 2U);
  }
}

// From 32 MiB on a block is a mapping, in place of which the system may refuse each step.
TEST(read_all_memory, of_the_largest_that_is_refused_is_bad_alloc_and_leaks_nothing) {
  const auto data = pattern(70 << 20);
  for (const std::string_view call : {"aligned_alloc", "map", "remap"}) {
    std::size_t refused_once = 0;
    for (std::size_t k = 1;; ++k) {
      const watched_mappings mappings;
      hinted_reader r{.data = data, .chunk = 1 << 20};
      const fault refused({.call = call, .at = k, .error = ENOMEM});
      try {
        EXPECT_TRUE(equal(read_all(r).value(), data));
      } catch (const std::bad_alloc&) {
        ++refused_once;
      }
      EXPECT_EQ(mapped, 0U) << call << ' ' << k;
      if (refused.hits() == 0) break;
    }
    EXPECT_GE(refused_once, 1U) << call;
  }
}

TEST(read_all_memory, of_the_largest_grows_and_shrinks_without_a_copy) {
  for (const std::size_t size : {(std::size_t{32} << 20) - 1, std::size_t{32} << 20, (std::size_t{32} << 20) + 1,
                                 std::size_t{64} << 20, (std::size_t{130} << 20) + 17}) {
    const auto data = pattern(size);
    hinted_reader r{.data = data, .chunk = 1 << 20};
    const test::call_counter calls;
    const auto all = read_all(r);
    ASSERT_TRUE(all);
    EXPECT_TRUE(equal(*all, data));
    EXPECT_EQ(all->capacity(), size);
    EXPECT_EQ(calls["map"] != 0, size >= std::size_t{32} << 20) << size;
    EXPECT_EQ(calls["remap"] != 0, size > std::size_t{32} << 20) << size;
  }
}

TEST(read_all_memory, of_the_largest_is_on_huge_pages_be_it_bytes_or_a_string) {
  const auto data = pattern(33 << 20);
  for (const auto hint : {std::optional<std::uintmax_t>(), std::optional<std::uintmax_t>(data.size())}) {
    hinted_reader r{.data = data, .hint = hint};
    hinted_reader again = r;
    const test::call_counter calls;
    EXPECT_TRUE(equal(read_all(r).value(), data));
    const std::size_t of_bytes = calls["madvise"];
    EXPECT_GE(of_bytes, 1U);
    EXPECT_TRUE(equal(as_bytes(read_to_string(again).value()), data));
    EXPECT_GT(calls["madvise"], of_bytes);
  }
  const test::call_counter calls;
  hinted_reader small{.data = std::span(data).first(1 << 20), .hint = 1 << 20};
  EXPECT_TRUE(read_to_string(small));
  EXPECT_EQ(calls["madvise"], 0U);
}

TEST(read_all_memory, large_bytes_are_vectors_like_any_other) {
  bytes b(1 << 20, std::byte{7});
  bytes c = b;
  c.push_back(std::byte{8});
  c.insert(c.begin(), std::byte{6});
  EXPECT_EQ(c.size(), b.size() + 2);
  EXPECT_TRUE(equal(std::span(c).subspan(1, b.size()), b));
  b.shrink_to_fit();
  b.resize(40 << 20);
  EXPECT_EQ(std::ranges::count(std::span(b).first(1 << 20), std::byte{7}), 1 << 20);
  b.swap(c);
  b.resize(10);
  b.shrink_to_fit();
  EXPECT_EQ(b.capacity(), 10U);
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

std::int64_t claimed_size = 0;

int lying_fstat(int fd, struct stat64* status) {
  const int answer = ::fstat64(fd, status);
  status->st_size = claimed_size;
  return answer;
}

TEST(read_all_of_a_file, believes_no_size) {
  const temporary_folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1000}, std::size_t{300'000}, std::size_t{2'300'000}}) {
    const auto data = pattern(size);
    folder.write("file", support::text(data));
    const auto whole = static_cast<std::int64_t>(size);
    for (const std::int64_t claim : {std::int64_t{0}, std::int64_t{1}, whole / 2, whole, whole + 1, 2 * whole,
                                     std::int64_t{1} << 40, std::int64_t{1} << 62}) {
      claimed_size = claim;
      const replaced_call lie(&call_table::fstat, &lying_fstat);
      file f = or_throw(file::open(folder / "file"));
      const auto all = read_all(f);
      ASSERT_TRUE(all);
      EXPECT_TRUE(equal(*all, data)) << size << " bytes, said to be " << claim;
    }
  }
}

TEST(read_all_of_a_file, takes_few_calls) {
  const temporary_folder folder;
  folder.write("file", std::string(300'000, 'x'));
  file f = or_throw(file::open(folder / "file"));
  const test::call_counter all;
  EXPECT_EQ(read_all(f).value().size(), 300'000U);
  EXPECT_EQ(all["read"], 2U);
  EXPECT_EQ(all["fstat"], 1U);
  EXPECT_EQ(all["lseek"], 1U);
  EXPECT_EQ(all.total(), 4U);
}

TEST(read_all_of_a_file, retries_and_accounts_at_every_call) {
  const temporary_folder folder;
  const auto data = pattern(200'000);
  folder.write("file", support::text(data));
  for (std::size_t k = 1; k <= 8; ++k) {
    for (const int error : {EINTR, EIO}) {
      file f = or_throw(file::open(folder / "file"));
      const fault broken({.call = "read", .at = k, .error = error});
      const fault slow({.call = "read", .times = test::always, .shorten = 50'000});
      const auto all = read_all(f);
      if (error == EINTR || all) {
        EXPECT_TRUE(equal(all.value(), data));
        continue;
      }
      EXPECT_EQ(all.error(), std::errc::io_error);
      EXPECT_TRUE(equal(all.error().arrived, std::span(data).first(all.error().arrived.size())));
      const auto rest = read_all(f);
      EXPECT_EQ(all.error().arrived.size() + rest.value().size(), data.size()) << "another call goes on there";
    }
  }
}

TEST(read_all_of_a_file, of_procfs_and_sysfs) {
  for (const char* const path : {"/proc/version", "/proc/self/status", "/sys/devices/system/cpu/online"}) {
    if (!std::filesystem::exists(path)) continue;
    file f = or_throw(file::open(path));
    const auto all = read_to_string(f);
    ASSERT_TRUE(all) << path;
    EXPECT_FALSE(all->empty()) << path;
    EXPECT_TRUE(all->ends_with('\n')) << path;
    EXPECT_LE(all->capacity(), 8192U);
  }
}

TEST(read_all_of_a_file, with_more_holes_than_memory_ends_at_the_limit) {
  const temporary_folder folder;
  folder.write("sparse", "x");
  std::error_code refused;
  std::filesystem::resize_file(folder / "sparse", std::uintmax_t{1} << 40, refused);
  if (refused) GTEST_SKIP() << "no file of 1 TiB to be had: " << refused.message();
  file f = or_throw(file::open(folder / "sparse"));
  const auto all = read_all(f, 100'000);
  EXPECT_EQ(all.error(), io_errc::limit_exceeded);
  EXPECT_EQ(all.error().arrived.size(), 100'001U);
}

}  // namespace
}  // namespace sluice
