// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with the C library's stdio; see peer.hpp. Small requests are in bench_small_reads and
// bench_small_writes.
//
#include "peer.hpp"

#include <cstring>

namespace {

using namespace sluice::bench;

std::uintmax_t copied(std::FILE* from, std::FILE* to) {
  std::uintmax_t total = 0;
  char piece[BUFSIZ];
  for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, from)) != 0; total += n)
    require(std::fwrite(piece, 1, n, to) == n);
  require(std::fflush(to) == 0);
  return total;
}

void move(const arguments&) {
  once([] { return copied(stdin, stdout); });
}

void small_file(const arguments& given) {
  const two_files files(given[1], std::stoul(given[0]));
  std::FILE* const from = std::fopen(files.from.path().c_str(), "r");
  std::FILE* const to = std::fopen(files.to.path().c_str(), "w");
  repeat([&] {
    std::rewind(from);
    std::rewind(to);
    return copied(from, to);
  });
  std::fclose(from);
  std::fclose(to);
}

// Grows by doubling: nobody knows the size.
std::size_t read_all(std::FILE* from) {
  std::size_t capacity = small_buffer_size;
  std::size_t size = 0;
  char* memory = static_cast<char*>(std::malloc(capacity));
  for (std::size_t n; (n = std::fread(memory + size, 1, capacity - size, from)) != 0;) {
    size += n;
    if (size == capacity) memory = static_cast<char*>(std::realloc(memory, capacity *= 2));
  }
  std::free(memory);
  return size;
}

void read_file(const arguments& given) {
  const input_file file(given[1], std::string(std::stoul(given[0]), 'x'));
  repeat([&] {
    std::FILE* const from = std::fopen(file.path().c_str(), "r");
    const std::uintmax_t size = read_all(from);
    std::fclose(from);
    return size;
  });
}

void read_pipe(const arguments& given) {
  const std::uintmax_t bytes = std::stoull(given[0]);
  repeat([&] {
    const fed_pipe pipe(bytes);
    std::FILE* const from = ::fdopen(::dup(pipe.fd()), "r");
    const std::uintmax_t size = read_all(from);
    std::fclose(from);
    return size;
  });
}

void lines(const arguments& given) {
  const input_file file(given[1], text_of_lines(std::stoul(given[0])));
  char* line = nullptr;
  std::size_t room = 0;
  repeat([&] {
    std::FILE* const from = std::fopen(file.path().c_str(), "r");
    std::uintmax_t total = 0;
    for (ssize_t n; (n = ::getline(&line, &room, from)) > 0;) total += static_cast<std::uintmax_t>(n);
    std::fclose(from);
    require(total >= text_size);
    return std::uintmax_t{text_size};
  });
  std::free(line);
}

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv,
                  {{"move", &move},
                   {"small_file", &small_file},
                   {"read_all file", &read_file},
                   {"read_all pipe", &read_pipe},
                   {"lines", &lines}});
}
