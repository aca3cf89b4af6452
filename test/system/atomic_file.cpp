// SPDX-License-Identifier: BSL-1.0
#include <sluice/copy.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/system/atomic_file.hpp>
#include <sluice/write.hpp>

#include "support/descriptors.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice {
namespace {

using test::call_counter;
using test::fault;
using test::temporary_folder;

static_assert(writer<atomic_file> && vectored_writer<atomic_file> && kernel_writer<atomic_file>);
static_assert(seekable<atomic_file> && !reader<atomic_file>);
static_assert(!std::is_copy_constructible_v<atomic_file> && std::is_nothrow_move_constructible_v<atomic_file>);

const std::string old_text = "the old content";
const std::string new_text = "what takes its place";

std::vector<std::string> names_in(const temporary_folder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

using names = std::vector<std::string>;

unsigned mode_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

/// One replacement from beginning to end; the first thing that fails.
result<void> replace(const std::string& path) {
  auto out = atomic_file::create(path);
  if (!out) return fail(out.error());
  if (auto written = write_all(*out, new_text); !written) return written;
  return out->commit();
}

// Where a disk is synced again and again, the calls alone count.
class no_disk {
 public:
  no_disk() : all_(&test::call_table::fsync, +[](int) { return 0; }) {}

 private:
  test::replaced_call<int (*)(int)> all_;
};

/// With names, or without where the file system can: each test is for both.
class atomic_file_test : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) return;
    named_.emplace(
        &test::call_table::open, +[](const char* path, int flags, mode_t mode) {
          if ((flags & O_TMPFILE) != O_TMPFILE) return detail::sys::real_open(path, flags, mode);
          errno = EOPNOTSUPP;
          return -1;
        });
  }

  temporary_folder folder_;

 private:
  std::optional<test::replaced_call<int (*)(const char*, int, mode_t)>> named_;
};

INSTANTIATE_TEST_SUITE_P(of, atomic_file_test, testing::Bool(),
                         [](const auto& mode) { return mode.param ? "unnamed" : "named"; });

TEST_P(atomic_file_test, appears_as_a_whole_when_committed) {
  {
    atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
    ASSERT_TRUE(write_all(out, new_text));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
    ASSERT_TRUE(out.commit());
    EXPECT_FALSE(out.is_open());
    EXPECT_EQ(out.commit().error(), std::errc::bad_file_descriptor);
    out.abandon();
  }
  EXPECT_EQ(folder_.read("a"), new_text);
  EXPECT_EQ(names_in(folder_), names{"a"});
}

TEST_P(atomic_file_test, replaces_and_keeps_the_mode) {
  folder_.write("a", old_text);
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 0640), 0);
  atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
  ASSERT_TRUE(write_all(out, new_text));
  EXPECT_EQ(folder_.read("a"), old_text);
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(folder_.read("a"), new_text);
  EXPECT_EQ(mode_of(folder_ / "a"), 0640U);
  EXPECT_EQ(names_in(folder_), names{"a"});
}

TEST_P(atomic_file_test, gives_a_new_file_its_permissions) {
  const mode_t before = ::umask(027);
  auto out = atomic_file::create(folder_ / "a", {.permissions = 0666});
  ::umask(before);
  ASSERT_TRUE(out && out->commit());
  EXPECT_EQ(mode_of(folder_ / "a"), 0640U);
}

TEST_P(atomic_file_test, abandoned_it_leaves_nothing) {
  folder_.write("a", old_text);
  {
    atomic_file by_destructor = or_throw(atomic_file::create(folder_ / "a"));
    ASSERT_TRUE(write_all(by_destructor, new_text));
    atomic_file by_assignment = or_throw(atomic_file::create(folder_ / "b"));
    by_assignment = std::move(by_destructor);
    by_assignment.abandon();
    EXPECT_FALSE(by_assignment.is_open());
    EXPECT_EQ(by_assignment.commit().error(), std::errc::bad_file_descriptor);
    atomic_file other = or_throw(atomic_file::create(folder_ / "b"));
  }
  EXPECT_EQ(names_in(folder_), names{"a"});
  EXPECT_EQ(folder_.read("a"), old_text);
}

TEST_P(atomic_file_test, replaces_what_has_appeared_meanwhile) {
  atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
  ASSERT_TRUE(write_all(out, new_text));
  folder_.write("a", old_text);
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(folder_.read("a"), new_text);
  EXPECT_EQ(names_in(folder_), names{"a"});
}

