// SPDX-License-Identifier: BSL-1.0
//
// 1 MiB from /dev/zero to /dev/null through a buffer of 256 KiB: what does the library add to four reads and four
// writes? The plain loop of system calls is the limit; each row of the library should stay within a few percent of it.
//
#include <sluice/sluice.hpp>

#include "support/metered.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

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

void run(benchmark::State& state, std::uintmax_t (*copy_once)(streams&)) {
  streams s;
  for (auto _ : state) {
    if (copy_once(s) != amount) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(amount));
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

std::uintmax_t buf_reader_of_limit(streams& s) {
  buf_reader source{limit(s.zero, amount), s.buffer};
  return or_throw(copy(source, s.null));
}

std::uintmax_t limit_of_buf_reader(streams& s) {
  buf_reader source{s.zero, s.buffer};
  return or_throw(copy(limit(source, amount), s.null));
}

std::uintmax_t counted_limit(streams& s) {
  buf_reader source{s.zero, s.buffer};
  return or_throw(copy(source | limit(amount) | counted(), s.null));
}

std::uintmax_t user_wrapper(streams& s) {
  buf_reader source{limit(s.zero, amount), s.buffer};
  bench::metered<decltype(source)> wrapped{source};
  return or_throw(copy(wrapped, s.null, {.scratch = s.buffer}));
}

std::uintmax_t erased(streams& s) {
  any_reader source{buf_reader{limit(s.zero, amount), s.buffer}};
  return or_throw(copy(source, s.null));
}

std::uintmax_t into_buf_writer(streams& s) {
  buf_writer destination{s.null, s.buffer};
  const auto n = or_throw(copy(limit(s.zero, amount), destination));
  or_throw(destination.flush());
  return n;
}

// The buffer's memory is made anew each time, as in a program that copies once.
std::uintmax_t fresh_buffer(streams& s) {
  buf_reader source{limit(s.zero, amount), buffer_size};
  return or_throw(copy(source, s.null));
}

void add(const char* name, std::uintmax_t (*copy_once)(streams&)) {
  bench::add_row(std::string("copy/zero_to_null/1MiB/") + name,
                 [copy_once](benchmark::State& state) { run(state, copy_once); });
}

const bool added = [] {
  add("plain_loop", plain_loop);
  add("buf_reader_of_limit", buf_reader_of_limit);
  add("limit_of_buf_reader", limit_of_buf_reader);
  add("counted_limit", counted_limit);
  add("user_wrapper", user_wrapper);
  add("any_reader", erased);
  add("into_buf_writer", into_buf_writer);
  add("fresh_buffer", fresh_buffer);
  return true;
}();

}  // namespace
