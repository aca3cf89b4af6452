// SPDX-License-Identifier: BSL-1.0
#include <sluice/adaptor/limit.hpp>
#include <sluice/adaptor/throttle.hpp>
#include <sluice/copy.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/system/file.hpp>
#include <sluice/write.hpp>

#include "fake_clock.hpp"
#include "support/streams.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace std::chrono_literals;
using clock = support::fake_clock;
using support::chunked_reader;
using support::window_reader;

// What is beyond the burst takes its time, and nothing takes more than one sleep longer.
void expect_rate(std::uintmax_t bytes, double rate, double burst) {
  EXPECT_GE(clock::seconds() + 1e-6, (static_cast<double>(bytes) - burst) / rate - 0.05);
  EXPECT_LE(clock::seconds(), static_cast<double>(bytes) / rate + 0.06);
  EXPECT_LE(clock::longest, 51ms);
}

TEST(throttle, keeps_the_rate_for_each_chunk) {
  const auto data = support::pattern(1000);
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    throttle_stream r(chunked_reader{data, chunk}, 500, 20, clock::start());
    EXPECT_EQ(support::drain(r, 100).value(), data);
    expect_rate(1000, 500, 20);
  }
}

TEST(throttle, a_burst_without_bound_is_no_limit) {
  const auto data = support::pattern(100);
  throttle_stream r(span_reader(data), 1000, unbounded, clock::start());
  EXPECT_EQ(support::drain(r, 100).value(), data);
  EXPECT_EQ(clock::seconds(), 0);
}

TEST(throttle, a_request_is_cut_to_what_may_pass) {
  const auto data = support::pattern(100);
  chunked_reader inner{data};
  throttle_stream r(inner, 1000, 10, clock::start());
  std::array<std::byte, 64> b;
  EXPECT_EQ(r.read_some(b).value(), 10U);
  EXPECT_EQ(clock::seconds(), 0);
  EXPECT_EQ(r.read_some(b).value(), 10U);
  EXPECT_EQ(r.read_some({}).value(), 0U);
  EXPECT_EQ(inner.requests, (std::vector<std::size_t>{10, 10}));
}

TEST(throttle, a_pause_earns_no_more_than_the_burst) {
  const auto data = support::pattern(100);
  throttle_stream r(chunked_reader{data}, 1000, 10, clock::start());
  clock::time += 1h;
  std::array<std::byte, 64> b;
  EXPECT_EQ(r.read_some(b).value(), 10U);
}

TEST(throttle, copies_through_windows_at_the_rate) {
  const auto data = support::pattern(1000);
  for (std::size_t chunk = 1; chunk <= 16; ++chunk) {
    std::string got;
    string_writer target{got};
    throttle_stream r(window_reader{.data = data, .chunk = chunk}, 500, 20, clock::start());
    ASSERT_TRUE(copy(r, target));
    expect_rate(1000, 500, 20);
    throttle_stream w(target, 500, 20, clock::start());
    ASSERT_TRUE(copy(chunked_reader{data, chunk}, w));
    expect_rate(1000, 500, 20);
  }
}

TEST(throttle, a_large_fill_is_made_good_afterwards) {
  const auto data = support::pattern(100);
  throttle_stream r(window_reader{.data = data}, 100, 2, clock::start());
  EXPECT_EQ(r.fill(16)->size(), 16U);
  EXPECT_EQ(r.buffered().size(), 16U);
  r.consume(16);
  std::array<std::byte, 8> b;
  EXPECT_EQ(r.read_some(b).value(), 1U);
  EXPECT_GE(clock::seconds(), 0.14);
}

TEST(throttle, the_bytes_before_an_error_are_seen) {
  const auto data = support::pattern(10);
  throttle_stream r(window_reader{.data = data, .chunk = 4, .fail_at = 2}, 1000, 10, clock::start());
  EXPECT_EQ(r.fill(8).error(), std::errc::io_error);
  EXPECT_EQ(r.buffered().size(), 4U);
  EXPECT_EQ(r.fill(8)->size(), 8U);
}

TEST(throttle, pieces_are_cut) {
  const auto data = support::pattern(100);
  support::vectored_reader_fake inner{{.data = data}};
  throttle_stream r(inner, 100, 7, clock::start());
  std::array<std::byte, 10> b;
  const std::array in{mutable_buffer(std::span(b).first(4)), mutable_buffer(std::span(b).last(6))};
  EXPECT_EQ(r.read_some(in).value(), 7U);
  support::vectored_recording_writer to;
  throttle_stream w(to, 100, 7, clock::start());
  const std::array out{const_buffer(std::span(data).first(4)), const_buffer(std::span(data).subspan(4))};
  EXPECT_EQ(w.write_some(out).value(), 7U);
}

