// SPDX-License-Identifier: BSL-1.0
//
// Reading a gzip file of log-like text that was made by level 6: what does the library add to the loop around ISA-L's
// isal_inflate, which checks no less? The file is in the page cache. In /stream the content passes through 256 KiB,
// from a buffer of 64 KiB; in /whole it ends in one block of memory, new each time, whose size is told by the trailer
// or, in /without_hint, by nobody.
//
#include <sluice/compress/gzip.hpp>
#include <sluice/sluice.hpp>

#include "support/files.hpp"
#include "support/large_block.hpp"
#include "support/log_text.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <zlib.h>

#include <isa-l/igzip_lib.h>
#ifdef SLUICE_BENCH_LIBDEFLATE
#include <libdeflate.h>
#endif

#include <cstring>
#include <filesystem>

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr std::size_t in_size = 64_KiB;
constexpr std::size_t out_size = 256_KiB;

class gzip_file {
 public:
  explicit gzip_file(std::size_t size)
      : content_size(size), file_("log-" + std::to_string(size) + ".gz", [size](const std::filesystem::path& path) {
          auto made = or_throw(file::create(path)) | gzip();
          or_throw(write_all(made, bench::log_text(size)));
          or_throw(made.close());
        }) {}

  std::size_t content_size;

 private:
  bench::kept_file file_;

 public:
  file stream = or_throw(file::open(file_.path()));
};

std::size_t read_or_abort(gzip_file& f, void* to, std::size_t size) {
  const ssize_t n = ::read(f.stream.fd(), to, size);
  if (n < 0) std::abort();
  return static_cast<std::size_t>(n);
}

// ---------------------------------------------------------------------------------------------------------------------
// In a stream

std::vector<std::byte>& room() {
  static std::vector<std::byte> memory(out_size);
  return memory;
}

std::size_t stream_isal(gzip_file& f) {
  static std::vector<std::uint8_t> in(in_size);
  static ::inflate_state state;
  ::isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  std::size_t total = 0;
  while (state.block_state != ISAL_BLOCK_FINISH) {
    if (state.avail_in == 0) {
      state.next_in = in.data();
      state.avail_in = static_cast<std::uint32_t>(read_or_abort(f, in.data(), in.size()));
    }
    state.next_out = reinterpret_cast<std::uint8_t*>(room().data());
    state.avail_out = static_cast<std::uint32_t>(out_size);
    if (::isal_inflate(&state) != ISAL_DECOMP_OK) std::abort();
    total += out_size - state.avail_out;
  }
  return total;
}

std::size_t stream_zlib(gzip_file& f) {
  static std::vector<Bytef> in(in_size);
  z_stream state{};
  if (::inflateInit2(&state, MAX_WBITS + 16) != Z_OK) std::abort();
  std::size_t total = 0;
  for (int answer = Z_OK; answer != Z_STREAM_END;) {
    if (state.avail_in == 0) {
      state.next_in = in.data();
      state.avail_in = static_cast<uInt>(read_or_abort(f, in.data(), in.size()));
    }
    state.next_out = reinterpret_cast<Bytef*>(room().data());
    state.avail_out = static_cast<uInt>(out_size);
    answer = ::inflate(&state, Z_NO_FLUSH);
    if (answer != Z_OK && answer != Z_STREAM_END) std::abort();
    total += out_size - state.avail_out;
  }
  ::inflateEnd(&state);
  return total;
}

std::size_t stream_by(gzip_file& f, inflate_engine engine) {
  auto r = f.stream | gunzip({.engine = engine});
  std::size_t total = 0;
  while (const std::size_t n = or_throw(r.read_some(room()))) total += n;
  return total;
}

std::size_t stream_gunzip(gzip_file& f) { return stream_by(f, inflate_engine::automatic); }
std::size_t stream_gunzip_by_zlib(gzip_file& f) { return stream_by(f, inflate_engine::zlib); }
std::size_t stream_copy(gzip_file& f) { return or_throw(copy(f.stream | gunzip(), null_writer())); }
std::size_t stream_buffered(gzip_file& f) {
  return or_throw(skip(f.stream | gunzip() | buffered(out_size), unbounded));
}

