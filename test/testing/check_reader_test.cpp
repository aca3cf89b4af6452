// SPDX-License-Identifier: BSL-1.0
//
// For each rule a reader that breaks just this one; the report has to name it, and no other.
//
#include <sluice/sluice.hpp>
#include <sluice/testing/check_reader.hpp>
#include <sluice/testing/sample_bytes.hpp>

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <stdexcept>

using namespace sluice;

namespace {

using bytes_view = std::span<const std::byte>;
using std::size_t;

const std::vector<std::byte> sample = sample_bytes(307);

// Can everything and is right: a window of up to 16 bytes over memory. The wrong ones replace one member each.
struct right_reader {
  bytes_view data = sample;
  size_t at = 0;
  size_t shown = 0;

  size_t left() const { return data.size() - at; }
  void pass(size_t n) noexcept {
    at += n;
    shown -= std::min(n, shown);
  }

  result<size_t> read_some(std::span<std::byte> b) {
    const size_t n = std::min(b.size(), left());
    if (n != 0) std::memcpy(b.data(), data.data() + at, n);
    pass(n);
    return n;
  }
  result<size_t> read_some(std::span<const mutable_buffer> pieces) {
    size_t total = 0;
    for (const mutable_buffer& piece : pieces) total += *right_reader::read_some({piece.data, piece.size});
    return total;
  }
  bytes_view buffered() const noexcept { return data.subspan(at, shown); }
  result<bytes_view> fill(size_t n) {
    if (n > 16) return fail(io_errc::buffer_too_small);
    if (shown < n) shown = std::min<size_t>(16, left());
    return right_reader::buffered();
  }
  void consume(size_t n) noexcept { pass(n); }
  result<std::uintmax_t> skip(std::uintmax_t n) {
    const auto passed = static_cast<size_t>(std::min<std::uintmax_t>(n, left()));
    pass(passed);
    return passed;
  }
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin) {
    const size_t base = from == whence::begin ? 0 : from == whence::current ? at : data.size();
    at = base + static_cast<size_t>(offset);
    shown = 0;
    return at;
  }
  result<std::uintmax_t> position() { return at; }
  std::optional<std::uintmax_t> size_hint() { return left(); }
};

// A plain reader.
struct right_plain_reader {
  bytes_view data = sample;
  result<size_t> read_some(std::span<std::byte> b) {
    const size_t n = std::min(b.size(), data.size());
    if (n != 0) std::memcpy(b.data(), data.data(), n);
    data = data.subspan(n);
    return n;
  }
};