TEST_P(atomic_file_test, replaces_what_a_link_points_at) {
  std::filesystem::create_directory(folder_ / "d");
  folder_.write("d/a", old_text);
  std::filesystem::create_symlink("d/a", folder_ / "link");
  ASSERT_TRUE(replace(folder_ / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ(folder_.read("d/a"), new_text);
  std::filesystem::create_symlink("d/new", folder_ / "second");
  std::filesystem::create_symlink(folder_ / "second", folder_ / "first");
  ASSERT_TRUE(replace(folder_ / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "second"));
  EXPECT_EQ(folder_.read("d/new"), new_text);
  std::filesystem::create_symlink("no folder/file", folder_ / "dangling");
  EXPECT_EQ(replace(folder_ / "dangling").error(), std::errc::no_such_file_or_directory);
  std::filesystem::create_symlink("loop", folder_ / "loop");
  EXPECT_EQ(replace(folder_ / "loop").error(), std::errc::too_many_symbolic_link_levels);
}

TEST_P(atomic_file_test, refuses_what_is_no_file) {
  EXPECT_EQ(replace(folder_.path()).error(), std::errc::is_a_directory);
  EXPECT_EQ(replace("/dev/null").error(), io_errc::unsupported);
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(replace(folder_ / "fifo").error(), io_errc::unsupported);
  EXPECT_EQ(replace("").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(replace(folder_ / "none/").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(replace(folder_ / "none/a").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(replace(folder_ / std::string("a\0b", 3)).error(), std::errc::invalid_argument);
  EXPECT_EQ(names_in(folder_), names{"fifo"});
}

TEST_P(atomic_file_test, takes_the_longest_of_names) {
  const std::string name(255, 'n');
  ASSERT_TRUE(replace(folder_ / name));
  ASSERT_TRUE(replace(folder_ / name));
  EXPECT_EQ(names_in(folder_), names{name});
}

TEST_P(atomic_file_test, can_be_sought_resized_and_written_at) {
  atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
  EXPECT_TRUE(out.kernel_endpoint()->fresh);
  ASSERT_TRUE(write_all(out, "0123456789"));
  EXPECT_EQ(out.position(), 10U);
  EXPECT_EQ(out.seek(2), 2U);
  ASSERT_TRUE(write_all(out, "ab"));
  EXPECT_EQ(out.write_at(6, test::bytes_of("c")), 1U);
  ASSERT_TRUE(out.resize(8));
  EXPECT_EQ(out.size(), 8U);
  std::string back(4, '?');
  EXPECT_EQ(out.read_at(4, std::as_writable_bytes(std::span(back))), 4U);
  EXPECT_EQ(back, "45c7");
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(folder_.read("a"), "01ab45c7");
}

TEST_P(atomic_file_test, a_copy_goes_into_it) {
  folder_.write("from", new_text);
  file in = or_throw(file::open(folder_ / "from"));
  atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
  EXPECT_EQ(copy(in, out).value_or(0), new_text.size());
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(folder_.read("a"), new_text);
}

TEST_P(atomic_file_test, syncs_as_it_was_told) {
  for (const auto level : {sync_level::none, sync_level::data, sync_level::all}) {
    auto out = atomic_file::create(folder_ / "a", {.sync = level});
    ASSERT_TRUE(out);
    const call_counter calls;
    ASSERT_TRUE(out->commit());
    EXPECT_EQ(calls["fdatasync"], level == sync_level::data ? 2U : 0U);
    EXPECT_EQ(calls["fsync"], level == sync_level::all ? 2U : 0U);
  }
}

TEST_P(atomic_file_test, an_error_of_the_disk_is_told_every_time) {
  folder_.write("a", old_text);
  {
    atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
    const fault broken({.call = "fsync", .error = EIO});
    EXPECT_EQ(out.commit().error(), std::errc::io_error);
    EXPECT_EQ(out.commit().error(), std::errc::io_error);
  }
  EXPECT_EQ(folder_.read("a"), old_text);
  EXPECT_EQ(names_in(folder_), names{"a"});
}

TEST_P(atomic_file_test, an_owner_that_cannot_be_kept_costs_the_set_id_bits) {
  folder_.write("a", old_text);
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 04755), 0);
  atomic_file out = or_throw(atomic_file::create(folder_ / "a"));
  const test::replaced_call stranger(
      &test::call_table::fstat, +[](int fd, struct stat64* status) {
        const int answer = ::fstat64(fd, status);
        ++status->st_uid;
        return answer;
      });
  const fault refused({.call = "fchown", .times = test::always, .error = EPERM});
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(refused.hits(), 2U);
  EXPECT_EQ(mode_of(folder_ / "a"), 0755U);
}

// Every call that is made fails in turn.
// -------------------------------------------------------------------------------

void expect_old_or_new(const temporary_folder& folder, bool existed) {
  const names found = names_in(folder);
  if (!existed && found.empty()) return;
  ASSERT_EQ(found, names{"a"}) << "nothing is left over";
  const std::string text = folder.read("a");
  EXPECT_TRUE(text == new_text || (existed && text == old_text)) << text;
}

TEST_P(atomic_file_test, holds_the_old_or_the_new_whichever_call_fails) {
  const no_disk quick;
  for (const bool existed : {true, false}) {
    std::vector<std::pair<std::string_view, std::size_t>> calls;
    {
      const temporary_folder folder;
      if (existed) folder.write("a", old_text);
      const call_counter made;
      ASSERT_TRUE(replace(folder / "a"));
      for (const auto& entry : test::fault_detail::entries) calls.emplace_back(entry.name, made[entry.name]);
    }
    std::size_t failures = 0;
    for (const auto& [call, times] : calls) {
      for (std::size_t k = 1; k <= times; ++k) {
        const temporary_folder folder;
        if (existed) folder.write("a", old_text);
        SCOPED_TRACE(testing::Message() << call << " fails at call " << k << ", replacing: " << existed);
        result<void> done;
        {
          const fault broken({.call = call, .at = k, .error = EIO, .perform = call == "close"});
          done = replace(folder / "a");
          EXPECT_EQ(broken.hits(), 1U);
        }
        expect_old_or_new(folder, existed);
        if (done) {
          EXPECT_EQ(folder.read("a"), new_text);
        }
        if (!done) ++failures;
      }
    }
    EXPECT_GE(failures, 8U) << "the sweep reaches the calls";
  }
}

TEST_P(atomic_file_test, a_failed_commit_can_be_tried_again) {
  const no_disk quick;
  for (const std::string_view call : {"fchmod", "fstat", "linkat", "rename", "open"}) {
    SCOPED_TRACE(call);
    const temporary_folder folder;
    folder.write("a", old_text);
    atomic_file out = or_throw(atomic_file::create(folder / "a"));
    ASSERT_TRUE(write_all(out, new_text));
    {
      const fault broken({.call = call, .error = EIO});
      if (out.commit()) continue;  // a call that it does not make
    }
    EXPECT_EQ(folder.read("a"), old_text);
    ASSERT_TRUE(out.commit());
    EXPECT_EQ(folder.read("a"), new_text);
    EXPECT_EQ(names_in(folder), names{"a"});
  }
}

// The program dies in every call.
// ---------------------------------------------------------------------------------------

TEST_P(atomic_file_test, holds_the_old_or_the_new_wherever_the_program_dies) {
  static constinit int calls_left = 0;
  static constexpr auto die = [] {
    if (--calls_left == 0) ::_exit(7);
  };
  for (const bool existed : {true, false}) {
    for (int k = 1; k != 12; ++k) {
      SCOPED_TRACE(testing::Message() << "dies before call " << k << ", replacing: " << existed);
      const temporary_folder folder;
      if (existed) folder.write("a", old_text);
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        calls_left = k;
        auto& table = detail::sys::calls;
        static auto open = table.open;
        table.open = [](const char* path, int flags, mode_t mode) { return die(), open(path, flags, mode); };
        table.write = [](int fd, const void* data, size_t n) { return die(), ::write(fd, data, n); };
        table.fchmod = [](int fd, mode_t mode) { return die(), ::fchmod(fd, mode); };
        table.fsync = [](int) { return die(), 0; };
        table.linkat = [](int a, const char* b, int c, const char* d, int e) { return die(), ::linkat(a, b, c, d, e); };
        table.rename = [](const char* a, const char* b) { return die(), ::rename(a, b); };
        table.close = [](int fd) { return die(), ::close(fd); };
        ::_exit(replace(folder / "a") ? 0 : 1);
      }
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7));
      const std::string text = folder.read("a");
      EXPECT_TRUE(text == new_text || text == (existed ? old_text : "")) << text;
      EXPECT_LE(names_in(folder).size(), 2U);
      if (WEXITSTATUS(status) == 0) {
        EXPECT_EQ(text, new_text);
      }
    }
  }
}

}  // namespace
}  // namespace sluice
