// SPDX-License-Identifier: BSL-1.0
//
// A file system without room, on every kind of path: what was accepted is there, the writer is to blame for the rest,
// and nothing of that is lost.
//
#include <sluice/sluice.hpp>

#include "cells.hpp"

#include <gtest/gtest.h>

#include <sys/statvfs.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t MiB = 1 << 20;

enum class feed { file, other_tmpfs, memory_file, pipe, tcp, zero, memory };
constexpr std::array feed_names{"file", "other_tmpfs", "memory_file", "pipe", "tcp", "zero", "memory"};

class full : public testing::TestWithParam<std::tuple<const char*, feed>> {
 protected:
  void SetUp() override {
    std::string why;
    const std::string kind = std::get<0>(GetParam());
    disk = kind == "tmpfs" ? mounted::tmpfs(MiB, why) : mounted::image(kind, kind == "xfs" ? 320 * MiB : 8 * MiB, why);
    if (!disk) GTEST_SKIP() << why;
    if (kind == "tmpfs") return;
    // A large file system is filled up to the last MiB first.
    const handle filler = new_file(*disk / "filler");
    struct statvfs room;
    ASSERT_EQ(::fstatvfs(filler.get(), &room), 0);
    const auto left = static_cast<off_t>(room.f_bavail * room.f_frsize) - static_cast<off_t>(MiB);
    ASSERT_TRUE(left <= 0 || ::posix_fallocate(filler.get(), 0, left) == 0);
  }

  struct source_end {
    two_ends ends;
    std::optional<feeder> fed;
    ~source_end() { ends.reader.reset(); }
  };

  void open_feed(source_end& s, const std::string& text) {
    switch (std::get<1>(GetParam())) {
      case feed::file: s.ends.reader = file_with(folder / "from", text); return;
      case feed::other_tmpfs: {
        std::string why;
        if (!other) other = mounted::tmpfs(8 * MiB, why);
        ASSERT_TRUE(other) << why;
        s.ends.reader = file_with(*other / "from", text);
        return;
      }
      case feed::memory_file: s.ends.reader = memory_file(text); return;
      case feed::zero: s.ends.reader = handle(::open("/dev/zero", O_RDONLY | O_CLOEXEC)); return;
      case feed::memory: return;
      case feed::pipe: s.ends = make_pipe_ends(); break;
      case feed::tcp: s.ends = make_tcp_pair(); break;
    }
    s.fed.emplace(std::move(s.ends.writer), text);
  }

  void walk(kernel_policy kernel, bool buffered) {
    const bool of_zeros = std::get<1>(GetParam()) == feed::zero;
    static const std::string some = some_text(3 * MiB);
    const std::string text = of_zeros ? std::string(some.size(), '\0') : some;
    source_end s;
    ASSERT_NO_FATAL_FAILURE(open_feed(s, text));
    const std::string path = *disk / "to";
    const handle to = new_file(path);
    fd_ref in(s.ends.reader.get());
    fd_ref out(to.get());
    buf_writer buffered_out(out, 8192);
    span_reader memory(sluice::as_bytes(text));
    copy_report report;
    const copy_options options{.kernel = kernel, .flush = flush_policy::at_end, .report = &report};
    const bool from_memory = std::get<1>(GetParam()) == feed::memory;
    const auto copied = from_memory ? (buffered ? copy(memory, buffered_out, options) : copy(memory, out, options))
                        : buffered  ? copy_n(in, buffered_out, text.size(), options)
                                    : copy_n(in, out, text.size(), options);
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, std::errc::no_space_on_device) << show(copied);
    EXPECT_EQ(copied.error().side, copy_side::writer);
    EXPECT_EQ(sum_of(report), copied.error().bytes);
    const std::size_t there = copied.error().bytes - buffered_out.pending().size();
    const std::string arrived = content_of(path);
    EXPECT_EQ(arrived.size(), there);
    EXPECT_TRUE(arrived == text.substr(0, there));
    most = std::max(most, there);
    if (std::string_view(std::get<0>(GetParam())) == "tmpfs") {
      EXPECT_EQ(there, MiB);
    }
    // What was taken and is not there is in the caller's hands, or with the writer, or still in the source.
    const std::size_t taken = copied.error().bytes + copied.error().unwritten.size();
    EXPECT_TRUE(support::text(copied.error().unwritten) ==
                text.substr(copied.error().bytes, taken - copied.error().bytes));
    if (from_memory) {
      EXPECT_EQ(*memory.size_hint(), text.size() - taken);
    } else if (s.fed) {
      EXPECT_TRUE(everything(s.ends.reader.get()) == text.substr(taken));
    } else if (!of_zeros) {
      EXPECT_EQ(offset_of(s.ends.reader.get()), static_cast<off_t>(taken));
    }
    // With room again the rest goes there.
    const std::string rest = support::text(buffered_out.pending()) + support::text(copied.error().unwritten);
    std::move(buffered_out).into_inner();
    EXPECT_TRUE(arrived + rest + text.substr(taken) == text);
    ::unlink(path.c_str());
    ::syncfs(to.get());  // a journal gives the blocks back late
  }

  std::unique_ptr<mounted> disk;
  std::unique_ptr<mounted> other;
  std::size_t most = 0;
  temporary_folder folder;
};

// coreutils/coreutils#277, nodejs/node#31908
TEST_P(full, what_is_there_is_counted_and_the_rest_is_not_lost) {
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
    for (const bool buffered : {false, true}) {
      SCOPED_TRACE("kernel " + std::to_string(static_cast<int>(kernel)) + (buffered ? ", buffered" : ""));
      ASSERT_NO_FATAL_FAILURE(walk(kernel, buffered));
    }
  }
  // Of one large write a file system may refuse all.
  EXPECT_TRUE(most > MiB / 4 || std::get<1>(GetParam()) == feed::memory) << most;
}

INSTANTIATE_TEST_SUITE_P(all, full,
                         testing::Combine(testing::Values("tmpfs", "ext4", "xfs"),
                                          testing::Values(feed::file, feed::other_tmpfs, feed::memory_file, feed::pipe,
                                                          feed::tcp, feed::zero, feed::memory)),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param)) + "_from_" +
                                  feed_names.at(static_cast<std::size_t>(std::get<1>(p.param)));
                         });

// golang/go#44120, tokio-rs/tokio#6325: a flush that found no room sends exactly the rest once there is some.
TEST(full_for_a_while, a_flush_goes_on_where_it_stopped) {
  std::string why;
  const auto disk = mounted::tmpfs(64 << 10, why);
  if (!disk) GTEST_SKIP() << why;
  const std::string text = some_text(100'000);
  handle filler = file_with(*disk / "filler", std::string(32 << 10, 'x'));
  auto to = file::create(*disk / "to");
  ASSERT_TRUE(to);
  {
    buf_writer out(*to, 128 << 10);
    ASSERT_TRUE(write_all(out, text.substr(0, 60'000)));
    for (int i = 0; i != 2; ++i) {
      const auto flushed = out.flush();
      ASSERT_FALSE(flushed);
      EXPECT_EQ(flushed.error(), std::errc::no_space_on_device);
      EXPECT_EQ(out.pending().size(), 60'000U - (32U << 10));
    }
    ::unlink((*disk / "filler").c_str());
    filler.reset();
    ASSERT_TRUE(out.flush());
    ASSERT_TRUE(out.close());
  }
  EXPECT_TRUE(content_of(*disk / "to") == text.substr(0, 60'000));
}

}  // namespace
}  // namespace sluice
