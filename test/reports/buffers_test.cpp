// SPDX-License-Identifier: BSL-1.0
//
// Buffers over descriptors: what an event loop has to know (exabgp#1422), what a failed device leaves behind
// (golang/go#35194, golang/go#44120, golang/go#59106, rust-lang/rust#32677).
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

// poll(2) knows nothing of what has been read ahead: the buffer says so itself.
TEST(buffers, tell_what_poll_cannot) {
  two_ends in = make_pipe_ends(1 << 20, O_NONBLOCK);
  const std::string text = some_text(17'000);
  write_text(in.writer.get(), text);
  fd_ref from(in.reader.get());
  buf_reader reader(from, 32 << 10);
  std::vector<std::byte> most(16'384);
  ASSERT_TRUE(reader.fill(17'000));
  ASSERT_TRUE(read_exactly(reader, most));
  pollfd one{.fd = in.reader.get(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&one, 1, 0), 0);
  EXPECT_EQ(reader.buffered().size(), 616U);
  EXPECT_TRUE(support::text(reader.buffered()) == text.substr(16'384));
}

// A device that never takes anything: every flush says so, what is pending stays, and a copy into it accepts no more
// than the buffer holds.
TEST(buffers, on_a_full_device_say_so_each_time) {
  const handle full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  fd_ref to(full.get());
  buf_writer out(to, 16);
  ASSERT_TRUE(write_all(out, "abc"));
  for (int i = 0; i != 3; ++i) {
    const auto flushed = out.flush();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error(), std::errc::no_space_on_device);
    EXPECT_EQ(out.pending().size(), 3U);
  }
  const std::string more(100, 'x');
  span_reader from(more);
  const auto copied = copy(from, out, {.flush = flush_policy::at_end});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, std::errc::no_space_on_device);
  EXPECT_EQ(copied.error().side, copy_side::writer);
  EXPECT_EQ(copied.error().bytes + copied.error().unwritten.size() + *from.size_hint(), 100U);
  const auto rest = std::move(out).into_inner().unwritten;
  EXPECT_EQ(rest.size(), 3 + copied.error().bytes);
  EXPECT_EQ(support::text(rest).substr(0, 3), "abc");
}

// golang/go#23289: many small copies become few writes; a large one goes past the buffer.
TEST(buffers, gather_small_copies_and_let_large_ones_pass) {
  const temporary_folder folder;
  const handle to = new_file(folder / "to");
  fd_ref plain(to.get());
  std::string expected;
  buf_writer out(plain, 8192);
  const fault writes({.call = "write"});
  for (int i = 0; i != 100; ++i) {
    const std::string small = some_text(100, static_cast<std::uint32_t>(i));
    const handle from = file_with(folder / "from", small);
    ASSERT_EQ(show(copy(fd_ref(from.get()), out)), "100");
    expected += small;
  }
  ASSERT_TRUE(out.flush());
  EXPECT_LE(writes.calls(), 2U);
  const std::string large = some_text(500'000);
  const handle from = file_with(folder / "from", large);
  copy_report report;
  ASSERT_EQ(show(copy(fd_ref(from.get()), out, {.report = &report})), "500000");
  EXPECT_GE(report.main_path(), copy_path::clone);
  ASSERT_TRUE(out.close());
  EXPECT_TRUE(content_of(folder / "to") == expected + large);
}

// A writer that shows no descriptor, as a TLS stream does.
struct opaque_writer {
  fd_ref& inner;

  result<std::size_t> write_some(std::span<const std::byte> b) { return inner.write_some(b); }
};

// tokio-rs/tls#66: an echo whose buffer waits for more while its peer waits for the answer. After the first answer, and
// after many, whether or not a kernel path could have been taken.
TEST(buffers, are_flushed_before_a_peer_is_waited_for) {
  for (const bool opaque : {false, true}) {
    for (const std::size_t reader_room : {1024U, 8192U, 65'536U}) {
      SCOPED_TRACE(std::to_string(reader_room) + (opaque ? ", opaque" : ""));
      two_ends request = make_socket_pair();
      two_ends answer = make_socket_pair();
      std::expected<std::uintmax_t, copy_error> copied;
      std::jthread echo([&] {
        fd_ref to(answer.writer.get());
        opaque_writer hidden{to};
        buf_writer out(to, 8192);
        buf_writer hidden_out(hidden, 8192);
        buf_reader in(fd_ref(request.reader.get()), reader_room);
        copied = opaque ? copy(in, hidden_out) : copy(in, out);
        EXPECT_TRUE(out.flush());
        EXPECT_TRUE(hidden_out.flush());
      });
      for (int i = 0; i != 10; ++i) {
        EXPECT_EQ(::write(request.writer.get(), "p", 1), 1);
        pollfd one{.fd = answer.reader.get(), .events = POLLIN, .revents = 0};
        const bool answered = ::poll(&one, 1, 10'000) == 1;
        EXPECT_TRUE(answered) << "answer " << i << " is held back";
        char c = 0;
        if (!answered || ::read(answer.reader.get(), &c, 1) != 1) break;
      }
      request.writer.reset();
      echo.join();
      EXPECT_TRUE(copied) << show(copied);
    }
  }
}

}  // namespace
}  // namespace sluice
