// SPDX-License-Identifier: BSL-1.0
#include "deflate_coders.hpp"

#ifdef SLUICE_WITH_ISAL

#include <algorithm>
#include <cstring>
#include <utility>

#include <isa-l/igzip_lib.h>

namespace sluice {

bool has_isal_inflate() noexcept { return true; }

namespace detail {
namespace {

// Far from where its 32 bits end, as it adds to such numbers.
std::uint32_t count(std::size_t n) noexcept {
  constexpr std::size_t most = std::size_t{1} << 30;
  return static_cast<std::uint32_t>(std::min(n, most));
}

// Its structures take byte pointers without const, and read only.
std::uint8_t* bytes_of(std::span<const std::byte> in) noexcept {
  return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(in.data()));
}

class isal_decoder final : public inflate_decoder {
 public:
  explicit isal_decoder(deflate_format format) noexcept : inflate_decoder(format) { ::isal_inflate_init(&state_); }

 private:
  void restart() override {
    ::isal_inflate_reset(&state_);
    failure_ = {};
    state_.crc_flag = format() == deflate_format::gzip   ? ISAL_GZIP_NO_HDR
                      : format() == deflate_format::zlib ? ISAL_ZLIB_NO_HDR
                                                         : ISAL_DEFLATE;
  }

  decoded inflate(std::span<const std::byte> in, std::span<std::byte> out) override {
    state_.next_in = bytes_of(in);
    state_.avail_in = count(in.size());
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = count(out.size());
    const int answer = failure_ ? ISAL_DECOMP_OK : ::isal_inflate(&state_);
    decoded step{.consumed = count(in.size()) - state_.avail_in, .produced = count(out.size()) - state_.avail_out};
    if (answer < 0) fail_with(answer, step, in.size());
    if (failure_) {
      step.produced += take_decoded(out.subspan(step.produced));
      if (state_.tmp_out_processed == state_.tmp_out_valid) step.error = failure_;
      return step;
    }
    step.member_ended = state_.block_state == ISAL_BLOCK_FINISH;
    if (step.member_ended || state_.avail_out == 0) step.consumed -= give_back(step.consumed);
    return step;
  }

  // What was decoded before the failure is in `out`, and behind it in ISA-L's own buffer. Where a match was wrong, its
  // length is counted, and there is nothing written: whatever may be of that is left off.
  [[gnu::cold]] void fail_with(int answer, decoded& step, std::size_t offered) noexcept {
    failure_ = io_errc::invalid_data;
    step.consumed = std::min(step.consumed, offered);
    if (answer != ISAL_INVALID_SYMBOL && answer != ISAL_INVALID_LOOKBACK) return;
    constexpr std::int32_t longest_match = ISAL_DEF_MAX_MATCH;
    const std::int32_t withheld = std::min(longest_match, state_.tmp_out_valid - state_.tmp_out_processed);
    state_.tmp_out_valid -= withheld;
    step.produced -= std::min(static_cast<std::size_t>(longest_match - withheld), step.produced);
  }

  std::size_t take_decoded(std::span<std::byte> out) noexcept {
    const std::size_t n =
        std::min(out.size(), static_cast<std::size_t>(state_.tmp_out_valid - state_.tmp_out_processed));
    std::memcpy(out.data(), state_.tmp_out_buffer + state_.tmp_out_processed, n);
    state_.tmp_out_processed += static_cast<std::int32_t>(n);
    return n;
  }

  // ISA-L takes whole bytes ahead into its bit buffer, and they may belong to whatever follows the stream. They are
  // given back by the call that took them: when the stream has ended, and when there was no room to find out. A call
  // that runs out of input leaves nothing there but what it could not decode yet; so does a header of a block that is
  // not complete, whose bytes stand in another buffer behind these.
  std::size_t give_back(std::size_t taken) noexcept {
    if (state_.block_state == ISAL_BLOCK_HDR) return 0;
    const std::size_t whole = std::min(static_cast<std::size_t>(state_.read_in_length) / 8, taken);
    state_.read_in_length -= static_cast<std::int32_t>(8 * whole);
    state_.read_in &= (std::uint64_t{1} << state_.read_in_length) - 1;
    return whole;
  }

  std::uint32_t checksum() const noexcept override { return state_.crc; }

  ::inflate_state state_;
  std::error_code failure_;  // told after what was decoded before it
};

class isal_encoder final : public deflate_encoder {
 public:
  explicit isal_encoder(deflate_format format) noexcept : format_(format) {}

  void begin() override {
    begun();
    ::isal_deflate_init(&stream_);
    stream_.gzip_flag = format_ == deflate_format::gzip   ? IGZIP_GZIP
                        : format_ == deflate_format::zlib ? IGZIP_ZLIB
                                                          : IGZIP_DEFLATE;
    stream_.level = 1;
    stream_.level_buf = level_memory_;
    stream_.level_buf_size = sizeof level_memory_;
  }

 private:
  encoded run(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) override {
    stream_.next_in = bytes_of(in);
    stream_.avail_in = count(in.size());
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = count(out.size());
    stream_.flush = mode == encode_mode::flush ? SYNC_FLUSH : NO_FLUSH;
    stream_.end_of_stream = mode == encode_mode::finish;
    if (::isal_deflate(&stream_) != COMP_OK) return {.error = io_errc::invalid_data};
    return {.consumed = count(in.size()) - stream_.avail_in,
            .produced = count(out.size()) - stream_.avail_out,
            .done = mode == encode_mode::finish ? stream_.internal_state.state == ZSTATE_END : stream_.avail_out != 0};
  }

  deflate_format format_;
  ::isal_zstream stream_;
  std::uint8_t level_memory_[ISAL_DEF_LVL1_DEFAULT];
};

}  // namespace

std::unique_ptr<decoder> make_isal_decoder(deflate_format format) { return std::make_unique<isal_decoder>(format); }
std::unique_ptr<encoder> make_isal_encoder(deflate_format format) { return std::make_unique<isal_encoder>(format); }

}  // namespace detail
}  // namespace sluice

#else

namespace sluice {

bool has_isal_inflate() noexcept { return false; }

namespace detail {

std::unique_ptr<decoder> make_isal_decoder(deflate_format) { return nullptr; }
std::unique_ptr<encoder> make_isal_encoder(deflate_format) { return nullptr; }

}  // namespace detail
}  // namespace sluice

#endif
