// SPDX-License-Identifier: BSL-1.0
#include "process.hpp"

#include <sluice/copy.hpp>
#include <sluice/memory/span_reader.hpp>
#include <sluice/system/fd_stream.hpp>
#include <sluice/system/standard_streams.hpp>

#include "text.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace sluice::tool {

namespace {

/// Takes the number of a closed standard descriptor. The lowest free number is given first, so that
/// it is the one, if all lower ones are taken.
void reserve(int fd, int wrong_direction) noexcept {
  if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
    [[maybe_unused]] const int taken = ::open("/dev/null", wrong_direction);
  }
}

bool is_ignored(int signal) noexcept {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

process::process() noexcept {
  reserve(STDIN_FILENO, O_WRONLY);
  reserve(STDOUT_FILENO, O_RDONLY);
  reserve(STDERR_FILENO, O_RDONLY);
  sigpipe_was_ignored_ = is_ignored(SIGPIPE);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

int process::end(ending how) const noexcept {
  if (how.signal == 0) return how.status;
  ::signal(how.signal, SIG_DFL);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, how.signal);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(how.signal);
  // The first process of a container gets no deadly signals. What a shell would have made of it:
  return 128 + how.signal;
}

void say(std::string_view line) {
  const std::string text = "sluice: " + std::string(line) + "\n";
  // Nobody is left to be told when this fails.
  (void)copy(span_reader(text), standard_error());
}

bool print(std::string_view text) {
  fd_stream out(STDOUT_FILENO);
  const auto written = copy(span_reader(text), out);
  const result<void> closed = out.close();
  if (written && closed) return true;
  say("standard output: " + message(written ? closed.error() : written.error().code) +
      (written ? " (closing)" : " (writing)"));
  return false;
}

}  // namespace sluice::tool
