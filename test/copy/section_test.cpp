// SPDX-License-Identifier: BSL-1.0
//
// A section of a file is moved by the kernel from its place, and the descriptor's own offset stays where it is.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr std::size_t large = 400'000;
constexpr std::size_t start = 70'001;
constexpr std::size_t length = 300'000;
constexpr off_t own_offset = 17;

class copy_section : public testing::Test {
 protected:
  copy_section() : from_(file_with(folder_ / "from", text_)) { ::lseek(from_.get(), own_offset, SEEK_SET); }
  ~copy_section() override { EXPECT_EQ(offset_of(from_.get()), own_offset) << "the descriptor's own offset stays"; }

  file_range section() { return file_range(from_.get(), start, length); }
  std::string expected() const { return text_.substr(start, length); }

  template <class R, class W>
  copy_report moved(R&& from, W&& to, std::uintmax_t count, copy_options options = {}) {
    copy_report report;
    options.report = &report;
    EXPECT_EQ(show(copy(from, to, options)), std::to_string(count));
    EXPECT_EQ(sum_of(report), count);
    return report;
  }

  const temporary_folder folder_;
  const std::string text_ = some_text(large);
  const handle from_;
};

/// Delivers one reader after the other; the kernel may move what comes from either.
template <class A, class B>
struct one_after_the_other {
  A first;
  B second;
  bool ended = false;

  result<std::size_t> read_some(std::span<std::byte> b) {
    if (!ended) {
      const auto n = first.read_some(b);
      if (!n || *n != 0) return n;
      ended = true;
    }
    return second.read_some(b);
  }
  std::optional<fd_endpoint> kernel_endpoint() { return ended ? second.kernel_endpoint() : first.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) { ended ? second.kernel_advanced(n) : first.kernel_advanced(n); }
};

TEST_F(copy_section, goes_into_a_file_by_copy_file_range) {
  const handle to = new_file(folder_ / "to");
  const fault no_clone({.call = "clone_range", .times = always, .error = EOPNOTSUPP});
  file_range from = section();
  const copy_report report = moved(from, fd_ref(to.get()), length);
  EXPECT_GE(report[copy_path::copy_file_range].bytes, length - 65536);
  EXPECT_EQ(from.position(), length);
  EXPECT_EQ(content_of(folder_ / "to"), expected());
}

