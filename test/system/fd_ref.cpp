// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/fd_ref.hpp>

#include "support/descriptors.hpp"
#include "support/faults.hpp"
#include "support/signals.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace sluice {
namespace {

using test::always;
using test::bytes_of;
using test::call_counter;
using test::call_table;
using test::fault;
using test::replaced_call;
using test::text_of;

static_assert(reader<fd_ref> && writer<fd_ref>);
static_assert(vectored_reader<fd_ref> && vectored_writer<fd_ref>);
static_assert(kernel_reader<fd_ref> && kernel_writer<fd_ref>);
static_assert(seekable<fd_ref> && skippable<fd_ref> && size_hinted<fd_ref>);
static_assert(!buffered_reader<fd_ref> && !buffered_writer<fd_ref>);
static_assert(std::is_copy_constructible_v<fd_ref> && !std::is_convertible_v<int, fd_ref>);

constexpr std::size_t max_transfer = 0x7ffff000;

// A descriptor that the test closes.
class owned {
 public:
  explicit owned(int fd) : fd_(fd) {
    if (fd < 0) throw std::runtime_error("no descriptor");
  }
  ~owned() { ::close(fd_); }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  operator int() const { return fd_; }

 private:
  int fd_;
};

struct raw_pipe {
  explicit raw_pipe(int flags = 0) {
    if (::pipe2(ends, O_CLOEXEC | flags) != 0) throw std::runtime_error("pipe2");
  }
  ~raw_pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int i) {
    if (ends[i] >= 0) ::close(std::exchange(ends[i], -1));
  }
  int ends[2];
};

int open_file(const std::string& path, int flags) { return ::open(path.c_str(), flags | O_CLOEXEC, 0600); }

std::string read_text(fd_ref& r, std::size_t n) {
  std::string text(n, '?');
  const auto got = r.read_some(std::as_writable_bytes(std::span(text)));
  if (!got) return "error: " + got.error().message();
  text.resize(*got);
  return text;
}

fd_kind kind_of(int fd) { return fd_ref(fd).kind(); }

TEST(fd_ref, tells_the_kind) {
  const test::temporary_folder folder;
  folder.write("file", "x");
  const owned regular(open_file(folder / "file", O_RDONLY));
  const owned directory(open_file(folder.path(), O_RDONLY));
  const owned null(open_file("/dev/null", O_RDWR));
  const owned terminal(::posix_openpt(O_RDWR | O_NOCTTY));
  const owned event(::eventfd(0, EFD_CLOEXEC));
  const owned stream_socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  const owned datagram_socket(::socket(AF_UNIX, SOCK_DGRAM, 0));
  const owned packet_socket(::socket(AF_UNIX, SOCK_SEQPACKET, 0));
  const raw_pipe p;
  EXPECT_EQ(kind_of(regular), fd_kind::regular_file);
  EXPECT_EQ(kind_of(directory), fd_kind::directory);
  EXPECT_EQ(kind_of(null), fd_kind::character_device);
  EXPECT_EQ(kind_of(terminal), fd_kind::terminal);
  EXPECT_EQ(kind_of(event), fd_kind::other);
  EXPECT_EQ(kind_of(stream_socket), fd_kind::socket);
  EXPECT_EQ(kind_of(datagram_socket), fd_kind::message_socket);
  EXPECT_EQ(kind_of(packet_socket), fd_kind::message_socket);
  EXPECT_EQ(kind_of(p.ends[0]), fd_kind::pipe);
  EXPECT_EQ(kind_of(-1), fd_kind::unknown);
}

TEST(fd_ref, asks_for_the_kind_once) {
  const raw_pipe p;
  fd_ref r(p.ends[0]);
  const call_counter calls;
  EXPECT_EQ(r.kind(), fd_kind::pipe);
  EXPECT_EQ(r.kind(), fd_kind::pipe);
  EXPECT_EQ(calls["fstat"], 1U);
  fd_ref told(p.ends[0], fd_kind::pipe);
  EXPECT_EQ(told.kind(), fd_kind::pipe);
  EXPECT_EQ(calls.total(), 1U);
}