TEST(throttle, an_allowance_is_no_bound) {
  support::kernel_stream inner{.endpoint = fd_endpoint{.fd = 7, .max_bytes = 90}};
  throttle_stream r(inner, 1000, 50, clock::start());
  const auto endpoint = r.kernel_endpoint();
  EXPECT_EQ(endpoint->max_bytes, 90U);
  EXPECT_EQ(endpoint->allowance, 50U);
  EXPECT_EQ(endpoint->max_step(), 50U);
  const auto bounded = limit(r, 60).kernel_endpoint();
  EXPECT_EQ(bounded->max_bytes, 60U);
  EXPECT_EQ(bounded->allowance, 50U);
  throttle_stream of_limited(limit(inner, 30), 1000, 50, clock::start());
  EXPECT_EQ(of_limited.kernel_endpoint()->max_bytes, 30U);
  EXPECT_EQ(of_limited.kernel_endpoint()->max_step(), 30U);
}

TEST(throttle, one_question_for_the_endpoint_is_one_sleep_at_most) {
  support::kernel_stream inner;
  throttle_stream r(inner, 1000, 50, clock::start());
  r.kernel_advanced(500);  // a debt of nearly half a second
  EXPECT_EQ(r.kernel_endpoint()->allowance, 0U);
  EXPECT_EQ(clock::sleeps, 1);
  inner.endpoint.reset();
  EXPECT_FALSE(r.kernel_endpoint());
  EXPECT_EQ(clock::sleeps, 1);
}

struct two_files {
  sluice::test::temporary_folder folder;
  std::vector<std::byte> data = support::pattern(600'000);

  two_files() {
    file made = or_throw(file::create(folder / "from"));
    or_throw(write_all(made, data));
  }
  file from() const { return or_throw(file::open(folder / "from")); }
  file to() const { return or_throw(file::create(folder / "to")); }
  void expect_copied(std::size_t size) const {
    file made = or_throw(file::open(folder / "to"));
    EXPECT_TRUE(support::equal(support::drain(made, 65536).value(), std::span(data).first(size)));
  }
};

void expect_kernel(const copy_report& report) {
  EXPECT_GT(report[copy_path::copy_file_range].bytes + report[copy_path::clone].bytes, 300'000U);
}

TEST(throttle, copies_a_file_at_the_rate) {
  const two_files files;
  file to = files.to();
  throttle_stream slow(files.from(), 1'000'000, 50'000, clock::start());
  copy_report report;
  ASSERT_EQ(copy(slow, to, {.report = &report}).value(), files.data.size());
  expect_rate(600'000, 1'000'000, 50'000);
  expect_kernel(report);
  files.expect_copied(600'000);
}

TEST(throttle, copies_into_a_file_at_the_rate) {
  const two_files files;
  file from = files.from();
  throttle_stream slow(files.to(), 1'000'000, 50'000, clock::start());
  copy_report report;
  ASSERT_EQ(copy(from, slow, {.report = &report}).value(), files.data.size());
  expect_rate(600'000, 1'000'000, 50'000);
  expect_kernel(report);
  files.expect_copied(600'000);
}

TEST(throttle, limited_below_or_above_copies_as_much_of_a_file) {
  const two_files files;
  copy_report report;
  {
    file to = files.to();
    auto r = throttle_stream(files.from(), 1'000'000, 50'000, clock::start()) | limit(500'001);
    ASSERT_EQ(copy(r, to, {.report = &report}).value(), 500'001U);
    EXPECT_TRUE(r.limit_reached());
    expect_rate(500'001, 1'000'000, 50'000);
    expect_kernel(report);
  }
  files.expect_copied(500'001);
  {
    file to = files.to();
    throttle_stream r(files.from() | limit(500'001), 1'000'000, 50'000, clock::start());
    ASSERT_EQ(copy(r, to, {.report = &report}).value(), 500'001U);
    expect_rate(500'001, 1'000'000, 50'000);
    expect_kernel(report);
  }
  files.expect_copied(500'001);
}

TEST(throttle, of_a_byte_or_two_at_a_time_is_not_taken_for_the_end) {
  const two_files files;
  file to = files.to();
  throttle_stream r(files.from() | limit(300), 30, 1, clock::start());
  ASSERT_EQ(copy(r, to).value(), 300U);
  expect_rate(300, 30, 1);
  files.expect_copied(300);
}

TEST(throttle, both_forms) {
  const auto data = support::pattern(10);
  chunked_reader inner{data};
  auto r = inner | throttle(1'000'000);
  static_assert(std::same_as<decltype(r), throttle_stream<chunked_reader&>>);
  EXPECT_EQ(support::drain(r).value(), data);
  auto w = throttle(support::recording_writer{}, 1'000'000, 100);
  EXPECT_EQ(w.write_some(data).value(), 10U);
}

}  // namespace
