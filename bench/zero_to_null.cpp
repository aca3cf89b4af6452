// SPDX-License-Identifier: BSL-1.0
//
// 1 MiB from /dev/zero to /dev/null through a buffer of 256 KiB: what does the library add to four reads and four writes?
// The plain loop of system calls is the limit; each row of the library should stay within a few percent of it.
//
#include <sluice/sluice.hpp>

#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr std::size_t amount = 1_MiB;
constexpr std::size_t buffer_size = 256_KiB;

struct streams {
  file zero = or_throw(file::open("/dev/zero"));
  file null = or_throw(file::append("/dev/null"));
  std::unique_ptr<std::byte[]> memory = std::make_unique_for_overwrite<std::byte[]>(buffer_size);
  std::span<std::byte> buffer{memory.get(), buffer_size};
};

// A wrapper as a user would write it.
template <class R>
struct metered {
  R& inner;
  std::uintmax_t count = 0;

  result<std::size_t> read_some(std::span<std::byte> b) {
    auto n = inner.read_some(b);
    if (n) count += *n;
    return n;
  }
  auto kernel_endpoint() { return inner.kernel_endpoint(); }
  void kernel_advanced(std::uintmax_t n) {
    count += n;
    inner.kernel_advanced(n);
  }
};

template <class Copy>
void run(benchmark::State& state, Copy copy_once) {
  streams s;
  for (auto _ : state) {
    if (copy_once(s) != amount) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * amount));
}

std::uintmax_t plain_loop(streams& s) {
  std::uintmax_t done = 0;
  while (done < amount) {
    const ssize_t n = ::read(s.zero.fd(), s.memory.get(), buffer_size);
    if (n <= 0 || ::write(s.null.fd(), s.memory.get(), static_cast<std::size_t>(n)) != n) std::abort();
    done += static_cast<std::uintmax_t>(n);
  }
  return done;
}

#define ROW(name, body)                                                                       \
  void name(benchmark::State& state) {                                                        \
    run(state, [](streams& s) -> std::uintmax_t body);                                        \
  }                                                                                           \
  BENCHMARK(name)->Name("copy/zero_to_null/1MiB/" #name)->MinTime(0.2)->Repetitions(9)->DisplayAggregatesOnly()

void plain(benchmark::State& state) { run(state, plain_loop); }
BENCHMARK(plain)->Name("copy/zero_to_null/1MiB/plain_loop")->MinTime(0.2)->Repetitions(9)->DisplayAggregatesOnly();

ROW(buf_reader_of_limit, {
  buf_reader source{limit(s.zero, amount), s.buffer};
  return or_throw(copy(source, s.null));
});

ROW(limit_of_buf_reader, {
  buf_reader source{s.zero, s.buffer};
  return or_throw(copy(limit(source, amount), s.null));
});

ROW(counted_limit, {
  buf_reader source{s.zero, s.buffer};
  return or_throw(copy(source | limit(amount) | counted(), s.null));
});

ROW(user_wrapper, {
  buf_reader source{limit(s.zero, amount), s.buffer};
  metered<decltype(source)> wrapped{source};
  return or_throw(copy(wrapped, s.null, {.scratch = s.buffer}));
});

ROW(erased, {
  any_reader source{buf_reader{limit(s.zero, amount), s.buffer}};
  return or_throw(copy(source, s.null));
});

ROW(into_buf_writer, {
  buf_writer destination{s.null, s.buffer};
  const auto n = or_throw(copy(limit(s.zero, amount), destination));
  or_throw(destination.flush());
  return n;
});

}  // namespace
