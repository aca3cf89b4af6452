// SPDX-License-Identifier: BSL-1.0
//
// How much of Thrift a reader puts up with.
//
//   struct limits { std::size_t max_depth = 64; std::uintmax_t max_message_size = 100 MiB; ... };
//
#ifndef SLUICE_CODEC_THRIFT_LIMITS_HPP
#define SLUICE_CODEC_THRIFT_LIMITS_HPP

#include <cstddef>
#include <cstdint>

namespace sluice::thrift {

/// What is beyond these is `limit_exceeded`, as soon as the bytes claim it. The defaults are those of Apache Thrift.
struct limits {
  /// Values inside one another. Every value counts, the outermost and a scalar too: 64 structs may be nested, and the
  /// innermost is then empty; 63 with a number inside, too. Values are skipped and indexed without recursion, so any
  /// depth is safe there; reading into types of one's own recurses as they do.
  std::size_t max_depth = 64;

  /// Bytes of one message: an envelope, or a struct read by `thrift::read` or `thrift::read_tree` outside of any other;
  /// see protocol_reader::start_message.
  std::uintmax_t max_message_size = std::uintmax_t{100} << 20;

  std::uint32_t max_string_size = 0x7fff'ffff;     ///< bytes of one string, binary or method name
  std::uint32_t max_container_size = 0x7fff'ffff;  ///< elements of one list, set or map
};

}  // namespace sluice::thrift

#endif
