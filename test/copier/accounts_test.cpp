// SPDX-License-Identifier: BSL-1.0
//
// A copier between every two kinds of descriptors that hold little, in every wrapping, driven by epoll: exact after
// every run, and after it was given up at any of them.
//
#include "copier/driver.hpp"

namespace sluice {
namespace {

using namespace test;

class copier_between : public testing::TestWithParam<std::tuple<medium, medium, wrapping>> {
 protected:
  medium source = std::get<0>(GetParam());
  medium target = std::get<1>(GetParam());
  wrapping wrapped = std::get<2>(GetParam());
};

constexpr pace paces[] = {
    {.feed = 700, .drain = 100'000}, {.feed = 100'000, .drain = 1500}, {.feed = 5000, .drain = 4096}};

TEST_P(copier_between, exact_after_every_run) {
  const std::string text = some_text(120'000);
  for (const bool edge : {false, true}) {
    for (pace p : paces) {
      p.edge = edge;
      SCOPED_TRACE(std::to_string(p.feed) + (edge ? ", edge-triggered" : ", level-triggered"));
      channel in(source);
      channel out(target);
      driven_copier relay(wrapped, in, out);
      driver d(in, out, text, p);
      d.to_the_end(relay);
      ASSERT_FALSE(d.error()) << d.error()->code.message();
      ASSERT_TRUE(d.done());
      EXPECT_TRUE(d.finish(relay) == text);
      EXPECT_TRUE(relay.release().empty());
      // Whatever was waited for made the next run move something. TCP may grow impatient with acknowledgements.
      EXPECT_LE(d.idle_runs(), source == medium::tcp || target == medium::tcp ? 2 + d.runs() / 20 : 1) << d.runs();
    }
  }
}

// Accepted, given up and still readable are what was sent, wherever it was given up.
TEST_P(copier_between, given_up_after_any_run) {
  const std::string text = some_text(40'000);
  constexpr pace p{.feed = 9000, .drain = 6000};
  for (std::size_t stop = 1;; ++stop) {
    SCOPED_TRACE("after run " + std::to_string(stop));
    channel in(source);
    channel out(target);
    driven_copier relay(wrapped, in, out);
    driver d(in, out, text, p);
    bool going = true;
    while (going && d.runs() != stop) going = d.step(relay);
    ASSERT_FALSE(d.error());
    if (!going) break;
    const std::uintmax_t accepted = relay.bytes();
    const std::uintmax_t in_flight = d.in_flight(relay);
    const std::string held = relay.release();
    ASSERT_EQ(held.size(), in_flight);
    EXPECT_EQ(relay.bytes(), accepted);
    EXPECT_TRUE(relay.release().empty());
    const std::string rest = d.readable_rest(relay);
    const std::string& received = d.finish(relay);
    ASSERT_EQ(received.size(), accepted);
    ASSERT_TRUE(received + held + rest == text);
  }
}

TEST_P(copier_between, moved_after_every_run) {
  const std::string text = some_text(60'000);
  channel in(source);
  channel out(target);
  driven_copier relay(wrapped, in, out);
  driver d(in, out, text);
  while (d.step(relay)) {
    const std::uintmax_t before = relay.bytes();
    relay.move();
    ASSERT_EQ(relay.bytes(), before);
  }
  ASSERT_TRUE(d.done());
  EXPECT_TRUE(d.finish(relay) == text);
}

INSTANTIATE_TEST_SUITE_P(sockets_and_pipes, copier_between,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe, medium::file),
                                          testing::ValuesIn(all_wrappings)));
INSTANTIATE_TEST_SUITE_P(files, copier_between,
                         testing::Combine(testing::Values(medium::file),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::ValuesIn(all_wrappings)));

}  // namespace
}  // namespace sluice
