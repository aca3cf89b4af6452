// SPDX-License-Identifier: BSL-1.0
//
// Every kind of source to every kind of destination, under every policy, with and without buffers.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/signals.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 150'000;
constexpr std::size_t terminal_size = 2000;
constexpr std::size_t seal_size = 65'536;

enum class source {
  file,
  small_file,
  empty_file,
  sparse_file,
  other_file_system,
  memory_file,
  procfs,
  procfs_without_splice,
  sysfs,
  zero,
  null,
  pipe,
  tcp,
  unix_socket,
  messages,
  terminal,
  directory,
};

constexpr std::array source_names{"file",
                                  "small_file",
                                  "empty_file",
                                  "sparse_file",
                                  "other_file_system",
                                  "memory_file",
                                  "procfs",
                                  "procfs_without_splice",
                                  "sysfs",
                                  "zero",
                                  "null",
                                  "pipe",
                                  "tcp",
                                  "unix_socket",
                                  "messages",
                                  "terminal",
                                  "directory"};

enum class target {
  file,
  append,
  append_late,
  other_file_system,
  memory_file,
  sealed_against_writes,
  sealed_against_growth,
  pipe,
  closed_pipe,
  closed_socket,
  tcp,
  unix_socket,
  null,
  full,
  terminal,
  read_only,
};

constexpr std::array target_names{"file",
                                  "append",
                                  "append_late",
                                  "other_file_system",
                                  "memory_file",
                                  "sealed_against_writes",
                                  "sealed_against_growth",
                                  "pipe",
                                  "closed_pipe",
                                  "closed_socket",
                                  "tcp",
                                  "unix_socket",
                                  "null",
                                  "full",
                                  "terminal",
                                  "read_only"};

struct from_end {
  two_ends ends;
  std::optional<terminal> pty;
  std::optional<feeder> fed;
  std::string expected;
  int error = 0;
  std::uintmax_t most = unbounded;  // a source without an end is cut

  int fd() const { return pty ? pty->slave.get() : ends.reader.get(); }

  // The feeder stops once nobody can read any more.
  ~from_end() { ends.reader.reset(); }
};

struct to_end {
  two_ends ends;
  std::optional<terminal> pty;
  std::optional<collector> received;
  std::string path;
  std::string before;  // what it held already
  int error = 0;
  std::uintmax_t room = unbounded;  // accepted before the error
  bool looks = true;                // what arrives can be seen

  int fd() const { return pty ? pty->slave.get() : ends.writer.get(); }

  std::string arrived() {
    if (received) {
      if (pty)
        pty->slave.reset();
      else
        ends.writer.reset();
      return received->text();
    }
    if (!path.empty()) return content_of(path);
    ::lseek(fd(), 0, SEEK_SET);
    return everything(fd());
  }
};

