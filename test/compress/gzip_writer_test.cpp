// SPDX-License-Identifier: BSL-1.0
#include <sluice/buffered/buf_writer.hpp>
#include <sluice/buffered/lost_bytes.hpp>
#include <sluice/memory/string_writer.hpp>
#include <sluice/read.hpp>
#include <sluice/system/file.hpp>
#include <sluice/testing/check_writer.hpp>
#include <sluice/testing/faulty_stream.hpp>

#include "compress/packed.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace packed;

constexpr std::array levels{deflate_options::fast, 0, 1, 6, 9};

static_assert(writer<compress_writer<bytes_writer>> && !kernel_writer<compress_writer<file>>);
static_assert(!std::is_copy_constructible_v<compress_writer<bytes_writer>>);

outcome unpacked(const bytes_writer& to) { return drained(gunzip(span_reader(to.view()))); }

TEST(gzip_writer, of_nothing_is_an_empty_member) {
  for (const int level : levels) {
    const blob all = pack(gzip, {}, {.level = level});
    EXPECT_FALSE(all.empty());
    EXPECT_TRUE(drained(gunzip(span_reader(all))) == outcome{});
  }
}

TEST(gzip_writer, that_was_never_used_writes_nothing) {
  bytes_writer to;
  {
    auto out = gzip(to);
    EXPECT_TRUE(out.flush());
  }
  EXPECT_TRUE(to.view().empty());
}

