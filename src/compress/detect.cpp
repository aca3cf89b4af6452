// SPDX-License-Identifier: BSL-1.0
#include <sluice/compress/detect.hpp>

#ifdef SLUICE_WITH_GZIP
#include <sluice/compress/gzip.hpp>
#endif
#ifdef SLUICE_WITH_LZ4
#include <sluice/compress/lz4.hpp>
#endif
#ifdef SLUICE_WITH_SNAPPY
#include <sluice/compress/snappy.hpp>
#endif
#ifdef SLUICE_WITH_ZSTD
#include <sluice/compress/zstd.hpp>
#endif

#include <algorithm>
#include <array>

namespace sluice {
namespace {

struct magic_number {
  compression format;
  std::size_t size;
  std::array<unsigned char, compression_magic_size> bytes;
  std::byte varies{0};  // bits of the first byte

  // All of it, or as much of it as there is of `head`.
  bool begins(std::span<const std::byte> head) const noexcept {
    const std::size_t n = std::min(size, head.size());
    if (n == 0) return true;
    const auto wanted = std::as_bytes(std::span(bytes)).first(n);
    return ((head[0] ^ wanted[0]) & ~varies) == std::byte{0} &&
           std::ranges::equal(head.subspan(1, n - 1), wanted.subspan(1));
  }
};

constexpr magic_number skipped_frame{compression::zstd, 4, {0x50, 0x2a, 0x4d, 0x18}, std::byte{0x0f}};
constexpr std::array magic_numbers{
    magic_number{compression::gzip, 3, {0x1f, 0x8b, 8}},
    magic_number{compression::zstd, 4, {0x28, 0xb5, 0x2f, 0xfd}},
    magic_number{compression::lz4, 4, {0x04, 0x22, 0x4d, 0x18}},
    magic_number{compression::lz4, 4, {0x02, 0x21, 0x4c, 0x18}},
    magic_number{compression::snappy, 10, {0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'}},
    skipped_frame,
};

}  // namespace

std::string_view name(compression format) noexcept {
  switch (format) {
    case compression::none: break;
    case compression::gzip: return "gzip";
    case compression::zstd: return "zstd";
    case compression::lz4: return "lz4";
    case compression::snappy: return "snappy";
  }
  return "none";
}

compression compression_of(std::span<const std::byte> head) noexcept {
  for (const magic_number& magic : magic_numbers) {
    if (head.size() >= magic.size && magic.begins(head)) return magic.format;
  }
  return compression::none;
}

namespace detail {
namespace {

// Frames of Zstandard and LZ4 behind one to be skipped: each by the decoder that knows it.
class frames_decoder final : public decoder {
 public:
  frames_decoder(std::unique_ptr<decoder> first, std::unique_ptr<decoder> second) noexcept
      : formats_{std::move(first), std::move(second)} {}

  void begin() override { current_ = nullptr; }

  decoded decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (!current_) {
      // The first byte tells them apart, and what may be skipped is so by both.
      current_ = formats_[formats_[0]->look(in) == beginning::other ? 1 : 0].get();
      current_->begin();
    }
    return current_->decode(in, out);
  }

  beginning look(std::span<const std::byte> in) const noexcept override {
    const beginning one = formats_[0]->look(in);
    return one == beginning::other ? formats_[1]->look(in) : one;
  }

 private:
  std::array<std::unique_ptr<decoder>, 2> formats_;
  decoder* current_ = nullptr;  // of the frame at hand, once it has been looked at
};

std::unique_ptr<decoder> make_decoder(compression format, [[maybe_unused]] inflate_engine engine) {
  switch (format) {
    case compression::gzip:
#ifdef SLUICE_WITH_GZIP
      return make_inflate_decoder(deflate_format::gzip, engine);
#else
      break;
#endif
    case compression::zstd:
#ifdef SLUICE_WITH_ZSTD
      return make_zstd_decoder(largest_zstd_window);
#else
      break;
#endif
    case compression::lz4:
#ifdef SLUICE_WITH_LZ4
      return make_lz4_decoder();
#else
      break;
#endif
    case compression::snappy:
#ifdef SLUICE_WITH_SNAPPY
      return make_snappy_decoder();
#else
      break;
#endif
    case compression::none: break;
  }
  return nullptr;
}

std::unique_ptr<decoder> make_decoder(compression format, std::span<const std::byte> head, inflate_engine engine) {
  auto made = make_decoder(format, engine);
  if (head.size() < skipped_frame.size || !skipped_frame.begins(head)) return made;
  auto other = make_decoder(compression::lz4, engine);
  if (!made || !other) return made ? std::move(made) : std::move(other);
  return std::make_unique<frames_decoder>(std::move(made), std::move(other));
}

struct content_reader {
  decompress_state& progress;
  source_ref from;
  result<std::size_t> read_some(std::span<std::byte> out) { return progress.read_some(from, out); }
};

constexpr std::size_t content_buffer_size = std::size_t{64} << 10;

}  // namespace

result<compression> detect(source_ref from) {
  for (std::size_t wanted = 1;; ++wanted) {
    const auto head = from.fill(wanted);
    if (!head) return fail(head.error());
    const compression format = compression_of(*head);
    if (format != compression::none || head->size() < wanted) return format;
    if (std::ranges::none_of(magic_numbers, [&](const magic_number& magic) { return magic.begins(*head); }))
      return format;
    wanted = head->size();
  }
}

any_format::any_format(const decompress_options& options) noexcept
    : options_(options), content_(buffer_capacity{content_buffer_size, content_buffer_size}) {}

result<compression> any_format::find(source_ref from) {
  if (format_) return *format_;
  const auto found = detect(from);
  if (!found) return found;
  if (*found != compression::none) {
    auto format = make_decoder(*found, from.window(), options_.engine);
    if (!format) return fail(io_errc::unsupported);
    progress_.emplace(std::move(format), options_);
  }
  format_ = *found;
  return found;
}

result<std::size_t> any_format::read_some(source_ref from, std::span<std::byte> out) {
  if (out.empty()) return std::size_t{0};
  if (const auto known = find(from); !known) return fail(known.error());
  if (is_plain()) return from.read_some(out);
  content_reader content{*progress_, from};
  return content_.read_some(as_source(content), out);
}

result<std::span<const std::byte>> any_format::fill(source_ref from, std::size_t n) {
  if (n == 0) return window();
  if (const auto known = find(from); !known) return fail(known.error());
  if (is_plain()) return from.fill(n);
  content_reader content{*progress_, from};
  return content_.fill(as_source(content), n);
}

std::optional<std::uintmax_t> any_format::size_hint(source_ref from) const {
  auto hint = progress_->size_hint(from);
  if (hint) *hint += content_.size();
  return hint;
}

}  // namespace detail

}  // namespace sluice
