// SPDX-License-Identifier: BSL-1.0
//
// A writer that knows what is to come.
//
//   class expecting_writer;     // expecting_writer out{bytes};  ...  out.complete()
//
#ifndef SLUICE_TESTING_EXPECTING_WRITER_HPP
#define SLUICE_TESTING_EXPECTING_WRITER_HPP

#include <sluice/result.hpp>

#include <cstddef>
#include <span>

namespace sluice {

/// Accepts the bytes that it expects, which somebody else keeps alive, and stops at the first wrong one: so that the
/// test fails where the fault is, with the stack of the write that was wrong, and keeps nothing however long the
/// stream.
class expecting_writer {
 public:
  /// Accepts these bytes, which have to outlive it, and no others.
  explicit expecting_writer(std::span<const std::byte> expected) noexcept : expected_(expected) {}

  /// Accepts the bytes up to the first wrong one. Errors: `invalid_data` where the first byte is wrong, or one too
  /// many; then, and in every later call.
  result<std::size_t> write_some(std::span<const std::byte> b) noexcept;

  /// How many bytes were right.
  std::size_t position() const noexcept { return at_; }

  /// Everything that was expected has come, and nothing else.
  bool complete() const noexcept { return !wrong_ && at_ == expected_.size(); }

 private:
  std::span<const std::byte> expected_;
  std::size_t at_ = 0;
  bool wrong_ = false;
};

}  // namespace sluice

#endif
