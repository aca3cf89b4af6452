// SPDX-License-Identifier: BSL-1.0
//
// Small copies, where the fixed cost is all: a file of 16 bytes to 16 KiB into another, and 16 bytes of memory into a
// writer. The plain loop (read, write, and the read that finds the end) is the limit.
//
#include <sluice/sluice.hpp>

#include <benchmark/benchmark.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace {

using namespace sluice;
using namespace sluice::literals;

// Two open files of a folder of their own; each copy begins at their beginning.
class two_files {
 public:
  explicit two_files(std::size_t size) {
    std::string name = (std::filesystem::temp_directory_path() / "sluice-bench-XXXXXX").string();
    if (!::mkdtemp(name.data())) std::abort();
    folder_ = name;
    file made = or_throw(file::create(folder_ / "from"));
    or_throw(write_all(made, std::string(size, 'x')));
    from = or_throw(file::open(folder_ / "from"));
    to = or_throw(file::create(folder_ / "to"));
  }
  ~two_files() { std::filesystem::remove_all(folder_); }

  void rewind() {
    or_throw(from.seek(0));
    or_throw(to.seek(0));
  }

  file from;
  file to;

 private:
  std::filesystem::path folder_;
};

template <class Copy>
void file_to_file(benchmark::State& state, Copy copy_once) {
  const auto size = static_cast<std::size_t>(state.range(0));
  two_files files(size);
  for (auto _ : state) {
    files.rewind();
    if (copy_once(files) != size) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}

void plain_loop(benchmark::State& state) {
  file_to_file(state, [](two_files& f) {
    static std::byte buffer[32_KiB];
    std::uintmax_t done = 0;
    for (;;) {
      const ssize_t n = ::read(f.from.fd(), buffer, sizeof buffer);
      if (n == 0) return done;
      if (n < 0 || ::write(f.to.fd(), buffer, static_cast<std::size_t>(n)) != n) std::abort();
      done += static_cast<std::uintmax_t>(n);
    }
  });
}

void sluice_copy(benchmark::State& state) {
  file_to_file(state, [](two_files& f) { return or_throw(copy(f.from, f.to)); });
}

void through_buf_reader(benchmark::State& state) {
  file_to_file(state, [](two_files& f) {
    alignas(64) static std::byte memory[64_KiB];
    buf_reader source{f.from, std::span(memory)};
    return or_throw(copy(source, f.to));
  });
}

#define SIZES(name)                          \
  BENCHMARK(name)                            \
      ->Name("copy/small_file/" #name)       \
      ->Arg(16)                              \
      ->Arg(1024)                            \
      ->Arg(16384)                           \
      ->MinTime(0.2)                         \
      ->Repetitions(9)                       \
      ->DisplayAggregatesOnly()

SIZES(plain_loop);
SIZES(sluice_copy);
SIZES(through_buf_reader);

// 16 bytes of memory into a fixed span.

void plain_memcpy(benchmark::State& state) {
  std::byte source[16]{};
  std::byte target[64];
  std::size_t at = 0;
  for (auto _ : state) {
    std::byte* from = source;
    benchmark::DoNotOptimize(from);
    if (at + sizeof source > sizeof target) at = 0;
    std::memcpy(target + at, from, sizeof source);
    at += sizeof source;
    benchmark::ClobberMemory();
  }
}

void memory_to_writer(benchmark::State& state) {
  std::byte source[16]{};
  std::byte target[64];
  for (auto _ : state) {
    std::byte* from = source;
    benchmark::DoNotOptimize(from);
    span_reader in(std::span<const std::byte>(from, sizeof source));
    span_writer out(std::span<std::byte>{target});
    auto n = copy(in, out);
    benchmark::DoNotOptimize(n);
    benchmark::ClobberMemory();
  }
}

BENCHMARK(plain_memcpy)->Name("copy/memory_to_writer/16/memcpy")->Repetitions(9)->DisplayAggregatesOnly();
BENCHMARK(memory_to_writer)->Name("copy/memory_to_writer/16/sluice_copy")->Repetitions(9)->DisplayAggregatesOnly();

}  // namespace
