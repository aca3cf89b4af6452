// SPDX-License-Identifier: BSL-1.0
//
// The lines of a file in the page cache, 12, 80 and 500 bytes long on average: how near does `lines` come to bit masks
// by hand? That is the limit; memchr for each line and std::getline are what programs do otherwise.
//
#include <sluice/system/file.hpp>
#include <sluice/view/lines.hpp>

#include "support/files.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace {

using namespace sluice;

constexpr std::size_t text_size = std::size_t{64} << 20;
constexpr std::size_t window_size = std::size_t{64} << 10;

/// A file of lines between half and one and a half times as long as the average.
bench::kept_file text_of_lines(std::size_t average) {
  return bench::kept_file("lines-" + std::to_string(average), [average](const std::filesystem::path& path) {
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> length(average / 2, average + average / 2 - 1);
    std::string text;
    while (text.size() < text_size) {
      text.append(length(random), 'x');
      text += '\n';
    }
    std::ofstream(path) << text;
  });
}

struct total {
  std::uintmax_t lines = 0;
  std::uintmax_t bytes = 0;
  void add(std::string_view line) {
    ++lines;
    bytes += line.size();
  }
};

total by_lines(const std::filesystem::path& path) {
  total t;
  for (const std::string_view line : or_throw(file::open(path)) | lines()) t.add(line);
  return t;
}

total by_lines_of_small_buffer(const std::filesystem::path& path) {
  total t;
  for (const std::string_view line : buf_reader(or_throw(file::open(path)), window_size) | lines()) t.add(line);
  return t;
}

#ifdef __SSE2__
std::uint64_t newlines(const char* block) {
  std::uint64_t marks = 0;
  for (unsigned i = 0; i != 4; ++i) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
    marks |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8('\n'))))}
             << (16 * i);
  }
  return marks;
}

// The window has 64 bytes to spare behind it, so that each block is whole; what is left of a line moves to the front.
total by_hand(const std::filesystem::path& path) {
  total t;
  file source = or_throw(file::open(path));
  const auto memory = std::make_unique<char[]>(window_size + 64);
  std::size_t held = 0;
  for (;;) {
    const ssize_t n = ::read(source.fd(), memory.get() + held, window_size - held);
    if (n <= 0) break;
    const std::size_t size = held + static_cast<std::size_t>(n);
    std::memset(memory.get() + size, 0, 64);
    const char* line = memory.get();
    for (std::size_t at = held / 64 * 64; at < size; at += 64) {
      for (std::uint64_t marks = newlines(memory.get() + at); marks != 0; marks &= marks - 1) {
        const char* const end = memory.get() + at + std::countr_zero(marks);
        const bool two = end != line && end[-1] == '\r';
        t.add({line, static_cast<std::size_t>(end - line) - (two ? 1U : 0U)});
        line = end + 1;
      }
    }
    held = static_cast<std::size_t>(memory.get() + size - line);
    std::memmove(memory.get(), line, held);
  }
  if (held != 0) t.add({memory.get(), held});
  return t;
}
#endif

total by_memchr(const std::filesystem::path& path) {
  total t;
  file source = or_throw(file::open(path));
  const auto memory = std::make_unique<char[]>(window_size);
  std::size_t held = 0;
  for (;;) {
    const ssize_t n = ::read(source.fd(), memory.get() + held, window_size - held);
    if (n <= 0) break;
    const char* line = memory.get();
    const char* const end = line + held + n;
    while (const void* const at = std::memchr(line, '\n', static_cast<std::size_t>(end - line))) {
      t.add({line, static_cast<const char*>(at)});
      line = static_cast<const char*>(at) + 1;
    }
    held = static_cast<std::size_t>(end - line);
    std::memmove(memory.get(), line, held);
  }
  if (held != 0) t.add({memory.get(), held});
  return t;
}

total by_getline(const std::filesystem::path& path) {
  total t;
  std::ifstream source(path);
  for (std::string line; std::getline(source, line);) t.add(line);
  return t;
}

void add(std::size_t average, const char* name, total (*count)(const std::filesystem::path&)) {
  bench::add_row("lines/" + std::to_string(average) + "/" + name, [average, count](benchmark::State& state) {
    const bench::kept_file text = text_of_lines(average);
    total t;
    for (auto _ : state) benchmark::DoNotOptimize(t = count(text.path()));
    if (t.lines + t.bytes < text_size) state.SkipWithError("not all bytes arrived");
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(t.lines + t.bytes));
  });
}

const bool added = [] {
  for (const std::size_t average : {12U, 80U, 500U}) {
#ifdef __SSE2__
    add(average, "by_hand", by_hand);
#endif
    add(average, "lines", by_lines);
    add(average, "lines_of_small_buffer", by_lines_of_small_buffer);
    add(average, "memchr", by_memchr);
    add(average, "getline", by_getline);
  }
  return true;
}();

}  // namespace