TEST_F(copy_section, is_read_where_a_path_gives_way_whenever_that_is) {
  for (const std::size_t at : {1U, 2U}) {
    for (const bool sendfile_works : {true, false}) {
      const handle to = new_file(folder_ / "to");
      const fault no_clone({.call = "clone_range", .times = always, .error = EOPNOTSUPP});
      const fault pieces({.call = "copy_file_range", .times = at - 1, .shorten = 100'000});
      const fault refused({.call = "copy_file_range", .at = at, .times = always, .error = EXDEV});
      const fault no_sendfile({.call = "sendfile", .times = sendfile_works ? 0 : always, .error = EINVAL});
      const copy_report report = moved(section(), fd_ref(to.get()), length);
      EXPECT_EQ(report[copy_path::sendfile].bytes != 0, sendfile_works);
      EXPECT_EQ(content_of(folder_ / "to"), expected());
    }
  }
}

// A file system that clones, played by the test.
off64_t cloned_from = -1;

int clone(int from, int to, off64_t offset, off64_t n, off64_t to_offset) {
  cloned_from = offset;
  std::string bytes(static_cast<std::size_t>(n), '\0');
  return ::pread(from, bytes.data(), bytes.size(), offset) == n &&
                 ::pwrite(to, bytes.data(), bytes.size(), to_offset) == n
             ? 0
             : -1;
}

TEST_F(copy_section, is_cloned_from_its_place) {
  const handle to = new_file(folder_ / "to");
  const replaced_call cloning(&call_table::clone_range, &clone);
  file_range rest(from_.get(), 8192);
  moved(rest, fd_ref(to.get()), large - 8192);
  EXPECT_GE(cloned_from, 8192);
  EXPECT_EQ(rest.position(), large - 8192);
  EXPECT_EQ(content_of(folder_ / "to"), text_.substr(8192));
}

TEST_F(copy_section, goes_into_a_socket_by_sendfile) {
  const two_ends ends = make_tcp_pair();
  collector arrived(ends.reader.get());
  const copy_report report = moved(section(), fd_ref(ends.writer.get()), length);
  EXPECT_GE(report[copy_path::sendfile].bytes, length - 65536);
  ::shutdown(ends.writer.get(), SHUT_WR);
  EXPECT_EQ(arrived.text(), expected());
}

TEST_F(copy_section, goes_into_a_pipe_by_splice_only_where_the_pages_may_be_shared) {
  for (const kernel_policy policy : {kernel_policy::automatic, kernel_policy::aliasing}) {
    two_ends ends = make_pipe_ends();
    collector arrived(ends.reader.get());
    const copy_report report = moved(section(), fd_ref(ends.writer.get()), length, {.kernel = policy});
    EXPECT_EQ(report[copy_path::splice].bytes != 0, policy == kernel_policy::aliasing);
    ends.writer.reset();
    EXPECT_EQ(arrived.text(), expected());
  }
}

TEST_F(copy_section, keeps_its_bounds_and_what_a_buffer_has_read_of_it) {
  for (const std::size_t read_before : {0U, 1U, 5000U}) {
    const handle to = new_file(folder_ / "to");
    buf_reader buffered(section());
    std::string head(read_before, '\0');
    ASSERT_EQ(read(buffered, std::as_writable_bytes(std::span(head))).value(), read_before);
    moved(buffered | limit(200'000), fd_ref(to.get()), 200'000);
    moved(buffered, fd_ref(to.get()), length - 200'000 - read_before);
    EXPECT_EQ(head + content_of(folder_ / "to"), expected());
  }
}

TEST_F(copy_section, ends_with_the_file) {
  const handle to = new_file(folder_ / "to");
  file_range beyond(from_.get(), large - 100'000, 200'000);
  moved(beyond, fd_ref(to.get()), 100'000);
  EXPECT_EQ(content_of(folder_ / "to"), text_.substr(large - 100'000));
  moved(file_range(from_.get(), large + 5), fd_ref(to.get()), 0);
}

TEST_F(copy_section, of_one_descriptor_follows_another) {
  const handle to = new_file(folder_ / "to");
  one_after_the_other backwards{file_range(from_.get(), 200'000), file_range(from_.get(), 0, 200'000)};
  const fault no_clone({.call = "clone_range", .times = always, .error = EOPNOTSUPP});
  const copy_report report = moved(backwards, fd_ref(to.get()), large);
  EXPECT_GE(report[copy_path::copy_file_range].bytes, large - 2 * 65536) << "each is a large source";
  EXPECT_EQ(content_of(folder_ / "to"), text_.substr(200'000) + text_.substr(0, 200'000));
}

// The offset of the descriptor, where the file has holes, and after it a place of its own.
TEST_F(copy_section, follows_the_descriptor_itself) {
  const std::string hole(1 << 20, '\0');
  const handle sparse = file_with(folder_ / "sparse", text_, O_RDWR);
  ASSERT_EQ(::ftruncate(sparse.get(), static_cast<off_t>(large + hole.size())), 0);
  ::pwrite(sparse.get(), "x", 1, static_cast<off_t>(large + hole.size()));
  const handle to = new_file(folder_ / "to");
  one_after_the_other both{fd_ref(sparse.get()), file_range(sparse.get(), start)};
  const std::string all = text_ + hole + "x";
  moved(both, fd_ref(to.get()), 2 * all.size() - start);
  EXPECT_EQ(content_of(folder_ / "to"), all + all.substr(start));
  EXPECT_EQ(offset_of(sparse.get()), static_cast<off_t>(all.size()));
}

TEST_F(copy_section, of_a_sparse_file_reads_the_holes) {
  const handle sparse = new_file(folder_ / "sparse", O_RDWR);
  ASSERT_EQ(::ftruncate(sparse.get(), 1 << 20), 0);
  const handle to = new_file(folder_ / "to");
  const copy_report report = moved(file_range(sparse.get(), 4096), fd_ref(to.get()), (1 << 20) - 4096);
  EXPECT_EQ(report[copy_path::hole].bytes, 0U);
  EXPECT_EQ(offset_of(sparse.get()), 0);
  EXPECT_EQ(content_of(folder_ / "to"), std::string((1 << 20) - 4096, '\0'));
}

TEST_F(copy_section, of_the_destination_is_refused_where_the_two_meet) {
  const handle same = file_with(folder_ / "same", text_, O_RDWR);
  ::lseek(same.get(), 100'000, SEEK_SET);
  fd_ref to(same.get());
  file_range meets(same.get(), 0, 100'001);
  const auto refused = copy(meets, to);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, io_errc::same_file);
  EXPECT_EQ(content_of(folder_ / "same"), text_);
  moved(file_range(same.get(), 0, 100'000), to, 100'000);
  EXPECT_EQ(content_of(folder_ / "same"), text_.substr(0, 100'000) + text_.substr(0, 100'000) + text_.substr(200'000));
}

TEST_F(copy_section, of_a_pipe_takes_nothing_from_it) {
  two_ends ends = make_pipe_ends(1 << 20);
  write_text(ends.writer.get(), text_);
  ends.writer.reset();
  file_range none(ends.reader.get(), 0);
  const handle to = new_file(folder_ / "to");
  fd_ref out(to.get());
  EXPECT_EQ(copy(none, out).error().code, std::errc::invalid_seek);
  EXPECT_EQ(skip(none, large).error(), std::errc::invalid_seek);
  EXPECT_EQ(everything(ends.reader.get()), text_);
}

}  // namespace
}  // namespace sluice
