// SPDX-License-Identifier: BSL-1.0
//
// What the C++ peers have in common. Each is a program of the library that it is named after, and does the rows that a
// user of that library would write with it:
//
//   peer_NAME move FROM TO            standard input to standard output; FROM, TO: file, pipe, tcp, unix
//   peer_NAME ROW ARGUMENT...         a loop; tells the time of one turn
//
//   int main(int argc, char** argv) { return run_peer(argc, argv, {{"move", &move}, {"read_all file", &read_file}}); }
//
// Tells "<nanoseconds> <nanoseconds of cpu> <bytes>" on descriptor 3.
//
#ifndef SLUICE_BENCH_PEERS_PEER_HPP
#define SLUICE_BENCH_PEERS_PEER_HPP

#include "../support/self_report.hpp"
#include "../support/turns.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sluice::bench {

inline constexpr std::size_t buffer_size = std::size_t{256} << 10;
inline constexpr std::size_t small_buffer_size = std::size_t{64} << 10;

/// What follows the row's name on the command line.
using arguments = std::vector<std::string>;

struct peer_row {
  std::string_view name;  ///< of one word, or two
  void (*run)(const arguments&);
};

inline int run_peer(int argc, char** argv, std::initializer_list<peer_row> rows) {
  const arguments all(argv + 1, argv + argc);
  for (const peer_row& row : rows) {
    const std::size_t words = row.name.contains(' ') ? 2 : 1;
    if (all.size() < words) continue;
    if ((words == 2 ? all[0] + ' ' + all[1] : all[0]) != row.name) continue;
    row.run(arguments(all.begin() + static_cast<std::ptrdiff_t>(words), all.end()));
    return 0;
  }
  std::fprintf(stderr, "%s: no such row\n", argv[0]);
  return 2;
}

inline void require(bool good) {
  if (!good) std::abort();
}

/// Warms up, then repeats for long enough; tells the time of one turn, which returns how many bytes it had.
template <class Turn>
void repeat(Turn turn) {
  using clock = std::chrono::steady_clock;
  std::uintmax_t bytes = 0;
  if (const std::uintmax_t turns = asked_turns(); turns != 0) {
    for (std::uintmax_t i = 0; i != turns; ++i) bytes = turn();
    ::dprintf(3, "0 0 %ju\n", bytes);
    return;
  }
  std::uintmax_t turns = 0;
  for (const auto begin = clock::now(); clock::now() - begin < std::chrono::milliseconds(20); ++turns) bytes = turn();
  turns *= 3;
  const auto begin = clock::now();
  for (std::uintmax_t i = 0; i != turns; ++i) bytes = turn();
  const std::chrono::duration<double, std::nano> all = clock::now() - begin;
  ::dprintf(3, "%.3f 0 %ju\n", all.count() / static_cast<double>(turns), bytes);
}

/// The whole of a move, which returns how many bytes it had.
template <class Move>
void once(Move move) {
  const stopwatch watch;
  watch.report(move());
}

/// A file of `x`, or of whatever `text` is, that is gone with the object.
class input_file {
 public:
  input_file(const std::string& folder, const std::string& text) : path_(folder + "/peer-XXXXXX") {
    const int fd = ::mkstemp(path_.data());
    require(fd >= 0);
    require(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ::close(fd);
  }
  ~input_file() { ::unlink(path_.c_str()); }
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A pipe that a thread fills with `bytes` and closes.
class fed_pipe {
 public:
  explicit fed_pipe(std::uintmax_t bytes) {
    int ends[2];
    require(::pipe2(ends, O_CLOEXEC) == 0);
    from_ = ends[0];
    feeder_ = std::jthread([to = ends[1], bytes]() mutable {
      const std::string text(small_buffer_size, 'x');
      while (bytes != 0) {
        const ssize_t n = ::write(to, text.data(), std::min<std::uintmax_t>(text.size(), bytes));
        require(n > 0);
        bytes -= static_cast<std::uintmax_t>(n);
      }
      ::close(to);
    });
  }
  ~fed_pipe() { ::close(from_); }
  fed_pipe(const fed_pipe&) = delete;
  fed_pipe& operator=(const fed_pipe&) = delete;

  int fd() const { return from_; }

 private:
  int from_ = -1;
  std::jthread feeder_;
};

/// Two open files, the first of `size` bytes; both are gone with the object.
class two_files {
 public:
  two_files(const std::string& folder, std::size_t size) : from(folder, std::string(size, 'x')), to(folder, "") {}

  input_file from;
  input_file to;
};

inline constexpr std::size_t text_size = std::size_t{64} << 20;

/// Lines of half to one and a half times as many characters.
inline std::string text_of_lines(std::size_t average) {
  std::string text;
  std::uint64_t random = 1;
  while (text.size() < text_size) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    text.append(average / 2 + (random >> 33) % average, 'x');
    text += '\n';
  }
  return text;
}

}  // namespace sluice::bench

#endif
