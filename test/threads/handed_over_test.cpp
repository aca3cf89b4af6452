// SPDX-License-Identifier: BSL-1.0
//
// A copier that goes from thread to thread between its runs, with what it holds in flight.
//
#include <sluice/sluice.hpp>

#include "copier/channels.hpp"
#include "threads/together.hpp"

#include <gtest/gtest.h>

#include <future>

namespace sluice {
namespace {

using namespace test;

class copier_handed_over : public testing::TestWithParam<std::tuple<medium, medium>> {};

// Runs `work` in a thread of its own, to its end.
template <class F>
auto elsewhere(F work) {
  return std::async(std::launch::async, std::move(work)).get();
}

TEST_P(copier_handed_over, each_run_in_another_thread) {
  const auto [source, target] = GetParam();
  const auto before = open_descriptors();
  {
    const std::string text = some_text(60'000);
    channel in(source);
    channel out(target);
    using relay_type = copier<fd_ref, fd_ref>;
    auto relay = std::make_unique<relay_type>(fd_ref(in.reader()), fd_ref(out.writer()));
    std::size_t sent = 0;
    std::string received;
    for (int turn = 0; turn != 10'000; ++turn) {
      sent += in.offer(std::string_view(text).substr(sent, 9000));
      if (sent == text.size()) in.close_writer();
      const bool moves = turn % 2 == 0;
      const auto step = elsewhere([&] {
        // Half of the time the copier itself is a new one, made there.
        if (moves) relay = std::make_unique<relay_type>(std::move(*relay));
        return relay->run();
      });
      ASSERT_TRUE(step) << step.error().code.message();
      if (step->done) break;
      if (target != medium::file) received += out.take(6000);
    }
    EXPECT_EQ(relay->bytes(), text.size());
    out.close_writer();
    received += out.rest();
    EXPECT_TRUE(received == text);
    // It ends in a thread that has never run it, which keeps its pipe no longer than itself.
    elsewhere([gone = std::move(relay)]() mutable {
      gone.reset();
      return true;
    });
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_P(copier_handed_over, given_up_in_another_thread) {
  const auto [source, target] = GetParam();
  const std::string text = some_text(60'000);
  channel in(source);
  channel out(target);
  copier relay(fd_ref(in.reader()), fd_ref(out.writer()));
  std::size_t sent = 0;
  for (int turn = 0; turn != 20; ++turn) {
    sent += in.offer(std::string_view(text).substr(sent));
    ASSERT_TRUE(elsewhere([&] { return relay.run(); }));
  }
  const std::string held = elsewhere([&] { return support::text(relay.release()); });
  in.close_writer();
  const std::string rest = in.rest();
  const std::uintmax_t accepted = relay.bytes();
  out.close_writer();
  EXPECT_TRUE(out.rest() == text.substr(0, accepted));
  EXPECT_TRUE(held + rest == text.substr(accepted, sent - accepted));
}

// Four copiers go round between four threads, each run by whoever holds it: the owners change, the bytes do not.
TEST(copier_handed_over_of, several_that_go_round) {
  constexpr int count = 4;
  struct journey {
    channel in{medium::unix_socket};
    channel out{medium::unix_socket};
    std::string text;
    std::size_t sent = 0;
    std::string received{};
    bool done = false;
    std::optional<copier<fd_ref, fd_ref>> relay{};
  };
  std::array<journey, count> all;
  for (int i = 0; i != count; ++i) {
    journey& j = all.at(static_cast<std::size_t>(i));
    j.text = some_text(50'000, static_cast<std::uint32_t>(i) + 1);
    j.relay.emplace(fd_ref(j.in.reader()), fd_ref(j.out.writer()));
  }
  std::barrier turn(count);
  EXPECT_TRUE(together(count, [&](int i) {
    for (int n = 0; n != 400; ++n) {
      journey& j = all.at(static_cast<std::size_t>((i + n) % count));
      if (!j.done) {
        j.sent += j.in.offer(std::string_view(j.text).substr(j.sent, 9000));
        if (j.sent == j.text.size()) j.in.close_writer();
        const auto step = j.relay->run();
        j.done = !step || step->done;
        j.received += j.out.take(9000);
      }
      turn.arrive_and_wait();
    }
    return true;
  }));
  for (journey& j : all) {
    EXPECT_TRUE(j.done);
    j.out.close_writer();
    j.received += j.out.rest();
    EXPECT_TRUE(j.received == j.text);
  }
}

INSTANTIATE_TEST_SUITE_P(all, copier_handed_over,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe,
                                                          medium::file)));

}  // namespace
}  // namespace sluice
