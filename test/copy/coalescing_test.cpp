// SPDX-License-Identifier: BSL-1.0
//
// Many small copies into one buffered writer make few writes, wherever the bytes come from (golang/go#23289).
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"
#include "support/faults.hpp"
#include "support/sanitized.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

enum class small_source { plain, trickling, buffered, limited, limited_buffer, erased, memory, pipe, file };

constexpr std::array small_sources{small_source::plain,   small_source::trickling,      small_source::buffered,
                                   small_source::limited, small_source::limited_buffer, small_source::erased,
                                   small_source::memory,  small_source::pipe,           small_source::file};
constexpr std::array names{"plain",  "trickling", "buffered", "limited", "limited_buffer",
                           "erased", "memory",    "pipe",     "file"};

template <class W>
std::expected<std::uintmax_t, copy_error> copy_piece(small_source kind, std::span<const std::byte> piece, W& to) {
  support::chunked_reader from{.data = piece};
  switch (kind) {
    case small_source::plain: return copy(from, to);
    case small_source::trickling: from.chunk = 7; return copy(from, to);
    case small_source::buffered: return copy(buf_reader(from), to);
    case small_source::limited: return copy(limit(from, piece.size()), to);
    case small_source::limited_buffer: return copy(buf_reader(from) | limit(piece.size()), to);
    case small_source::erased: return copy(any_reader(from), to);
    case small_source::memory: return copy(span_reader(piece), to);
    case small_source::pipe: {
      two_ends ends = make_pipe_ends();
      write_text(ends.writer.get(), support::text(piece));
      ends.writer.reset();
      return copy(fd_ref(ends.reader.get()), to);
    }
    case small_source::file: {
      const handle file = memory_file(support::text(piece));
      return copy(fd_ref(file.get()), to);
    }
  }
  return 0;
}

class copy_coalesces : public testing::TestWithParam<small_source> {
 protected:
  static constexpr std::size_t capacity = 8192;
  static constexpr std::size_t copies = 200;

  template <class W>
  std::size_t copy_all(std::size_t size, W& to) {
    for (std::size_t i = 0; i != copies; ++i) {
      const auto piece = std::span(all).subspan(i * size, size);
      EXPECT_EQ(show(copy_piece(GetParam(), piece, to)), std::to_string(size));
    }
    EXPECT_TRUE(to.flush());
    return (copies * size + capacity - 1) / capacity;
  }

  std::vector<std::byte> all = support::pattern(copies * 100);
};

TEST_P(copy_coalesces, into_a_users_writer) {
  // The buffers of an any_reader are large, and each is poisoned and watched by a sanitizer.
  for (std::size_t size = 1; size <= 100; size += sanitized ? 11 : 1) {
    SCOPED_TRACE(size);
    support::recording_writer inner;
    buf_writer to(inner, capacity);
    const std::size_t most = copy_all(size, to);
    EXPECT_LE(inner.calls, most);
    ASSERT_TRUE(support::equal(inner.data, std::span(all).first(copies * size)));
  }
}

TEST_P(copy_coalesces, into_a_descriptor) {
  for (std::size_t size = 1; size <= 100; size += size < 4 ? 1 : 16) {
    for (const bool erased : {false, true}) {
      if (sanitized && size > 4) break;
      SCOPED_TRACE(size);
      const handle file = memory_file();
      fd_ref fd(file.get());
      buf_writer to(fd, capacity);
      any_writer behind(to);
      const fault one({.call = "write", .fd = file.get()});
      const fault several({.call = "writev", .fd = file.get()});
      const fault spliced({.call = "splice"});
      const fault sent({.call = "sendfile"});
      const std::size_t most = erased ? copy_all(size, behind) : copy_all(size, to);
      EXPECT_LE(one.calls() + several.calls(), most);
      EXPECT_EQ(spliced.calls() + sent.calls(), 0U);
      ::lseek(file.get(), 0, SEEK_SET);
      ASSERT_TRUE(everything(file.get()) == support::text(std::span(all).first(copies * size)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, copy_coalesces, testing::ValuesIn(small_sources),
                         [](const auto& test) { return names.at(static_cast<std::size_t>(test.param)); });

}  // namespace
}  // namespace sluice
