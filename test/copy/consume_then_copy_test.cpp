// SPDX-License-Identifier: BSL-1.0
//
// Some bytes are consumed, the rest is copied: every way to consume, every count of bytes, every buffered source, every
// destination that holds something already.
//
#include <sluice/sluice.hpp>

#include "endpoints.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace test;

enum class source { file, pipe, socket, user, limited, counted, erased, erased_user, memory };
enum class target { file, pipe, socket, buffered_file, buffered_user, string, span, erased_pipe, erased_buffered };
enum class way { consume, read, peek_and_skip };

constexpr std::array source_names{"file",    "pipe",   "socket",      "user",  "limited",
                                  "counted", "erased", "erased_user", "memory"};
constexpr std::array target_names{"file",   "pipe", "socket",      "buffered_file",  "buffered_user",
                                  "string", "span", "erased_pipe", "erased_buffered"};

void PrintTo(source s, std::ostream* out) { *out << source_names.at(static_cast<std::size_t>(s)); }
void PrintTo(target t, std::ostream* out) { *out << target_names.at(static_cast<std::size_t>(t)); }

constexpr std::string_view had = "before";

// A source over `text`, with a buffer of `capacity` bytes where it has one.
template <class F>
void with_source(source kind, std::string_view text, std::size_t capacity, F use) {
  const auto data = support::to_bytes(text);
  support::chunked_reader user{.data = data, .chunk = text.size() > 1000 ? 3001U : 13U};
  two_ends ends;
  if (kind == source::pipe || kind == source::limited) ends = make_pipe_ends(1 << 20);
  if (kind == source::socket || kind == source::erased) ends = make_socket_pair();
  if (ends.writer.get() >= 0) {
    write_text(ends.writer.get(), text);
    ends.writer.reset();
  } else {
    ends.reader = memory_file(text);
  }
  fd_ref fd(ends.reader.get());
  buf_reader over_fd(fd, capacity);
  switch (kind) {
    case source::file:
    case source::pipe:
    case source::socket: return use(over_fd);
    case source::limited: {
      limit_reader limited(over_fd, text.size());
      return use(limited);
    }
    case source::counted: {
      counted_stream counted(over_fd);
      return use(counted);
    }
    case source::erased: {
      any_reader erased(fd, capacity);
      return use(erased);
    }
    case source::user: {
      buf_reader over_user(user, capacity);
      return use(over_user);
    }
    case source::erased_user: {
      any_reader erased(user, capacity);
      return use(erased);
    }
    case source::memory: {
      span_reader memory(data);
      return use(memory);
    }
  }
}

// A destination that has got `had`, and what it has got when all is done.
template <class F>
std::string with_target(target kind, std::size_t room, F use) {
  two_ends ends;
  if (kind == target::pipe || kind == target::erased_pipe) ends = make_pipe_ends(1 << 20);
  if (kind == target::socket) ends = make_socket_pair();
  if (ends.writer.get() < 0) ends.writer = memory_file();
  fd_ref fd(ends.writer.get());
  const auto content = [&] {
    if (ends.reader.get() < 0) {
      ::lseek(ends.writer.get(), 0, SEEK_SET);
      return everything(ends.writer.get());
    }
    ends.writer.reset();
    return everything(ends.reader.get());
  };
  const auto begun = [&](auto& writer) {
    EXPECT_TRUE(write_all(writer, had));
    use(writer);
    if constexpr (requires { sluice::flush(writer); }) {
      EXPECT_TRUE(sluice::flush(writer));
    }
  };
  const std::size_t buffer = room > 1000 ? 4096 : 16;
  support::recording_writer user{.chunk = buffer - 5};
  switch (kind) {
    case target::file:
    case target::pipe:
    case target::socket: begun(fd); return content();
    case target::buffered_file: {
      buf_writer buffered(fd, buffer);
      begun(buffered);
      return content();
    }
    case target::buffered_user: {
      buf_writer buffered(user, buffer);
      begun(buffered);
      return support::text(user.data);
    }
    case target::string: {
      std::string text;
      string_writer writer(text);
      begun(writer);
      return text;
    }
    case target::span: {
      std::vector<std::byte> memory(had.size() + room);
      span_writer writer(memory);
      begun(writer);
      return support::text(writer.written());
    }
    case target::erased_pipe: {
      any_writer erased(fd);
      begun(erased);
      return content();
    }
    case target::erased_buffered: {
      buf_writer buffered(fd, buffer);
      any_writer erased(buffered);
      begun(erased);
      return content();
    }
  }
  return {};
}

