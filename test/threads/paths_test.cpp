// SPDX-License-Identifier: BSL-1.0
//
// Copies in eight threads at once, on every path: each has its own streams, and nothing else is shared. The thread
// sanitizer has the last word on that.
//
#include <sluice/sluice.hpp>

#include "copy/endpoints.hpp"
#include "support/temporary_folder.hpp"
#include "threads/together.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

constexpr int threads = 8;
constexpr std::size_t size = 200'000;

enum class road {
  file_to_file,
  file_to_socket,
  file_to_pipe,
  pipe_to_pipe,
  socket_to_socket,
  socket_to_file,
  sparse,
  memory_to_memory,
  erased,
  buffered,
  watched
};
constexpr int roads = 11;

// Feeds an end, copies with `copy_it` between the descriptors, and compares.
template <class F>
bool between(two_ends in, two_ends out, const std::string& text, F copy_it) {
  feeder fed(std::move(in.writer), text);
  collector received(out.reader.get());
  fd_ref from(in.reader.get());
  fd_ref to(out.writer.get());
  const auto copied = copy_it(from, to);
  out.writer.reset();
  return copied && *copied == text.size() && received.text() == text;
}

bool into_file(handle from, const std::string& path, std::size_t expected, const std::string& text) {
  const handle to = new_file(path);
  const auto copied = copy(fd_ref(from.get()), fd_ref(to.get()));
  return copied && *copied == expected && content_of(path) == text;
}

bool travel(road way, const temporary_folder& folder, int thread, const std::string& text) {
  const std::string from_name = folder / ("from" + std::to_string(thread));
  const std::string to_name = folder / ("to" + std::to_string(thread));
  const auto plainly = [](fd_ref& from, fd_ref& to) { return copy(from, to); };
  switch (way) {
    case road::file_to_file: return into_file(file_with(from_name, text), to_name, text.size(), text);
    case road::file_to_socket:
    case road::file_to_pipe: {
      const handle from = file_with(from_name, text);
      two_ends out = way == road::file_to_pipe ? make_pipe_ends() : make_socket_pair();
      collector received(out.reader.get());
      const auto copied = copy(fd_ref(from.get()), fd_ref(out.writer.get()));
      out.writer.reset();
      return copied == text.size() && received.text() == text;
    }
    case road::pipe_to_pipe: return between(make_pipe_ends(), make_pipe_ends(), text, plainly);
    case road::socket_to_socket: return between(make_socket_pair(), make_socket_pair(), text, plainly);
    case road::socket_to_file: {
      two_ends in = make_socket_pair();
      feeder fed(std::move(in.writer), text);
      return into_file(std::move(in.reader), to_name, text.size(), text);
    }
    case road::sparse: {
      handle from = file_with(from_name, text, O_RDWR);
      if (::ftruncate(from.get(), static_cast<off_t>(2 * text.size())) != 0) return false;
      return into_file(std::move(from), to_name, 2 * text.size(), text + std::string(text.size(), '\0'));
    }
    case road::memory_to_memory: {
      std::string got;
      string_writer to(got);
      return copy(span_reader(sluice::as_bytes(text)), to) == text.size() && got == text;
    }
    case road::erased:
      return between(make_socket_pair(), make_pipe_ends(), text,
                     [](fd_ref& from, fd_ref& to) { return copy(any_reader(from), any_writer(to)); });
    case road::buffered:
      return between(make_pipe_ends(), make_socket_pair(), text, [](fd_ref& from, fd_ref& to) {
        return copy(buf_reader(from) | counted(), buf_writer(to), {.flush = flush_policy::at_end});
      });
    case road::watched:
      return between(make_socket_pair(), make_pipe_ends(), text, [](fd_ref& from, fd_ref& to) {
        std::uintmax_t heard = 0;
        const std::stop_source nobody;
        return copy(from, to,
                    {.on_progress = [&](std::uintmax_t n) { heard = n; },
                     .progress_interval = std::chrono::milliseconds(0),
                     .stop = nobody.get_token()});
      });
  }
  return false;
}

TEST(thread_paths, all_on_the_same) {
  const temporary_folder folder;
  for (int way = 0; way != roads; ++way) {
    EXPECT_TRUE(together(threads, [&](int i) {
      const std::string text = some_text(size, static_cast<std::uint32_t>(i) + 1);
      return travel(static_cast<road>(way), folder, i, text) && travel(static_cast<road>(way), folder, i, text);
    })) << way;
  }
}

TEST(thread_paths, each_on_another) {
  const temporary_folder folder;
  EXPECT_TRUE(together(threads, [&](int i) {
    const std::string text = some_text(size, static_cast<std::uint32_t>(i) + 1);
    for (int turn = 0; turn != roads; ++turn) {
      if (!travel(static_cast<road>((i + turn) % roads), folder, i, text)) return false;
    }
    return true;
  }));
}

// Hundreds of small copies and of small failures in each thread: were there a lock, a counter or a cache behind them,
// the sanitizer would see who forgot it.
TEST(thread_paths, many_small_ones) {
  EXPECT_TRUE(together(threads, [](int i) {
    for (int turn = 0; turn != 200; ++turn) {
      const std::string text = some_text(100, static_cast<std::uint32_t>(i * 1000 + turn));
      two_ends in = make_pipe_ends();
      write_text(in.writer.get(), text);
      in.writer.reset();
      std::string got;
      string_writer to(got);
      if (copy(fd_ref(in.reader.get()), to) != text.size() || got != text) return false;
      const auto refused = copy(span_reader(sluice::as_bytes(text)), fd_ref(-1));
      if (refused || refused.error().side != copy_side::writer) return false;
    }
    return true;
  }));
}

}  // namespace
}  // namespace sluice