TEST(fd_ref, reads_and_writes) {
  raw_pipe p;
  fd_ref in(p.ends[0]);
  fd_ref out(p.ends[1]);
  EXPECT_EQ(out.write_some(bytes_of("hello")), 5U);
  EXPECT_EQ(read_text(in, 3), "hel");
  EXPECT_EQ(read_text(in, 10), "lo") << "a short read is not the end";
  p.close_end(1);
  EXPECT_EQ(read_text(in, 10), "");
}

TEST(fd_ref, empty_requests_cost_no_call) {
  const raw_pipe p;
  fd_ref in(p.ends[0]);
  fd_ref out(p.ends[1]);
  const std::array<mutable_buffer, 3> no_space{};
  const std::array<const_buffer, 3> no_bytes{};
  const call_counter calls;
  EXPECT_EQ(in.read_some(std::span<std::byte>()), 0U);
  EXPECT_EQ(in.read_some(std::span<const mutable_buffer>()), 0U);
  EXPECT_EQ(in.read_some(no_space), 0U);
  EXPECT_EQ(out.write_some(std::span<const std::byte>()), 0U);
  EXPECT_EQ(out.write_some(std::span<const const_buffer>()), 0U);
  EXPECT_EQ(out.write_some(no_bytes), 0U);
  EXPECT_EQ(in.skip(0), 0U);
  EXPECT_EQ(calls.total(), 0U);
}

TEST(fd_ref, empty_request_is_no_message) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
  const owned a(ends[0]);
  const owned b(ends[1]);
  fd_ref out(a);
  const std::array<const_buffer, 2> no_bytes{};
  EXPECT_EQ(out.write_some(std::span<const std::byte>()), 0U);
  EXPECT_EQ(out.write_some(no_bytes), 0U);
  std::byte got[8];
  fd_ref in(b);
  EXPECT_EQ(in.read_some(got).error(), std::errc::operation_would_block);
  EXPECT_EQ(out.write_some(bytes_of("one")), 3U);
  EXPECT_EQ(in.read_some(got), 3U);
}

TEST(fd_ref, vectored_requests_skip_empty_pieces) {
  const raw_pipe p;
  fd_ref in(p.ends[0]);
  fd_ref out(p.ends[1]);
  const std::array<const_buffer, 5> pieces{const_buffer(), bytes_of("ab"), const_buffer(), bytes_of("cde"),
                                           const_buffer()};
  EXPECT_EQ(out.write_some(pieces), 5U);
  std::array<std::byte, 2> first;
  std::array<std::byte, 9> second;
  const std::array<mutable_buffer, 4> places{mutable_buffer(), mutable_buffer(first), mutable_buffer(),
                                             mutable_buffer(second)};
  EXPECT_EQ(in.read_some(places), 5U);
  EXPECT_EQ(text_of(first), "ab");
  EXPECT_EQ(text_of(std::span(second).first(3)), "cde");
}

TEST(fd_ref, vectored_requests_take_at_most_iov_max_pieces) {
  const raw_pipe p;
  std::vector<std::byte> sent(3000);
  for (std::size_t i = 0; i != sent.size(); ++i) sent[i] = static_cast<std::byte>(i % 251);
  std::vector<const_buffer> pieces;
  for (const auto& b : sent) {
    pieces.emplace_back();
    pieces.emplace_back(&b, 1U);
  }
  for (const fd_kind kind : {fd_kind::pipe, fd_kind::character_device}) {
    fd_ref out(p.ends[1], kind);
    fd_ref in(p.ends[0]);
    std::vector<std::byte> got(sent.size());
    std::vector<mutable_buffer> places;
    for (auto& b : got) places.emplace_back(&b, 1U);
    EXPECT_EQ(out.write_some(pieces), 1024U);
    EXPECT_EQ(in.read_some(places), 1024U);
    EXPECT_TRUE(std::equal(got.begin(), got.begin() + 1024, sent.begin()));
  }
}

// The calls that were asked for more than is allowed, without the memory for it.
std::size_t asked = 0;
ssize_t note_read(int, void*, std::size_t n) { return static_cast<ssize_t>(asked = n); }
ssize_t note_write(int, const void*, std::size_t n) { return static_cast<ssize_t>(asked = n); }
ssize_t note_pieces(int, const iovec* pieces, int count) {
  asked = 0;
  for (int i = 0; i != count; ++i) asked += pieces[i].iov_len;
  return static_cast<ssize_t>(asked);
}