// ---------------------------------------------------------------------------------------------------------------------
// Into one block

struct compressed_block {
  explicit compressed_block(gzip_file& f)
      : size(static_cast<std::size_t>(or_throw(f.stream.size()))), data(std::malloc(size)) {
    if (read_or_abort(f, data, size) != size) std::abort();
    std::uint32_t last = 0;
    std::memcpy(&last, static_cast<char*>(data) + size - sizeof last, sizeof last);
    content_size = last;
    content = bench::large_block(content_size);
  }
  ~compressed_block() {
    benchmark::DoNotOptimize(content);
    std::free(content);
    std::free(data);
  }

  std::size_t size;
  std::size_t content_size;
  void* data;
  void* content;
};

std::size_t whole_isal(gzip_file& f) {
  static ::inflate_state state;
  const compressed_block block(f);
  ::isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  state.next_in = static_cast<std::uint8_t*>(block.data);
  state.avail_in = static_cast<std::uint32_t>(block.size);
  state.next_out = static_cast<std::uint8_t*>(block.content);
  state.avail_out = static_cast<std::uint32_t>(block.content_size);
  if (::isal_inflate(&state) != ISAL_DECOMP_OK || state.block_state != ISAL_BLOCK_FINISH) std::abort();
  return state.total_out;
}

#ifdef SLUICE_BENCH_LIBDEFLATE
std::size_t whole_libdeflate(gzip_file& f) {
  const compressed_block block(f);
  ::libdeflate_decompressor* const decompressor = ::libdeflate_alloc_decompressor();
  std::size_t size = 0;
  if (::libdeflate_gzip_decompress(decompressor, block.data, block.size, block.content, block.content_size, &size) !=
      LIBDEFLATE_SUCCESS)
    std::abort();
  ::libdeflate_free_decompressor(decompressor);
  return size;
}
#endif

std::size_t whole_read_all(gzip_file& f) { return or_throw(read_all(f.stream | gunzip())).size(); }

// Hides the descriptor and the size, as a body of unknown length does.
struct plain_reader {
  file& inner;
  result<std::size_t> read_some(std::span<std::byte> b) { return inner.read_some(b); }
};

std::size_t whole_without_hint(gzip_file& f) { return or_throw(read_all(plain_reader{f.stream} | gunzip())).size(); }

void run(benchmark::State& state, std::size_t size, std::size_t (*read)(gzip_file&)) {
  static gzip_file* f = nullptr;
  if (!f || f->content_size != size) {
    delete f;
    f = new gzip_file(size);
  }
  for (auto _ : state) {
    or_throw(f->stream.seek(0));
    if (read(*f) != size) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size));
}

const bool added = [] {
  const auto add = [](const std::string& name, std::size_t size, std::size_t (*read)(gzip_file&)) {
    bench::add_row(name, [size, read](benchmark::State& state) { run(state, size, read); });
  };
  struct {
    const char* name;
    std::size_t (*read)(gzip_file&);
  } const streams[]{{"/isal", &stream_isal}, {"/zlib", &stream_zlib},
                    {"", &stream_gunzip},    {"/by_zlib", &stream_gunzip_by_zlib},
                    {"/copy", &stream_copy}, {"/buffered", &stream_buffered}},
      wholes[]{{"/isal", &whole_isal},
#ifdef SLUICE_BENCH_LIBDEFLATE
               {"/libdeflate", &whole_libdeflate},
#endif
               {"", &whole_read_all},
               {"/without_hint", &whole_without_hint}};
  struct {
    const char* name;
    std::size_t size;
  } const sizes[]{{"300KB", 300'000}, {"1MB", 1'000'000}, {"10MB", 10'000'000}, {"100MB", 100'000'000}};
  for (const auto& [size_name, size] : sizes) {
    for (const auto& [name, read] : wholes) add(std::string("gunzip/whole/") + size_name + name, size, read);
  }
  for (const auto& [name, read] : streams) add(std::string("gunzip/stream/100MB") + name, 100'000'000, read);
  return true;
}();

}  // namespace
