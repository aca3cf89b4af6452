// SPDX-License-Identifier: BSL-1.0
//
// The invariant of a failed copy: what was accepted, what is still readable and what the error carries are together
// the source, in order; and the right side is blamed.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;
using support::chunked_reader;
using support::recording_writer;

constexpr std::size_t size = 70'000;

enum class buffers { none, reader, writer, both, scratch };

void PrintTo(buffers b, std::ostream* out) {
  constexpr std::array names{"none", "reader", "writer", "both", "scratch"};
  *out << names.at(static_cast<std::size_t>(b));
}

template <class T>
std::vector<std::byte> vector_of(const T& bytes) {
  return {bytes.begin(), bytes.end()};
}

// One copy with everything that can hold a byte.
struct stage {
  std::vector<std::byte> data = support::pattern(size);
  chunked_reader from{data};
  recording_writer to;
  buf_reader<chunked_reader&> in{from, 4096};
  buf_writer<recording_writer&> out{to, 4096};
  std::array<std::byte, 1000> memory{};

  std::expected<std::uintmax_t, copy_error> run(buffers b) {
    switch (b) {
      case buffers::none: return copy(from, to);
      case buffers::reader: return copy(in, to);
      case buffers::writer: return copy(from, out);
      case buffers::both: return copy(in, out);
      case buffers::scratch: break;
    }
    return copy(from, to, {.scratch = memory});
  }

  std::vector<std::byte> accepted() const {
    auto all = to.data;
    const auto pending = out.pending();
    all.insert(all.end(), pending.begin(), pending.end());
    return all;
  }

  // Accepted, then what the error carries, then what can still be read.
  std::vector<std::byte> all(const copy_error& error) const {
    auto bytes = accepted();
    bytes.insert(bytes.end(), error.unwritten.begin(), error.unwritten.end());
    const auto window = in.buffered();
    bytes.insert(bytes.end(), window.begin(), window.end());
    bytes.insert(bytes.end(), from.data.begin(), from.data.end());
    return bytes;
  }
};

class copy_accounts : public testing::TestWithParam<std::tuple<buffers, std::size_t>> {
 protected:
  // The k-th call of a side fails, for every k that there is, or a sweep of them where there are too many.
  void sweep(bool reader_fails) {
    const auto [b, chunk] = GetParam();
    stage whole;
    whole.from.chunk = whole.to.chunk = chunk;
    ASSERT_EQ(show(whole.run(b)), std::to_string(size));
    const std::size_t calls = reader_fails ? whole.from.calls : whole.to.calls;
    for (std::size_t k = 1; k <= calls; k += std::max<std::size_t>(1, k < 8 ? 1 : calls / 8)) {
      SCOPED_TRACE("call " + std::to_string(k));
      stage s;
      s.from.chunk = s.to.chunk = chunk;
      (reader_fails ? s.from.fail_at : s.to.fail_at) = k;
      const auto copied = s.run(b);
      ASSERT_FALSE(copied);
      const copy_error& error = copied.error();
      EXPECT_EQ(error.side, reader_fails ? copy_side::reader : copy_side::writer);
      EXPECT_EQ(error.code, reader_fails ? s.from.error : s.to.error);
      EXPECT_EQ(error.bytes, s.accepted().size());
      ASSERT_TRUE(support::equal(s.all(error), s.data));

      // What was in flight goes first, and another copy goes on from there.
      if (s.out.pending().empty()) {
        ASSERT_TRUE(write_all(s.to, error.unwritten));
      } else {
        ASSERT_TRUE(write_all(s.out, error.unwritten));
      }
      ASSERT_TRUE(s.run(b));
      ASSERT_TRUE(s.out.flush());
      ASSERT_TRUE(support::equal(s.to.data, s.data));
    }
  }
};

TEST(copy_side_names, are_those_of_the_enumeration) {
  EXPECT_EQ(name(copy_side::none), "none");
  EXPECT_EQ(name(copy_side::reader), "reader");
  EXPECT_EQ(name(copy_side::writer), "writer");
}

TEST_P(copy_accounts, the_reader_fails) { sweep(true); }
TEST_P(copy_accounts, the_writer_fails) { sweep(false); }

