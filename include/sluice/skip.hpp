// SPDX-License-Identifier: BSL-1.0
//
// Passing over bytes.
//
//   std::expected<std::uintmax_t, transfer_error> skip(reader& r, std::uintmax_t n);
//   std::expected<std::uintmax_t, transfer_error> skip(reader& r, std::uintmax_t n, const wait_options& options);
//
#ifndef SLUICE_SKIP_HPP
#define SLUICE_SKIP_HPP

#include <sluice/detail/source_ops.hpp>
#include <sluice/transfer_error.hpp>

namespace sluice {

struct wait_options;

namespace detail {

std::expected<std::uintmax_t, transfer_error> skip(source_ref from, std::uintmax_t n, const wait_options* options);

// A function object, because the customisation point of the same name looks for functions by their argument: it must
// not find this one, which would make every stream of this namespace skippable, by itself.
struct skip_algorithm {
  template <reader R>
  std::expected<std::uintmax_t, transfer_error> operator()(R&& r, std::uintmax_t n) const {
    return detail::skip(unwrapped_source(r), n, nullptr);
  }
  template <reader R>
  std::expected<std::uintmax_t, transfer_error> operator()(R&& r, std::uintmax_t n, const wait_options& options) const {
    return detail::skip(unwrapped_source(r), n, &options);
  }
};

}  // namespace detail

/// Passes over up to `n` bytes without delivering them; returns how many, fewer only at the end of the stream, however
/// large a gap lseek(2) would allow.
///
/// What is buffered is consumed first. For the rest the stream's own skip serves (an offset bump in memory, a bounded
/// lseek in a file); else a pipe that is to lose 64 KiB or more is spliced to /dev/null, and a TCP socket told to drop
/// them (MSG_TRUNC), also through wrappers that keep the kernel endpoint; else the bytes are read and dropped.
///
/// Waits as <sluice/read.hpp> says. Errors: the stream's; `cancelled` and `timed_out` by the options. The error's
/// `bytes` have been passed over.
inline constexpr detail::skip_algorithm skip{};

}  // namespace sluice

#endif
