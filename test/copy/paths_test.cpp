// SPDX-License-Identifier: BSL-1.0
//
// Each path is taken where it should be, and the bytes arrive.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t large = 300'000;

// What a copy with a report said.
struct outcome {
  copy_report report;
  std::string shown;

  std::uintmax_t on(copy_path path) const { return report[path].bytes; }
};

template <class R, class W>
outcome run(R&& from, W&& to, copy_options options = {}) {
  outcome o;
  options.report = &o.report;
  const auto copied = copy(from, to, options);
  o.shown = show(copied);
  if (copied) {
    EXPECT_EQ(sum_of(o.report), *copied);
  }
  return o;
}

TEST(copy_report, names_the_path_that_moved_the_most) {
  copy_report report;
  EXPECT_EQ(report.main_path(), copy_path::scratch);
  report[copy_path::scratch].bytes = 10;
  report[copy_path::splice].bytes = 11;
  EXPECT_EQ(report.main_path(), copy_path::splice);
  EXPECT_EQ(name(report.main_path()), "splice");
}

TEST(copy_paths, a_small_file_is_read_and_written) {
  const temporary_folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{60'000}}) {
    const std::string text = some_text(size);
    const handle from = file_with(folder / "from", text);
    const handle to = new_file(folder / "to");
    const outcome o = run(fd_ref(from.get()), fd_ref(to.get()));
    EXPECT_EQ(o.shown, std::to_string(size));
    EXPECT_EQ(o.on(copy_path::scratch), size);
    EXPECT_EQ(content_of(folder / "to"), text);
  }
}

TEST(copy_paths, a_large_file_is_moved_by_copy_file_range) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  const handle from = file_with(folder / "from", text);
  const handle to = new_file(folder / "to");
  const outcome o = run(fd_ref(from.get()), fd_ref(to.get()));
  EXPECT_EQ(o.shown, std::to_string(large));
  EXPECT_GE(o.on(copy_path::copy_file_range) + o.on(copy_path::clone), large - 65536);
  EXPECT_EQ(content_of(folder / "to"), text);
  EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(large));
  EXPECT_EQ(offset_of(to.get()), static_cast<off_t>(large));
}

TEST(copy_paths, the_offsets_of_both_files_are_respected) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  const handle from = file_with(folder / "from", text);
  const handle to = file_with(folder / "to", std::string(large + 100, 'x'), O_WRONLY);
  ::lseek(from.get(), 1000, SEEK_SET);
  ::lseek(to.get(), 50, SEEK_SET);
  EXPECT_EQ(run(fd_ref(from.get()), fd_ref(to.get())).shown, std::to_string(large - 1000));
  EXPECT_EQ(content_of(folder / "to"), std::string(50, 'x') + text.substr(1000) + std::string(1050, 'x'));
}

TEST(copy_paths, across_file_systems_it_is_sendfile) {
  const temporary_folder disk;
  const memory_folder memory;
  if (!memory) GTEST_SKIP() << "no /dev/shm";
  const std::string text = some_text(large);
  for (const bool to_memory : {true, false}) {
    const std::string from_path = to_memory ? disk / "from" : memory / "from";
    const std::string to_path = to_memory ? memory / "to" : disk / "to";
    const handle from = file_with(from_path, text);
    const handle to = new_file(to_path);
    struct stat a, b;
    ::fstat(from.get(), &a);
    ::fstat(to.get(), &b);
    if (a.st_dev == b.st_dev) GTEST_SKIP() << "only one file system to be had";
    const outcome o = run(fd_ref(from.get()), fd_ref(to.get()));
    EXPECT_EQ(o.shown, std::to_string(large));
    EXPECT_GE(o.on(copy_path::sendfile), large - 65536);
    EXPECT_TRUE(o.report[copy_path::copy_file_range].gave_way);
    EXPECT_EQ(content_of(to_path), text);
  }
}

TEST(copy_paths, file_to_socket_is_sendfile) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  for (const bool tcp : {false, true}) {
    const handle from = file_with(folder / "from", text);
    two_ends ends = tcp ? make_tcp_pair() : make_socket_pair();
    collector received(ends.reader.get());
    const outcome o = run(fd_ref(from.get()), fd_ref(ends.writer.get()));
    ends.writer.reset();
    EXPECT_EQ(o.shown, std::to_string(large));
    EXPECT_GE(o.on(copy_path::sendfile), large - 65536);
    EXPECT_EQ(received.text(), text);
  }
}

