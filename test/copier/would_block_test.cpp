// SPDX-License-Identifier: BSL-1.0
//
// EAGAIN from any call, whether the descriptor was ready or not.
//
#include "copier/driver.hpp"
#include "support/faults.hpp"

namespace sluice {
namespace {

using namespace test;

class copier_told_to_wait : public testing::TestWithParam<std::tuple<medium, medium, wrapping>> {};

constexpr std::string_view moving_calls[] = {"read",    "readv",  "write",    "writev",  "send",
                                             "sendmsg", "splice", "sendfile", "pwritev2"};

TEST_P(copier_told_to_wait, by_any_call) {
  const auto [source, target, wrapped] = GetParam();
  const std::string text = some_text(100'000);
  constexpr pace p{.feed = 20'000, .drain = 20'000};
  for (const std::string_view call : moving_calls) {
    std::size_t calls = 0;
    {
      const fault seen({.call = call});
      channel in(source);
      channel out(target);
      driven_copier relay(wrapped, in, out);
      driver d(in, out, text, p);
      d.to_the_end(relay);
      ASSERT_TRUE(d.done());
      calls = seen.calls();
    }
    const std::size_t stride = std::max<std::size_t>(1, calls / 16);
    for (std::size_t k = 1; k <= calls; k += k < 8 ? 1 : stride) {
      for (const std::size_t times : {1U, 3U}) {
        SCOPED_TRACE(std::string(call) + " " + std::to_string(k) + ", " + std::to_string(times) + " times");
        const fault busy({.call = call, .at = k, .times = times, .error = EAGAIN});
        channel in(source);
        channel out(target);
        driven_copier relay(wrapped, in, out);
        driver d(in, out, text, p);
        d.to_the_end(relay);
        // A regular file cannot be waited for: that is told, and the copy goes on all the same.
        while (d.error() && d.runs() < 10'000) {
          const copy_error e = d.forgive();
          ASSERT_EQ(e.code, std::errc::operation_would_block);
          ASSERT_EQ(e.side == copy_side::reader ? source : target, medium::file);
          ASSERT_EQ(e.bytes, relay.bytes());
          d.to_the_end(relay);
        }
        ASSERT_TRUE(d.done());
        ASSERT_TRUE(d.finish(relay) == text);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(sockets_and_pipes, copier_told_to_wait,
                         testing::Combine(testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe, medium::file),
                                          testing::Values(wrapping::none, wrapping::buf_reader, wrapping::buf_writer,
                                                          wrapping::any_buf_writer)));
INSTANTIATE_TEST_SUITE_P(files, copier_told_to_wait,
                         testing::Combine(testing::Values(medium::file),
                                          testing::Values(medium::unix_socket, medium::tcp, medium::pipe),
                                          testing::Values(wrapping::none, wrapping::both_buffers)));

}  // namespace
}  // namespace sluice
