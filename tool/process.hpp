// SPDX-License-Identifier: BSL-1.0
//
// The process around a command: its standard descriptors, its signals, and how it ends.
//
//   struct ending { int status; int signal; };
//   class process { process(); bool sigpipe_was_ignored() const; int end(ending) const; };
//   void say(std::string_view line);
//
#ifndef SLUICE_TOOL_PROCESS_HPP
#define SLUICE_TOOL_PROCESS_HPP

#include <string_view>

namespace sluice::tool {

// The exit statuses.
inline constexpr int exit_success = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

/// How a command wants the process to end: with a status, or by the signal that stopped it.
struct ending {
  int status = exit_success;
  int signal = 0;  ///< not 0: the process dies of it, so that a shell sees what happened
};

class process {
 public:
  /// Prepares the process for commands:
  /// * a standard descriptor that the caller has closed is taken by a /dev/null that can't be used
  ///   in its direction, so that no file we open gets its number, and using it fails with EBADF;
  /// * SIGPIPE is ignored: a copy goes on when only the reader of its progress lines has left;
  /// * SIGXFSZ is ignored, so that a write past RLIMIT_FSIZE fails with EFBIG.
  process() noexcept;

  /// Whether whoever started us had SIGPIPE ignored already.
  bool sigpipe_was_ignored() const noexcept { return sigpipe_was_ignored_; }

  /// What main has to return; does not return where the process dies of a signal.
  int end(ending how) const noexcept;

 private:
  bool sigpipe_was_ignored_ = false;
};

/// Writes a line to standard error, after `sluice: `, in one write.
void say(std::string_view line);

/// Writes text to standard output and closes it. False, and a line on standard error, when that
/// failed.
bool print(std::string_view text);

}  // namespace sluice::tool

#endif