// Pages that are spliced out of a file change with it, also after the copy has returned.
TEST(copy_paths, file_to_pipe_is_not_spliced_unless_asked) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  for (const kernel_policy policy : {kernel_policy::automatic, kernel_policy::never, kernel_policy::aliasing}) {
    const handle from = file_with(folder / "from", text, O_RDWR);
    two_ends ends = make_pipe_ends(1 << 20);
    ASSERT_GE(::fcntl(ends.writer.get(), F_GETPIPE_SZ), 1 << 19) << "no large pipe to be had";
    const outcome o = run(fd_ref(from.get()), fd_ref(ends.writer.get()), {.kernel = policy});
    ASSERT_EQ(o.shown, std::to_string(large));
    ASSERT_EQ(::pwrite(from.get(), std::string(large, '!').data(), large, 0), static_cast<ssize_t>(large));
    ends.writer.reset();
    const std::string received = everything(ends.reader.get());
    ASSERT_EQ(received.size(), large);
    if (policy == kernel_policy::aliasing) {
      EXPECT_GE(o.on(copy_path::splice), large - 65536);
    } else {
      EXPECT_EQ(o.on(copy_path::splice), 0U);
      EXPECT_EQ(received, text);
    }
  }
}

enum class place { file, pipe, socket, null };

void PrintTo(place p, std::ostream* out) {
  constexpr std::array names{"file", "pipe", "socket", "null"};
  *out << names.at(static_cast<std::size_t>(p));
}

class copy_splice : public testing::TestWithParam<std::tuple<place, place>> {};

TEST_P(copy_splice, is_taken_after_the_first_round) {
  const auto [from_place, to_place] = GetParam();
  const temporary_folder folder;
  const std::string text = some_text(large);
  two_ends in = from_place == place::pipe ? make_pipe_ends() : make_socket_pair();
  feeder fed(std::move(in.writer), text);
  two_ends out;
  if (to_place == place::file) out.writer = new_file(folder / "to");
  if (to_place == place::null) out.writer = handle(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (to_place == place::pipe) out = make_pipe_ends();
  if (to_place == place::socket) out = make_socket_pair();
  std::optional<collector> received;
  if (out.reader.get() >= 0) received.emplace(out.reader.get());

  const outcome o = run(fd_ref(in.reader.get()), fd_ref(out.writer.get()));
  out.writer.reset();
  EXPECT_EQ(o.shown, std::to_string(large));
  EXPECT_GT(o.on(copy_path::splice), 0U);
  EXPECT_EQ(o.on(copy_path::splice) + o.on(copy_path::scratch), large);
  if (received) {
    EXPECT_EQ(received->text(), text);
  } else if (to_place == place::file) {
    EXPECT_EQ(content_of(folder / "to"), text);
  }
}

INSTANTIATE_TEST_SUITE_P(all, copy_splice,
                         testing::Values(std::tuple(place::pipe, place::file), std::tuple(place::pipe, place::pipe),
                                         std::tuple(place::pipe, place::socket), std::tuple(place::pipe, place::null),
                                         std::tuple(place::socket, place::file), std::tuple(place::socket, place::pipe),
                                         std::tuple(place::socket, place::socket)));

// The kernel refuses append mode, whoever set it and when; pwrite would ignore the offset. See golang/go#79660.
TEST(copy_paths, a_destination_in_append_mode_is_appended_to) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  for (const bool late : {false, true}) {
    for (const place source : {place::file, place::pipe, place::socket}) {
      const handle to = file_with(folder / "to", "old", O_WRONLY | (late ? 0 : O_APPEND));
      if (late) ::fcntl(to.get(), F_SETFL, O_APPEND);
      two_ends in;
      std::optional<feeder> fed;
      if (source == place::file) {
        in.reader = file_with(folder / "from", text);
      } else {
        in = source == place::pipe ? make_pipe_ends() : make_socket_pair();
        fed.emplace(std::move(in.writer), text);
      }
      const outcome o = run(fd_ref(in.reader.get()), fd_ref(to.get()));
      EXPECT_EQ(o.shown, std::to_string(large));
      EXPECT_EQ(o.on(copy_path::scratch), large);
      EXPECT_EQ(content_of(folder / "to"), "old" + text);
      EXPECT_NE(::fcntl(to.get(), F_GETFL) & O_APPEND, 0);
    }
  }
}

TEST(copy_paths, a_fresh_file_in_append_mode) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  const handle from = file_with(folder / "from", text);
  file to = or_throw(file::open(folder / "to", {.append = true, .create = true, .exclusive = true}));
  EXPECT_EQ(run(fd_ref(from.get()), to).shown, std::to_string(large));
  EXPECT_EQ(content_of(folder / "to"), text);
}

TEST(copy_paths, what_the_reader_has_buffered_comes_before_what_the_kernel_moves) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  const handle from = file_with(folder / "from", text);
  const handle to = new_file(folder / "to");
  buf_reader in(fd_ref(from.get()), 8192);
  std::byte first;
  ASSERT_EQ(read_some(in, std::span(&first, 1)), 1U);
  const outcome o = run(in, fd_ref(to.get()));
  EXPECT_EQ(o.shown, std::to_string(large - 1));
  EXPECT_EQ(o.on(copy_path::drain), 8192U);  // one vectored read took the byte and a whole buffer
  EXPECT_GE(o.on(copy_path::copy_file_range) + o.on(copy_path::clone), large - 65536);
  EXPECT_EQ(content_of(folder / "to"), text.substr(1));
}