struct claims_more : right_plain_reader {
  result<size_t> read_some(std::span<std::byte> b) {
    const auto n = right_plain_reader::read_some(b);
    return *n == 13 && b.size() == 13 ? 14 : n;
  }
};
struct writes_outside : right_plain_reader {
  result<size_t> read_some(std::span<std::byte> b) {
    const auto n = right_plain_reader::read_some(b);
    if (b.size() == 8) b.data()[8] = std::byte{0};
    return n;
  }
};
// okio #685: 0 where the buffer has come to its end, and not the stream.
struct ends_at_each_block : right_plain_reader {
  size_t in_block = 64;
  result<size_t> read_some(std::span<std::byte> b) {
    if (in_block == 0) {
      in_block = 64;
      return 0;
    }
    const auto n = right_plain_reader::read_some(b.first(std::min(b.size(), in_block)));
    in_block -= *n;
    return n;
  }
};
struct begins_again : right_plain_reader {
  bool ended = false;
  result<size_t> read_some(std::span<std::byte> b) {
    if (ended) data = sample;
    const auto n = right_plain_reader::read_some(b);
    ended = !b.empty() && *n == 0;
    return n;
  }
};
struct moves_for_nothing : right_plain_reader {
  result<size_t> read_some(std::span<std::byte> b) {
    if (b.empty() && !data.empty()) data = data.subspan(1);
    return right_plain_reader::read_some(b);
  }
};
// apache/doris #5789: a request that bypasses the buffer does not move on.
struct repeats_large_reads : right_plain_reader {
  size_t large = 0;
  result<size_t> read_some(std::span<std::byte> b) {
    const bytes_view before = data;
    const auto n = right_plain_reader::read_some(b);
    if (b.size() >= 40 && ++large == 1) data = before;
    return n;
  }
};
struct stops_at_an_empty_piece : right_reader {
  using right_reader::read_some;
  result<size_t> read_some(std::span<const mutable_buffer> pieces) {
    if (pieces.empty()) return size_t{0};
    return right_reader::read_some({pieces[0].data, pieces[0].size});
  }
};
struct fills_too_little : right_reader {
  result<bytes_view> fill(size_t n) {
    const auto got = right_reader::fill(n);
    if (got && shown > 7) shown = 7;
    return got ? right_reader::buffered() : got;
  }
};
// What was asked for, and not all that is buffered.
struct fills_as_peek_does : right_reader {
  result<bytes_view> fill(size_t n) {
    const auto got = right_reader::fill(n);
    return got && got->size() > n ? got->first(n) : got;
  }
};
struct shows_two_windows : right_reader {
  std::vector<std::byte> twin = sample;
  mutable bool second = true;
  bytes_view buffered() const noexcept {
    second = !second;
    return second ? bytes_view(twin).subspan(at, shown) : right_reader::buffered();
  }
  result<bytes_view> fill(size_t n) {
    second = true;
    return right_reader::fill(n);
  }
};
struct consumes_everything : right_reader {
  void consume(size_t n) noexcept {
    pass(n);
    shown = 0;
  }
};
struct not_all_in_memory : right_reader {
  static constexpr bool in_memory = true;
};
struct skips_past_the_end : right_reader {
  result<std::uintmax_t> skip(std::uintmax_t n) {
    right_reader::skip(n);
    return n;
  }
};
// apache/arrow #43949: what is buffered is not counted.
struct tells_where_the_buffer_ends : right_reader {
  result<std::uintmax_t> position() { return at + shown; }
};
struct seeks_from_where_the_buffer_ends : right_reader {
  result<std::uintmax_t> seek(std::intmax_t offset, whence from = whence::begin) {
    if (from == whence::current) at += shown;
    return right_reader::seek(offset, from);
  }
};
// golang/go#48446 and its kin: one call does not know of the other's window.
struct skips_over_its_window : right_reader {
  result<std::uintmax_t> skip(std::uintmax_t n) {
    if (shown > 3) pass(1);
    return right_reader::skip(n);
  }
};
struct moves_without_its_window : right_reader {
  moves_without_its_window() = default;
  moves_without_its_window(moves_without_its_window&& other) noexcept : right_reader(other) { pass(shown); }
};
struct consumes_with_exceptions : right_reader {
  void consume(size_t n) { pass(n); }
};
struct fails_in_the_middle : right_plain_reader {
  result<size_t> read_some(std::span<std::byte> b) {
    if (data.size() == 200) return fail(std::make_error_code(std::errc::operation_would_block));
    return right_plain_reader::read_some(b);
  }
};
struct throws_at_the_end : right_plain_reader {
  result<size_t> read_some(std::span<std::byte> b) {
    if (data.empty()) throw std::runtime_error("end of file");
    return right_plain_reader::read_some(b);
  }
};
struct refuses_large_requests : right_plain_reader {
  result<size_t> read_some(std::span<std::byte> b) {
    if (b.size() > 16384) return fail(std::make_error_code(std::errc::invalid_argument));
    return right_plain_reader::read_some(b);
  }
};
struct has_no_descriptor : right_plain_reader {
  std::optional<fd_endpoint> kernel_endpoint() { return fd_endpoint{.fd = 1 << 20}; }
  void kernel_advanced(std::uintmax_t) {}
};

// Exa-Networks/exabgp PR #1422: the descriptor is shown, and what is read ahead is not told.
struct hides_what_it_holds {
  buf_reader<file> in;
  result<size_t> read_some(std::span<std::byte> b) { return in.read_some(b); }
  std::optional<fd_endpoint> kernel_endpoint() {
    auto endpoint = in.kernel_endpoint();
    endpoint->buffered = 0;
    return endpoint;
  }
  void kernel_advanced(std::uintmax_t n) { in.kernel_advanced(n); }
};
// A limit that counts only what it has seen itself.
struct counts_no_kernel_bytes {
  limit_reader<file> in;
  result<size_t> read_some(std::span<std::byte> b) { return in.read_some(b); }
  auto kernel_endpoint() { return in.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t) {}
};

// What wraps another reader.

