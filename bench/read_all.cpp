// SPDX-License-Identifier: BSL-1.0
//
// Reading to the end: what does the library add to the calls that it takes? The limit, by_hand, is what one would write
// in C for just this case: one block of the size of the file, on huge pages where it is large, and for a pipe a mapping
// that is large enough for anything.
//
#include <sluice/sluice.hpp>

#include "support/channels.hpp"
#include "support/files.hpp"
#include "support/large_block.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace sluice;
using namespace sluice::literals;

// ---------------------------------------------------------------------------------------------------------------------
// Files

class one_file {
 public:
  explicit one_file(std::size_t size) {
    file made = or_throw(file::create(folder_.path() / "from"));
    or_throw(write_all(made, std::string(size, 'x')));
    stream = or_throw(file::open(folder_.path() / "from"));
  }

  file stream;

 private:
  bench::temporary_folder folder_;
};

std::size_t file_by_hand(one_file& f) {
  struct stat status;
  if (::fstat(f.stream.fd(), &status) != 0) std::abort();
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const memory = bench::large_block(size);
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::read(f.stream.fd(), static_cast<char*>(memory) + got, size - got);
    if (n <= 0) std::abort();
    got += static_cast<std::size_t>(n);
  }
  char more;
  if (::read(f.stream.fd(), &more, 1) != 0) std::abort();
  benchmark::DoNotOptimize(memory);
  std::free(memory);
  return got;
}

std::size_t file_read_all(one_file& f) { return or_throw(read_all(f.stream)).size(); }
std::size_t file_read_to_string(one_file& f) { return or_throw(read_to_string(f.stream)).size(); }
std::size_t file_through_buf_reader(one_file& f) { return or_throw(read_all(buf_reader(f.stream))).size(); }

void run_file(benchmark::State& state, std::size_t size, std::size_t (*read)(one_file&)) {
  one_file f(size);
  for (auto _ : state) {
    or_throw(f.stream.seek(0));
    if (read(f) != size) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size));
}

// ---------------------------------------------------------------------------------------------------------------------
// A pipe

constexpr std::size_t pipe_amount = 10'000'000;

std::size_t pipe_by_hand(fd_stream& from) {
  constexpr std::size_t room = 32_MiB;
  void* const memory = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  ::madvise(memory, room, MADV_HUGEPAGE);
  std::size_t got = 0;
  for (;;) {
    const ssize_t n = ::read(from.fd(), static_cast<char*>(memory) + got, room - got);
    if (n < 0) std::abort();
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  ::munmap(memory, room);
  return got;
}

std::size_t pipe_read_all(fd_stream& from) { return or_throw(read_all(from)).size(); }
std::size_t pipe_read_to_string(fd_stream& from) { return or_throw(read_to_string(from)).size(); }

void run_pipe(benchmark::State& state, std::size_t (*read)(fd_stream&)) {
  for (auto _ : state) {
    bench::two_ends pipe = bench::make_pipe();
    const bench::feeder fed(std::move(pipe.writer), pipe_amount, 64_KiB);
    if (read(pipe.reader) != pipe_amount) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(pipe_amount));
}

const bool added = [] {
  struct {
    const char* name;
    std::size_t size;
  } const sizes[]{{"300KB", 300'000}, {"1MB", 1'000'000}, {"10MB", 10'000'000}, {"100MB", 100'000'000}};
  struct {
    const char* name;
    std::size_t (*read)(one_file&);
  } const ways[]{{"/by_hand", &file_by_hand},
                 {"", &file_read_all},
                 {"/to_string", &file_read_to_string},
                 {"/through_buf_reader", &file_through_buf_reader}};
  for (const auto& [size_name, size] : sizes) {
    for (const auto& [name, read] : ways) {
      bench::add_row(std::string("read_all/file/") + size_name + name,
                     [size, read](benchmark::State& state) { run_file(state, size, read); });
    }
  }
  const auto add_pipe = [](const char* name, std::size_t (*read)(fd_stream&)) {
    bench::add_row(name, [read](benchmark::State& state) { run_pipe(state, read); });
  };
  add_pipe("read_all/pipe/10MB/by_hand", &pipe_by_hand);
  add_pipe("read_all/pipe/10MB", &pipe_read_all);
  add_pipe("read_all/pipe/10MB/to_string", &pipe_read_to_string);
  return true;
}();

}  // namespace