TEST(fd_ref, one_request_moves_at_most_what_linux_moves) {
  std::byte b;
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
  const replaced_call read(&call_table::read, note_read);
  const replaced_call write(&call_table::write, note_write);
  const replaced_call readv(&call_table::readv, note_pieces);
  const replaced_call writev(&call_table::writev, note_pieces);
  fd_ref s(-1, fd_kind::regular_file);
  EXPECT_EQ(s.read_some(std::span(&b, huge)), max_transfer);
  EXPECT_EQ(s.write_some(std::span<const std::byte>(&b, huge)), max_transfer);
  const std::array<mutable_buffer, 3> places{mutable_buffer(&b, 10), mutable_buffer(&b, huge), mutable_buffer(&b, 1)};
  EXPECT_EQ(s.read_some(places), max_transfer);
  const std::array<const_buffer, 2> pieces{const_buffer(&b, max_transfer - 1), const_buffer(&b, 2)};
  EXPECT_EQ(s.write_some(pieces), max_transfer);
}

TEST(fd_ref, retries_interrupted_calls) {
  const raw_pipe p;
  fd_ref in(p.ends[0]);
  fd_ref out(p.ends[1]);
  const fault writes({.call = "pwritev2", .times = 3, .error = EINTR});
  const fault reads({.call = "read", .times = 3, .error = EINTR});
  const fault vectored({.call = "readv", .times = 3, .error = EINTR});
  EXPECT_EQ(out.write_some(bytes_of("abcdef")), 6U);
  EXPECT_EQ(read_text(in, 3), "abc");
  std::array<std::byte, 2> first;
  std::array<std::byte, 2> second;
  const std::array<mutable_buffer, 2> places{mutable_buffer(first), mutable_buffer(second)};
  EXPECT_EQ(in.read_some(places), 3U);
  EXPECT_EQ(writes.calls(), 4U);
  EXPECT_EQ(reads.calls(), 4U);
  EXPECT_EQ(vectored.calls(), 4U);
}

TEST(fd_ref, reads_through_a_storm_of_signals) {
  const raw_pipe p;
  fd_ref in(p.ends[0]);
  const test::signal_storm storm;
  const fault reads({.call = "read"});
  std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(::write(p.ends[1], "late", 4), 4);
  });
  EXPECT_EQ(read_text(in, 10), "late");
  EXPECT_GT(storm.count(), 0);
  EXPECT_GT(reads.calls(), 1U);
}

TEST(fd_ref, would_block_is_an_ordinary_error) {
  const raw_pipe p(O_NONBLOCK);
  fd_ref in(p.ends[0]);
  fd_ref out(p.ends[1]);
  std::byte b[1];
  EXPECT_EQ(in.read_some(b).error(), std::errc::operation_would_block);
  const std::vector<std::byte> big(1 << 20);
  const auto first = out.write_some(big);
  ASSERT_TRUE(first);
  EXPECT_LT(*first, big.size());
  EXPECT_EQ(out.write_some(big).error(), std::errc::operation_would_block);
}

TEST(fd_ref, reports_the_systems_error) {
  std::byte b[1];
  EXPECT_EQ(fd_ref(-1).read_some(b).error(), std::errc::bad_file_descriptor);
  EXPECT_EQ(fd_ref(-1).write_some(bytes_of("x")).error(), std::errc::bad_file_descriptor);
  const owned full(open_file("/dev/full", O_RDWR));
  EXPECT_EQ(fd_ref(full).write_some(bytes_of("x")).error(), std::errc::no_space_on_device);
  const owned directory(open_file("/", O_RDONLY));
  EXPECT_EQ(fd_ref(directory).read_some(b).error(), std::errc::is_a_directory);
}

