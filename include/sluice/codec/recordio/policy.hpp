// SPDX-License-Identifier: BSL-1.0
//
// What becomes of damage in RecordIO, and the account of it.
//
//   enum class recordio_policy { fail, skip_chunk, resync };
//   struct recordio_options { recordio_policy policy; std::size_t max_chunk_size; };
//   struct recordio_loss { std::uintmax_t offset, bytes, records; std::error_code error; };
//   struct recordio_report;
//
#ifndef SLUICE_CODEC_RECORDIO_POLICY_HPP
#define SLUICE_CODEC_RECORDIO_POLICY_HPP

#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

namespace sluice {

/// What damage in a file does.
enum class recordio_policy : unsigned char {
  /// The first damage is the end: its error is told again and again.
  fail,

  /// A chunk whose payload is bad (checksum, compressor, records) is left out as a whole, as far as its header tells
  /// where the next one begins. A header without the magic number and a torn end are errors.
  skip_chunk,

  /// The same; and where no header is found, reading goes on at the next one that fits: its chunk is followed by
  /// another one or by the end, or its checksum is right. A torn end is left out, too. Only the stream's own errors
  /// are errors.
  resync,
};

/// How RecordIO is read.
struct recordio_options {
  recordio_policy policy = recordio_policy::fail;  ///< what damage does

  /// Bytes of a payload, as stored and decompressed; more is `limit_exceeded`. A bound, so that a few bytes cannot take
  /// all memory.
  std::size_t max_chunk_size = std::size_t{256} << 20;
};

/// A stretch that was left out.
struct recordio_loss {
  std::uintmax_t offset = 0;   ///< from where the reader began, in bytes
  std::uintmax_t bytes = 0;    ///< headers included
  std::uintmax_t records = 0;  ///< as far as the header of a bad chunk tells
  std::error_code error;       ///< what was wrong with its beginning

  bool operator==(const recordio_loss&) const = default;
};

/// What was read, and what was not.
struct recordio_report {
  static constexpr std::size_t most_losses = 64;  ///< so many are listed; all are counted

  std::uintmax_t chunks = 0;          ///< good ones
  std::uintmax_t records = 0;         ///< in good chunks
  std::uintmax_t bytes_lost = 0;      ///< bytes of the file
  std::uintmax_t records_lost = 0;    ///< as far as headers tell
  std::uintmax_t losses = 0;          ///< stretches that were left out
  bool truncated = false;             ///< the end was torn, and left out
  std::vector<recordio_loss> places;  ///< the first `most_losses` of them

  /// Whether nothing was lost.
  bool complete() const noexcept { return losses == 0; }
};

namespace detail {
void add_loss(recordio_report& report, const recordio_loss& loss);
}

}  // namespace sluice

#endif