class copy_table : public testing::TestWithParam<std::tuple<source, target>> {
 protected:
  void open_source(from_end& s) {
    const auto file_at = [&](const std::string& path) {
      s.ends.reader = handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    };
    const auto pseudo = [&](const char* path) {
      std::ifstream in(path, std::ios::binary);
      s.expected.assign(std::istreambuf_iterator<char>(in), {});
      file_at(path);
    };
    const std::string text = some_text(size);
    switch (std::get<0>(GetParam())) {
      case source::file: s.ends.reader = file_with(disk / "from", s.expected = text); break;
      case source::small_file: s.ends.reader = file_with(disk / "from", s.expected = "abc"); break;
      case source::empty_file: s.ends.reader = file_with(disk / "from", ""); break;
      case source::sparse_file: {
        s.ends.reader = file_with(disk / "from", text.substr(0, 4096), O_RDWR);
        ASSERT_EQ(::ftruncate(s.ends.reader.get(), size), 0);
        s.expected = text.substr(0, 4096) + std::string(size - 4096, '\0');
        break;
      }
      case source::other_file_system: s.ends.reader = file_with(memory / "from", s.expected = text); break;
      case source::memory_file: s.ends.reader = memory_file(s.expected = text); break;
      case source::procfs: pseudo("/proc/version"); break;
      case source::procfs_without_splice: pseudo("/proc/self/limits"); break;
      case source::sysfs: pseudo("/sys/devices/system/cpu/possible"); break;
      case source::zero:
        file_at("/dev/zero");
        s.expected.assign(s.most = size, '\0');
        break;
      case source::null: file_at("/dev/null"); break;
      case source::pipe:
      case source::tcp:
      case source::unix_socket:
        s.ends = std::get<0>(GetParam()) == source::pipe  ? make_pipe_ends()
                 : std::get<0>(GetParam()) == source::tcp ? make_tcp_pair()
                                                          : make_socket_pair();
        s.fed.emplace(std::move(s.ends.writer), s.expected = text);
        break;
      case source::messages:
        s.ends = make_socket_pair(SOCK_SEQPACKET);
        for (const std::size_t n : {std::size_t{10}, std::size_t{5000}, std::size_t{30'000}}) {
          ASSERT_EQ(::send(s.ends.writer.get(), text.data() + s.expected.size(), n, 0), static_cast<ssize_t>(n));
          s.expected = text.substr(0, s.expected.size() + n);
        }
        s.ends.writer.reset();
        break;
      case source::terminal:
        s.pty.emplace();
        s.expected = text.substr(0, s.most = terminal_size);
        write_text(s.pty->master.get(), s.expected);
        break;
      case source::directory:
        file_at(disk / "");
        s.error = EISDIR;
        break;
    }
  }

  void open_target(to_end& t) {
    switch (std::get<1>(GetParam())) {
      case target::file: t.ends.writer = new_file(t.path = disk / "to"); break;
      case target::append:
      case target::append_late: {
        t.ends.writer = file_with(t.path = disk / "to", t.before = "before", O_WRONLY);
        if (std::get<1>(GetParam()) == target::append)
          t.ends.writer = handle(::open(t.path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
        else
          ::fcntl(t.ends.writer.get(), F_SETFL, O_APPEND);
        break;
      }
      case target::other_file_system: t.ends.writer = new_file(t.path = memory / "to"); break;
      case target::memory_file: t.ends.writer = memory_file(); break;
      case target::sealed_against_writes:
        t.ends.writer = memory_file();
        ASSERT_EQ(::fcntl(t.fd(), F_ADD_SEALS, F_SEAL_WRITE), 0);
        t.error = EPERM;
        t.room = 0;
        break;
      case target::sealed_against_growth:
        t.ends.writer = memory_file();
        ASSERT_EQ(::ftruncate(t.fd(), seal_size), 0);
        ASSERT_EQ(::fcntl(t.fd(), F_ADD_SEALS, F_SEAL_GROW), 0);
        t.error = EPERM;
        t.room = seal_size;
        break;
      case target::pipe: t.ends = make_pipe_ends(); break;
      case target::closed_pipe:
      case target::closed_socket:
        t.ends = std::get<1>(GetParam()) == target::closed_pipe ? make_pipe_ends() : make_socket_pair();
        t.ends.reader.reset();
        t.error = EPIPE;
        t.room = 0;
        break;
      case target::tcp: t.ends = make_tcp_pair(); break;
      case target::unix_socket: t.ends = make_socket_pair(); break;
      case target::null:
        t.ends.writer = handle(::open("/dev/null", O_WRONLY | O_CLOEXEC));
        t.looks = false;
        break;
      case target::full:
        t.ends.writer = handle(::open("/dev/full", O_WRONLY | O_CLOEXEC));
        t.error = ENOSPC;
        t.room = 0;
        t.looks = false;
        break;
      case target::terminal:
        t.pty.emplace();
        t.received.emplace(t.pty->master.get());
        break;
      case target::read_only:
        t.ends.writer = file_with(disk / "to", "");
        t.error = EBADF;
        t.room = 0;
        break;
    }
    if (t.ends.reader.get() >= 0) t.received.emplace(t.ends.reader.get());
  }

  struct how {
    kernel_policy kernel = kernel_policy::automatic;
    bool buffered_reader = false;
    bool buffered_writer = false;
  };

  template <class R, class W>
  static std::expected<std::uintmax_t, copy_error> move(R& from, W& to, std::uintmax_t most, kernel_policy kernel) {
    return most == unbounded ? copy(from, to, {.kernel = kernel}) : copy_n(from, to, most, {.kernel = kernel});
  }

  void walk(const how& h) {
    from_end s;
    to_end t;
    open_source(s);
    open_target(t);
    const default_sigpipe deadly;
    fd_ref plain_from(s.fd());
    fd_ref plain_to(t.fd());
    buf_reader in(plain_from, 8192);
    buf_writer out(plain_to, 8192);
    const std::uintmax_t most = s.most;
    const auto copied = h.buffered_reader && h.buffered_writer ? move(in, out, most, h.kernel)
                        : h.buffered_reader                    ? move(in, plain_to, most, h.kernel)
                        : h.buffered_writer                    ? move(plain_from, out, most, h.kernel)
                                                               : move(plain_from, plain_to, most, h.kernel);
    std::uintmax_t accepted = copied ? *copied : copied.error().bytes;
    const result<void> flushed = out.flush();
    accepted -= out.pending().size();
    ASSERT_TRUE(std::move(out).into_inner().unwritten.empty() || !flushed);

    if (s.error != 0) {
      ASSERT_FALSE(copied);
      EXPECT_EQ(copied.error().code.value(), s.error) << show(copied);
      EXPECT_EQ(copied.error().side, copy_side::reader);
      EXPECT_EQ(accepted, 0U);
    } else if (t.error != 0 && s.expected.size() > t.room) {
      if (copied) {
        ASSERT_FALSE(flushed);
        EXPECT_EQ(flushed.error().value(), t.error);
      } else {
        EXPECT_EQ(copied.error().code.value(), t.error) << show(copied);
        EXPECT_EQ(copied.error().side, copy_side::writer);
      }
      EXPECT_EQ(accepted, t.room);
    } else {
      EXPECT_EQ(show(copied), std::to_string(s.expected.size()));
      EXPECT_TRUE(flushed);
      EXPECT_EQ(accepted, s.expected.size());
    }
    if (!t.looks) return;
    std::string arrived = t.arrived();
    if (t.room == seal_size) {
      ASSERT_EQ(arrived.size(), seal_size);
      arrived.resize(accepted);
    }
    EXPECT_TRUE(arrived == t.before + s.expected.substr(0, accepted));
  }

  temporary_folder disk;
  memory_folder memory;
};

TEST_P(copy_table, every_way) {
  const auto [from, to] = GetParam();
  if (!memory && (from == source::other_file_system || to == target::other_file_system)) GTEST_SKIP() << "no /dev/shm";
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
    for (const bool r : {false, true}) {
      if (r && from == source::messages) continue;  // a message that does not fit into the buffer is cut
      for (const bool w : {false, true}) {
        SCOPED_TRACE("policy " + std::to_string(static_cast<int>(kernel)) + (r ? ", buffered reader" : "") +
                     (w ? ", buffered writer" : ""));
        ASSERT_NO_FATAL_FAILURE(walk({kernel, r, w}));
      }
    }
  }
}

template <class Enum, std::size_t N>
std::vector<Enum> all_of() {
  std::vector<Enum> all;
  for (std::size_t i = 0; i != N; ++i) all.push_back(static_cast<Enum>(i));
  return all;
}

INSTANTIATE_TEST_SUITE_P(all, copy_table,
                         testing::Combine(testing::ValuesIn(all_of<source, source_names.size()>()),
                                          testing::ValuesIn(all_of<target, target_names.size()>())),
                         [](const auto& p) {
                           return std::string(source_names.at(static_cast<std::size_t>(std::get<0>(p.param)))) +
                                  "_to_" + target_names.at(static_cast<std::size_t>(std::get<1>(p.param)));
                         });

// What /proc/self/status says changes from call to call; only read(2) works there.
TEST(copy_table_of, proc_self_status) {
  const temporary_folder folder;
  const handle from(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const handle to = new_file(folder / "to");
  const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()));
  ASSERT_TRUE(copied) << show(copied);
  const std::string text = content_of(folder / "to");
  EXPECT_EQ(text.size(), *copied);
  EXPECT_TRUE(text.starts_with("Name:"));
  EXPECT_NE(text.find("nonvoluntary_ctxt_switches"), std::string::npos);
}

TEST(copy_table_of, messages_stay_whole) {
  for (const bool known : {true, false}) {
    two_ends in = make_socket_pair(SOCK_SEQPACKET);
    two_ends out = make_socket_pair(SOCK_SEQPACKET);
    const std::string text = some_text(100'000);
    const std::array<std::size_t, 4> sizes{10, 20'000, 1, 30'000};
    std::size_t at = 0;
    for (const std::size_t n : sizes)
      ASSERT_EQ(::send(in.writer.get(), text.data() + (at += n) - n, n, 0), static_cast<ssize_t>(n));
    in.writer.reset();
    const fd_kind kind = known ? fd_kind::message_socket : fd_kind::unknown;
    ASSERT_EQ(show(copy(fd_ref(in.reader.get(), kind), fd_ref(out.writer.get()))), std::to_string(at));
    out.writer.reset();
    std::string memory(100'000, '\0');
    at = 0;
    for (const std::size_t n : sizes) {
      ASSERT_EQ(::recv(out.reader.get(), memory.data(), memory.size(), 0), static_cast<ssize_t>(n));
      EXPECT_EQ(memory.substr(0, n), text.substr(at, n));
      at += n;
    }
    EXPECT_EQ(::recv(out.reader.get(), memory.data(), memory.size(), 0), 0);
  }
}

// What does not fit of a message is gone, so that the first round must not be a small one.
TEST(copy_table_of, a_large_message_is_not_cut) {
  two_ends in = make_socket_pair(SOCK_SEQPACKET);
  const std::string text = some_text(100'000);
  ASSERT_EQ(::send(in.writer.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  in.writer.reset();
  const temporary_folder folder;
  const handle to = new_file(folder / "to");
  EXPECT_EQ(show(copy(fd_ref(in.reader.get()), fd_ref(to.get()))), "100000");
  EXPECT_TRUE(content_of(folder / "to") == text);
}

}  // namespace
}  // namespace sluice
