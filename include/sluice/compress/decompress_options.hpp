// SPDX-License-Identifier: BSL-1.0
//
// What every decompressing reader is told.
//
//   enum class members { all, one };
//   enum class trailing { fail, ignore, leave };
//   enum class inflate_engine { automatic, zlib, isal };
//   struct decompress_options;
//
#ifndef SLUICE_COMPRESS_DECOMPRESS_OPTIONS_HPP
#define SLUICE_COMPRESS_DECOMPRESS_OPTIONS_HPP

#include <sluice/kernel_endpoint.hpp>

#include <cstddef>
#include <cstdint>

namespace sluice {

/// How many members (frames) are read. A compressed file may be several of them, one after another; its content is all
/// of theirs together.
enum class members : unsigned char {
  all,
  one,  ///< the first; what follows stays in the source
};

/// What becomes of bytes behind the last member that begin no other. Zeros behind a gzip member are padding, and no
/// error; with `leave` they stay.
enum class trailing : unsigned char {
  fail,    ///< they are `invalid_data`, after all content has been delivered
  ignore,  ///< the source is read to its end, and they are dropped
  leave,   ///< they stay in the source: a buffered one goes on exactly behind the last member
};

/// Which library decodes gzip, zlib and deflate; other formats have one each.
///
/// What is well-formed decodes to the same bytes, and the same bytes of the source are taken. What is not differs in
/// how much comes before the error: ISA-L keeps back up to two bytes where a stream was cut off, and up to 258 before a
/// wrong symbol. ISA-L also decodes with codes that have unused words, which zlib refuses.
enum class inflate_engine : unsigned char {
  automatic,  ///< ISA-L where the library was built with it, else zlib
  zlib,
  isal,  ///< the same as automatic
};

/// How a compressed source is read.
struct decompress_options {
  /// At most so many bytes come out; where there would be more, these arrive and then `limit_exceeded`. A few bytes of
  /// input may stand for a thousand times as many, so set it where the input is not trusted.
  std::uintmax_t max_size = unbounded;
  sluice::members members = members::all;      ///< how many of them are read
  sluice::trailing trailing = trailing::fail;  ///< what may follow the last member
  /// Of the reader's own buffer, in bytes, where the source has none.
  std::size_t buffer_size = std::size_t{64} << 10;
  inflate_engine engine = inflate_engine::automatic;  ///< of gzip, zlib and raw deflate only
};

}  // namespace sluice

#endif