TEST(copy_paths, the_larger_buffer_is_used) {
  const auto data = support::pattern(100'000);
  {
    support::recording_writer to;
    support::chunked_reader from{data};
    buf_reader in(from, 4096);
    const outcome o = run(in, to);
    EXPECT_EQ(o.on(copy_path::drain), data.size());
    EXPECT_TRUE(support::equal(to.data, data));
  }
  for (const std::size_t reader_size : {std::size_t{1000}, std::size_t{8000}}) {
    support::recording_writer to;
    support::chunked_reader from{data};
    buf_reader in(from, reader_size);
    buf_writer out(to, 4096);
    const outcome o = run(in, out);
    EXPECT_GT(o.on(reader_size > 4096 ? copy_path::drain : copy_path::fill), data.size() / 2);
    ASSERT_TRUE(out.flush());
    EXPECT_TRUE(support::equal(to.data, data));
  }
  {
    support::recording_writer to;
    support::chunked_reader from{data};
    buf_writer out(to, 4096);
    EXPECT_EQ(run(from, out).on(copy_path::fill), data.size());
    ASSERT_TRUE(out.flush());
    EXPECT_TRUE(support::equal(to.data, data));
  }
  {
    support::recording_writer to;
    support::chunked_reader from{data};
    EXPECT_EQ(run(from, to).on(copy_path::scratch), data.size());
    EXPECT_TRUE(support::equal(to.data, data));
  }
}

TEST(copy_paths, a_source_in_memory_is_one_write) {
  const auto data = support::pattern(1'000'000);
  support::recording_writer to;
  const outcome o = run(span_reader(data), to);
  EXPECT_EQ(o.on(copy_path::memory), data.size());
  EXPECT_EQ(to.sizes, std::vector<std::size_t>{data.size()});

  support::recording_writer plain;
  EXPECT_EQ(show(copy(span_reader(data), plain)), "1000000");
  EXPECT_EQ(plain.sizes, std::vector<std::size_t>{data.size()});

  support::recording_writer limited;
  EXPECT_EQ(show(copy(span_reader(data) | limit(10), limited)), "10");
  EXPECT_EQ(limited.sizes, std::vector<std::size_t>{10});
}

TEST(copy_paths, forbidden_kernel_paths_are_not_taken) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  const handle from = file_with(folder / "from", text);
  const handle to = new_file(folder / "to");
  const call_counter calls;
  const outcome o = run(fd_ref(from.get()), fd_ref(to.get()), {.kernel = kernel_policy::never});
  EXPECT_EQ(o.on(copy_path::scratch), large);
  EXPECT_EQ(calls["copy_file_range"] + calls["sendfile"] + calls["splice"] + calls["clone_range"], 0U);
  EXPECT_EQ(content_of(folder / "to"), text);
}

// A clone cannot be had on most file systems, so that one is played here.
ssize_t copy_all(int from, int to, off64_t offset, off64_t length, off64_t to_offset) {
  std::string text(static_cast<std::size_t>(length), '\0');
  const ssize_t n = ::pread64(from, text.data(), text.size(), offset);
  return ::pwrite64(to, text.data(), static_cast<std::size_t>(n), to_offset);
}

int play_clone(int from, int to, off64_t offset, off64_t length, off64_t to_offset) {
  return copy_all(from, to, offset, length, to_offset) == length ? 0 : -1;
}

TEST(copy_paths, a_whole_file_is_cloned_where_that_works) {
  const temporary_folder folder;
  const std::string text = some_text(large);
  for (const bool watched : {false, true}) {
    const handle from = file_with(folder / "from", text);
    const handle to = new_file(folder / "to");
    const replaced_call clone(&call_table::clone_range, &play_clone);
    copy_options options;
    if (watched) options.on_progress = [](std::uintmax_t) {};
    const outcome o = run(fd_ref(from.get()), fd_ref(to.get()), options);
    EXPECT_EQ(o.shown, std::to_string(large));
    EXPECT_GE(o.on(copy_path::clone), large - 65536);
    EXPECT_EQ(o.on(copy_path::copy_file_range), 0U);
    EXPECT_EQ(content_of(folder / "to"), text);
    EXPECT_EQ(offset_of(from.get()), static_cast<off_t>(large));
    EXPECT_EQ(offset_of(to.get()), static_cast<off_t>(large));
  }
}

TEST(copy_paths, explain_says_what_copy_will_do) {
  const temporary_folder folder;
  const handle from = file_with(folder / "from", some_text(large));
  const handle to = new_file(folder / "to");
  const copy_plan plan = explain(fd_ref(from.get()), fd_ref(to.get()));
  EXPECT_EQ(plan.first, copy_path::clone);
  EXPECT_FALSE(plan.reason.empty());
  EXPECT_EQ(explain(fd_ref(from.get()), fd_ref(to.get()), {.kernel = kernel_policy::never}).first, copy_path::scratch);
  EXPECT_EQ(explain(span_reader("x"), fd_ref(to.get())).first, copy_path::memory);
  EXPECT_EQ(offset_of(from.get()), 0);
}

}  // namespace
}  // namespace sluice
