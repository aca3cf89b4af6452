// SPDX-License-Identifier: BSL-1.0
//
// Reading a file of log-like text in Zstandard, LZ4 or framed Snappy: what does the library add to the loop around the
// format's own library, which checks no less? The file is in the page cache; it is read by 64 KiB, and the content
// passes through 256 KiB. /detected is `decompressed()`, which has found the format out; in plain/ there is nothing to
// decode.
//
#include <sluice/codec/endian.hpp>
#include <sluice/compress/detect.hpp>
#include <sluice/compress/lz4.hpp>
#include <sluice/compress/snappy.hpp>
#include <sluice/compress/zstd.hpp>
#include <sluice/digest/crc32.hpp>
#include <sluice/sluice.hpp>

#include "support/files.hpp"
#include "support/log_text.hpp"
#include "support/rows.hpp"

#include <benchmark/benchmark.h>

#include <lz4frame.h>
#include <snappy.h>
#include <zstd.h>

#include <bit>
#include <cstring>
#include <filesystem>

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr std::size_t in_size = 64_KiB;
constexpr std::size_t out_size = 256_KiB;
constexpr std::size_t content_size = 100'000'000;

std::vector<std::byte>& room() {
  static std::vector<std::byte> memory(out_size);
  return memory;
}

class content_file {
 public:
  template <class Compress>
  content_file(const char* name, Compress compress)
      : file_(name, [&](const std::filesystem::path& path) {
          compress(or_throw(file::create(path)), bench::log_text(content_size));
        }) {}

  std::size_t read(std::span<std::byte> to) {
    const ssize_t n = ::read(stream.fd(), to.data(), to.size());
    if (n < 0) std::abort();
    return static_cast<std::size_t>(n);
  }

 private:
  bench::kept_file file_;

 public:
  file stream = or_throw(file::open(file_.path()));
};

template <auto Format>
content_file& compressed_by(const char* name) {
  static content_file made(name, [](file to, const std::string& text) {
    auto w = std::move(to) | Format();
    or_throw(write_all(w, text));
    or_throw(w.close());
  });
  return made;
}

content_file& in_zstd() { return compressed_by<zstd>("log.zst"); }
content_file& in_lz4() { return compressed_by<lz4>("log.lz4"); }
content_file& in_snappy() { return compressed_by<sluice::snappy>("log.sz"); }

content_file& plain() {
  static content_file made("log", [](file to, const std::string& text) { or_throw(write_all(to, text)); });
  return made;
}

template <reader R>
std::size_t size_of(R&& r) {
  std::size_t total = 0;
  while (const std::size_t n = or_throw(r.read_some(room()))) total += n;
  return total;
}

std::vector<std::byte>& input() {
  static std::vector<std::byte> memory(in_size);
  return memory;
}

std::size_t loop_zstd(content_file& f) {
  ::ZSTD_DCtx* const context = ::ZSTD_createDCtx();
  ::ZSTD_inBuffer from{input().data(), 0, 0};
  std::size_t total = 0;
  for (std::size_t wanted = 1; wanted != 0;) {
    if (from.pos == from.size) from = {input().data(), f.read(input()), 0};
    ::ZSTD_outBuffer to{room().data(), room().size(), 0};
    wanted = ::ZSTD_decompressStream(context, &to, &from);
    if (::ZSTD_isError(wanted)) std::abort();
    total += to.pos;
  }
  ::ZSTD_freeDCtx(context);
  return total;
}

std::size_t loop_lz4(content_file& f) {
  ::LZ4F_dctx* context = nullptr;
  if (::LZ4F_isError(::LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) std::abort();
  std::size_t total = 0;
  std::size_t at = 0;
  std::size_t size = 0;
  for (std::size_t wanted = 1; wanted != 0;) {
    if (at == size) {
      size = f.read(input());
      at = 0;
    }
    std::size_t given = room().size();
    std::size_t taken = size - at;
    wanted = ::LZ4F_decompress(context, room().data(), &given, input().data() + at, &taken, nullptr);
    if (::LZ4F_isError(wanted)) std::abort();
    at += taken;
    total += given;
  }
  ::LZ4F_freeDecompressionContext(context);
  return total;
}

// The library knows raw blocks only, so the frame is ours.
std::size_t loop_snappy(content_file& f) {
  static std::vector<std::byte> in(2 * in_size);
  std::size_t total = 0;
  std::size_t size = 0;
  for (;;) {
    const std::size_t n = f.read(std::span(in).subspan(size, in_size));
    if (n == 0) return size == 0 ? total : 0;
    size += n;
    std::size_t at = 0;
    while (size - at >= 4) {
      const auto header = load_le<std::uint32_t>(std::span(in).subspan(at).first<4>());
      const std::size_t length = header >> 8;
      if (size - at - 4 < length) break;
      const std::byte* const data = in.data() + at + 4;
      at += 4 + length;
      if ((header & 0xff) == 0xff) continue;
      const char* const block = reinterpret_cast<const char*>(data + 4);
      std::size_t block_size = length - 4;
      if ((header & 0xff) == 0) {
        if (!::snappy::GetUncompressedLength(block, length - 4, &block_size) || block_size > in_size) std::abort();
        if (!::snappy::RawUncompress(block, length - 4, reinterpret_cast<char*>(room().data()))) std::abort();
      } else {
        std::memcpy(room().data(), block, block_size);
      }
      const std::uint32_t sum = crc32c_of(std::span(room()).first(block_size));
      if (std::rotr(sum, 15) + 0xa282ead8U != load_le<std::uint32_t>(std::span<const std::byte, 4>(data, 4)))
        std::abort();
      total += block_size;
    }
    std::memmove(in.data(), in.data() + at, size - at);
    size -= at;
  }
}

std::size_t loop_plain(content_file& f) {
  std::size_t total = 0;
  while (const std::size_t n = f.read(room())) total += n;
  return total;
}

std::size_t detected(content_file& f) { return size_of(f.stream | decompressed()); }

void run(benchmark::State& state, content_file& f, std::size_t (*read)(content_file&)) {
  for (auto _ : state) {
    or_throw(f.stream.seek(0));
    if (read(f) != content_size) {
      state.SkipWithError("not all bytes arrived");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(content_size));
}

const bool added = [] {
  struct {
    const char* name;
    content_file& (*file)();
    std::size_t (*read)(content_file&);
  } const rows[]{
      {"zstd/loop", &in_zstd, &loop_zstd},
      {"zstd", &in_zstd, [](content_file& f) { return size_of(f.stream | unzstd()); }},
      {"zstd/detected", &in_zstd, &detected},
      {"lz4/loop", &in_lz4, &loop_lz4},
      {"lz4", &in_lz4, [](content_file& f) { return size_of(f.stream | unlz4()); }},
      {"lz4/detected", &in_lz4, &detected},
      {"snappy/loop", &in_snappy, &loop_snappy},
      {"snappy", &in_snappy, [](content_file& f) { return size_of(f.stream | unsnappy()); }},
      {"snappy/detected", &in_snappy, &detected},
      {"plain/loop", &plain, &loop_plain},
      {"plain/detected", &plain, &detected},
  };
  for (const auto& row : rows) {
    bench::add_row(std::string("decompress/") + row.name,
                   [&file = *row.file, read = row.read](benchmark::State& state) { run(state, file(), read); });
  }
  return true;
}();

}  // namespace
