// SPDX-License-Identifier: BSL-1.0
//
// Every adaptor in a copy, for all sizes of the pieces that its source delivers and its destination accepts, with each
// call of either failing: nothing is lost or repeated, and after each failure the accounts are right.
//
#include <sluice/sluice.hpp>

#include "fake_clock.hpp"
#include "support/sanitized.hpp"
#include "support/streams.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace std::chrono_literals;
using support::chunked_reader;
using support::recording_writer;
using support::window_reader;

using bytes = std::vector<std::byte>;

const bytes sample = support::pattern(64);
constexpr std::size_t step = sluice::test::sanitized ? 7 : 1;

/// The two ends of a copy.
template <class R, class W>
struct ends {
  R reader;
  W writer;
};
template <class R, class W>
ends(R&&, W&&) -> ends<R, W>;

// Makes the ends of a copy from `Source` and `Target`, copies, goes on after the failure, if there is one, and calls
// `check(ends, out, taken)` after both, where `taken` is what has left the reader. False if it broke, or if the call
// that was to fail was never made.
template <class Source, class Target, class Make, class Check>
bool copies(Source in, Target out, Make make, Check check, const bytes& expected) {
  std::array<std::byte, 48> scratch;
  auto both = make(in, out);
  auto done = copy(both.reader, both.writer, {.scratch = scratch});
  const bool failed = !done;
  if (failed) {
    bytes taken = out.data;
    const bytes unwritten = done.error().unwritten;
    taken.insert(taken.end(), unwritten.begin(), unwritten.end());
    check(both, out, taken);
    EXPECT_TRUE(write_all(both.writer, unwritten));
    done = copy(both.reader, both.writer, {.scratch = scratch});
    EXPECT_TRUE(done);
  }
  EXPECT_EQ(out.data, expected);
  check(both, out, out.data);
  if (testing::Test::HasFailure())
    ADD_FAILURE() << "source: pieces of " << in.chunk << ", call " << in.fail_at << " fails; destination: pieces of "
                  << out.chunk << ", call " << out.fail_at << " fails";
  return failed && !testing::Test::HasFailure();
}

template <class Source, class Make, class Check>
void sweep(Make make, Check check, const bytes& expected = sample) {
  for (std::size_t in = 1; in <= 64; in += step) {
    for (std::size_t out = 1; out <= 64; out += step) {
      const auto source = [&](std::size_t k) { return Source{.data = sample, .chunk = in, .fail_at = k}; };
      const auto target = [&](std::size_t k) { return recording_writer{.chunk = out, .fail_at = k}; };
      for (std::size_t k = 1; copies(source(k), target(0), make, check, expected);) ++k;
      for (std::size_t k = 1; copies(source(0), target(k), make, check, expected);) ++k;
      if (testing::Test::HasFailure()) return;
    }
  }
}

// An adaptor of a reader, without a window and with one; `check(adaptor, taken)`.
template <class Make, class Check>
void from(Make make, Check check, const bytes& expected = sample) {
  const auto both = [&](auto& in, auto& out) { return ends{make(in), out}; };
  const auto accounts = [&](auto& e, auto&, const bytes& taken) { check(e.reader, taken); };
  sweep<chunked_reader>(both, accounts, expected);
  sweep<window_reader>(both, accounts, expected);
}

// An adaptor of a writer; `check(adaptor, accepted)`. Of a buffered one the bytes count that it has let go.
template <class Make, class Check>
void into(Make make, Check check) {
  sweep<chunked_reader>([&](auto& in, auto& out) { return ends{in, make(out)}; },
                        [&](auto& e, auto& out, const bytes&) { check(e.writer, out.data); });
  sweep<chunked_reader>([&](auto& in, auto& out) { return ends{in, buf_writer(make(out), 16)}; },
                        [&](auto& e, auto& out, const bytes&) { check(e.writer.inner(), out.data); });
}

/// Keeps what it has seen: the most exact of all digests.
struct seen_bytes {
  bytes all = {};
  void update(std::span<const std::byte> b) { all.insert(all.end(), b.begin(), b.end()); }
  const bytes& value() const { return all; }
};

const auto count_is = [](auto& s, const bytes& passed) { EXPECT_EQ(s.count(), passed.size()); };
const auto state_is = [](auto& s, const bytes& passed) { EXPECT_EQ(s.state().bytes, passed.size()); };
const auto value_is = [](auto& s, const bytes& passed) { EXPECT_EQ(s.value(), passed); };
const auto unaccounted = [](auto&, const bytes&) {};

