// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with std::iostream; see peer.hpp. Small requests and lines are in bench_small_reads,
// bench_small_writes and bench_lines.
//
#include "peer.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

#include <ext/stdio_filebuf.h>

namespace {

using namespace sluice::bench;

// Nothing to copy counts as a failure there.
std::uintmax_t copied(std::istream& from, std::ostream& to) {
  to << from.rdbuf();
  require(!to.bad());
  to.clear();
  to.flush();
  return static_cast<std::uintmax_t>(to.tellp());
}

void move(const arguments&) {
  once([] {
    std::ifstream from("/dev/stdin", std::ios::binary);
    std::ofstream to("/dev/stdout", std::ios::binary);
    return copied(from, to);
  });
}

void small_file(const arguments& given) {
  const std::size_t size = std::stoul(given[0]);
  const two_files files(given[1], size);
  std::ifstream from(files.from.path(), std::ios::binary);
  std::ofstream to(files.to.path(), std::ios::binary);
  repeat([&] {
    from.clear();
    from.seekg(0);
    to.seekp(0);
    return copied(from, to);
  });
}

void read_file(const arguments& given) {
  const input_file file(given[1], std::string(std::stoul(given[0]), 'x'));
  repeat([&] {
    std::ifstream from(file.path(), std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(from), {});
    return std::uintmax_t{all.size()};
  });
}

void read_pipe(const arguments& given) {
  const std::uintmax_t bytes = std::stoull(given[0]);
  repeat([&] {
    const fed_pipe pipe(bytes);
    __gnu_cxx::stdio_filebuf<char> buffer(::dup(pipe.fd()), std::ios::in | std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(&buffer), {});
    return std::uintmax_t{all.size()};
  });
}

}  // namespace

int main(int argc, char** argv) {
  return run_peer(
      argc, argv,
      {{"move", &move}, {"small_file", &small_file}, {"read_all file", &read_file}, {"read_all pipe", &read_pipe}});
}
