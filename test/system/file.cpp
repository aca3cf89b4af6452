// SPDX-License-Identifier: BSL-1.0
#include <sluice/system/file.hpp>

#include "support/descriptors.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice {
namespace {

using test::bytes_of;
using test::call_counter;
using test::fault;
using test::temporary_folder;

static_assert(reader<file> && writer<file> && vectored_reader<file> && vectored_writer<file>);
static_assert(kernel_reader<file> && kernel_writer<file>);
static_assert(seekable<file> && skippable<file> && size_hinted<file>);
static_assert(!std::is_copy_constructible_v<file> && std::is_nothrow_move_constructible_v<file>);
static_assert(!std::is_convertible_v<file&, fd_stream&>, "writing past the file would keep it fresh");

bool is_fresh(file& f) { return f.kernel_endpoint()->fresh; }

std::string read_text(file& f, std::size_t n) {
  std::string text(n, '?');
  const auto got = f.read_some(std::as_writable_bytes(std::span(text)));
  if (!got) return "error: " + got.error().message();
  text.resize(*got);
  return text;
}

TEST(file, open_reads) {
  const temporary_folder folder;
  folder.write("a", "hello");
  file f = or_throw(file::open(folder / "a"));
  EXPECT_EQ(read_text(f, 10), "hello");
  EXPECT_EQ(read_text(f, 10), "");
  EXPECT_EQ(f.write_some(bytes_of("x")).error(), std::errc::bad_file_descriptor);
  EXPECT_TRUE(f.close());
  EXPECT_EQ(read_text(f, 10), "error: Bad file descriptor");
}

TEST(file, open_is_one_call) {
  const temporary_folder folder;
  folder.write("a", "");
  const call_counter calls;
  file f = or_throw(file::open(folder / "a"));
  EXPECT_EQ(calls.total(), 1U);
  EXPECT_EQ(f.kernel_endpoint()->kind, fd_kind::unknown);
  EXPECT_FALSE(is_fresh(f));
  EXPECT_EQ(calls.total(), 1U);
}

TEST(file, a_three_byte_copy_costs_no_needless_call) {
  const temporary_folder folder;
  folder.write("from", "abc");
  const call_counter calls;
  file from = or_throw(file::open(folder / "from"));
  file to = or_throw(file::create(folder / "to"));
  std::byte b[8];
  ASSERT_EQ(from.read_some(b), 3U);
  EXPECT_EQ(to.write_some(std::span(b).first(3)), 3U);
  ASSERT_EQ(from.read_some(b), 0U);
  EXPECT_TRUE(from.close());
  EXPECT_TRUE(to.close());
  EXPECT_EQ(calls["open"], 2U);
  EXPECT_EQ(calls["read"], 2U);
  EXPECT_EQ(calls["write"], 1U);
  EXPECT_EQ(calls["close"], 2U);
  EXPECT_EQ(calls.total(), 7U);
  EXPECT_EQ(folder.read("to"), "abc");
}

TEST(file, takes_whatever_names_a_path) {
  EXPECT_TRUE(file::open("/dev/null"));
  EXPECT_TRUE(file::open(std::string("/dev/null")));
  EXPECT_TRUE(file::open(std::filesystem::path("/dev/null")));
}

TEST(file, refuses_a_null_in_the_path) {
  const temporary_folder folder;
  const std::string path = folder / std::string_view("a\0b", 3);
  const call_counter calls;
  EXPECT_EQ(file::open(path).error(), std::errc::invalid_argument);
  EXPECT_EQ(file::create(path).error(), std::errc::invalid_argument);
  EXPECT_EQ(file::append(path).error(), std::errc::invalid_argument);
  EXPECT_EQ(calls.total(), 0U);
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(file, reports_why_it_does_not_open) {
  const temporary_folder folder;
  EXPECT_EQ(file::open(folder / "none").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(file::open("").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(file::create(folder.path()).error(), std::errc::is_a_directory);
  EXPECT_EQ(file::create(folder / "none/a").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(file::create(folder / std::string(300, 'x')).error(), std::errc::filename_too_long);
  EXPECT_EQ(file::append(folder.path()).error(), std::errc::is_a_directory);
}

TEST(file, reports_exhaustion) {
  const temporary_folder folder;
  std::vector<std::error_code> errors;
  {
    const test::descriptor_limit limit(0);
    errors.push_back(file::open("/dev/null").error());
    errors.push_back(file::create(folder / "a").error());
  }
  for (const auto& error : errors) EXPECT_EQ(error, std::errc::too_many_files_open);
}

TEST(file, is_not_inherited) {
  const temporary_folder folder;
  EXPECT_TRUE(test::is_close_on_exec(or_throw(file::create(folder / "a")).fd()));
  EXPECT_TRUE(test::is_close_on_exec(or_throw(file::create(folder / "a")).fd())) << "emptied";
  EXPECT_TRUE(test::is_close_on_exec(or_throw(file::append(folder / "a")).fd()));
  EXPECT_TRUE(test::is_close_on_exec(or_throw(file::open(folder / "a")).fd()));
}

TEST(file, an_interrupted_open_is_retried) {
  const temporary_folder folder;
  const fault interrupted({.call = "open", .times = 3, .error = EINTR});
  EXPECT_TRUE(file::create(folder / "a"));
  EXPECT_EQ(interrupted.calls(), 4U);
}

TEST(file, create_makes_a_new_file_with_one_call) {
  const temporary_folder folder;
  const call_counter calls;
  file f = or_throw(file::create(folder / "a", 0640));
  EXPECT_EQ(calls.total(), 1U);
  EXPECT_EQ(f.kernel_endpoint()->kind, fd_kind::regular_file);
  EXPECT_TRUE(is_fresh(f));
  EXPECT_EQ(calls.total(), 1U);
  struct stat status;
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(status.st_mode & 0777, 0640 & ~mask);
}

TEST(file, create_empties_an_existing_file) {
  const temporary_folder folder;
  folder.write("a", "old content");
  const call_counter calls;
  file f = or_throw(file::create(folder / "a"));
  EXPECT_EQ(calls["open"], 2U);
  EXPECT_EQ(calls["fstat"], 1U);
  EXPECT_EQ(calls.total(), 3U);
  EXPECT_EQ(f.kernel_endpoint()->kind, fd_kind::regular_file);
  EXPECT_TRUE(f.kernel_endpoint()->facts->identified);
  EXPECT_TRUE(is_fresh(f));
  EXPECT_EQ(folder.read("a"), "");
  EXPECT_EQ(f.write_some(bytes_of("new")), 3U);
  EXPECT_EQ(folder.read("a"), "new");
}

TEST(file, create_follows_a_dangling_link) {
  const temporary_folder folder;
  std::filesystem::create_symlink("target", folder / "link");
  file f = or_throw(file::create(folder / "link"));
  EXPECT_TRUE(is_fresh(f));
  EXPECT_TRUE(std::filesystem::exists(folder / "target"));
}

TEST(file, create_over_a_device_or_fifo_is_not_fresh) {
  file null = or_throw(file::create("/dev/null"));
  EXPECT_EQ(null.kernel_endpoint()->kind, fd_kind::character_device);
  EXPECT_FALSE(is_fresh(null));

  const temporary_folder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const fd_stream other_end(::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  file fifo = or_throw(file::create(folder / "fifo"));
  EXPECT_EQ(fifo.kernel_endpoint()->kind, fd_kind::pipe);
  EXPECT_FALSE(is_fresh(fifo));
  EXPECT_EQ(fifo.write_some(bytes_of("x")), 1U);
}

TEST(file, create_without_fstat_is_not_fresh) {
  const temporary_folder folder;
  folder.write("a", "old");
  const fault blind({.call = "fstat", .error = EPERM});
  file f = or_throw(file::create(folder / "a"));
  EXPECT_EQ(blind.hits(), 1U);
  EXPECT_FALSE(is_fresh(f));
  EXPECT_EQ(f.kernel_endpoint()->kind, fd_kind::unknown);
}

TEST(file, is_fresh_until_something_happens) {
  const temporary_folder folder;
  int made = 0;
  const auto fresh_file = [&] {
    file f = or_throw(
        file::open(folder / std::to_string(made++), {.read = true, .write = true, .create = true, .exclusive = true}));
    EXPECT_TRUE(is_fresh(f));
    return f;
  };
  const auto is_fresh_after = [&](auto action) {
    file f = fresh_file();
    action(f);
    return is_fresh(f);
  };
  const std::array<const_buffer, 1> pieces{bytes_of("x")};
  EXPECT_FALSE(is_fresh_after([](file& f) { EXPECT_TRUE(f.write_some(bytes_of("x"))); }));
  EXPECT_FALSE(is_fresh_after([&](file& f) { EXPECT_TRUE(f.write_some(pieces)); }));
  EXPECT_FALSE(is_fresh_after([](file& f) { EXPECT_TRUE(f.write_at(0, bytes_of("x"))); }));
  EXPECT_FALSE(is_fresh_after([](file& f) { EXPECT_TRUE(f.seek(0)); }));
  EXPECT_FALSE(is_fresh_after([](file& f) { EXPECT_TRUE(f.resize(5)); }));
  EXPECT_FALSE(is_fresh_after([](file& f) { f.kernel_advanced(1); }));
  EXPECT_FALSE(is_fresh_after([](file& f) { EXPECT_GE(f.fd(), 0); }));
  EXPECT_FALSE(is_fresh_after([](file& f) {
    const fd_stream taken(f.release());
    f = file(fd_stream(::dup(taken.fd())));
  }));

  EXPECT_TRUE(is_fresh_after([](file& f) { f.kernel_advanced(0); }));
  EXPECT_TRUE(is_fresh_after([](file& f) { EXPECT_TRUE(f.write_some(std::span<const std::byte>())); }));
  EXPECT_TRUE(is_fresh_after([](file& f) { EXPECT_EQ(f.position(), 0U); }));
  EXPECT_TRUE(is_fresh_after([](file& f) { EXPECT_EQ(f.size(), 0U); }));

  file a = fresh_file();
  file b = std::move(a);
  EXPECT_TRUE(is_fresh(b)) << "moved along";
  EXPECT_FALSE(a.kernel_endpoint());  // NOLINT(bugprone-use-after-move)
  b = or_throw(file::open("/dev/null"));
  EXPECT_FALSE(is_fresh(b));
}

TEST(file, open_options) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  {
    file f = or_throw(file::open(folder / "a", {.read = true, .write = true}));
    EXPECT_EQ(read_text(f, 2), "01");
    EXPECT_EQ(f.write_some(bytes_of("ab")), 2U);
    EXPECT_EQ(folder.read("a"), "01ab456789");
    EXPECT_FALSE(is_fresh(f));
  }
  EXPECT_TRUE(file::open(folder / "a", {.write = true, .truncate = true}));
  EXPECT_EQ(folder.read("a"), "");
  EXPECT_EQ(file::open(folder / "a", {.write = true, .create = true, .exclusive = true}).error(),
            std::errc::file_exists);
  EXPECT_EQ(file::open(folder / "b", {.write = true}).error(), std::errc::no_such_file_or_directory);
  file made = or_throw(file::open(folder / "b", {.write = true, .create = true, .exclusive = true}));
  EXPECT_TRUE(is_fresh(made));
  EXPECT_EQ(made.kernel_endpoint()->kind, fd_kind::regular_file);
  // In append mode it has no place of its own: whatever others append stands before what comes next.
  file log = or_throw(file::open(folder / "c", {.append = true, .create = true, .exclusive = true}));
  EXPECT_FALSE(is_fresh(log));
  EXPECT_EQ(log.kernel_endpoint()->kind, fd_kind::regular_file);
}

TEST(file, open_options_that_exclude_one_another) {
  const temporary_folder folder;
  folder.write("a", "content");
  const call_counter calls;
  const std::array<open_options, 5> senseless{
      open_options{},
      open_options{.read = true, .truncate = true},
      open_options{.read = true, .create = true},
      open_options{.write = true, .exclusive = true},
      open_options{.create = true},
  };
  for (const auto& options : senseless)
    EXPECT_EQ(file::open(folder / "a", options).error(), std::errc::invalid_argument);
  EXPECT_EQ(calls.total(), 0U);
  EXPECT_EQ(folder.read("a"), "content");
}

TEST(file, append_writes_at_the_end) {
  const temporary_folder folder;
  file f = or_throw(file::append(folder / "a"));
  EXPECT_EQ(f.write_some(bytes_of("one")), 3U);
  folder.write("a", "longer than before");
  EXPECT_EQ(f.write_some(bytes_of("!")), 1U);
  EXPECT_EQ(folder.read("a"), "longer than before!");
}

TEST(file, positional_reads_leave_the_position) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a"));
  std::array<std::byte, 4> b;
  EXPECT_EQ(f.read_at(3, b), 4U);
  EXPECT_EQ(test::text_of(b), "3456");
  EXPECT_EQ(f.read_at(8, b), 2U);
  EXPECT_EQ(f.read_at(10, b), 0U);
  EXPECT_EQ(f.read_at(1'000'000, b), 0U);
  EXPECT_EQ(f.position(), 0U);
  const call_counter calls;
  EXPECT_EQ(f.read_at(0, std::span<std::byte>()), 0U);
  EXPECT_EQ(f.read_at(unbounded, b).error(), std::errc::invalid_argument);
  EXPECT_EQ(calls.total(), 0U);
}

TEST(file, positional_writes_leave_the_position) {
  const temporary_folder folder;
  file f = or_throw(file::create(folder / "a"));
  EXPECT_EQ(f.write_at(3, bytes_of("d")), 1U);
  EXPECT_EQ(f.write_some(bytes_of("abc")), 3U);
  EXPECT_EQ(f.position(), 3U);
  EXPECT_EQ(folder.read("a"), "abcd");
  EXPECT_EQ(f.write_at(unbounded, bytes_of("x")).error(), std::errc::invalid_argument);
  const call_counter calls;
  EXPECT_EQ(f.write_at(0, std::span<const std::byte>()), 0U);
  EXPECT_EQ(calls.total(), 0U);
}

TEST(file, positional_requests_are_retried_when_interrupted) {
  const temporary_folder folder;
  file f = or_throw(file::open(folder / "a", {.read = true, .write = true, .create = true}));
  const fault reads({.call = "pread", .times = 2, .error = EINTR});
  const fault writes({.call = "pwrite", .times = 2, .error = EINTR});
  std::byte b[1];
  EXPECT_EQ(f.write_at(0, bytes_of("x")), 1U);
  EXPECT_EQ(f.read_at(0, b), 1U);
  EXPECT_EQ(reads.calls(), 3U);
  EXPECT_EQ(writes.calls(), 3U);
}

TEST(file, positional_write_on_an_appending_file_is_refused) {
  const temporary_folder folder;
  folder.write("a", "0123");
  file f = or_throw(file::append(folder / "a"));
  EXPECT_EQ(f.write_at(0, bytes_of("x")).error(), std::errc::invalid_argument);
  file later = or_throw(file::open(folder / "a", {.write = true}));
  ASSERT_EQ(::fcntl(later.fd(), F_SETFL, O_APPEND), 0);
  EXPECT_EQ(later.write_at(0, bytes_of("x")).error(), std::errc::invalid_argument);
  EXPECT_EQ(folder.read("a"), "0123");
}

TEST(file, size_and_resize) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a", {.read = true, .write = true}));
  EXPECT_EQ(f.size(), 10U);
  EXPECT_TRUE(f.resize(4));
  EXPECT_EQ(folder.read("a"), "0123");
  EXPECT_TRUE(f.resize(6));
  EXPECT_EQ(folder.read("a"), std::string("0123\0\0", 6));
  EXPECT_EQ(f.size(), 6U);
  EXPECT_EQ(f.position(), 0U);
  EXPECT_EQ(f.resize(unbounded).error(), std::errc::file_too_large);
  EXPECT_EQ(or_throw(file::open("/dev/null")).size().error(), io_errc::unsupported);
  EXPECT_EQ(file().size().error(), std::errc::bad_file_descriptor);
}

TEST(file, seeks_skips_and_hints) {
  const temporary_folder folder;
  folder.write("a", "0123456789");
  file f = or_throw(file::open(folder / "a"));
  EXPECT_EQ(f.skip(4), 4U);
  EXPECT_EQ(f.size_hint(), 6U);
  EXPECT_EQ(read_text(f, 1), "4");
  EXPECT_EQ(f.seek(-2, whence::end), 8U);
  EXPECT_EQ(f.skip(100), 2U);
  EXPECT_EQ(f.position(), 10U);
}

TEST(file, sync_makes_the_call_of_its_level) {
  const temporary_folder folder;
  file f = or_throw(file::create(folder / "a"));
  const call_counter calls;
  EXPECT_TRUE(f.sync(sync_level::data));
  EXPECT_EQ(calls["fdatasync"], 1U);
  EXPECT_TRUE(f.sync());
  EXPECT_TRUE(f.sync(sync_level::all));
  EXPECT_EQ(calls["fsync"], 2U);
  EXPECT_EQ(calls.total(), 3U);
}

TEST(file, sync_reports_the_error) {
  const temporary_folder folder;
  file f = or_throw(file::create(folder / "a"));
  const fault broken({.call = "fsync", .error = EIO});
  EXPECT_EQ(f.sync().error(), std::errc::io_error);
  EXPECT_EQ(broken.calls(), 1U);
  EXPECT_EQ(or_throw(file::open("/dev/null")).sync().error(), std::errc::invalid_argument);
}

TEST(file, a_full_disk_is_told_by_write_or_by_close) {
  file full = or_throw(file::create("/dev/full"));
  EXPECT_EQ(full.write_some(bytes_of("x")).error(), std::errc::no_space_on_device);
  const temporary_folder folder;
  file f = or_throw(file::create(folder / "a"));
  EXPECT_TRUE(f.write_some(bytes_of("x")));
  const fault late({.call = "close", .error = ENOSPC, .perform = true});
  EXPECT_EQ(f.close().error(), std::errc::no_space_on_device);
  EXPECT_TRUE(f.close());
}

}  // namespace
}  // namespace sluice
