// SPDX-License-Identifier: BSL-1.0
//
// Compression on the way: what --gzip, --gunzip and their kin ask for.
//
//   struct codec { ... };          // what is undone and what is done
//   class content_reader;          // a source as its content
//   class packing_writer;          // a destination that is written compressed
//
#ifndef SLUICE_TOOL_CODEC_HPP
#define SLUICE_TOOL_CODEC_HPP

#include <sluice/compress/compress_writer.hpp>
#include <sluice/erased/any_reader.hpp>
#include <sluice/erased/writer_ref.hpp>
#include <sluice/system/fd_stream.hpp>

#include <cstdint>
#include <expected>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sluice::tool {

/// The formats by the names that the options have.
enum class packing : unsigned char { gzip, zstd, lz4 };

struct codec {
  std::optional<packing> unpack;  ///< of each source
  bool unpack_any = false;        ///< of each source, whatever it is
  std::optional<packing> pack;    ///< of the destination
  std::optional<int> level;

  bool unpacks() const noexcept { return unpack.has_value() || unpack_any; }
  bool changes_bytes() const noexcept { return unpacks() || pack.has_value(); }
};

/// Why a copy that is packed or unpacked takes no kernel path, for reports.
inline constexpr std::string_view codec_reason = "compressing and decompressing change the bytes";

/// What is wrong with it: a format that this build lacks.
std::optional<std::string> missing_in(const codec& wanted);

/// Reads a source's content. Unlike the library's adaptors it can be stopped while the source is silent.
class content_reader {
 public:
  content_reader(fd_stream& source, const codec& wanted, std::stop_token stop);
  content_reader(const content_reader&) = delete;
  content_reader& operator=(const content_reader&) = delete;

  result<std::size_t> read_some(std::span<std::byte> b) { return content_.read_some(b); }
  std::optional<std::uintmax_t> size_hint() { return content_.size_hint(); }

  /// How much of the source was read, in bytes, to compare with its size.
  std::uintmax_t source_bytes() const noexcept { return raw_.count; }

 private:
  struct raw_reader {
    result<std::size_t> read_some(std::span<std::byte> b);
    std::optional<std::uintmax_t> size_hint() { return source.size_hint(); }

    fd_stream& source;
    std::stop_token stop;
    std::uintmax_t count = 0;
  };

  raw_reader raw_;
  any_reader content_;
};

/// Compresses for a destination. Ended by `finish`.
using packing_writer = compress_writer<writer_ref>;
packing_writer packing_into(writer_ref destination, const codec& wanted);

}  // namespace sluice::tool

#endif
