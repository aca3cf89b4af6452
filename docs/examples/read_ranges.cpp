// SPDX-License-Identifier: BSL-1.0
//
// Reads four sections of one file at once, each in a thread of its own and all by one descriptor, and counts the lines;
// then has the kernel move a section into another file.
//
#include <sluice/sluice.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <thread>

using namespace sluice;

// The newlines in one section.
result<std::uintmax_t> count_lines(int fd, std::uintmax_t begin, std::uintmax_t length) {
  buf_reader section{file_range(fd, begin, length)};
  std::uintmax_t lines = 0;
  for (;;) {
    const auto seen = section.fill(1);
    if (!seen) return fail(seen.error());
    if (seen->empty()) return lines;
    lines += static_cast<std::uintmax_t>(std::ranges::count(*seen, std::byte{'\n'}));
    section.consume(seen->size());
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  file source = or_throw(file::open(argv[1]));
  const std::uintmax_t quarter = or_throw(source.size()) / 4 + 1;
  const int fd = source.fd();
  std::array<result<std::uintmax_t>, 4> lines;
  {
    std::array<std::jthread, 4> threads;
    for (std::size_t i = 0; i != threads.size(); ++i)
      threads[i] = std::jthread([&, i] { lines[i] = count_lines(fd, i * quarter, quarter); });
  }
  std::uintmax_t sum = 0;
  for (const auto& some : lines) sum += or_throw(some);
  std::cout << sum << " lines\n";

  file_range second(source, quarter, quarter);
  file target = or_throw(file::create(argv[2]));
  const std::uintmax_t copied = or_throw(copy(second, target));
  std::cout << copied << " bytes copied; the descriptor stands at " << or_throw(source.position()) << '\n';
  const auto expected = or_throw(count_lines(fd, 0, unbounded));
  return sum == expected && copied != 0 && or_throw(source.position()) == 0 ? 0 : 1;
}
