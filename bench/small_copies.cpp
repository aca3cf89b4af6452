// SPDX-License-Identifier: BSL-1.0
//
// Small copies, where the fixed cost is all: a file of 16 bytes to 16 KiB into another, and 16 bytes of memory into a
// writer. The plain loop (read, write, and the read that finds the end) is the limit.
//
#include <sluice/sluice.hpp>

#include "support/files.hpp"
#include "support/rows.hpp"

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
    file made = or_throw(file::create(folder_.path() / "from"));
    or_throw(write_all(made, std::string(size, 'x')));
    from = or_throw(file::open(folder_.path() / "from"));
    to = or_throw(file::create(folder_.path() / "to"));
  }

  void rewind() {
    or_throw(from.seek(0));
    or_throw(to.seek(0));
  }

  file from;
  file to;

 private:
  bench::temporary_folder folder_;
};

std::uintmax_t plain_loop(two_files& f) {
  static std::byte buffer[32_KiB];
  std::uintmax_t done = 0;
  for (;;) {
    const ssize_t n = ::read(f.from.fd(), buffer, sizeof buffer);
    if (n == 0) return done;
    if (n < 0 || ::write(f.to.fd(), buffer, static_cast<std::size_t>(n)) != n) std::abort();
    done += static_cast<std::uintmax_t>(n);
  }
}

std::uintmax_t sluice_copy(two_files& f) { return or_throw(copy(f.from, f.to)); }

std::uintmax_t through_buf_reader(two_files& f) {
  alignas(64) static std::byte memory[64_KiB];
  buf_reader source{f.from, std::span<std::byte>(memory)};
  return or_throw(copy(source, f.to));
}

std::uintmax_t through_any_reader(two_files& f) {
  any_reader source{f.from};
  return or_throw(copy(source, f.to));
}

void file_to_file(benchmark::State& state, std::size_t size, std::uintmax_t (*copy_once)(two_files&)) {
  two_files files(size);
  for (auto _ : state) {
    files.rewind();
    if (copy_once(files) != size) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size));
}

void add(const char* name, std::uintmax_t (*copy_once)(two_files&)) {
  for (const std::size_t size : {16U, 1024U, 16384U}) {
    bench::add_row("copy/small_file/" + std::to_string(size) + "/" + name,
                   [=](benchmark::State& state) { file_to_file(state, size, copy_once); });
  }
}

// 16 bytes of memory into a fixed span.

// By hand: the size is not known to the compiler, and the room is checked.
void plain_memcpy(benchmark::State& state) {
  std::byte source[16]{};
  std::byte target[64];
  for (auto _ : state) {
    std::byte* from = source;
    std::size_t size = sizeof source;
    std::size_t room = sizeof target;
    benchmark::DoNotOptimize(from);
    benchmark::DoNotOptimize(size);
    benchmark::DoNotOptimize(room);
    if (size > room) std::abort();
    std::memcpy(target, from, size);
    benchmark::DoNotOptimize(size);
    benchmark::ClobberMemory();
  }
}

void memory_to_writer(benchmark::State& state) {
  std::byte source[16]{};
  std::byte target[64];
  for (auto _ : state) {
    std::byte* from = source;
    std::size_t size = sizeof source;
    benchmark::DoNotOptimize(from);
    benchmark::DoNotOptimize(size);
    span_reader in(std::span<const std::byte>(from, size));
    span_writer out(std::span<std::byte>{target});
    const auto n = copy(in, out);
    if (!n) std::abort();
    std::uintmax_t copied = *n;
    benchmark::DoNotOptimize(copied);
    benchmark::ClobberMemory();
  }
}

void add(const char* name, void (*loop)(benchmark::State&)) {
  bench::add_row(std::string("copy/memory_to_writer/16/") + name, loop);
}

const bool added = [] {
  add("plain_loop", plain_loop);
  add("sluice_copy", sluice_copy);
  add("through_buf_reader", through_buf_reader);
  add("through_any_reader", through_any_reader);
  add("plain_loop", plain_memcpy);
  add("sluice_copy", memory_to_writer);
  return true;
}();

}  // namespace
