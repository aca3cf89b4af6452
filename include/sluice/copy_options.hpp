// SPDX-License-Identifier: BSL-1.0
//
// What a copy can be told, and what it tells.
//
//   enum class kernel_policy { automatic, never, aliasing };
//   enum class sparse_policy { automatic, never, always };
//   enum class flush_policy { as_needed, at_end, never };
//   using progress_fn = std::function<void(std::uintmax_t)>;
//   struct copy_options;
//   enum class copy_side { none, reader, writer };
//   std::string_view name(copy_side) noexcept;
//   struct copy_error { std::error_code code; std::uintmax_t bytes; copy_side side; std::vector<std::byte> unwritten; };
//   class copy_failure : public std::system_error;    // what or_throw throws for a copy_error
//
#ifndef SLUICE_COPY_OPTIONS_HPP
#define SLUICE_COPY_OPTIONS_HPP

#include <sluice/copy_report.hpp>
#include <sluice/result.hpp>
#include <sluice/wait_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sluice {

/// Which kernel paths a copy may take.
enum class kernel_policy : unsigned char {
  automatic,  ///< those after which the bytes cannot change under the receiver, and sendfile from a file to a socket
  never,      ///< read and write only
  aliasing,   ///< also a file spliced into a pipe: a later write to the file changes what the pipe's reader gets
};

/// What becomes of holes, from regular file to regular file.
enum class sparse_policy : unsigned char {
  automatic,  ///< a hole in the source becomes a hole in the destination; not with kernel_policy::never
  never,      ///< SEEK_HOLE is not asked: every byte of the source is moved
  always,     ///< as automatic, and blocks of zeros become holes too; the bytes pass through memory for that
};

/// When a copy flushes a buffered writer.
enum class flush_policy : unsigned char {
  as_needed,  ///< before a kernel path takes over, and before waiting for a source that has nothing to give
  at_end,     ///< and when the source has ended
  never,      ///< not at all: then no kernel path is taken past what the writer holds
};

/// Called with the bytes that the writer has accepted so far.
using progress_fn = std::function<void(std::uintmax_t)>;

/// How `copy`, `copy_n` and `copier` copy. The defaults are right for most.
struct copy_options {
  std::size_t buffer_size = 0;        ///< bytes of the scratch buffer; 0: the measured default, 256 KiB
  std::span<std::byte> scratch = {};  ///< the caller's memory instead of ours: then copy allocates nothing
  kernel_policy kernel = kernel_policy::automatic;  ///< which kernel paths may be taken
  sparse_policy sparse = sparse_policy::automatic;  ///< what becomes of holes and of zeros
  would_block on_would_block = would_block::wait;   ///< wait, or come back with an error
  flush_policy flush = flush_policy::as_needed;     ///< when a buffered writer is flushed

  /// Called while the copy runs or waits, no more often than `progress_interval`, and once when it has ended, with the
  /// bytes of this copy.
  /// Keeps the kernel path, which then moves bounded pieces.
  progress_fn on_progress = {};
  std::chrono::milliseconds progress_interval{100};  ///< between two calls of `on_progress`

  /// Checked between pieces and while waiting: ends with io_errc::cancelled. A write that a buffered writer makes
  /// itself to a blocking descriptor is not interrupted: there the descriptor should be non-blocking.
  std::stop_token stop = {};

  /// Checked as `stop` is: ends with std::errc::timed_out, on no side.
  std::chrono::steady_clock::time_point deadline = no_deadline;

  copy_report* report = nullptr;  ///< filled with which paths moved how many bytes in how many calls
};

/// Who failed.
enum class copy_side : unsigned char { none, reader, writer };

/// The name of a side, as in the enumeration.
std::string_view name(copy_side side) noexcept;

/// How a copy failed. Every byte taken from the source is either accepted by the writer (`bytes`), still readable from
/// the source, or in `unwritten`; so nothing is lost, and another copy goes on from here.
struct copy_error {
  std::error_code code;              ///< what went wrong
  std::uintmax_t bytes = 0;          ///< accepted by the writer
  copy_side side = copy_side::none;  ///< whose fault it was
  std::vector<std::byte> unwritten;  ///< taken from the source and accepted by nobody, in order

  /// So it compares with io_errc and std::errc, and the result of a copy converts to a result<T>, as those of the other
  /// algorithms do.
  operator std::error_code() const noexcept { return code; }
  /// Compares the code.
  friend bool operator==(const copy_error& error, io_errc other) noexcept { return error.code == other; }
};

/// What `or_throw` throws for a failed copy.
class copy_failure : public std::system_error {
 public:
  /// Takes over the error, with the bytes that it carries.
  explicit copy_failure(copy_error error);

  /// All that is known of the failure.
  const copy_error& error() const noexcept { return error_; }

 private:
  copy_error error_;
};

namespace detail {
[[noreturn]] void throw_copy_failure(copy_error&& error);
}

/// The value of a copy's result; where there is none, throws `copy_failure`.
template <class T>
T or_throw(std::expected<T, copy_error> r) {
  if (!r) detail::throw_copy_failure(std::move(r.error()));
  return *std::move(r);
}

}  // namespace sluice

#endif
