// SPDX-License-Identifier: BSL-1.0
//
// Reads of 1, 8 and 64 bytes through a buffer of 64 KiB from /dev/zero: what does the library add to a compare and a
// memcpy? The limit, by_hand, is these two in a loop, with the pointers in registers.
//
#include <sluice/sluice.hpp>

#include "support/small_requests.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

namespace {

using namespace sluice;
using bench::buffer_bytes;
using bench::check;
using bench::repeat;

file dev_zero() { return or_throw(file::open("/dev/zero")); }

struct room {
  void used() { benchmark::DoNotOptimize(bytes); }

  std::byte bytes[bench::largest_request]{};
};

struct by_hand {
  template <class Size>
  static void run(benchmark::State& state) {
    file zero = dev_zero();
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
    const std::byte* pos = memory.get();
    const std::byte* end = pos;
    room to;
    repeat(state, [&] {
      const std::size_t n = Size::get();
      if (static_cast<std::size_t>(end - pos) < n) [[unlikely]] {
        check(::read(zero.fd(), memory.get(), buffer_bytes) == static_cast<ssize_t>(buffer_bytes));
        pos = memory.get();
        end = pos + buffer_bytes;
      }
      std::memcpy(to.bytes, pos, n);
      pos += n;
      to.used();
    });
  }
};

template <class Size>
void read_each(benchmark::State& state, auto& from) {
  room to;
  repeat(state, [&] {
    const std::size_t wanted = Size::get();
    const auto n = read_some(from, std::span(to.bytes, wanted));
    check(n && *n == wanted);
    to.used();
  });
}

struct through_buf_reader {
  template <class Size>
  static void run(benchmark::State& state) {
    buf_reader from{dev_zero(), buffer_bytes};
    read_each<Size>(state, from);
  }
};

struct through_read_exactly {
  template <class Size>
  static void run(benchmark::State& state) {
    buf_reader from{dev_zero(), buffer_bytes};
    room to;
    repeat(state, [&] {
      check(read_exactly(from, std::span(to.bytes, Size::get())).has_value());
      to.used();
    });
  }
};

struct through_any_reader {
  template <class Size>
  static void run(benchmark::State& state) {
    any_reader from{dev_zero(), buffer_bytes};
    read_each<Size>(state, from);
  }
};

struct through_buffered_reader_ref {
  template <class Size>
  static void run(benchmark::State& state) {
    file zero = dev_zero();
    buf_reader from{reader_ref(zero), buffer_bytes};
    read_each<Size>(state, from);
  }
};

struct by_fread {
  template <class Size>
  static void run(benchmark::State& state) {
    std::FILE* const from = std::fopen("/dev/zero", "r");
    check(from && std::setvbuf(from, nullptr, _IOFBF, buffer_bytes) == 0);
    room to;
    repeat(state, [&] {
      const std::size_t n = Size::get();
      check(std::fread(to.bytes, 1, n, from) == n);
      to.used();
    });
    std::fclose(from);
  }
};

struct by_ifstream {
  template <class Size>
  static void run(benchmark::State& state) {
    const auto memory = std::make_unique_for_overwrite<char[]>(buffer_bytes);
    std::ifstream from;
    from.rdbuf()->pubsetbuf(memory.get(), static_cast<std::streamsize>(buffer_bytes));
    from.open("/dev/zero", std::ios::binary);
    room to;
    repeat(state, [&] {
      from.read(reinterpret_cast<char*>(to.bytes), static_cast<std::streamsize>(Size::get()));
      check(from.good());
      to.used();
    });
  }
};

const bool added = [] {
  const char* const topic = "small_reads";
  bench::add_sizes<by_hand>(topic, "by_hand");
  bench::add_sizes<through_buf_reader>(topic, "buf_reader");
  bench::add_sizes<through_read_exactly>(topic, "read_exactly");
  bench::add_sizes<through_any_reader>(topic, "any_reader");
  bench::add_sizes<through_buffered_reader_ref>(topic, "buffered_reader_ref");
  bench::add_sizes<by_fread>(topic, "fread");
  bench::add_sizes<by_ifstream>(topic, "ifstream");
  return true;
}();

}  // namespace
