// SPDX-License-Identifier: BSL-1.0
//
// Peers that go away while a copier is in the middle of it, after any run.
//
#include "copier/driver.hpp"
#include "support/signals.hpp"

namespace sluice {
namespace {

using namespace test;

// Runs the copier until it is done or fails, the source's peer going on; nobody receives any more.
run_result until_it_ends(driven_copier& relay, driver& d) {
  run_result answer;
  for (int i = 0; i != 10'000; ++i) {
    answer = relay.run();
    if (!answer || answer->done) break;
    if (answer->wait_for == readiness::readable) d.feed(5000);
  }
  return answer;
}

class copier_to_a_lost_peer : public testing::TestWithParam<std::tuple<medium, medium, wrapping>> {};

TEST_P(copier_to_a_lost_peer, blames_the_writer_and_loses_nothing) {
  const default_sigpipe deadly;
  const auto [source, target, wrapped] = GetParam();
  const std::string text = some_text(60'000);
  constexpr pace p{.feed = 9000, .drain = 6000};
  for (std::size_t stop = 1; stop != 100; ++stop) {
    SCOPED_TRACE("after run " + std::to_string(stop));
    channel in(source);
    channel out(target);
    driven_copier relay(wrapped, in, out);
    driver d(in, out, text, p);
    bool going = true;
    while (going && d.runs() != stop) going = d.step(relay);
    if (!going) break;
    const std::uintmax_t held_by_writer = relay.pending();
    const std::uintmax_t on_its_way = relay.bytes() - held_by_writer;
    out.reset_reader();
    const run_result answer = until_it_ends(relay, d);
    ASSERT_FALSE(answer) << (answer->done ? "done" : "waits for ever") << " after " << relay.bytes();
    for (int again = 0; again != 2; ++again) {
      const run_result error = again == 0 ? answer : relay.run();
      ASSERT_FALSE(error);
      EXPECT_TRUE(error.error().code == std::errc::broken_pipe || error.error().code == std::errc::connection_reset)
          << error.error().code.message();
      EXPECT_EQ(error.error().side, copy_side::writer);
      EXPECT_TRUE(error.error().unwritten.empty());
      // Nobody has taken a byte since, but for the writer's own buffer.
      EXPECT_EQ(error.error().bytes, relay.bytes());
      EXPECT_EQ(relay.bytes() - relay.pending(), on_its_way);
    }
    const std::uintmax_t accepted = relay.bytes();
    const std::string held = relay.release();
    EXPECT_TRUE(relay.release().empty());
    ASSERT_TRUE(held + d.readable_rest(relay) == text.substr(accepted));
  }
}

INSTANTIATE_TEST_SUITE_P(all, copier_to_a_lost_peer,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp, medium::pipe, medium::file),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::ValuesIn(all_wrappings)));

class copier_from_a_lost_peer : public testing::TestWithParam<std::tuple<medium, medium, wrapping>> {};

// What has arrived comes through, then the error is told, and another run finds the end.
TEST_P(copier_from_a_lost_peer, blames_the_reader_and_keeps_what_came) {
  const auto [source, target, wrapped] = GetParam();
  const std::string text = some_text(60'000);
  constexpr pace p{.feed = 9000, .drain = 6000};
  for (std::size_t stop = 1; stop != 100; ++stop) {
    SCOPED_TRACE("after run " + std::to_string(stop));
    channel in(source);
    channel out(target);
    driven_copier relay(wrapped, in, out);
    driver d(in, out, text, p);
    // A Unix socket tells of a reset where its peer leaves something unread behind.
    if (source == medium::unix_socket) write_text(in.reader(), "unread");
    bool going = true;
    while (going && d.runs() != stop && d.sent() != text.size()) going = d.step(relay);
    if (!going || d.sent() == text.size()) break;
    const std::size_t sent = d.sent();
    in.reset_writer();
    run_result answer;
    for (int i = 0; i != 10'000; ++i) {
      answer = relay.run();
      if (!answer || answer->done) break;
      ASSERT_EQ(answer->wait_for, readiness::writable);
      ASSERT_TRUE(d.await(*answer));
    }
    ASSERT_FALSE(answer) << "an end where there was a reset";
    EXPECT_EQ(answer.error().code, std::errc::connection_reset);
    EXPECT_EQ(answer.error().side, copy_side::reader);
    EXPECT_EQ(answer.error().bytes, relay.bytes());
    EXPECT_TRUE(answer.error().unwritten.empty());
    const std::uintmax_t at_the_error = relay.bytes();

    // The socket tells its error once.
    for (int i = 0; i != 10'000; ++i) {
      answer = relay.run();
      if (!answer || answer->done) break;
      ASSERT_TRUE(d.await(*answer));
    }
    ASSERT_TRUE(answer && answer->done);
    EXPECT_TRUE(relay.release().empty());
    const std::string& received = d.finish(relay);
    EXPECT_GE(received.size(), at_the_error);
    EXPECT_EQ(received.size(), relay.bytes());
    ASSERT_TRUE(text.starts_with(received));
    if (source == medium::unix_socket) {
      ASSERT_EQ(received.size(), sent);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, copier_from_a_lost_peer,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe, medium::file),
                                          testing::ValuesIn(all_wrappings)));

}  // namespace
}  // namespace sluice