TEST(fd_ref, first_write_asks_for_the_kind_and_no_other) {
  const test::temporary_folder folder;
  const owned fd(open_file(folder / "file", O_RDWR | O_CREAT));
  fd_ref out(fd);
  const call_counter calls;
  EXPECT_EQ(out.write_some(bytes_of("a")), 1U);
  EXPECT_EQ(out.write_some(bytes_of("b")), 1U);
  const std::array<const_buffer, 2> pieces{bytes_of("c"), bytes_of("d")};
  EXPECT_EQ(out.write_some(pieces), 2U);
  EXPECT_EQ(calls["fstat"], 1U);
  EXPECT_EQ(calls["write"], 2U);
  EXPECT_EQ(calls["writev"], 1U);
  EXPECT_EQ(calls.total(), 4U);
  EXPECT_EQ(folder.read("file"), "abcd");
}

TEST(fd_ref, a_pipe_without_reader_is_broken_and_raises_nothing) {
  const test::default_sigpipe deadly;
  const std::array<const_buffer, 2> pieces{bytes_of("a"), bytes_of("b")};
  raw_pipe p;
  p.close_end(0);
  fd_ref out(p.ends[1]);
  EXPECT_EQ(out.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  EXPECT_EQ(out.write_some(pieces).error(), std::errc::broken_pipe);
}

bool sigpipe_is_blocked() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, SIGPIPE) == 1;
}

bool sigpipe_is_pending() {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, SIGPIPE) == 1;
}

class refused_flag : public testing::TestWithParam<int> {};

