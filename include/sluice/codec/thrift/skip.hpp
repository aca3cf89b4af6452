// SPDX-License-Identifier: BSL-1.0
//
// Moves an offset past values that lie in memory.
//
//   class skipper;      // thrift::skipper at{bytes};  at.skip(ttype::struct_);  at.offset()
//
#ifndef SLUICE_CODEC_THRIFT_SKIP_HPP
#define SLUICE_CODEC_THRIFT_SKIP_HPP

#include <sluice/codec/thrift/limits.hpp>
#include <sluice/codec/thrift/types.hpp>
#include <sluice/result.hpp>

#include <span>

namespace sluice::thrift {

/// An offset in memory that somebody else owns. Values of fixed size, and containers of such, are one check and one
/// addition, in 64 bits; nothing is decoded, and nothing allocates down to 64 levels. The offset is never behind the
/// end.
class skipper {
 public:
  /// At the first of these bytes, which have to outlive it.
  explicit skipper(std::span<const std::byte> memory, const limits& most = {}) noexcept
      : memory_(memory), limits_(most) {}

  /// Moves past a value of this type. What a bool holds is not checked. After an error the offset is as it was.
  /// Errors: `truncated`, `invalid_data`, `limit_exceeded`, as protocol_reader has them.
  result<void> skip(ttype type);

  /// Moves past any number of bytes. Errors: `truncated` where they are not there.
  result<void> skip_bytes(std::size_t n) noexcept;

  /// Bytes that were passed.
  std::size_t offset() const noexcept { return offset_; }
  /// The bytes behind them.
  std::span<const std::byte> rest() const noexcept { return memory_.subspan(offset_); }

 private:
  std::span<const std::byte> memory_;
  limits limits_;
  std::size_t offset_ = 0;
};

}  // namespace sluice::thrift

#endif
