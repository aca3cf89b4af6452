// SPDX-License-Identifier: BSL-1.0
//
// A source that grows, shrinks or gets holes while it is copied: JDK-8265891, rclone/rclone#1250,
// systemd/systemd#35569. The rule: a copy ends where a read finds the end once.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t size = 1'000'000;
constexpr std::size_t piece = 200'000;

// What happens to the source after the first call that moves bytes of it.
struct change {
  int fd = -1;
  off_t new_size = 0;
  std::string appended;
  int calls = 0;
  off_t at = 0;  // where the source stood when it happened

  void after_a_call() {
    if (++calls != 1) return;
    at = ::lseek(fd, 0, SEEK_CUR);
    if (new_size != 0 && ::ftruncate(fd, new_size) != 0) throw std::runtime_error("ftruncate");
    if (!appended.empty() && ::pwrite(fd, appended.data(), appended.size(), size) < 0)
      throw std::runtime_error("pwrite");
  }
};

change now;

ssize_t changing_copy_file_range(int from, off64_t*, int to, off64_t*, std::size_t n, unsigned) {
  const ssize_t moved = ::copy_file_range(from, nullptr, to, nullptr, std::min(n, piece), 0);
  now.after_a_call();
  return moved;
}

ssize_t changing_sendfile(int to, int from, off64_t*, std::size_t n) {
  const ssize_t moved = ::sendfile64(to, from, nullptr, std::min(n, piece));
  now.after_a_call();
  return moved;
}

ssize_t changing_read(int from, void* memory, std::size_t n) {
  const ssize_t moved = ::read(from, memory, std::min(n, piece));
  if (from == now.fd) now.after_a_call();
  return moved;
}

enum class way { copy_file_range, sendfile, read };

class changing_source : public testing::TestWithParam<way> {
 protected:
  // Copies while `now` happens; what arrived.
  std::string copied_meanwhile(const handle& from) {
    now.fd = from.get();
    now.calls = 0;
    two_ends out;
    std::optional<collector> received;
    if (GetParam() == way::sendfile) {
      out = make_socket_pair();
      received.emplace(out.reader.get());
    } else {
      out.writer = new_file(folder / "to");
    }
    const replaced_call ranges(&call_table::copy_file_range, &changing_copy_file_range);
    const replaced_call sends(&call_table::sendfile, &changing_sendfile);
    std::optional<replaced_call<ssize_t (*)(int, void*, std::size_t)>> reads;
    if (GetParam() == way::read) reads.emplace(&call_table::read, &changing_read);
    const auto copied = copy(fd_ref(from.get()), fd_ref(out.writer.get()),
                             {.kernel = GetParam() == way::read ? kernel_policy::never : kernel_policy::automatic,
                              .sparse = sparse_policy::never});
    out.writer.reset();
    std::string arrived = received ? received->text() : content_of(folder / "to");
    EXPECT_EQ(show(copied), std::to_string(arrived.size()));
    EXPECT_GT(now.calls, 1);
    return arrived;
  }

  temporary_folder folder;
  std::string text = some_text(size);
};

TEST_P(changing_source, that_shrinks_ends_early) {
  const handle from = file_with(folder / "from", text, O_RDWR);
  for (const std::size_t left : {std::size_t{700'000}, std::size_t{300'000}, piece, std::size_t{1000}}) {
    ASSERT_EQ(::pwrite(from.get(), text.data(), size, 0), static_cast<ssize_t>(size));
    ::lseek(from.get(), 0, SEEK_SET);
    now = {.new_size = static_cast<off_t>(left), .appended = {}};
    const std::string arrived = copied_meanwhile(from);
    EXPECT_EQ(arrived.size(), std::max(left, static_cast<std::size_t>(now.at)));
    // What sendfile has sent by reference, and was cut off then, may be anything.
    const std::size_t sure = std::min(left, arrived.size());
    EXPECT_TRUE(arrived.substr(0, sure) == text.substr(0, sure));
  }
}

TEST_P(changing_source, that_grows_is_copied_with_what_came) {
  const handle from = file_with(folder / "from", text, O_RDWR);
  now = {.new_size = 0, .appended = some_text(300'000, 9)};
  const std::string arrived = copied_meanwhile(from);
  EXPECT_TRUE(arrived == text + some_text(300'000, 9));
}

constexpr const char* way_names[] = {"copy_file_range", "sendfile", "read"};

INSTANTIATE_TEST_SUITE_P(all, changing_source, testing::Values(way::copy_file_range, way::sendfile, way::read),
                         [](const auto& p) { return std::string(way_names[static_cast<std::size_t>(p.param)]); });

TEST(changing_source_of, another_thread_that_appends) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", some_text(size));
  const handle growing(::open((folder / "from").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  for (const kernel_policy kernel : {kernel_policy::automatic, kernel_policy::never}) {
    const handle to = new_file(folder / "to");
    ::lseek(from.get(), 0, SEEK_SET);
    std::jthread appending([&] {
      const std::string more(10'000, 'm');
      for (int i = 0; i != 100; ++i) write_text(growing.get(), more);
    });
    const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()), {.kernel = kernel});
    appending.join();
    ASSERT_TRUE(copied) << show(copied);
    const std::string all = content_of(folder / "from");
    EXPECT_GE(*copied, size);
    EXPECT_TRUE(content_of(folder / "to") == all.substr(0, *copied));
  }
}

TEST(changing_source_of, another_thread_that_punches_holes) {
  const temporary_folder folder;
  constexpr std::size_t block = 65'536;
  const std::string text = some_text(32 * block);
  const handle from = file_with(folder / "from", text, O_RDWR);
  const auto punch = [&](std::size_t i) {
    return ::fallocate(from.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(i * block), block);
  };
  if (punch(0) != 0) GTEST_SKIP() << "the file system punches no holes";
  for (int turn = 0; turn != 5; ++turn) {
    std::atomic<bool> stop = false;
    std::jthread punching([&] {
      for (std::size_t i = 0; !stop; i = (i + 7) % 32) {
        punch(i);
        const auto at = static_cast<off_t>(((i + 3) % 32) * block);
        if (::pwrite(from.get(), text.data() + at, block, at) < 0) return;
      }
    });
    ::lseek(from.get(), 0, SEEK_SET);
    const handle to = new_file(folder / "to");
    const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()));
    stop = true;
    punching.join();
    EXPECT_EQ(show(copied), std::to_string(text.size()));
    const std::string arrived = content_of(folder / "to");
    ASSERT_EQ(arrived.size(), text.size());
    // Each byte is one that was there at some time.
    for (std::size_t i = 0; i != arrived.size(); ++i) {
      if (arrived[i] != text[i] && arrived[i] != 0) FAIL() << "at " << i;
    }
  }
}

}  // namespace
}  // namespace sluice