TEST_P(refused_flag, falls_back_to_a_guarded_write) {
  const test::default_sigpipe deadly;
  const std::array<const_buffer, 2> pieces{bytes_of("cd"), bytes_of("e")};
  const fault refused({.call = "pwritev2", .times = always, .error = GetParam()});
  raw_pipe p;
  fd_ref in(p.ends[0]);
  fd_ref out(p.ends[1]);
  EXPECT_EQ(out.write_some(bytes_of("ab")), 2U);
  EXPECT_EQ(out.write_some(pieces), 3U);
  EXPECT_EQ(read_text(in, 10), "abcde");
  EXPECT_EQ(refused.calls(), 1U) << "asked once in the stream's life";
  p.close_end(0);
  EXPECT_EQ(out.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  EXPECT_EQ(out.write_some(pieces).error(), std::errc::broken_pipe);
  EXPECT_FALSE(sigpipe_is_blocked());
  EXPECT_FALSE(sigpipe_is_pending());

  raw_pipe q;
  fd_ref other(q.ends[1]);
  EXPECT_EQ(other.write_some(bytes_of("x")), 1U);
  EXPECT_EQ(refused.calls(), 2U) << "remembered for that stream only";
}

INSTANTIATE_TEST_SUITE_P(fd_ref, refused_flag, testing::Values(EOPNOTSUPP, EINVAL, ENOSYS, EPERM));

TEST(fd_ref, a_guarded_write_keeps_a_pending_sigpipe) {
  const test::default_sigpipe deadly;
  const fault refused({.call = "pwritev2", .error = EOPNOTSUPP});
  raw_pipe p;
  p.close_end(0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  pthread_kill(pthread_self(), SIGPIPE);
  EXPECT_EQ(fd_ref(p.ends[1]).write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  EXPECT_TRUE(sigpipe_is_blocked());
  EXPECT_TRUE(sigpipe_is_pending());
  int taken = 0;
  sigwait(&set, &taken);
  EXPECT_FALSE(sigpipe_is_pending());
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

TEST(fd_ref, a_blocked_sigpipe_stays_blocked_and_unraised) {
  const test::default_sigpipe deadly;
  const fault refused({.call = "pwritev2", .error = EOPNOTSUPP});
  raw_pipe p;
  p.close_end(0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  EXPECT_EQ(fd_ref(p.ends[1]).write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  EXPECT_TRUE(sigpipe_is_blocked());
  EXPECT_FALSE(sigpipe_is_pending());
}

TEST(fd_ref, a_guarded_write_is_retried_when_interrupted) {
  const raw_pipe p;
  const fault refused({.call = "pwritev2", .error = EOPNOTSUPP});
  const fault interrupted({.call = "write", .times = 2, .error = EINTR});
  EXPECT_EQ(fd_ref(p.ends[1]).write_some(bytes_of("x")), 1U);
  EXPECT_EQ(interrupted.calls(), 3U);
}

TEST(fd_ref, an_unknown_kind_is_written_guarded) {
  const test::default_sigpipe deadly;
  const fault blind({.call = "fstat", .times = always, .error = EPERM});
  raw_pipe p;
  fd_ref out(p.ends[1]);
  EXPECT_EQ(out.write_some(bytes_of("x")), 1U);
  p.close_end(0);
  EXPECT_EQ(out.write_some(bytes_of("x")).error(), std::errc::broken_pipe);
  EXPECT_FALSE(sigpipe_is_blocked());
}

TEST(fd_ref, position_is_the_descriptors) {
  const test::temporary_folder folder;
  folder.write("file", "0123456789");
  const owned fd(open_file(folder / "file", O_RDONLY));
  fd_ref r(fd);
  EXPECT_EQ(r.position(), 0U);
  EXPECT_EQ(read_text(r, 3), "012");
  EXPECT_EQ(r.position(), 3U);
  EXPECT_EQ(r.seek(2, whence::current), 5U);
  EXPECT_EQ(read_text(r, 1), "5");
  EXPECT_EQ(r.seek(-1, whence::end), 9U);
  EXPECT_EQ(read_text(r, 9), "9");
  EXPECT_EQ(r.seek(1), 1U);
  EXPECT_EQ(r.seek(-1).error(), std::errc::invalid_argument);
  EXPECT_EQ(r.position(), 1U);
  fd_ref copy = r;
  EXPECT_EQ(read_text(copy, 1), "1");
  EXPECT_EQ(r.position(), 2U) << "copies share the offset";
  const raw_pipe p;
  EXPECT_EQ(fd_ref(p.ends[0]).seek(0).error(), std::errc::invalid_seek);
  EXPECT_EQ(fd_ref(p.ends[0]).position().error(), std::errc::invalid_seek);
}

TEST(fd_ref, size_hint_is_what_is_left) {
  const test::temporary_folder folder;
  folder.write("file", "0123456789");
  folder.write("empty", "");
  const owned fd(open_file(folder / "file", O_RDONLY));
  fd_ref r(fd);
  EXPECT_EQ(r.size_hint(), 10U);
  r.seek(4);
  EXPECT_EQ(r.size_hint(), 6U);
  r.seek(40);
  EXPECT_EQ(r.size_hint(), 0U);
  const owned empty(open_file(folder / "empty", O_RDONLY));
  EXPECT_EQ(fd_ref(empty).size_hint(), std::nullopt);
  const owned proc(open_file("/proc/self/status", O_RDONLY));
  EXPECT_EQ(fd_ref(proc).size_hint(), std::nullopt);
  EXPECT_EQ(fd_ref(-1).size_hint(), std::nullopt);
  const raw_pipe p;
  fd_ref pipe(p.ends[0], fd_kind::pipe);
  const call_counter calls;
  EXPECT_EQ(pipe.size_hint(), std::nullopt);
  EXPECT_EQ(calls.total(), 0U);
}

TEST(fd_ref, skips_within_a_file) {
  const test::temporary_folder folder;
  std::string content(1000, '?');
  std::iota(content.begin(), content.end(), '\0');
  folder.write("file", content);
  const owned fd(open_file(folder / "file", O_RDONLY));
  // Every position near the end with every distance around what is left.
  for (std::uintmax_t start = 990; start != 1003; ++start) {
    for (std::uintmax_t n = 0; n != 16; ++n) {
      fd_ref r(fd);
      ASSERT_EQ(r.seek(static_cast<std::intmax_t>(start)), start);
      const std::uintmax_t left = start < 1000 ? 1000 - start : 0;
      EXPECT_EQ(r.skip(n), std::min(n, left)) << start << ' ' << n;
      EXPECT_EQ(r.position(), start + std::min(n, left)) << start << ' ' << n;
    }
  }
  fd_ref r(fd);
  r.seek(1);
  EXPECT_EQ(r.skip(std::numeric_limits<std::intmax_t>::max()), 999U);
  r.seek(1);
  EXPECT_EQ(r.skip(unbounded), 999U);
  EXPECT_EQ(read_text(r, 1), "");
}

TEST(fd_ref, a_further_skip_in_a_file_takes_two_calls) {
  const test::temporary_folder folder;
  folder.write("file", std::string(1000, 'x'));
  const owned fd(open_file(folder / "file", O_RDWR));
  fd_ref r(fd);
  EXPECT_EQ(r.skip(100), 100U);
  {
    const call_counter calls;
    EXPECT_EQ(r.skip(100), 100U);
    EXPECT_EQ(calls["lseek"], 1U);
    EXPECT_EQ(calls["pread"], 1U);
    EXPECT_EQ(calls.total(), 2U);
  }
  // It has shrunk since: behind us, then to where we are, then to nothing.
  for (const auto& [size, passed] : {std::pair(250, 50U), std::pair(250, 0U), std::pair(100, 0U)}) {
    ASSERT_EQ(::ftruncate(fd, size), 0);
    EXPECT_EQ(r.skip(100), passed) << size;
    EXPECT_EQ(r.position(), 250U);
  }
  ASSERT_EQ(::ftruncate(fd, 0), 0);
  EXPECT_EQ(r.skip(100).error(), io_errc::unsupported);
  EXPECT_EQ(r.position(), 250U);
}

TEST(fd_ref, a_skip_that_cannot_move_back_is_an_error) {
  const test::temporary_folder folder;
  folder.write("file", std::string(1000, 'x'));
  const owned fd(open_file(folder / "file", O_RDONLY));
  fd_ref r(fd);
  ASSERT_EQ(r.skip(100), 100U);
  const fault refused({.call = "lseek", .at = 2, .error = EIO});
  EXPECT_EQ(r.skip(5000).error(), std::errc::io_error);
}

TEST(fd_ref, skip_is_unsupported_where_reading_is_the_way) {
  const raw_pipe p;
  EXPECT_EQ(fd_ref(p.ends[0]).skip(1).error(), io_errc::unsupported);
  const owned zero(open_file("/dev/zero", O_RDONLY));
  EXPECT_EQ(fd_ref(zero).skip(1).error(), io_errc::unsupported);
  const owned proc(open_file("/proc/self/status", O_RDONLY));
  EXPECT_EQ(fd_ref(proc).skip(1).error(), io_errc::unsupported);
  EXPECT_EQ(fd_ref(-1).skip(1).error(), std::errc::bad_file_descriptor);
}

TEST(fd_ref, skip_does_not_believe_sysfs) {
  const std::string path = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::error_code ignored;
  if (std::filesystem::file_size(path, ignored) != 4096) GTEST_SKIP() << "no such file here";
  const owned fd(open_file(path, O_RDONLY));
  fd_ref r(fd);
  EXPECT_EQ(r.skip(4000).error(), io_errc::unsupported) << "the file claims 4096 bytes and has some 20";
  EXPECT_EQ(r.position(), 0U);
  EXPECT_EQ(r.skip(3), 3U);
  EXPECT_EQ(r.position(), 3U);
}

TEST(fd_ref, kernel_endpoint_costs_no_call_and_lends_the_facts) {
  const raw_pipe p;
  fd_ref r(p.ends[0]);
  {
    const call_counter calls;
    const auto endpoint = r.kernel_endpoint();
    ASSERT_TRUE(endpoint);
    EXPECT_EQ(endpoint->fd, p.ends[0]);
    EXPECT_EQ(endpoint->kind, fd_kind::unknown);
    EXPECT_EQ(endpoint->max_bytes, unbounded);
    EXPECT_EQ(endpoint->buffered, 0U);
    EXPECT_FALSE(endpoint->fresh);
    ASSERT_NE(endpoint->facts, nullptr);
    EXPECT_EQ(calls.total(), 0U);
  }
  r.kind();
  const auto endpoint = r.kernel_endpoint();
  EXPECT_EQ(endpoint->kind, fd_kind::pipe);
  EXPECT_EQ(endpoint->facts->kind, fd_kind::pipe);
  EXPECT_TRUE(endpoint->facts->identified);
  EXPECT_NE(endpoint->facts->inode, 0U);
  r.kernel_advanced(5);
  EXPECT_FALSE(fd_ref(-1).kernel_endpoint());
}

}  // namespace
}  // namespace sluice
