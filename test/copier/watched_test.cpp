// SPDX-License-Identifier: BSL-1.0
//
// A copier that somebody watches: a stop token, and progress.
//
#include "copier/driver.hpp"

namespace sluice {
namespace {

using namespace test;

class copier_watched : public testing::TestWithParam<std::tuple<medium, medium, wrapping>> {
 protected:
  medium source = std::get<0>(GetParam());
  medium target = std::get<1>(GetParam());
  wrapping wrapped = std::get<2>(GetParam());
};

TEST_P(copier_watched, is_as_exact_and_hears_of_everything) {
  const std::string text = some_text(120'000);
  for (const bool edge : {false, true}) {
    SCOPED_TRACE(edge ? "edge-triggered" : "level-triggered");
    std::vector<std::uintmax_t> heard;
    const std::stop_source nobody;
    channel in(source);
    channel out(target);
    driven_copier relay(wrapped, in, out,
                        {.flush = flush_policy::at_end,
                         .on_progress = [&](std::uintmax_t n) { heard.push_back(n); },
                         .progress_interval = std::chrono::milliseconds(0),
                         .stop = nobody.get_token()});
    driver d(in, out, text, {.feed = 9000, .drain = 5000, .edge = edge});
    while (d.step(relay)) {
      if (relay.bytes() != 0) {
        ASSERT_FALSE(heard.empty());
        ASSERT_EQ(heard.back(), relay.bytes());
      }
    }
    ASSERT_FALSE(d.error()) << d.error()->code.message();
    ASSERT_TRUE(d.done());
    EXPECT_TRUE(d.finish(relay) == text);
    EXPECT_TRUE(std::ranges::is_sorted(heard));
    EXPECT_EQ(heard.back(), text.size());
    EXPECT_LE(d.idle_runs(), source == medium::tcp || target == medium::tcp ? 2 + d.runs() / 20 : 1) << d.runs();
  }
}

TEST_P(copier_watched, stops_after_any_run_and_loses_nothing) {
  const std::string text = some_text(40'000);
  constexpr pace p{.feed = 9000, .drain = 6000};
  for (std::size_t stop = 0; stop != 1000; ++stop) {
    SCOPED_TRACE("after run " + std::to_string(stop));
    std::stop_source stopping;
    channel in(source);
    channel out(target);
    driven_copier relay(wrapped, in, out, {.flush = flush_policy::at_end, .stop = stopping.get_token()});
    driver d(in, out, text, p);
    bool going = true;
    while (going && d.runs() != stop) going = d.step(relay);
    if (!going) break;
    const std::uintmax_t accepted = relay.bytes();
    const std::uintmax_t in_flight = d.in_flight(relay);
    stopping.request_stop();
    for (int i = 0; i != 2; ++i) {
      const run_result stopped = relay.run();
      ASSERT_FALSE(stopped);
      EXPECT_EQ(stopped.error().code, io_errc::cancelled);
      EXPECT_EQ(stopped.error().side, copy_side::none);
      EXPECT_EQ(stopped.error().bytes, accepted);
      EXPECT_TRUE(stopped.error().unwritten.empty());
    }
    const std::string held = relay.release();
    ASSERT_EQ(held.size(), in_flight);
    const std::string rest = d.readable_rest(relay);
    const std::string& received = d.finish(relay);
    ASSERT_EQ(received.size(), accepted);
    ASSERT_TRUE(received + held + rest == text);
  }
}

INSTANTIATE_TEST_SUITE_P(all, copier_watched,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe, medium::file),
                                          testing::Values(wrapping::none, wrapping::both_buffers, wrapping::any_reader,
                                                          wrapping::any_buf_writer)));

}  // namespace
}  // namespace sluice
