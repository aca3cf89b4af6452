// SPDX-License-Identifier: BSL-1.0
//
// From memory to memory: into room that is there already (the limit is memcpy), and into memory that each copy takes
// anew (the limit is malloc and memcpy; for 64 MiB, memory on huge pages).
//
#include <sluice/sluice.hpp>

#include "support/rows.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr std::size_t huge_page = 2_MiB;

using source_bytes = std::span<const std::byte>;
using room_bytes = std::span<std::byte>;

// Into room that is there already.

void memcpy_by_hand(source_bytes from, room_bytes to) {
  if (from.size() > to.size()) std::abort();
  std::memcpy(to.data(), from.data(), from.size());
}

void into_span_writer(source_bytes from, room_bytes to) {
  span_reader source(from);
  span_writer target(to);
  if (or_throw(copy(source, target)) != from.size()) std::abort();
}

// Into fresh memory.

void fresh_by_hand(source_bytes from, room_bytes) {
  const std::size_t rounded = (from.size() + huge_page - 1) / huge_page * huge_page;
  void* const memory = from.size() >= 32_MiB ? std::aligned_alloc(huge_page, rounded) : std::malloc(from.size());
  if (!memory) std::abort();
  if (from.size() >= 32_MiB) ::madvise(memory, rounded, MADV_HUGEPAGE);
  std::memcpy(memory, from.data(), from.size());
  benchmark::DoNotOptimize(memory);
  std::free(memory);
}

template <class Writer>
void into_fresh(source_bytes from, room_bytes) {
  span_reader source(from);
  Writer target;
  if (or_throw(copy(source, target)) != from.size()) std::abort();
  auto content = target.take();
  auto* const memory = content.data();
  benchmark::DoNotOptimize(memory);
}

void into_stringstream(source_bytes from, room_bytes) {
  std::ostringstream target;
  target.write(reinterpret_cast<const char*>(from.data()), static_cast<std::streamsize>(from.size()));
  const std::string content = std::move(target).str();
  const char* memory = content.data();
  benchmark::DoNotOptimize(memory);
}

void run(benchmark::State& state, std::size_t size, void (*copy_once)(source_bytes, room_bytes)) {
  const bytes source(size, std::byte{'x'});
  bytes room(size, std::byte{0});
  for (auto _ : state) {
    copy_once(source, room);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size));
}

void add(const char* where, const char* name, void (*copy_once)(source_bytes, room_bytes)) {
  struct {
    const char* name;
    std::size_t bytes;
  } const sizes[]{{"64B", 64}, {"4KiB", 4_KiB}, {"1MiB", 1_MiB}, {"64MiB", 64_MiB}};
  for (const auto& size : sizes)
    bench::add_row(std::string("memory_to_memory/") + size.name + "/" + where + "/" + name,
                   [bytes = size.bytes, copy_once](benchmark::State& state) { run(state, bytes, copy_once); });
}

const bool added = [] {
  add("room", "by_hand", &memcpy_by_hand);
  add("room", "span_writer", &into_span_writer);
  add("fresh", "by_hand", &fresh_by_hand);
  add("fresh", "bytes_writer", &into_fresh<bytes_writer>);
  add("fresh", "string_writer", &into_fresh<string_writer>);
  add("fresh", "stringstream", &into_stringstream);
  return true;
}();

}  // namespace
