// SPDX-License-Identifier: BSL-1.0
//
// One format's decompression, as decompress_reader uses it.
//
//   class decoder;              // what a format defines
//   class decompress_state;        // goes through the members of a stream with it
//
#ifndef SLUICE_COMPRESS_DETAIL_DECODER_HPP
#define SLUICE_COMPRESS_DETAIL_DECODER_HPP

#include <sluice/compress/decompress_options.hpp>
#include <sluice/detail/source_ops.hpp>

#include <array>
#include <memory>

namespace sluice::detail {

/// What begins at the start of some bytes.
enum class beginning : unsigned char {
  member,
  padding,  ///< zeros that the format allows behind a member
  other,
  unclear,  ///< too few bytes to tell
};

/// What one step has done.
struct decoded {
  std::size_t consumed = 0;  ///< never behind the end of the member
  std::size_t produced = 0;
  bool member_ended = false;
  std::error_code error = {};  ///< after the bytes that were produced
};

/// What is known of a compressed stream without reading it.
struct compressed_extent {
  std::span<const std::byte> head;  ///< the first bytes, as far as they are at hand
  std::span<const std::byte> tail;  ///< the last four, or none
  std::uintmax_t size = 0;          ///< all of them
};

class decoder {
 public:
  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  /// Makes ready for a member; nothing of the one before counts.
  virtual void begin() = 0;

  /// Decodes bytes of a member. It takes all of `in` unless `out` is full or the member has ended; having nothing to
  /// give and nothing to take, it is told of further bytes. Neither span is empty, but `in` may be where `out` was
  /// full before.
  virtual decoded decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  /// Whether the stream may end here, inside a member: of formats that do not mark the end.
  virtual bool may_end() const noexcept { return false; }

  /// What begins with these bytes, of which there is at least one. With 16 of them it is clear.
  virtual beginning look(std::span<const std::byte> in) const noexcept = 0;

  /// How much the stream decodes to, as far as it says. A hint only.
  virtual std::optional<std::uintmax_t> size_hint(const compressed_extent&) const noexcept { return std::nullopt; }
};

/// Where in the stream a decompressing reader is.
class decompress_state {
 public:
  decompress_state(std::unique_ptr<decoder> format, const decompress_options& options) noexcept;
  decompress_state(decompress_state&&) noexcept = default;
  decompress_state& operator=(decompress_state&&) noexcept = default;
  ~decompress_state() = default;

  /// `from` is buffered.
  result<std::size_t> read_some(source_ref from, std::span<std::byte> out);

  std::optional<std::uintmax_t> size_hint(source_ref from) const;

  bool at_member_boundary() const noexcept { return place_ != place::inside && head_size_ == 0; }
  std::uintmax_t total() const noexcept { return total_; }

 private:
  enum class place : unsigned char { first, inside, between, behind, ended };

  result<std::size_t> advance(source_ref from, std::span<std::byte> out);
  result<void> find_member(source_ref from);
  result<void> begin_member();
  result<void> no_more_members(std::error_code why) noexcept;
  result<void> pass_rest(source_ref from);
  std::unexpected<std::error_code> failed(std::error_code why) noexcept;

  std::unique_ptr<decoder> format_;
  std::error_code error_;  // told after what was decoded before it, and then again and again
  std::uintmax_t left_;    // of the bound
  std::uintmax_t total_ = 0;
  std::array<std::byte, 16> head_{};  // taken from the source, and too few to tell what begins
  std::size_t head_size_ = 0;
  place place_ = place::first;
  members members_;
  trailing trailing_;
  bool more_to_give_ = false;  // `out` was full; the decoder may hold bytes without any input
};

}  // namespace sluice::detail

#endif