// Gets past the first `k` bytes; true where all of them were there.
template <class R>
bool pass(R& from, std::size_t k, way how) {
  switch (how) {
    case way::consume:
      while (k != 0) {
        const auto window = fill(from, 1);
        if (!window || window->empty()) return false;
        const std::size_t n = std::min(k, window->size());
        consume(from, n);
        k -= n;
      }
      return true;
    case way::read: {
      std::vector<std::byte> out(k);
      return read(from, std::span(out)) == k;
    }
    case way::peek_and_skip:
      if constexpr (requires { from.peek(1); }) {
        if (!from.peek(5)) return false;
      } else {
        if (!fill(from, 1)) return false;
      }
      return skip(from, k) == k;
  }
  return false;
}

class copy_after_consuming : public testing::TestWithParam<std::tuple<source, target>> {
 protected:
  void run(std::string_view text, std::size_t k, std::size_t capacity, way how, copy_report* report = nullptr) {
    const auto [from, to] = GetParam();
    const std::string got = with_target(to, text.size() - k, [&](auto& writer) {
      with_source(from, text, capacity, [&](auto& reader) {
        ASSERT_TRUE(pass(reader, k, how));
        const auto copied = report ? copy(reader, writer, {.report = report}) : copy(reader, writer);
        ASSERT_EQ(show(copied), std::to_string(text.size() - k));
      });
    });
    if (got != std::string(had) + std::string(text.substr(k))) {
      ADD_FAILURE() << got.size() << " bytes, size " << text.size() << ", k " << k << ", capacity " << capacity
                    << ", way " << static_cast<int>(how);
    }
  }
};

TEST_P(copy_after_consuming, any_number_of_a_small_source) {
  const std::string all = some_text(100);
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 49U, 100U}) {
    for (std::size_t k = 0; k <= size; ++k) {
      for (const std::size_t capacity : {16U, 32U}) {
        for (const way how : {way::consume, way::read, way::peek_and_skip}) {
          run(std::string_view(all).substr(0, size), k, capacity, how);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_P(copy_after_consuming, and_the_kernel_takes_over) {
  constexpr std::size_t size = 180'000;
  static const std::string text = some_text(size);
  const auto [from, to] = GetParam();
  const bool from_fd = from != source::user && from != source::erased_user && from != source::memory;
  const bool from_file = from == source::file || from == source::counted;
  const bool to_pipe = to == target::pipe || to == target::erased_pipe;
  const bool to_fd = to_pipe || to == target::file || to == target::socket || to == target::buffered_file ||
                     to == target::erased_buffered;
  for (const std::size_t edge : {0U, 4096U, 8192U, 65'536U, 114'464U, 131'072U, 180'000U}) {
    for (const std::size_t k : {edge - 1, edge, edge + 1}) {
      if (k > size) continue;
      for (const std::size_t capacity : {4096U, 65'536U}) {
        for (const way how : {way::consume, way::read, way::peek_and_skip}) {
          copy_report report;
          run(text, k, capacity, how, &report);
          if (HasFailure()) return;
          // A buffer, and what passes before a flush is worth it, come first.
          if (from_fd && to_fd && !(from_file && to_pipe) && size - k > 2 * 65'536 + 32'768) {
            EXPECT_LT(report[copy_path::drain].bytes + report[copy_path::fill].bytes + report[copy_path::scratch].bytes,
                      size - k)
                << k << ' ' << capacity;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, copy_after_consuming,
                         testing::Combine(testing::Values(source::file, source::pipe, source::socket, source::user,
                                                          source::limited, source::counted, source::erased,
                                                          source::erased_user, source::memory),
                                          testing::Values(target::file, target::pipe, target::socket,
                                                          target::buffered_file, target::buffered_user, target::string,
                                                          target::span, target::erased_pipe, target::erased_buffered)),
                         [](const auto& test) {
                           return std::string(source_names.at(static_cast<std::size_t>(std::get<0>(test.param)))) +
                                  "_to_" + target_names.at(static_cast<std::size_t>(std::get<1>(test.param)));
                         });

}  // namespace
}  // namespace sluice