// A copier keeps what is in flight, and tries again with it.
TEST_P(copy_accounts, a_copier_goes_on_after_a_failure) {
  const auto [b, chunk] = GetParam();
  for (const bool reader_fails : {true, false}) {
    for (const std::size_t k : {1U, 2U, 3U}) {
      stage s;
      s.from.chunk = s.to.chunk = chunk;
      (reader_fails ? s.from.fail_at : s.to.fail_at) = k;
      const auto drive = [&](auto& from, auto& to, copy_options options) {
        copier relay(from, to, std::move(options));
        std::size_t failures = 0;
        for (;;) {
          const auto step = relay.run();
          if (!step) {
            ++failures;
            EXPECT_TRUE(step.error().unwritten.empty());
            EXPECT_EQ(step.error().bytes, s.accepted().size());
            EXPECT_EQ(relay.bytes(), s.accepted().size());
          } else if (step->done) {
            break;
          }
        }
        return failures;
      };
      std::size_t failures = 0;
      switch (b) {
        case buffers::none: failures = drive(s.from, s.to, {}); break;
        case buffers::reader: failures = drive(s.in, s.to, {}); break;
        case buffers::writer: failures = drive(s.from, s.out, {}); break;
        case buffers::both: failures = drive(s.in, s.out, {}); break;
        case buffers::scratch: failures = drive(s.from, s.to, {.scratch = s.memory}); break;
      }
      EXPECT_LE(failures, 1U);
      ASSERT_TRUE(s.out.flush());
      EXPECT_TRUE(support::equal(s.to.data, s.data));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, copy_accounts,
                         testing::Combine(testing::Values(buffers::none, buffers::reader, buffers::writer,
                                                          buffers::both, buffers::scratch),
                                          testing::Values(1U, 7U, 4095U, 65536U)));

TEST(copy_accounts_of, an_over_counting_reader) {
  recording_writer to;
  const auto copied = copy(support::over_counting_reader{}, to);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::bad_count);
  EXPECT_EQ(copied.error().side, copy_side::reader);
  EXPECT_TRUE(to.data.empty());
}

TEST(copy_accounts_of, an_over_counting_writer) {
  const auto data = support::pattern(100);
  chunked_reader from{data};
  const auto copied = copy(from, support::over_counting_writer{});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::bad_count);
  EXPECT_EQ(copied.error().side, copy_side::writer);
  EXPECT_EQ(copied.error().bytes, 0U);
  EXPECT_EQ(copied.error().unwritten, data);

  span_reader memory(data);
  const auto of_memory = copy(memory, support::over_counting_writer{});
  ASSERT_FALSE(of_memory);
  EXPECT_EQ(of_memory.error().code, io_errc::bad_count);
  EXPECT_EQ(memory.remaining(), data.size());
}

TEST(copy_accounts_of, a_writer_that_accepts_nothing) {
  struct stubborn {
    result<std::size_t> write_some(std::span<const std::byte>) { return std::size_t{0}; }
  };
  const auto data = support::pattern(100);
  chunked_reader from{data};
  const auto copied = copy(from, stubborn{});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, io_errc::write_zero);
  EXPECT_EQ(copied.error().side, copy_side::writer);
  EXPECT_EQ(copied.error().unwritten, data);
}

// A stream without a descriptor cannot be waited for.
TEST(copy_accounts_of, a_reader_that_would_block) {
  support::scripted_reader from;
  from.steps = {support::step::data("abc"), support::step::would_block(), support::step::data("def")};
  recording_writer to;
  buf_writer out(to, 64);
  const auto copied = copy(from, out);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, std::errc::operation_would_block);
  EXPECT_EQ(copied.error().side, copy_side::reader);
  EXPECT_EQ(copied.error().bytes, 3U);
  EXPECT_EQ(support::text(to.data), "abc");  // flushed, as somebody may wait for it
  EXPECT_EQ(show(copy(from, out)), "3");
  ASSERT_TRUE(out.flush());
  EXPECT_EQ(support::text(to.data), "abcdef");
}

TEST(copy_accounts_of, an_error_thrown) {
  const auto data = support::pattern(100);
  chunked_reader from{data};
  from.fail_at = 1;
  try {
    or_throw(copy(from, null_writer{}));
    FAIL() << "no exception";
  } catch (const copy_failure& failure) {
    EXPECT_EQ(failure.code(), std::errc::io_error);
    EXPECT_EQ(failure.error().side, copy_side::reader);
  }
}

}  // namespace
}  // namespace sluice