// hreinecke/sg3_utils #29: a short read is taken for the end.
template <class R>
struct ends_at_a_short_read {
  R& in;
  bool ended = false;
  result<size_t> read_some(std::span<std::byte> b) {
    if (ended || b.empty()) return size_t{0};
    const auto n = sluice::read_some(in, b);
    if (n) ended = *n < b.size();
    return n;
  }
};
template <class R>
struct tries_again {
  R& in;
  result<size_t> read_some(std::span<std::byte> b) {
    for (;;) {
      if (const auto n = sluice::read_some(in, b)) return n;
    }
  }
};
template <class R>
struct tells_another_error {
  R& in;
  result<size_t> read_some(std::span<std::byte> b) {
    const auto n = sluice::read_some(in, b);
    return n || n.error() == std::errc::operation_would_block ? n : fail(io_errc::invalid_data);
  }
};
template <class R>
struct ends_at_an_error {
  R& in;
  result<size_t> read_some(std::span<std::byte> b) { return sluice::read_some(in, b).value_or(0); }
};
// POCO #5327: what came before the error is gone.
template <class R>
struct drops_what_came_before {
  R& in;
  result<size_t> read_some(std::span<std::byte> b) {
    size_t total = 0;
    while (total < b.size()) {
      const auto n = sluice::read_some(in, b.subspan(total));
      if (!n) return n;
      if (*n == 0) break;
      total += *n;
    }
    return total;
  }
};
// rust-lang/rust#80894: the inner count is believed.
template <class R>
struct believes_every_count {
  R& in;
  result<size_t> read_some(std::span<std::byte> b) {
    std::array<std::byte, 8192> own{};
    const auto n = in.read_some(std::span(own).first(std::min<size_t>(b.size(), 64)));
    if (!n) return n;
    std::copy_n(own.begin(), std::min(*n, b.size()), b.begin());
    return std::min(*n, b.size());
  }
};

// Right ones of a user's.
template <class R>
struct rot128 {
  R in;
  result<size_t> read_some(std::span<std::byte> b) {
    const auto n = sluice::read_some(in, b);
    if (n)
      for (std::byte& x : b.first(*n)) x ^= std::byte{128};
    return n;
  }
};
// Frames of a length of one byte and as many bytes: delivers what is in them.
template <class R>
struct frames {
  R& in;
  size_t left = 0;
  result<size_t> read_some(std::span<std::byte> b) {
    if (b.empty()) return size_t{0};
    while (left == 0) {
      std::byte length;
      const auto n = sluice::read_some(in, std::span(&length, 1));
      if (!n || *n == 0) return n;
      left = std::to_integer<size_t>(length);
    }
    const auto n = sluice::read_some(in, b.first(std::min(left, b.size())));
    if (n && *n == 0) return fail(io_errc::truncated);
    if (n) left -= *n;
    return n;
  }
};

template <class R>
contract_report report_of() {
  return check_reader([] { return R(); }, sample);
}
template <template <class> class W>
contract_report report_over() {
  return check_reader([]<class R>(R& in) { return W<R>{in}; }, sample);
}
contract_report report_of_file(size_t size, auto make) {
  const test::temporary_folder folder;
  folder.write("sample", {reinterpret_cast<const char*>(sample.data()), sample.size()});
  return check_reader([&] { return make(or_throw(file::open(folder / "sample"))); }, std::span(sample).first(size));
}

void expect_only(contract_rule rule, const contract_report& report) {
  EXPECT_TRUE(report.broke(rule)) << name_of(rule) << " was to be broken\n" << report;
  const auto is_other = [&](const contract_violation& v) { return v.rule != rule; };
  EXPECT_TRUE(std::ranges::none_of(report.violations(), is_other)) << name_of(rule) << " alone was to be broken\n"
                                                                   << report;
}

struct wrong {
  contract_rule rule;
  contract_report (*report)();
};

}  // namespace

TEST(check_reader, names_the_rule_that_is_broken) {
  using enum contract_rule;
  const wrong table[] = {
      {request_bound, report_of<claims_more>},
      {request_bound, report_of<writes_outside>},
      {zero_is_the_end, report_of<ends_at_each_block>},
      {end_is_final, report_of<begins_again>},
      {empty_request, report_of<moves_for_nothing>},
      {same_bytes, report_of<repeats_large_reads>},
      {pieces_as_one, report_of<stops_at_an_empty_piece>},
      {fill_reaches, report_of<fills_too_little>},
      {fill_shows_next, report_of<fills_as_peek_does>},
      {window_stable, report_of<shows_two_windows>},
      {consume_moves, report_of<consumes_everything>},
      {whole_in_memory, report_of<not_all_in_memory>},
      {skip_counts, report_of<skips_past_the_end>},
      {position_tells, report_of<tells_where_the_buffer_ends>},
      {seek_moves, report_of<seeks_from_where_the_buffer_ends>},
      {ways_agree, report_of<skips_over_its_window>},
      {moves_whole, report_of<moves_without_its_window>},
      {complete_capability, report_of<consumes_with_exceptions>},
      {no_needless_error, report_of<fails_in_the_middle>},
      {no_exception, report_of<throws_at_the_end>},
      {erased_alike, report_of<refuses_large_requests>},
      {valid_endpoint, report_of<has_no_descriptor>},
  };
  for (const wrong& w : table) expect_only(w.rule, w.report());
}