TEST(sweep, limit) {
  from([](auto& in) { return limit(in, 1000); },
       [](auto& r, const bytes& taken) { EXPECT_EQ(r.remaining(), 1000 - taken.size()); });
}
TEST(sweep, limit_before_the_end) {
  from([](auto& in) { return limit(in, 40); },
       [](auto& r, const bytes& taken) { EXPECT_EQ(r.remaining(), 40 - taken.size()); },
       bytes(sample.begin(), sample.begin() + 40));
}
TEST(sweep, counted_reader) {
  from([](auto& in) { return counted(in); }, count_is);
}
TEST(sweep, counted_writer) {
  into([](auto& out) { return counted(out); }, count_is);
}
TEST(sweep, progress_reader) {
  from([](auto& in) { return progress(in, [](const progress_state&) {}, 0ms); }, state_is);
}
TEST(sweep, progress_writer) {
  into([](auto& out) { return progress(out, [](const progress_state&) {}, 0ms); }, state_is);
}
TEST(sweep, throttle_reader) {
  from([](auto& in) { return throttle_stream(in, 500, 20, support::fake_clock::start()); }, unaccounted);
}
TEST(sweep, throttle_writer) {
  into([](auto& out) { return throttle_stream(out, 500, 20, support::fake_clock::start()); }, unaccounted);
}
TEST(sweep, digest_reader) {
  from([](auto& in) { return digest(in, seen_bytes{}); }, value_is);
}
TEST(sweep, digest_writer) {
  into([](auto& out) { return digest(out, seen_bytes{}); }, value_is);
}
TEST(sweep, inspect_reader) {
  seen_bytes seen;
  from([&](auto& in) { return seen = {}, inspect(in, [&](std::span<const std::byte> b) { seen.update(b); }); },
       [&](auto&, const bytes& taken) { EXPECT_EQ(seen.all, taken); });
}
TEST(sweep, inspect_writer) {
  seen_bytes seen;
  into([&](auto& out) { return seen = {}, inspect(out, [&](std::span<const std::byte> b) { seen.update(b); }); },
       [&](auto&, const bytes& accepted) { EXPECT_EQ(seen.all, accepted); });
}

// Before and behind a part of another kind, all of them shorter than some of the requests.
TEST(sweep, chain) {
  const auto head = support::pattern(9, 2);
  const auto tail = support::pattern(5, 3);
  bytes all = head;
  all.insert(all.end(), sample.begin(), sample.end());
  all.insert(all.end(), tail.begin(), tail.end());
  from([&](auto& in) { return chain(span_reader(head), in, span_reader(tail)); }, unaccounted, all);
}

// What is delivered is what the other writer has accepted, and the rest is kept.
TEST(sweep, tee) {
  bytes got;
  const auto make = [&](auto& in, auto& out) {
    got.clear();
    return ends{tee(in, out), inspect(null_writer(), [&](auto b) { got.insert(got.end(), b.begin(), b.end()); })};
  };
  sweep<chunked_reader>(make, [&](auto& e, auto& out, const bytes&) {
    EXPECT_EQ(got, out.data);
    EXPECT_LE(e.reader.kept().size(), 48U);
    EXPECT_EQ(got.size() + e.reader.kept().size() + e.reader.inner().data.size(), sample.size());
    EXPECT_EQ(e.reader.failed_side(),
              e.reader.inner().fail_at != 0 && e.reader.inner().calls >= e.reader.inner().fail_at ? copy_side::reader
              : out.fail_at != 0 && out.calls >= out.fail_at                                      ? copy_side::writer
                                                                                                  : copy_side::none);
  });
}

template <class Order>
void broadcasts(Order order) {
  recording_writer other;
  const auto make = [&](auto& in, auto& out) {
    other = {.chunk = 7};
    return ends{in, order(out, other)};
  };
  sweep<chunked_reader>(make, [&](auto& e, auto& out, const bytes&) {
    const std::size_t common = std::min(out.data.size(), other.data.size());
    EXPECT_EQ(e.writer.accepted(), common);
    EXPECT_EQ(e.writer.accepted(0) + e.writer.accepted(1), out.data.size() + other.data.size());
    EXPECT_TRUE(std::equal(other.data.begin(), other.data.end(), sample.begin()));
    EXPECT_TRUE(std::equal(out.data.begin(), out.data.end(), sample.begin()));
  });
}

TEST(sweep, broadcast_whose_first_fails) {
  broadcasts([](auto& a, auto& b) { return broadcast(a, b); });
}
TEST(sweep, broadcast_whose_last_fails) {
  broadcasts([](auto& a, auto& b) { return broadcast(b, a); });
}

}  // namespace
