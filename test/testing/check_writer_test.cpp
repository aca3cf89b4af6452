// SPDX-License-Identifier: BSL-1.0
//
// For each rule a writer that breaks just this one; the report has to name it, and no other.
//
#include <sluice/sluice.hpp>
#include <sluice/testing/check_writer.hpp>
#include <sluice/testing/sample_bytes.hpp>

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace sluice;

namespace {

using bytes_view = std::span<const std::byte>;
using std::size_t;

// Can everything and is right: a buffer of 16 bytes before the content. The wrong ones replace one member each.
struct right_writer {
  static constexpr size_t capacity = 16;
  std::vector<std::byte> content = {};
  size_t at = 0;
  std::vector<std::byte> held = {};
  std::vector<std::byte> room = std::vector<std::byte>(capacity);

  void pass_on() {
    content.resize(std::max(content.size(), at + held.size()));
    std::ranges::copy(held, content.begin() + static_cast<std::ptrdiff_t>(at));
    at += held.size();
    held.clear();
  }
  void append(bytes_view b) { held.insert(held.end(), b.begin(), b.end()); }

  result<size_t> write_some(bytes_view b) {
    if (b.empty()) return size_t{0};
    if (held.size() == capacity) pass_on();
    const size_t n = std::min(b.size(), capacity - held.size());
    append(b.first(n));
    return n;
  }
  result<size_t> write_some(std::span<const const_buffer> pieces) {
    for (const const_buffer& piece : pieces)
      if (piece.size != 0) return right_writer::write_some({piece.data, piece.size});
    return size_t{0};
  }
  result<std::span<std::byte>> prepare(size_t n) {
    if (n > capacity) return fail(io_errc::buffer_too_small);
    if (capacity - held.size() < n) pass_on();
    return std::span(room).first(capacity - held.size());
  }
  void commit(size_t n) noexcept { append(std::span(room).first(n)); }
  result<void> flush() {
    pass_on();
    return {};
  }
  result<std::uintmax_t> seek(std::intmax_t offset, whence) {
    pass_on();
    at = static_cast<size_t>(offset);
    return at;
  }
  result<std::uintmax_t> position() { return at + held.size(); }
};

struct right_plain_writer {
  std::vector<std::byte> content = {};
  result<size_t> write_some(bytes_view b) {
    content.insert(content.end(), b.begin(), b.end());
    return b.size();
  }
};

struct claims_more : right_plain_writer {
  result<size_t> write_some(bytes_view b) {
    right_plain_writer::write_some(b);
    return b.size() == 13 ? 14 : b.size();
  }
};
struct answers_zero_where_full : right_writer {
  result<size_t> write_some(bytes_view b) {
    if (held.size() < capacity) return right_writer::write_some(b);
    pass_on();
    return size_t{0};
  }
};
struct loses_a_byte_of_large_requests : right_plain_writer {
  result<size_t> write_some(bytes_view b) {
    right_plain_writer::write_some(b.size() > 40 ? b.first(40) : b);
    return b.size();
  }
};
// golang/go#35194's kin: an empty write is a message of its own.
struct writes_for_nothing : right_plain_writer {
  result<size_t> write_some(bytes_view b) {
    if (b.empty()) content.push_back(std::byte{0});
    return right_plain_writer::write_some(b);
  }
};
// ruby bug #21131: what was handed over is kept, and changes later.
struct keeps_the_request : right_plain_writer {
  bytes_view kept = {};
  result<size_t> write_some(bytes_view b) {
    if (b.empty()) return size_t{0};
    flush();
    kept = b;
    return b.size();
  }
  result<void> flush() {
    right_plain_writer::write_some(std::exchange(kept, {}));
    return {};
  }
};
struct counts_empty_pieces_wrong : right_writer {
  using right_writer::write_some;
  result<size_t> write_some(std::span<const const_buffer> pieces) {
    size_t total = 0;
    for (size_t i = pieces.size(); i-- != 0;) {
      right_writer::flush();
      right_writer::append({pieces[i].data, pieces[i].size});
      total += pieces[i].size;
    }
    return total;
  }
};
struct prepares_too_little : right_writer {
  result<std::span<std::byte>> prepare(size_t n) {
    const auto got = right_writer::prepare(n);
    return got && n > 8 ? got->first(n - 1) : got;
  }
};
struct commits_all_that_was_prepared : right_writer {
  size_t prepared = 0;
  result<std::span<std::byte>> prepare(size_t n) {
    const auto got = right_writer::prepare(n);
    prepared = got ? got->size() : 0;
    return got;
  }
  void commit(size_t) noexcept { right_writer::commit(prepared); }
};
struct keeps_a_little_back : right_writer {
  result<void> flush() {
    if (held.size() > 2) pass_on();
    return {};
  }
};
// apache/arrow #48311: what is pending is not counted.
struct tells_what_has_arrived : right_writer {
  result<std::uintmax_t> position() { return at; }
};
struct seeks_with_bytes_pending : right_writer {
  result<std::uintmax_t> seek(std::intmax_t offset, whence) {
    at = static_cast<size_t>(offset);
    return at;
  }
};
struct overtakes_what_is_held : right_writer {
  using right_writer::write_some;
  result<size_t> write_some(std::span<const const_buffer> pieces) {
    const std::vector<std::byte> behind = std::exchange(held, {});
    const auto n = right_writer::write_some(pieces);
    pass_on();
    held = behind;
    return n;
  }
};
struct moves_without_what_it_holds : right_writer {
  moves_without_what_it_holds() = default;
  moves_without_what_it_holds(moves_without_what_it_holds&& other) noexcept : right_writer(other) { held.clear(); }
};
struct prepares_and_never_commits : right_plain_writer {
  result<std::span<std::byte>> prepare(size_t) { return fail(io_errc::buffer_too_small); }
};
struct fails_in_the_middle : right_plain_writer {
  result<size_t> write_some(bytes_view b) {
    if (content.size() >= 200) return fail(std::make_error_code(std::errc::interrupted));
    return right_plain_writer::write_some(b);
  }
};
struct throws_in_the_middle : right_plain_writer {
  result<size_t> write_some(bytes_view b) {
    if (content.size() >= 200) throw std::length_error("full");
    return right_plain_writer::write_some(b);
  }
};
struct has_no_descriptor : right_plain_writer {
  std::optional<fd_endpoint> kernel_endpoint() { return fd_endpoint{.fd = 1 << 20}; }
  void kernel_advanced(std::uintmax_t) {}
};
struct hides_what_it_holds {
  buf_writer<file> out;
  result<size_t> write_some(bytes_view b) { return out.write_some(b); }
  result<void> flush() { return out.flush(); }
  std::optional<fd_endpoint> kernel_endpoint() {
    auto endpoint = out.kernel_endpoint();
    endpoint->buffered = 0;
    return endpoint;
  }
  void kernel_advanced(std::uintmax_t n) { out.kernel_advanced(n); }
};
// Counts only what it has seen itself.
struct counts_no_kernel_bytes {
  file out;
  std::uintmax_t count = 0;
  result<size_t> write_some(bytes_view b) {
    const auto n = out.write_some(b);
    if (n) count += *n;
    return n;
  }
  result<std::uintmax_t> position() { return count; }
  result<std::uintmax_t> seek(std::intmax_t offset, whence from) {
    const auto at = out.seek(offset, from);
    if (at) count = *at;
    return at;
  }
  auto kernel_endpoint() { return out.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t) {}
};

// What wraps another writer.

template <class W>
struct takes_a_partial_write_for_all {
  W& out;
  result<size_t> write_some(bytes_view b) {
    const auto n = sluice::write_some(out, b);
    return n ? b.size() : n;
  }
};
template <class W>
struct tries_again {
  W& out;
  result<size_t> write_some(bytes_view b) {
    auto n = sluice::write_some(out, b);
    return n ? n : sluice::write_some(out, b);
  }
};

// Collects 32 bytes; the wrong ones differ in what they do with an error or a count of the inner writer.
template <class W>
struct right_wrapper {
  W& out;
  std::vector<std::byte> held = {};
  result<size_t> write_some(bytes_view b) {
    if (held.size() >= 32)
      if (const auto flushed = flush(); !flushed) return fail(flushed.error());
    held.insert(held.end(), b.begin(), b.end());
    return b.size();
  }
  result<void> flush() {
    while (!held.empty()) {
      const auto n = sluice::write_some(out, bytes_view(held));
      if (!n) return fail(n.error());
      if (*n == 0) return fail(io_errc::write_zero);
      held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(*n));
    }
    return {};
  }
};
// Nullus157/async-compression PR #438: the buffer is emptied before the error is looked at.
template <class W>
struct drops_what_it_holds {
  W& out;
  std::vector<std::byte> held = {};
  result<size_t> write_some(bytes_view b) {
    if (const auto flushed = flush(); !flushed) return fail(flushed.error());
    held.assign(b.begin(), b.end());
    return b.size();
  }
  result<void> flush() {
    const std::vector<std::byte> taken = std::exchange(held, {});
    return write_all(out, taken);
  }
};
template <class W>
struct waits_for_a_writer_that_accepts_nothing {
  W& out;
  result<size_t> write_some(bytes_view b) {
    if (b.empty()) return size_t{0};
    for (;;) {
      const auto n = sluice::write_some(out, b);
      if (!n || *n != 0) return n;
    }
  }
};
// rust-lang/rust#45318: the inner count is believed.
template <class W>
struct believes_every_count {
  W& out;
  std::vector<std::byte> held = {};
  result<size_t> write_some(bytes_view b) {
    if (const auto flushed = flush(); !flushed) return fail(flushed.error());
    held.assign(b.begin(), b.end());
    return b.size();
  }
  result<void> flush() {
    while (!held.empty()) {
      const auto n = out.write_some(bytes_view(held));
      if (!n) return fail(n.error());
      if (*n == 0) return fail(io_errc::write_zero);
      held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(std::min(*n, held.size())));
    }
    return {};
  }
};

