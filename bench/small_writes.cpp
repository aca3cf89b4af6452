// SPDX-License-Identifier: BSL-1.0
//
// Writes of 1, 8 and 64 bytes through a buffer of 64 KiB to /dev/null: what does the library add to a compare and a
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

file dev_null() { return or_throw(file::append("/dev/null")); }

struct text {
  text() { benchmark::DoNotOptimize(bytes); }

  template <class Size>
  std::span<const std::byte> some() const {
    return {bytes, Size::get()};
  }

  std::byte bytes[bench::largest_request]{};
};

struct by_hand {
  template <class Size>
  static void run(benchmark::State& state) {
    file null = dev_null();
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
    std::byte* pos = memory.get();
    std::byte* const end = pos + buffer_bytes;
    const text from;
    repeat(state, [&] {
      const std::size_t n = Size::get();
      if (static_cast<std::size_t>(end - pos) < n) [[unlikely]] {
        check(::write(null.fd(), memory.get(), static_cast<std::size_t>(pos - memory.get())) == pos - memory.get());
        pos = memory.get();
      }
      std::memcpy(pos, from.bytes, n);
      pos += n;
    });
  }
};

template <class Size>
void write_each(benchmark::State& state, auto& to) {
  const text from;
  repeat(state, [&] {
    const auto some = from.some<Size>();
    const auto n = write_some(to, some);
    check(n && *n == some.size());
  });
}

struct through_buf_writer {
  template <class Size>
  static void run(benchmark::State& state) {
    buf_writer to{dev_null(), buffer_bytes};
    write_each<Size>(state, to);
  }
};

struct through_write_all {
  template <class Size>
  static void run(benchmark::State& state) {
    buf_writer to{dev_null(), buffer_bytes};
    const text from;
    repeat(state, [&] { check(write_all(to, from.some<Size>()).has_value()); });
  }
};

struct through_any_writer {
  template <class Size>
  static void run(benchmark::State& state) {
    any_writer to{buf_writer{dev_null(), buffer_bytes}};
    write_each<Size>(state, to);
  }
};

struct by_fwrite {
  template <class Size>
  static void run(benchmark::State& state) {
    std::FILE* const to = std::fopen("/dev/null", "w");
    check(to && std::setvbuf(to, nullptr, _IOFBF, buffer_bytes) == 0);
    const text from;
    repeat(state, [&] {
      const std::size_t n = Size::get();
      check(std::fwrite(from.bytes, 1, n, to) == n);
    });
    std::fclose(to);
  }
};

struct by_ofstream {
  template <class Size>
  static void run(benchmark::State& state) {
    const auto memory = std::make_unique_for_overwrite<char[]>(buffer_bytes);
    std::ofstream to;
    to.rdbuf()->pubsetbuf(memory.get(), static_cast<std::streamsize>(buffer_bytes));
    to.open("/dev/null", std::ios::binary);
    const text from;
    repeat(state, [&] {
      to.write(reinterpret_cast<const char*>(from.bytes), static_cast<std::streamsize>(Size::get()));
      check(to.good());
    });
  }
};

const bool added = [] {
  const char* const topic = "small_writes";
  bench::add_sizes<by_hand>(topic, "by_hand");
  bench::add_sizes<through_buf_writer>(topic, "buf_writer");
  bench::add_sizes<through_write_all>(topic, "write_all");
  bench::add_sizes<through_any_writer>(topic, "any_writer");
  bench::add_sizes<by_fwrite>(topic, "fwrite");
  bench::add_sizes<by_ofstream>(topic, "ofstream");
  return true;
}();

}  // namespace
