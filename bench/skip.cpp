// SPDX-License-Identifier: BSL-1.0
//
// Passing over bytes: a file, a pipe that holds 1 MiB, a TCP connection. The limits, by_hand: one lseek(2), which does
// not care whether the bytes exist; splice(2) to /dev/null; recv(2) with MSG_TRUNC.
//
#include <sluice/sluice.hpp>

#include "support/channels.hpp"
#include "support/files.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr std::uintmax_t amount = 1_GiB;
constexpr std::uintmax_t file_step = 100'000;

std::uintmax_t pipe_by_hand(fd_stream& from) {
  file null = or_throw(file::open("/dev/null", {.write = true}));
  const int to = null.fd();
  std::uintmax_t passed = 0;
  while (passed < amount) {
    const ssize_t n = ::splice(from.fd(), nullptr, to, nullptr, amount - passed, SPLICE_F_MOVE);
    if (n <= 0) std::abort();
    passed += static_cast<std::uintmax_t>(n);
  }
  return passed;
}

std::uintmax_t tcp_by_hand(fd_stream& from) {
  std::uintmax_t passed = 0;
  while (passed < amount) {
    const ssize_t n = ::recv(from.fd(), nullptr, amount - passed, MSG_TRUNC);
    if (n <= 0) std::abort();
    passed += static_cast<std::uintmax_t>(n);
  }
  return passed;
}

std::uintmax_t read_by_hand(fd_stream& from) {
  static std::byte buffer[256_KiB];
  std::uintmax_t passed = 0;
  while (passed < amount) {
    const ssize_t n = ::read(from.fd(), buffer, sizeof buffer);
    if (n <= 0) std::abort();
    passed += static_cast<std::uintmax_t>(n);
  }
  return passed;
}

std::uintmax_t sluice_skip(fd_stream& from) { return or_throw(skip(from, amount)); }
std::uintmax_t through_wrappers(fd_stream& from) { return or_throw(skip(limit(buf_reader(from), amount), amount)); }

void run_channel(benchmark::State& state, bench::two_ends (*make)(), std::uintmax_t (*skip_once)(fd_stream&)) {
  for (auto _ : state) {
    bench::two_ends channel = make();
    const bench::feeder fed(std::move(channel.writer), amount, 1_MiB);
    if (skip_once(channel.reader) != amount) {
      state.SkipWithError("not all bytes were passed");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(amount));
}

void add_channel(const char* name, bench::two_ends (*make)(), std::uintmax_t (*skip_once)(fd_stream&)) {
  bench::add_row(name, [=](benchmark::State& state) { run_channel(state, make, skip_once); });
}

void run_file(benchmark::State& state, void (*skip_once)(file&)) {
  const bench::temporary_folder folder;
  file made = or_throw(file::create(folder.path() / "from"));
  or_throw(made.resize(amount));
  file from = or_throw(file::open(folder.path() / "from"));
  std::uintmax_t passed = 0;
  for (auto _ : state) {
    // A little further each time, as a reader of records goes.
    skip_once(from);
    passed += file_step;
    if (passed > amount / 2) passed = or_throw(from.seek(0));
  }
}

bench::two_ends large_pipe() { return bench::make_pipe(1 << 20); }
bench::two_ends tcp() { return bench::make_tcp(); }

const bool added = [] {
  bench::add_row("skip/file/100KB/by_hand", [](benchmark::State& state) {
    run_file(state, [](file& f) {
      if (::lseek(f.fd(), file_step, SEEK_CUR) < 0) std::abort();
    });
  });
  bench::add_row("skip/file/100KB", [](benchmark::State& state) {
    run_file(state, [](file& f) {
      if (or_throw(skip(f, file_step)) != file_step) std::abort();
    });
  });
  add_channel("skip/pipe/1GiB/by_hand", &large_pipe, &pipe_by_hand);
  add_channel("skip/pipe/1GiB/read_by_hand", &large_pipe, &read_by_hand);
  add_channel("skip/pipe/1GiB", &large_pipe, &sluice_skip);
  add_channel("skip/pipe/1GiB/through_wrappers", &large_pipe, &through_wrappers);
  add_channel("skip/tcp/1GiB/by_hand", &tcp, &tcp_by_hand);
  add_channel("skip/tcp/1GiB/read_by_hand", &tcp, &read_by_hand);
  add_channel("skip/tcp/1GiB", &tcp, &sluice_skip);
  add_channel("skip/tcp/1GiB/through_wrappers", &tcp, &through_wrappers);
  return true;
}();

}  // namespace