template <class W>
contract_report report_of() {
  return check_writer([] { return W(); }, [](W& w) -> const std::vector<std::byte>& { return w.content; });
}
template <template <class> class W>
contract_report report_over() {
  return check_writer([]<class Inner>(Inner& out) { return W<Inner>{out}; });
}
contract_report report_of_file(auto make) {
  const test::temporary_folder folder;
  const auto content = [&](auto&) {
    const std::string text = folder.read("target");
    const bytes_view bytes = as_bytes(text);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  return check_writer([&] { return make(or_throw(file::create(folder / "target"))); }, content);
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

TEST(check_writer, names_the_rule_that_is_broken) {
  using enum contract_rule;
  const wrong table[] = {
      {request_bound, report_of<claims_more>},
      {accepts_some, report_of<answers_zero_where_full>},
      {same_bytes, report_of<loses_a_byte_of_large_requests>},
      {empty_request, report_of<writes_for_nothing>},
      {request_not_kept, report_of<keeps_the_request>},
      {pieces_as_one, report_of<counts_empty_pieces_wrong>},
      {prepare_reaches, report_of<prepares_too_little>},
      {commit_counts, report_of<commits_all_that_was_prepared>},
      {flush_passes_on, report_of<keeps_a_little_back>},
      {position_tells, report_of<tells_what_has_arrived>},
      {seek_moves, report_of<seeks_with_bytes_pending>},
      {ways_agree, report_of<overtakes_what_is_held>},
      {moves_whole, report_of<moves_without_what_it_holds>},
      {complete_capability, report_of<prepares_and_never_commits>},
      {no_needless_error, report_of<fails_in_the_middle>},
      {no_exception, report_of<throws_in_the_middle>},
      {valid_endpoint, report_of<has_no_descriptor>},
  };
  for (const wrong& w : table) expect_only(w.rule, w.report());
}

TEST(check_writer, names_the_rule_that_a_wrapper_breaks) {
  using enum contract_rule;
  const wrong table[] = {
      {short_calls_below, report_over<takes_a_partial_write_for_all>},
      {error_told, report_over<tries_again>},
      {nothing_lost, report_over<drops_what_it_holds>},
      {zero_refused, report_over<waits_for_a_writer_that_accepts_nothing>},
      {bad_count_refused, report_over<believes_every_count>},
  };
  for (const wrong& w : table) expect_only(w.rule, w.report());
}

TEST(check_writer, names_the_rule_that_an_endpoint_breaks) {
  const auto hides = [](file out) { return hides_what_it_holds{buf_writer<file>(std::move(out), 16)}; };
  expect_only(contract_rule::endpoint_in_step, report_of_file(hides));
  const auto miscounts = [](file out) { return counts_no_kernel_bytes{std::move(out)}; };
  expect_only(contract_rule::kernel_accounted, report_of_file(miscounts));
}

TEST(check_writer, passes_what_is_right) {
  const contract_report all = report_of<right_writer>();
  EXPECT_TRUE(all) << all;
  EXPECT_GT(all.trials(), 150U);
  const contract_report plain = report_of<right_plain_writer>();
  EXPECT_TRUE(plain) << plain;
  const contract_report wrapper = report_over<right_wrapper>();
  EXPECT_TRUE(wrapper) << wrapper;
}

TEST(check_writer, compares_what_arrives_with_what_is_expected) {
  struct rot128 {
    inner_writer out;
    result<size_t> write_some(bytes_view b) {
      std::array<std::byte, 64> turned{};
      const size_t n = std::min(b.size(), turned.size());
      std::ranges::transform(b.first(n), turned.begin(), [](std::byte x) { return x ^ std::byte{128}; });
      return sluice::write_some(out, bytes_view(turned).first(n));
    }
  };
  const std::vector<std::byte> input = sample_bytes(200);
  std::vector<std::byte> turned = input;
  for (std::byte& b : turned) b ^= std::byte{128};
  const auto make = [](inner_writer out) { return rot128{out}; };
  const contract_report report = check_writer(make, {.input = input, .expected = turned});
  EXPECT_TRUE(report) << report;
  expect_only(contract_rule::same_bytes, check_writer(make, {.input = input}));
}
