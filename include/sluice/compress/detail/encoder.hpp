// SPDX-License-Identifier: BSL-1.0
//
// One format's compression, as compress_writer uses it.
//
//   class encoder;              // what a format defines
//   class compress_state;          // feeds it, and puts what comes out into a buffered writer
//
#ifndef SLUICE_COMPRESS_DETAIL_ENCODER_HPP
#define SLUICE_COMPRESS_DETAIL_ENCODER_HPP

#include <sluice/detail/sink_ops.hpp>

#include <memory>

namespace sluice::detail {

enum class encode_mode : unsigned char {
  run,
  flush,   ///< everything taken so far comes out, so that it can be decoded
  finish,  ///< the same, and the member ends
};

/// What one step has done.
struct encoded {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool done = false;  ///< of a flush or finish: nothing is held back
  std::error_code error = {};
};

class encoder {
 public:
  encoder() = default;
  encoder(const encoder&) = delete;
  encoder& operator=(const encoder&) = delete;
  virtual ~encoder() = default;

  /// Starts a member; nothing of the one before counts.
  virtual void begin() = 0;

  /// Takes from `in` and puts into `out`, which is not empty. With `run` it goes on until either is used up; with the
  /// others `in` is empty, and it is called again until it is done.
  virtual encoded encode(std::span<const std::byte> in, std::span<std::byte> out, encode_mode mode) = 0;
};

/// Where in the stream a compressing writer is.
class compress_state {
 public:
  explicit compress_state(std::unique_ptr<encoder> format) noexcept : format_(std::move(format)) {}
  compress_state(compress_state&&) noexcept = default;
  compress_state& operator=(compress_state&&) noexcept = default;
  ~compress_state() = default;

  /// `to` is buffered, in all of these.
  result<std::size_t> write_some(sink_ref to, std::span<const std::byte> in);

  /// Brings all that was written into the buffer of `to`; does not flush that.
  result<void> flush(sink_ref to);

  /// Ends the member. Once that is done it does nothing until something is written again. Without a single byte it
  /// makes an empty member, once.
  result<void> finish(sink_ref to);

  /// The last chance, for destructors.
  void finish_quietly(sink_ref to) noexcept;

  std::uintmax_t total() const noexcept { return total_; }

 private:
  enum class place : unsigned char { fresh, inside, flushed, finishing, finished };

  result<void> drain(sink_ref to, encode_mode mode);
  void open();

  std::unique_ptr<encoder> format_;
  std::uintmax_t total_ = 0;
  place place_ = place::fresh;
};

}  // namespace sluice::detail

#endif