TEST(check_reader, names_the_rule_that_a_wrapper_breaks) {
  using enum contract_rule;
  const wrong table[] = {
      {short_calls_below, report_over<ends_at_a_short_read>}, {error_told, report_over<tries_again>},
      {error_told, report_over<tells_another_error>},         {nothing_lost, report_over<ends_at_an_error>},
      {nothing_lost, report_over<drops_what_came_before>},    {bad_count_refused, report_over<believes_every_count>},
  };
  for (const wrong& w : table) expect_only(w.rule, w.report());
}

TEST(check_reader, names_the_rule_that_an_endpoint_breaks) {
  const auto hides = [](file in) { return hides_what_it_holds{buf_reader<file>(std::move(in), 16)}; };
  expect_only(contract_rule::endpoint_in_step, report_of_file(sample.size(), hides));
  const auto miscounts = [](file in) { return counts_no_kernel_bytes{limit_reader<file>(std::move(in), 200)}; };
  expect_only(contract_rule::kernel_accounted, report_of_file(200, miscounts));
}

TEST(check_reader, a_wrong_hint_is_a_warning) {
  struct hints_wrong : right_reader {
    std::optional<std::uintmax_t> size_hint() { return data.size(); }
  };
  const contract_report report = report_of<hints_wrong>();
  EXPECT_TRUE(report) << report;
  ASSERT_FALSE(report.warnings().empty());
  EXPECT_EQ(report.warnings().front().rule, contract_rule::hint_tells);
}

TEST(check_reader, passes_what_is_right) {
  const contract_report all = report_of<right_reader>();
  EXPECT_TRUE(all) << all;
  EXPECT_GT(all.trials(), 150U);
  const contract_report plain = report_of<right_plain_reader>();
  EXPECT_TRUE(plain) << plain;

  std::vector<std::byte> turned = sample;
  for (std::byte& b : turned) b ^= std::byte{128};
  const contract_report rot = check_reader([](auto& in) { return rot128{in}; }, turned, {.input = sample});
  EXPECT_TRUE(rot) << rot;
  const contract_report narrow = check_reader([](inner_reader in) { return rot128{in}; }, turned, {.input = sample});
  EXPECT_TRUE(narrow) << narrow;

  std::vector<std::byte> framed;
  for (size_t at = 0; at < sample.size(); at += 20) {
    const bytes_view part = std::span(sample).subspan(at, std::min<size_t>(20, sample.size() - at));
    framed.push_back(static_cast<std::byte>(part.size()));
    framed.insert(framed.end(), part.begin(), part.end());
  }
  const contract_report decoded = check_reader([]<class R>(R& in) { return frames<R>{in}; }, sample, {.input = framed});
  EXPECT_TRUE(decoded) << decoded;
}

TEST(check_reader, a_stream_that_stays_failed_is_right_where_it_may) {
  struct sticky {
    inner_reader in;
    std::error_code stuck = {};
    result<size_t> read_some(std::span<std::byte> b) {
      if (stuck) return fail(stuck);
      const auto n = sluice::read_some(in, b);
      if (!n) stuck = n.error();
      return n;
    }
  };
  const auto make = [](inner_reader in) { return sticky{in}; };
  expect_only(contract_rule::nothing_lost, check_reader(make, sample));
  const contract_report report = check_reader(make, sample, {.recovers = false});
  EXPECT_TRUE(report) << report;
}

TEST(contract_report, is_text_with_rule_place_and_bytes) {
  std::ostringstream text;
  text << report_of<repeats_large_reads>();
  EXPECT_NE(text.str().find("broken: same_bytes: the bytes are the right ones"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("where:    read_some(40) at byte 40"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("expected: byte 40 is 0x"), std::string::npos) << text.str();
  EXPECT_EQ(contract_report().text(), "keeps the contract\n");
}
