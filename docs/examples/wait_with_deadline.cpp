// SPDX-License-Identifier: BSL-1.0
//
// Waits for an answer no longer than 50 ms, and then goes on where it was: the error tells how much had arrived.
//
#include <sluice/sluice.hpp>

#include <iostream>
#include <thread>

using namespace sluice;
using namespace std::chrono_literals;

int main() {
  pipe_ends ends = or_throw(make_pipe());
  or_throw(write_all(ends.writer, "half of "));

  std::string answer(15, '\0');
  std::span<std::byte> room = std::as_writable_bytes(std::span(answer));
  const auto late = read_exactly(ends.reader, room, {.deadline = std::chrono::steady_clock::now() + 50ms});
  if (late || late.error() != std::errc::timed_out) return 1;
  std::cout << late.error().message() << " after " << late.error().bytes << " bytes\n";

  or_throw(write_all(ends.writer, "answers"));
  or_throw(read_exactly(ends.reader, room.subspan(static_cast<std::size_t>(late.error().bytes))));
  std::cout << answer << '\n';

  // A thread that is told to stop: its read_all ends, and hands out what it has.
  std::jthread listener([&](const std::stop_token& stop) {
    const auto all = read_all(ends.reader, unbounded, {.stop = stop});
    if (!all) std::cout << all.error().message() << " after " << all.error().arrived.size() << " bytes\n";
  });
  or_throw(write_all(ends.writer, "and more"));
  listener.request_stop();
  listener.join();
  return answer == "half of answers" ? 0 : 1;
}