TEST(gzip_writer, destructor_finishes) {
  const blob content = words(100'000);
  for (const int level : levels) {
    bytes_writer to;
    {
      auto out = to | gzip({.level = level});
      ASSERT_TRUE(write_all(out, content));
    }
    EXPECT_TRUE(unpacked(to) == (outcome{content, {}}));
  }
}

TEST(gzip_writer, equal_content_makes_equal_bytes) {
  const blob content = words(1000);
  EXPECT_TRUE(pack(gzip, content) == pack(gzip, content));
}

TEST(gzip_writer, finish_ends_a_member_and_the_next_write_begins_another) {
  const blob a = words(1000, 1), b = words(1000, 2);
  for (const int level : levels) {
    bytes_writer to;
    auto out = gzip(to, {.level = level});
    ASSERT_TRUE(write_all(out, a));
    ASSERT_TRUE(out.finish());
    const std::size_t first = to.view().size();
    ASSERT_TRUE(out.finish());
    EXPECT_EQ(to.view().size(), first);
    ASSERT_TRUE(write_all(out, b));
    ASSERT_TRUE(out.close());
    EXPECT_TRUE(drained(gunzip(span_reader(to.view().first(first)))) == (outcome{a, {}}));
    EXPECT_TRUE(drained(gunzip(span_reader(to.view().subspan(first)))) == (outcome{b, {}}));
    EXPECT_EQ(out.total(), 2000u);
  }
}

TEST(gzip_writer, what_was_flushed_can_be_decoded) {
  const blob content = words(5000);
  for (const int level : levels) {
    for (const std::size_t piece : sizes{1, 37, 1000}) {
      bytes_writer to;
      auto out = gzip(to, {.level = level});
      for (std::size_t done = 0; done < content.size(); done += piece) {
        const std::size_t n = std::min(piece, content.size() - done);
        ASSERT_TRUE(write_all(out, std::span(content).subspan(done, n)));
        if (done / piece % 50 != 0) continue;
        ASSERT_TRUE(out.flush());
        for (const inflate_engine engine : engines) {
          const outcome got = drained(gunzip(span_reader(to.view()), {.engine = engine}));
          ASSERT_TRUE(equal(got.content, std::span(content).first(done + n))) << level << ' ' << piece << ' ' << done;
        }
        // Nothing new, nothing to add.
        const std::size_t before = to.view().size();
        ASSERT_TRUE(out.flush());
        ASSERT_EQ(to.view().size(), before);
      }
      ASSERT_TRUE(out.close());
      EXPECT_TRUE(unpacked(to) == (outcome{content, {}}));
    }
  }
}

// A buffered writer that lends as little as it may, so that every end of a member is cut everywhere.
TEST(gzip_writer, needs_no_more_room_than_a_byte) {
  const blob content = words(2000);
  for (const int level : levels) {
    for (const std::size_t room : sizes{1, 2, 3, 7, 64, 65}) {
      bytes_writer to;
      buf_writer narrow(to, room);
      auto out = gzip(narrow, {.level = level});
      for (std::size_t done = 0; done < content.size(); done += 100) {
        ASSERT_TRUE(write_all(out, std::span(content).subspan(done, 100)));
        if (done % 300 == 0) {
          ASSERT_TRUE(out.flush());
        }
      }
      ASSERT_TRUE(out.close());
      ASSERT_TRUE(unpacked(to) == (outcome{content, {}})) << level << ' ' << room;
    }
  }
}

// Everything is called again after a failure until it succeeds.
bool write_with_patience(auto& out, std::span<const std::byte> content) {
  for (int patience = 1000; patience != 0; --patience) {
    const auto done = write_all(out, content);
    if (done) return true;
    content = content.subspan(static_cast<std::size_t>(done.error().bytes));
  }
  return false;
}

TEST(gzip_writer, goes_on_after_any_failure) {
  const blob content = words(4000);
  for (const int level : levels) {
    for (std::size_t k = 1; k < 60; ++k) {
      bytes_writer to;
      auto out = gzip(to | faults{.most = 100, .fail_at = k, .every = 3}, {.level = level, .buffer_size = 128});
      for (std::size_t done = 0; done < content.size(); done += 500)
        ASSERT_TRUE(write_with_patience(out, std::span(content).subspan(done, 500)));
      int tries = 0;
      while (!out.flush()) ASSERT_LT(++tries, 100);
      while (!out.finish()) ASSERT_LT(++tries, 200);
      ASSERT_TRUE(out.close());
      ASSERT_TRUE(unpacked(to) == (outcome{content, {}})) << level << ' ' << k;
    }
  }
}

TEST(gzip_writer, tells_the_inner_failure_and_closes_nothing) {
  bytes_writer to;
  const std::error_code full = std::make_error_code(std::errc::no_space_on_device);
  auto out = gzip(to | faults{.fail_at = 1, .failures = 2, .error = full});
  ASSERT_TRUE(write_all(out, words(10)));
  EXPECT_EQ(out.close(), fail(full));
  EXPECT_EQ(out.finish(), fail(full));
  EXPECT_TRUE(out.close());
  EXPECT_TRUE(unpacked(to) == (outcome{words(10), {}}));
}

std::size_t lost = 0;

TEST(gzip_writer, tells_the_hook_what_the_destructor_could_not_write) {
  lost = 0;
  const auto before = set_lost_bytes_hook([](std::size_t n, std::error_code) noexcept { lost += n; });
  {
    auto out = gzip(bytes_writer() | faults{.fail_at = 1, .failures = 1000});
    ASSERT_TRUE(write_all(out, words(10)));
  }
  set_lost_bytes_hook(before);
  EXPECT_GT(lost, 10u);
}

TEST(gzip_writer, closes_the_file_that_it_owns) {
  const test::temporary_folder folder;
  auto out = or_throw(file::create(folder / "a.gz")) | gzip();
  ASSERT_TRUE(write_all(out, "hello"));
  ASSERT_TRUE(out.close());
  EXPECT_EQ(read_to_string(or_throw(file::open(folder / "a.gz")) | gunzip()), "hello");
  EXPECT_FALSE(out.inner().is_open());
}

TEST(gzip_writer, can_be_moved_in_the_middle) {
  const blob content = words(1000);
  bytes_writer to, other;
  auto out = gzip(to);
  ASSERT_TRUE(write_all(out, std::span(content).first(500)));
  auto moved = std::move(out);
  ASSERT_TRUE(write_all(moved, std::span(content).subspan(500)));
  moved = gzip(other);  // finishes
  EXPECT_TRUE(unpacked(to) == (outcome{content, {}}));
}

TEST(gzip_writer, goes_through_the_contract_of_writers) {
  for (const int level : levels) {
    const auto make = [level] { return gzip(bytes_writer(), {.level = level}); };
    const auto observe = [](auto& out) { return unpacked(out.inner()).content; };
    const auto report = check_writer(make, observe, {.walks = 4});
    EXPECT_TRUE(report) << report;
  }
}

}  // namespace
